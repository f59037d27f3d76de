//! The trash: deleted investigations that can be restored. Each is one row with everything that belonged to it, so that
//! no other function needs to know of them.
//!
//! The row holds an export: derived data is rebuilt by the restore, whatever the program looks like by then.

use std::io::{BufReader, BufWriter, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::chat_row::ChatRows;
use super::jsonl::Entry;
use super::{Deleted, InvestigationSnapshot, Stamp, Store, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::page::{Page, PageRequest, TrashPlace};
use crate::domain::time::Timestamp;

/// Maximum weight of an investigation in the trash, see [`Store::weight`]. Deleting and restoring it holds all of it in
/// memory.
pub const MAX_TRASH_WEIGHT: u64 = 64 * 1024 * 1024;

/// Maximum number of expired rows that one cleanup deletes, so that it never blocks other work for long.
pub const MAX_EMPTIED: usize = 16;

/// Maximum number of characters of a title in the trash.
const MAX_TITLE: usize = 200;

/// An investigation on its way into the trash. Its links are added by the transaction that deletes it, because visits
/// do not wait for that.
#[derive(Debug)]
pub struct Discarded {
    pub(super) item: TrashItem,
    pub(super) stamp: Stamp,
    /// The revision that was read.
    pub(super) revision: u64,
    /// Number of chat entries that were read.
    pub(super) entries: u64,
    pub(super) packed: Vec<u8>,
}

/// A deleted investigation, as the list of the trash shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TrashItem {
    /// The investigation.
    #[schema(value_type = String)]
    pub investigation_id: ObjectId,
    /// The first 200 characters of its title; null if the title is not a text.
    pub title: Option<String>,
    /// Its author.
    #[schema(value_type = Option<String>)]
    pub author: Option<ObjectId>,
    /// When it was deleted.
    #[schema(value_type = String, format = DateTime)]
    pub deleted_at: Timestamp,
    /// Who deleted it.
    #[schema(value_type = Option<String>)]
    pub deleted_by: Option<ObjectId>,
}

/// A row of the trash.
#[derive(Debug)]
pub struct Trashed {
    /// What the list shows of it.
    pub item: TrashItem,
    pub(super) revision: u64,
    pub(super) links: String,
    pub(super) packed: Vec<u8>,
}

/// A row of the trash, ready to be stored as an investigation again.
#[derive(Debug)]
pub struct Restored {
    pub(super) whole: InvestigationSnapshot,
    pub(super) chat_rows: ChatRows,
    /// Identify the row, together with the id.
    pub(super) deleted: (u64, Timestamp),
}

/// Result of a restore from the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undeleted {
    /// Stored, on disk.
    Done {
        /// The links, as `key/subLink`, whose addresses other links have now. They were not restored.
        links_left_out: Vec<String>,
    },
    /// An investigation has this id again.
    Exists,
    /// The row is not in the trash any more.
    NotInTrash,
}

impl TrashItem {
    pub(super) fn place(&self) -> TrashPlace {
        TrashPlace { deleted_at: self.deleted_at, id: self.investigation_id }
    }
}

impl Discarded {
    /// Packs an investigation for the trash. This takes CPU time.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if something cannot be written.
    pub fn of(whole: InvestigationSnapshot, stamp: Stamp) -> Result<Self, StoreError> {
        let (revision, investigation) = (whole.revision(), &whole.row.investigation);
        let title = investigation.content.get("title").and_then(|title| title.as_str());
        let item = TrashItem {
            investigation_id: investigation.id,
            title: title.map(|title| title.chars().take(MAX_TITLE).collect()),
            author: investigation.author,
            deleted_at: stamp.at,
            deleted_by: stamp.actor.user,
        };
        let entries = whole.chat.as_ref().map_or(0, |chat| chat.history.len() as u64);
        let failed = |error: std::io::Error| StoreError::Failed(error.to_string());
        let mut writer = BufWriter::new(ZlibEncoder::new(Vec::new(), Compression::fast()));
        serde_json::to_writer(&mut writer, &Entry::without_links(whole)).map_err(|e| failed(e.into()))?;
        writer.flush().map_err(failed)?;
        let encoder = writer.into_inner().map_err(|error| failed(error.into_error()))?;
        Ok(Self { item, stamp, revision, entries, packed: encoder.finish().map_err(failed)? })
    }
}

impl Trashed {
    /// Unpacks and rebuilds the investigation, at the revision after its last one, so that an entity tag never names
    /// two states. This takes CPU time.
    ///
    /// # Errors
    /// [`StoreError`] if the row cannot be read.
    pub fn restored(self) -> Result<Restored, StoreError> {
        let unpacked = BufReader::new(ZlibDecoder::new(self.packed.as_slice()));
        let entry: Entry = serde_json::from_reader(unpacked).map_err(|error| StoreError::damaged(&error))?;
        let mut whole = entry.with_links(&self.links)?.whole().map_err(|fault| StoreError::damaged(&fault))?;
        Arc::make_mut(&mut whole.row.investigation).revision += 1;
        Ok(Restored { chat_rows: whole.chat_rows()?, whole, deleted: (self.revision, self.item.deleted_at) })
    }
}

impl Restored {
    /// Returns the investigation.
    pub fn investigation(&self) -> &Arc<Investigation> {
        &self.whole.row.investigation
    }
}

impl Store {
    /// Returns the approximate bytes of memory that an investigation with everything that belongs to it takes; `None`
    /// if it does not exist. What is parsed as JSON counts four times.
    pub async fn weight(&self, id: ObjectId) -> Result<Option<u64>, StoreError> {
        ask!(self, weight(id))
    }

    /// Deletes an investigation and keeps it in the trash with its links and visits as they are then, if nothing else
    /// has changed since it was read. It replaces an earlier one with the same id there.
    pub async fn discard(&self, discarded: Discarded) -> Result<Deleted, StoreError> {
        ask!(self, discard(discarded))
    }

    /// Returns a page of what was deleted after `since`, last deleted first; of one author if one is given.
    pub async fn trash(
        &self,
        of: Option<ObjectId>,
        since: Timestamp,
        wanted: PageRequest<TrashPlace>,
    ) -> Result<Page<TrashItem, TrashPlace>, StoreError> {
        ask!(self, trash(of, since, wanted))
    }

    /// Returns the row of an investigation in the trash, if it was deleted after `since`.
    pub async fn trashed(&self, id: ObjectId, since: Timestamp) -> Result<Option<Trashed>, StoreError> {
        ask!(self, trashed(id, since))
    }

    /// Stores an investigation from the trash again, with everything that belongs to it.
    pub async fn undelete(&self, restored: Restored, stamp: Stamp) -> Result<Undeleted, StoreError> {
        ask!(self, undelete(restored, stamp))
    }

    /// Deletes some rows of the trash that were put there before `before`, the oldest first. Returns whether there may
    /// be more.
    pub async fn empty_trash(&self, before: Timestamp) -> Result<bool, StoreError> {
        ask!(self, empty_trash(before))
    }
}
