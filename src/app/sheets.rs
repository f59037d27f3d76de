//! Lesson sheets, as they were rendered. When a class opens a link, its visitors share one rendering.

use std::sync::Arc;

use crate::cache::{Recent, SingleFlight};
use crate::domain::id::ObjectId;
use crate::domain::link::Shows;
use crate::store::{State, StoreError};

/// Maximum memory for rendered sheets, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

/// A sheet as HTML; `None` if its investigation or version is gone.
pub type Rendered = Result<Option<Arc<[u8]>>, StoreError>;

pub struct Sheets {
    recent: Recent<Sheet, Arc<[u8]>>,
    under_way: SingleFlight<Sheet, Rendered>,
}

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
        Self { recent: Recent::new(MAX_BYTES, |_, html: &Arc<[u8]>| html.len()), under_way: SingleFlight::default() }
    }
}

impl Sheets {
    /// Returns a sheet that was rendered recently, or else renders it.
    pub async fn get(&self, sheet: Sheet, render: impl Future<Output = Rendered>) -> Rendered {
        if let Some(html) = self.recent.get(&sheet) {
            return Ok(Some(html));
        }
        let html = self.under_way.run(sheet, render).await;
        if let Ok(Some(html)) = &html {
            self.recent.insert(sheet, html.clone());
        }
        html
    }
}
