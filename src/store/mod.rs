//! The store. It contains all SQL, and has one function per use case.
//!
//! A write returns only after its data is on disk. Looking up something that does not exist returns `Ok(None)`, and the
//! caller decides what that means.

/// Calls the function `$name` of the backend in use.
macro_rules! ask {
    ($store:expr, $name:ident ( $($argument:expr),* )) => {
        match $store {
            Store::Sqlite(store) => {
                let answer = store.$name($($argument),*);
                #[cfg(feature = "simulation")]
                let answer = store.with_faults(stringify!($name), answer);
                answer.await
            }
            // Boxed, because this future is large and nested calls would overflow the stack.
            Store::Postgres(store) => Box::pin(store.$name($($argument),*)).await,
        }
    };
}

mod api_keys;
mod audit;
mod bulk;
mod chat_row;
mod commands;
pub mod diagnostics;
pub mod events;
mod failure;
pub mod jsonl;
mod links;
mod list;
mod location;
pub mod postgres;
mod prepared;
mod presence;
pub mod reads;
mod row;
#[cfg(feature = "simulation")]
pub mod simulated;
mod snapshot;
pub mod sqlite;
mod trash;
mod usage;
pub mod webhook;

use std::path::Path;
use std::sync::Arc;

use crate::domain::audit::AuditActor;
use crate::domain::content::{Content, RawContent};
use crate::domain::finding::Findings;
use crate::domain::history::{FieldChange, HistoryRange, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::list::ListQuery;
use crate::domain::page::{ChatPosition, PageRequest};
use crate::domain::path::FieldPath;
use crate::domain::time::Timestamp;
pub use audit::{Reports, Stamp};
pub use chat_row::{ChatPage, ChatPart};
pub use commands::{
    ANSWER_TTL, Commit, Committed, Created, Deleted, IdempotentAnswer, LinkChanged, LinkCreated, StoredAnswer, Visited,
};
pub use failure::{Obstacle, OpenError, StoreError};
pub use list::Page;
pub use location::{Backend, StoreLocation};
use postgres::Postgres;
pub use postgres::{Address, AddressError};
pub use prepared::Prepared;
pub use presence::PRESENCE_TTL;
pub use row::Row;
pub use snapshot::{FullCopy, InvestigationSnapshot, RecordRow, SnapshotPart, VisitedLink};
use sqlite::Sqlite;
pub use trash::{Discarded, MAX_TRASH_WEIGHT, Restored, TrashItem, Trashed, Undeleted};
pub use usage::PoolUsage;

/// Maximum number of entries in the cache of language-model findings, which saves a second call for equal content. If
/// there are more, the oldest entries are deleted.
pub const MAX_DETECTIONS: i64 = 100_000;

/// The store, with one variant per backend.
#[derive(Debug)]
pub enum Store {
    /// SQLite, one file in the data folder.
    Sqlite(Sqlite),
    /// PostgreSQL, which several copies of the service may share.
    Postgres(Postgres),
}

impl Store {
    /// Opens a store. Creates an embedded store if it does not exist.
    pub async fn open(location: StoreLocation) -> Result<Self, OpenError> {
        match location.backend {
            Backend::Embedded(folder) => Sqlite::open(&folder, location.migrate).map(Store::Sqlite),
            Backend::Postgres { address, connections } => {
                Postgres::open(address, connections, location.migrate).await.map(Store::Postgres)
            }
        }
    }

    pub fn is_embedded_in(folder: &Path) -> bool {
        folder.join(sqlite::FILE).is_file()
    }

    /// Stores a new investigation and an empty chat with the id `chat`. The audit log names `actor` as the creator.
    /// Also stores `answer_for_repeats`, if given: the answer to later requests with the same idempotency key.
    pub async fn create(
        &self,
        row: Row,
        chat: ObjectId,
        answer_for_repeats: Option<IdempotentAnswer>,
        actor: AuditActor,
    ) -> Result<Created, StoreError> {
        ask!(self, create(row, chat, answer_for_repeats, actor))
    }

    /// Returns the stored answer to the request of `caller` with the idempotency key `key`; `None` if no answer is
    /// stored or the answer is older than [`ANSWER_TTL`].
    pub async fn stored_answer(
        &self,
        caller: String,
        key: String,
        now: Timestamp,
    ) -> Result<Option<StoredAnswer>, StoreError> {
        ask!(self, stored_answer(caller, key, now))
    }

    /// Replaces the stored answer with the final answer `answer`. Does nothing if the stored answer is already final.
    pub async fn finalize_answer(&self, caller: String, key: String, answer: String) -> Result<(), StoreError> {
        ask!(self, finalize_answer(caller, key, answer))
    }

    pub async fn load(&self, id: ObjectId) -> Result<Option<Investigation>, StoreError> {
        ask!(self, load(id))
    }

    /// Returns an investigation in its current state for display, with its content as stored JSON text.
    pub async fn show(&self, id: ObjectId) -> Result<Option<Arc<Investigation<RawContent>>>, StoreError> {
        ask!(self, show(id))
    }

    /// Stores a change, but only if the investigation still has the revision that the change is based on.
    pub async fn commit(&self, commit: Prepared) -> Result<Committed, StoreError> {
        ask!(self, commit(commit))
    }

    /// Deletes an investigation and everything that belongs to it. If `revision` is given, deletes the investigation
    /// only if it still has this revision.
    pub async fn delete(&self, id: ObjectId, revision: Option<u64>, stamp: Stamp) -> Result<Deleted, StoreError> {
        ask!(self, delete(id, revision, stamp))
    }

    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        ask!(self, record(id, version))
    }

    /// Returns the newest version record whose parent is this version; `None` if there is none.
    pub async fn newest_child(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        ask!(self, newest_child(id, version))
    }

    /// Returns the version records in the range `wanted`, newest first; `None` if the investigation does not exist.
    /// Stops early if the records are large, but returns at least one record of the range.
    pub async fn versions(&self, id: ObjectId, wanted: HistoryRange) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        ask!(self, versions(id, wanted))
    }

    /// Returns the content at a version. The outer `None` means that the investigation does not exist, and the inner
    /// `None` means that the version does not exist.
    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        ask!(self, content_at(id, version))
    }

    /// Returns the version records in the range `wanted` that changed the value at `path`, newest first, with the value
    /// before and after each change; `None` if the investigation does not exist. Stops early if the records are large.
    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        wanted: HistoryRange,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        ask!(self, field_history(id, path, wanted))
    }

    /// Returns a page of the chat of an investigation, newest entries first; `None` if the investigation has no chat.
    pub async fn chat(
        &self,
        id: ObjectId,
        wanted: PageRequest<ChatPosition>,
        part: ChatPart,
    ) -> Result<Option<ChatPage>, StoreError> {
        ask!(self, chat(id, wanted, part))
    }

    pub async fn has_chat(&self, id: ObjectId) -> Result<bool, StoreError> {
        ask!(self, has_chat(id))
    }

    /// Returns the findings of a language model that are cached under `key`. The key is a hash of everything that the
    /// findings depend on, such as the content and the model.
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        ask!(self, detection(key))
    }

    /// Caches the findings of a language model under `key`, unless a readable entry with this key exists. Deletes the
    /// oldest entries beyond [`MAX_DETECTIONS`].
    pub async fn keep_detection(&self, key: String, findings: Findings) -> Result<(), StoreError> {
        ask!(self, keep_detection(key, findings))
    }

    pub async fn list(&self, query: ListQuery) -> Result<Page, StoreError> {
        ask!(self, list(query))
    }

    /// Checks that the store can read and write.
    pub async fn ready(&self) -> Result<(), StoreError> {
        ask!(self, ready())
    }

    /// Returns the maximum number of concurrent heavy reads, such as reads of histories and filtered lists.
    pub fn heavy_reads(&self) -> u32 {
        match self {
            Store::Sqlite(store) => store.heavy_reads(),
            Store::Postgres(store) => store.heavy_reads(),
        }
    }

    /// Stops all heavy reads, such as reads of histories. Later heavy reads fail. Called before the service stops.
    pub fn stop_heavy_reads(&self) {
        match self {
            Store::Sqlite(store) => store.stop_heavy_reads(),
            Store::Postgres(store) => store.stop_heavy_reads(),
        }
    }

    /// Stops reads, finishes queued writes, and closes the store. Later calls fail.
    pub async fn close(&self) {
        match self {
            Store::Sqlite(store) => store.close().await,
            Store::Postgres(store) => store.close().await,
        }
    }
}
