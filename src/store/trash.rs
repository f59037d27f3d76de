//! The trash: deleted investigations that can be restored. One row of the table `trash` contains all data of one such
//! investigation. So queries of other tables need not exclude deleted investigations.
//!
//! The row contains an export of the investigation, so that a later version of the program can read it, too. A restore
//! computes derived data, such as search words, again.

use std::io::{BufReader, BufWriter, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::chat_row::ChatRows;
use super::jsonl::Entry;
use super::row::to_json;
use super::{Deleted, InvestigationSnapshot, Stamp, Store, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::page::{Page, PageRequest, TrashPosition};
use crate::domain::time::Timestamp;

/// Maximum size of an investigation that can be moved to the trash: its [`Store::weight`] in bytes. A deletion or
/// restore needs memory for the whole investigation.
pub const MAX_TRASH_WEIGHT: u64 = 64 * 1024 * 1024;

/// Maximum number of expired rows that one cleanup deletes, so that a cleanup never blocks other work for long.
pub const MAX_EMPTIED: usize = 16;

/// Maximum length of a title in the trash, in characters.
const MAX_TITLE: usize = 200;

/// An investigation to be moved to the trash, without its links. The transaction that deletes the investigation reads
/// the links, because visits may change the links until then.
#[derive(Debug)]
pub struct Discarded {
    pub(super) item: TrashItem,
    pub(super) stamp: Stamp,
    /// Revision of the investigation when it was read.
    pub(super) revision: u64,
    /// Number of chat entries when the investigation was read.
    pub(super) entries: u64,
    pub(super) compressed_export: Vec<u8>,
}

/// A deleted investigation, as the list of the trash shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrashItem {
    /// The investigation.
    pub investigation_id: ObjectId,
    /// The first 200 characters of the title; null if the investigation has no title or its title is not a text.
    pub title: Option<String>,
    /// The author; null if the investigation has none.
    pub author: Option<ObjectId>,
    /// When the investigation was deleted.
    pub deleted_at: Timestamp,
    /// The user who deleted the investigation; null if unknown.
    pub deleted_by: Option<ObjectId>,
}

/// A row of the trash.
#[derive(Debug)]
pub struct Trashed {
    pub item: TrashItem,
    pub(super) revision: u64,
    /// The links with their visits, as JSON.
    pub(super) links: String,
    pub(super) compressed_export: Vec<u8>,
}

/// An investigation read from a row of the trash, ready to be stored again.
#[derive(Debug)]
pub struct Restored {
    pub(super) whole: InvestigationSnapshot,
    pub(super) chat_rows: ChatRows,
    /// Last revision of the investigation and time of its deletion. With the id, they identify the row of the trash.
    pub(super) deleted: (u64, Timestamp),
}

/// Result of a restore from the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undeleted {
    /// The investigation was stored and synced to disk.
    Done {
        /// The links, as `key/subLink`, that were not restored because other links now have the same addresses.
        links_left_out: Vec<String>,
    },
    /// An investigation with this id exists already.
    Exists,
    /// The row is no longer in the trash.
    NotInTrash,
}

impl TrashItem {
    fn of(investigation: &Investigation, deleted_at: Timestamp, deleted_by: Option<ObjectId>) -> Self {
        let title = investigation.content.get("title").and_then(|title| title.as_str());
        Self {
            investigation_id: investigation.id,
            title: title.map(|title| title.chars().take(MAX_TITLE).collect()),
            author: investigation.author,
            deleted_at,
            deleted_by,
        }
    }

    pub(super) fn position(&self) -> TrashPosition {
        TrashPosition { deleted_at: self.deleted_at, id: self.investigation_id }
    }
}

impl Discarded {
    /// Exports and compresses an investigation for the trash. This takes CPU time.
    pub fn of(whole: InvestigationSnapshot, stamp: Stamp) -> Result<Self, StoreError> {
        Ok(Self {
            item: TrashItem::of(&whole.row.investigation, stamp.at, stamp.actor.user),
            stamp,
            revision: whole.revision(),
            entries: whole.chat.as_ref().map_or(0, |chat| chat.history.len() as u64),
            compressed_export: compressed(whole)?,
        })
    }
}

