//! Caches of rendered lesson sheets and of their pictures, for a class that opens a link.
//!
//! Visitors do not wait for each other's rendering. Otherwise, the one who renders might have to wait for a permit that
//! the waiting visitors hold, and all of them would wait forever.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;

use crate::admission::SHEET_BYTES;
use crate::cache::LruCache;
use crate::domain::id::ObjectId;
use crate::domain::lesson_sheet::Audience;
use crate::store::RevisionKey;

pub struct Sheets {
    html: LruCache<SheetKey, Arc<SheetHtml>>,
    pictures: LruCache<(RevisionKey, String), SentPicture>,
}

/// A picture as it is sent.
#[derive(Debug, Clone)]
pub struct SentPicture {
    pub media_type: &'static str,
    pub bytes: Bytes,
}

/// The values that determine what a rendered sheet contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SheetKey {
    pub investigation: ObjectId,
    /// State of the investigation when the sheet is requested.
    pub state: RevisionKey,
    /// The version that is shown; `None` for the current version.
    pub version: Option<u64>,
    pub audience: Audience,
}

/// Separates the parts of a picture in HTML. No text has this character.
pub const MARK: char = '\0';

/// Maximum height of a picture of a sheet on a screen, in CSS pixels.
const MAX_HEIGHT: u32 = 360;
/// Minimum ratio of width to height of a wide picture.
const WIDE: f64 = 2.5;

/// A sheet as an HTML template. It lacks the data that is known only when the sheet is sent: which pictures exist,
/// their addresses and their sizes.
#[derive(Debug)]
pub struct SheetHtml {
    /// The HTML, as a template. For each picture, it contains five parts, each with [`MARK`] before it:
    /// 1. the beginning of the picture's HTML, up to the address that the picture links to
    /// 2. the HTML between this address and the address of the image
    /// 3. the rest of the picture's HTML
    /// 4. a note, which replaces parts 1 to 3 if the picture was removed
    /// 5. the HTML after the picture, up to the next picture
    ///
    /// [`Self::page`] inserts the address of the picture after part 1 and after part 2. After the second address, it
    /// also inserts the size.
    pub text: Bytes,
    /// The ids of the pictures, in the order of the text.
    pub pictures: Vec<String>,
}

impl SheetHtml {
    /// Returns the size of the sheet in bytes.
    fn bytes(&self) -> usize {
        self.text.len() + self.pictures.iter().map(String::len).sum::<usize>()
    }

    /// Returns the page to send. `held` contains the pictures that exist, and the width and height of each in pixels.
    /// The address of a picture consists of `before`, its id and `after`.
    pub fn page(&self, held: &HashMap<String, (u32, u32)>, before: &str, after: &str) -> Bytes {
        if self.pictures.is_empty() {
            return self.text.clone();
        }
        let mut parts = self.text.split(|byte| *byte == MARK as u8);
        let mut page = parts.next().unwrap_or_default().to_vec();
        let parts: Vec<&[u8]> = parts.collect();
        for (id, [start, between, end, removed, next]) in self.pictures.iter().zip(parts.as_chunks().0) {
            let address = [before.as_bytes(), id.as_bytes(), after.as_bytes()].concat();
            match held.get(id) {
                Some(&(width, height)) => {
                    let size = size(width, height);
                    page.extend([*start, &address, *between, &address, size.as_bytes(), *end].concat());
                }
                None => page.extend_from_slice(removed),
            }
            page.extend_from_slice(next);
        }
        page.into()
    }
}

/// Returns the size at which a picture is shown, as HTML attributes. They are inserted between the value of another
/// attribute and its closing quote.
fn size(width: u32, height: u32) -> String {
    let (wide, high) = (f64::from(width.max(1)), f64::from(height.max(1)));
    let high = high.min(f64::from(MAX_HEIGHT));
    let scaled = (wide * high / f64::from(height.max(1))).round().max(1.0);
    let class = if wide >= WIDE * f64::from(height) { "\" class=\"wide" } else { "" };
    format!("\" width=\"{scaled}\" height=\"{high}{class}")
}

impl Default for Sheets {
    fn default() -> Self {
        Self {
            html: LruCache::new(SHEET_BYTES, |_, html: &Arc<SheetHtml>| html.bytes()),
            pictures: LruCache::new(SHEET_BYTES, |_, picture: &SentPicture| picture.bytes.len()),
        }
    }
}

impl Sheets {
    /// Returns a sheet as HTML if it was rendered recently.
    pub fn get(&self, sheet: &SheetKey) -> Option<Arc<SheetHtml>> {
        self.html.get(sheet)
    }

    pub fn keep(&self, sheet: SheetKey, html: Arc<SheetHtml>) {
        self.html.insert(sheet, html);
    }

    /// Returns the picture with this id of an investigation in this state, if it was sent recently. It cannot have been
    /// removed since, because a removal changes the state.
    pub fn picture(&self, picture: &(RevisionKey, String)) -> Option<SentPicture> {
        self.pictures.get(picture)
    }

    pub fn keep_picture(&self, picture: (RevisionKey, String), sent: SentPicture) {
        self.pictures.insert(picture, sent);
    }
}
