//! An entry in the list of the trash.

use serde::Serialize;

use super::StoreError;
use super::sql::Row;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::page::TrashPosition;
use crate::domain::time::Timestamp;

/// Maximum length of a title in the trash, in characters.
const MAX_TITLE: usize = 200;

/// A deleted investigation, as the list of the trash shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TrashItem {
    pub investigation_id: ObjectId,
    /// The first 200 characters of the title; null if the investigation has no title or its title is not a text.
    pub title: Option<String>,
    pub author: Option<ObjectId>,
    /// When the investigation was deleted.
    pub deleted_at: Timestamp,
    /// The user who deleted the investigation; null if unknown.
    pub deleted_by: Option<ObjectId>,
}

impl TrashItem {
    pub(super) fn of(investigation: &Investigation, deleted_at: Timestamp, deleted_by: Option<ObjectId>) -> Self {
        let title = investigation.content.get("title").and_then(|title| title.as_str());
        Self {
            investigation_id: investigation.id,
            title: title.map(|title| title.chars().take(MAX_TITLE).collect()),
            author: investigation.author,
            deleted_at,
            deleted_by,
        }
    }

    pub(super) fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self {
            investigation_id: row.parsed("id")?,
            title: row.optional_text("shown_title")?.map(str::to_owned),
            author: row.optional_parsed("author")?,
            deleted_at: row.time("deleted_at")?,
            deleted_by: row.optional_parsed("deleted_by")?,
        })
    }

    pub(super) fn position(&self) -> TrashPosition {
        TrashPosition { deleted_at: self.deleted_at, id: self.investigation_id }
    }
}