fn compressed(whole: InvestigationSnapshot) -> Result<Vec<u8>, StoreError> {
    let failed = |error: std::io::Error| StoreError::Failed(error.to_string());
    let mut writer = BufWriter::new(ZlibEncoder::new(Vec::new(), Compression::fast()));
    serde_json::to_writer(&mut writer, &Entry::without_links(whole)).map_err(|e| failed(e.into()))?;
    writer.flush().map_err(failed)?;
    let encoder = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    encoder.finish().map_err(failed)
}

impl Trashed {
    /// Creates the row of an investigation that another store has in its trash. This takes CPU time.
    pub fn of(
        whole: InvestigationSnapshot,
        deleted_at: Timestamp,
        deleted_by: Option<ObjectId>,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            item: TrashItem::of(&whole.row.investigation, deleted_at, deleted_by),
            revision: whole.revision(),
            links: to_json(&whole.links)?,
            compressed_export: compressed(whole)?,
        })
    }

    /// Decompresses the investigation. This takes CPU time.
    pub fn entry(&self) -> Result<Entry, StoreError> {
        let unpacked = BufReader::new(ZlibDecoder::new(self.compressed_export.as_slice()));
        let entry: Entry = serde_json::from_reader(unpacked).map_err(|error| StoreError::damaged(&error))?;
        entry.with_links(&self.links)
    }

    /// Decompresses the investigation, and computes its derived data. Increases the revision by one, so that the entity
    /// tag changes. This takes CPU time.
    pub fn restored(self) -> Result<Restored, StoreError> {
        let mut whole = self.entry()?.whole().map_err(|fault| StoreError::damaged(&fault))?;
        Arc::make_mut(&mut whole.row.investigation).revision += 1;
        Ok(Restored { chat_rows: whole.chat_rows()?, whole, deleted: (self.revision, self.item.deleted_at) })
    }
}

impl Restored {
    /// Returns the investigation with its new revision.
    pub fn investigation(&self) -> &Arc<Investigation> {
        &self.whole.row.investigation
    }
}

impl Store {
    /// Returns the approximate memory, in bytes, for an investigation with all its data; `None` if the investigation
    /// does not exist. For parsed JSON, assumes four times the size of its text.
    pub async fn weight(&self, id: ObjectId) -> Result<Option<u64>, StoreError> {
        ask!(self, weight(id))
    }

    /// Moves an investigation to the trash, with its current links and visits. Replaces a row of the trash with the
    /// same id. Does nothing if the investigation or its chat has changed since `discarded` was read.
    pub async fn discard(&self, discarded: Discarded) -> Result<Deleted, StoreError> {
        ask!(self, discard(discarded))
    }

    /// Returns a page of the investigations that were deleted after `since`, last deleted first. If `of` is given,
    /// returns only the investigations of the author `of`.
    pub async fn trash(
        &self,
        of: Option<ObjectId>,
        since: Timestamp,
        wanted: PageRequest<TrashPosition>,
    ) -> Result<Page<TrashItem, TrashPosition>, StoreError> {
        ask!(self, trash(of, since, wanted))
    }

    /// Returns an investigation from the trash; `None` if the investigation is not there, or was deleted at `since` or
    /// earlier.
    pub async fn trashed(&self, id: ObjectId, since: Timestamp) -> Result<Option<Trashed>, StoreError> {
        ask!(self, trashed(id, since))
    }

    /// Stores a row of another store's trash, unless the trash has a row with the same id. Returns whether the row was
    /// stored.
    pub async fn put_trashed(&self, trashed: Trashed) -> Result<bool, StoreError> {
        ask!(self, put_trashed(trashed))
    }

    /// Stores an investigation from the trash with all its data, and removes it from the trash.
    pub async fn undelete(&self, restored: Restored, stamp: Stamp) -> Result<Undeleted, StoreError> {
        ask!(self, undelete(restored, stamp))
    }

    /// Deletes up to 16 rows of investigations that were moved to the trash before `before`, oldest first. Returns
    /// whether there may be more such rows. Because of the limit, other work is not blocked for long.
    pub async fn empty_trash(&self, before: Timestamp) -> Result<bool, StoreError> {
        ask!(self, empty_trash(before))
    }
}
