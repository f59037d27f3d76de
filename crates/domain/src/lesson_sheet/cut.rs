//! The maximum size of a sheet.

use super::block::{Block, Entry, Picture};
use super::language::Direction;
use super::together::{parts, unbroken};

/// Approximate maximum size of a lesson sheet as HTML, in bytes. HTML can be many times larger than the content, and
/// anybody may open a sheet.
pub const MAX_SHEET: usize = 1024 * 1024;

/// Approximate size of the markup around a text of a sheet, in bytes.
const MARKUP: usize = 120;

/// Size of the markup around a formula, in bytes.
const FORMULA: usize = 40;

/// The remaining size budget of a sheet, in bytes.
pub(super) struct SizeBudget {
    left: usize,
    /// Whether something did not fit. If true, nothing more is added.
    pub(super) is_full: bool,
}

impl SizeBudget {
    pub(super) fn new() -> Self {
        Self { left: MAX_SHEET, is_full: false }
    }

    /// Reserves space for an element with these texts. Returns false if they do not fit.
    pub(super) fn takes<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) -> bool {
        let bytes = texts.into_iter().map(|text| MARKUP + escaped(text)).sum();
        let left = self.left.checked_sub(bytes).filter(|_| !self.is_full);
        self.is_full = left.is_none();
        self.left = left.unwrap_or_default();
        !self.is_full
    }

    /// Removes the parts that do not fit.
    pub(super) fn cut(&mut self, block: &mut Block) {
        match block {
            Block::Text(paragraphs) => paragraphs.retain(|paragraph| self.takes([paragraph.as_str()])),
            Block::List(list) => list.entries.retain(|entry| self.takes(texts(entry))),
            Block::Members(members) => {
                members.retain_mut(|(label, block)| {
                    let is_begun = self.takes([label.as_str()]);
                    self.cut(block);
                    is_begun
                });
            }
            Block::Pictures(pictures) => pictures.retain(|picture| self.takes(texts_of(picture))),
        }
    }
}

fn texts(entry: &Entry) -> impl Iterator<Item = &str> {
    let own = [Some(&entry.lead), entry.amount.as_ref(), entry.minutes.as_ref()].into_iter().flatten();
    let pictured = entry.picture.iter().flat_map(texts_of);
    own.chain(&entry.notes).map(String::as_str).chain(pictured)
}

fn texts_of(picture: &Picture) -> impl Iterator<Item = &str> {
    // The id appears twice: in the image and in the link that opens it.
    [picture.id.as_str(), picture.id.as_str(), picture.alt.as_str()].into_iter().chain(picture.caption.as_deref())
}

/// Returns the size of a text in HTML, in bytes.
fn escaped(text: &str) -> usize {
    // In right-to-left text, each unbroken part needs separate markup.
    let formulas = parts(text, Direction::Rtl).len() / 2 * FORMULA;
    // An address appears twice in the markup of a link.
    let addresses = text.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_alphabetic() && pair[1] == b':').count();
    let text = unbroken(text);
    let sizes = text.bytes().map(|byte| match byte {
        // In an address, each slash gets markup that allows a line break.
        b'/' if addresses > 0 => "<wbr>/".len(),
        b'"' => "&quot;".len(),
        b'&' => "&amp;".len(),
        b'<' | b'>' => "&lt;".len(),
        // A newline may end a list item, which has its own markup.
        b'\n' => "<span class=item></span>".len(),
        _ => 1,
    });
    let size = sizes.sum::<usize>() + formulas;
    if addresses == 0 { size } else { 2 * size + addresses * MARKUP }
}
