//! Lesson sheets that are being rendered. When a class opens a link, its visitors share one rendering.

use std::sync::Arc;

use crate::cache::SingleFlight;
use crate::domain::id::ObjectId;
use crate::domain::link::Shows;

/// The sheets as HTML; `None` for content that cannot be read.
pub type Sheets = SingleFlight<Sheet, Option<Arc<[u8]>>>;

/// What a sheet is rendered from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sheet {
    pub investigation: ObjectId,
    /// Revision of the investigation at the visit.
    pub revision: u64,
    /// The version that the link is pinned to; `None` for the current version.
    pub version: Option<u64>,
    pub shows: Shows,
}
