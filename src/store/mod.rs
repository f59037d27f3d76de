//! The store: the only place that knows SQL, behind one set of use-case functions.
//!
//! What a function was asked to keep is on disk before it answers. A lookup of something that is not there is
//! `Ok(None)`: what that means is for the operation to say.

pub mod sqlite;

use std::path::Path;

use crate::domain::chat::{Chat, ChatEntry};
use crate::domain::content::Content;
use crate::domain::finding::Findings;
use crate::domain::history::{FieldChange, Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::link::{DayCount, Link, Visit};
use crate::domain::list::ListQuery;
use crate::domain::path::FieldPath;
use sqlite::Sqlite;

/// Of what a language model found, so many contents are kept: then the oldest go.
pub const MAX_DETECTIONS: i64 = 100_000;

/// Why the store did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// More is waiting to be written than the store takes. Nothing was changed; it is worth trying again.
    #[error("the store is busy")]
    Busy,
    /// The engine failed. The text is for the log, never for a response.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// Why the store could not be opened, in a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);

/// A decided change, to be stored as a whole or not at all.
#[derive(Debug)]
pub struct Commit {
    /// The revision that the change was decided on: with another, nothing is stored.
    pub decided_on: u64,
    /// The investigation as it is to stand.
    pub investigation: Investigation,
    /// What happens to its history.
    pub step: Step,
    /// What the content was before; kept where the first record is made on it.
    pub content_before: Content,
    /// What is added to its chat.
    pub chat_entry: Option<ChatEntry>,
}

/// How a commit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Stored, on disk.
    Done,
    /// The investigation has another revision by now, or is gone. Nothing was stored.
    Lost,
}

/// How a deletion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// Deleted, with so many chats.
    Done {
        /// How many chat records went with it.
        chats: u64,
    },
    /// There is no such investigation.
    Unknown,
    /// It has another revision than the one that was to be deleted.
    Lost,
}

/// How the creation of a link ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkCreated {
    /// Stored, on disk.
    Done,
    /// There is no such investigation.
    NoInvestigation,
    /// Key and sub-link are taken.
    Taken,
}

/// One page of a list.
#[derive(Debug)]
pub struct Page {
    /// The investigations, in order.
    pub items: Vec<Investigation>,
    /// Whether more follow.
    pub has_more: bool,
    /// How many investigations the whole result has.
    pub total: u64,
    /// The groups of the whole result in order; `None` names those without a curriculum. Empty where it is not grouped.
    pub groups: Vec<(Option<String>, u64)>,
}

/// The store of the service: a closed set of backends.
#[derive(Debug)]
pub enum Store {
    /// Embedded, one file in the data folder.
    Sqlite(Sqlite),
}

impl Store {
    /// Opens the embedded store in this folder, which is made where it is missing.
    ///
    /// # Errors
    /// [`OpenError`] with a sentence for the operator.
    pub fn open_embedded(folder: &Path) -> Result<Self, OpenError> {
        Sqlite::open(folder).map(Store::Sqlite)
    }

    /// Stores a new investigation with its chat.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn create(&self, investigation: Investigation, chat: ObjectId) -> Result<(), StoreError> {
        let Store::Sqlite(store) = self;
        store.create(investigation, chat).await
    }

    /// The investigation as it stands.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn load(&self, id: ObjectId) -> Result<Option<Investigation>, StoreError> {
        let Store::Sqlite(store) = self;
        store.load(id).await
    }

    /// Stores a decided change, if the investigation still has the revision that it was decided on.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let Store::Sqlite(store) = self;
        store.commit(commit).await
    }

    /// Deletes an investigation with all that belongs to it; with a revision, only if it still has that one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn delete(&self, id: ObjectId, revision: Option<u64>) -> Result<Deleted, StoreError> {
        let Store::Sqlite(store) = self;
        store.delete(id, revision).await
    }

    /// The version record with this number.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        let Store::Sqlite(store) = self;
        store.record(id, version).await
    }

    /// The newest record that was made on this version.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn newest_child(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        let Store::Sqlite(store) = self;
        store.newest_child(id, version).await
    }

    /// The newest version records, at most `limit`, newest first; `None` for an unknown investigation.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn versions(&self, id: ObjectId, limit: u32) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        let Store::Sqlite(store) = self;
        store.versions(id, limit).await
    }

    /// The content as it stood at a version. The outer `None` is an unknown investigation, the inner one an unknown version.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        let Store::Sqlite(store) = self;
        store.content_at(id, version).await
    }

    /// The records that changed the value at `path`, at most `limit`, newest first; `None` for an unknown investigation.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        limit: u32,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        let Store::Sqlite(store) = self;
        store.field_history(id, path, limit).await
    }

    /// The chat of an investigation.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn chat(&self, id: ObjectId) -> Result<Option<Chat>, StoreError> {
        let Store::Sqlite(store) = self;
        store.chat(id).await
    }

    /// Whether an investigation has a chat.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn has_chat(&self, id: ObjectId) -> Result<bool, StoreError> {
        let Store::Sqlite(store) = self;
        store.has_chat(id).await
    }

    /// What a language model found in a content, under the key of everything that its answer hangs on.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        let Store::Sqlite(store) = self;
        store.detection(key).await
    }

    /// Keeps what a language model found; what is kept under this key already stays, if it can be read. Beyond [`MAX_DETECTIONS`] the
    /// oldest go.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn keep_detection(&self, key: String, findings: Findings) -> Result<(), StoreError> {
        let Store::Sqlite(store) = self;
        store.keep_detection(key, findings).await
    }

    /// A page of a list.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        let Store::Sqlite(store) = self;
        store.list(query).await
    }

    /// Stores a new link.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn create_link(&self, link: Link) -> Result<LinkCreated, StoreError> {
        let Store::Sqlite(store) = self;
        store.create_link(link).await
    }

    /// The links of an investigation, oldest first; `None` for an unknown investigation.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn links(&self, investigation: ObjectId) -> Result<Option<Vec<Link>>, StoreError> {
        let Store::Sqlite(store) = self;
        store.links(investigation).await
    }

    /// A link, without visiting it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn link(&self, key: String, sub_link: String) -> Result<Option<Link>, StoreError> {
        let Store::Sqlite(store) = self;
        store.link(key, sub_link).await
    }

    /// Counts a visit on this day (`YYYY-MM-DD`, UTC) and says where the link leads.
    /// The count is on disk before this answers, and no two visits of a link get the same.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn visit(&self, key: String, sub_link: String, day: String) -> Result<Option<Visit>, StoreError> {
        let Store::Sqlite(store) = self;
        store.visit(key, sub_link, day).await
    }

    /// A link and the visits of each day that had some, oldest first.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn visits_per_day(
        &self,
        key: String,
        sub_link: String,
    ) -> Result<Option<(Link, Vec<DayCount>)>, StoreError> {
        let Store::Sqlite(store) = self;
        store.visits_per_day(key, sub_link).await
    }

    /// Deletes a link with its counts. Whether there was one.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn delete_link(&self, key: String, sub_link: String) -> Result<bool, StoreError> {
        let Store::Sqlite(store) = self;
        store.delete_link(key, sub_link).await
    }

    /// Whether the store reads and writes.
    ///
    /// # Errors
    /// [`StoreError`] where it does not.
    pub async fn ready(&self) -> Result<(), StoreError> {
        let Store::Sqlite(store) = self;
        store.ready().await
    }

    /// Writes what is queued and closes the store. What is asked afterwards fails.
    pub async fn close(&self) {
        let Store::Sqlite(store) = self;
        store.close().await;
    }
}
