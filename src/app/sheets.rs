//! Lesson sheets, as they were rendered, for a class that opens a link.
//!
//! Visitors do not wait for each other's rendering, since one may wait long for a share that the others have.

use std::sync::Arc;

use crate::admission::SHEET_BYTES;
use crate::cache::Recent;
use crate::domain::id::ObjectId;
use crate::domain::lesson_sheet::Audience;
use crate::store::State;

pub struct Sheets(Recent<SheetKey, Arc<[u8]>>);

/// What a sheet is rendered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SheetKey {
    pub investigation: ObjectId,
    /// State of the investigation when the sheet is asked for.
    pub state: State,
    /// The version that is shown; `None` for the current version.
    pub version: Option<u64>,
    pub audience: Audience,
}

impl Default for Sheets {
    fn default() -> Self {
        Self(Recent::new(SHEET_BYTES, |_, html: &Arc<[u8]>| html.len()))
    }
}

impl Sheets {
    /// Returns a sheet as HTML if it was rendered recently.
    pub fn get(&self, sheet: &SheetKey) -> Option<Arc<[u8]>> {
        self.0.get(sheet)
    }

    pub fn keep(&self, sheet: SheetKey, html: Arc<[u8]>) {
        self.0.insert(sheet, html);
    }
}
