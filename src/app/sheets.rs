//! Lesson sheets, as they were rendered, for a class that opens a link.
//!
//! Visitors do not wait for each other's rendering, since one may wait long for a share that the others have.

use std::sync::Arc;

use crate::admission::SHEET_BYTES;
use crate::cache::Recent;
use crate::domain::id::ObjectId;
use crate::domain::link::Shows;
use crate::store::State;

pub struct Sheets(Recent<Sheet, Arc<[u8]>>);

/// What a sheet is rendered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sheet {
    pub investigation: ObjectId,
    /// State of the investigation at the visit.
    pub state: State,
    /// The version that the link is pinned to; `None` for the current version.
    pub version: Option<u64>,
    pub shows: Shows,
}

impl Default for Sheets {
    fn default() -> Self {
        Self(Recent::new(SHEET_BYTES, |_, html: &Arc<[u8]>| html.len()))
    }
}

impl Sheets {
    /// Returns a sheet as HTML if it was rendered recently.
    pub fn get(&self, sheet: &Sheet) -> Option<Arc<[u8]>> {
        self.0.get(sheet)
    }

    pub fn keep(&self, sheet: Sheet, html: Arc<[u8]>) {
        self.0.insert(sheet, html);
    }
}
