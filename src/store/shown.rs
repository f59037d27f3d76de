//! Investigations that were read recently, with their content and findings as stored JSON text. Without this cache,
//! popular investigations would be parsed for every reader, which doubles the CPU time of a read.
//!
//! Before a cached investigation is used, its state is compared with the current state in the store. So no process has
//! to remove a changed investigation from the cache.

use std::sync::{Arc, LazyLock};

use super::sql::{Row, Statement};
use super::{Store, StoreError, investigations};
use crate::admission::{self, Class, SHOWN_BYTES};
use crate::cache::LruCache;
use crate::domain::content::{ContentFields as _, RawContent};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;

pub type Shown = Arc<Investigation<RawContent>>;

/// Approximate memory, in bytes, of a field in addition to its text.
const FIELD_BYTES: usize = 96;

/// The columns that [`RevisionKey::read`] reads.
pub(super) const STATE: &str = "i.body, i.revision, i.updated_at";

/// Identifies a revision of an investigation. The internal number differs if the investigation was deleted and imported
/// again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RevisionKey {
    body: i64,
    revision: u64,
    updated_at: Timestamp,
}

impl RevisionKey {
    pub(super) fn read(row: &Row) -> Result<Self, StoreError> {
        Ok(Self { body: row.integer("body")?, revision: row.count("revision")?, updated_at: row.time("updated_at")? })
    }
}

#[derive(Debug)]
pub(super) struct RecentlyShown(LruCache<ObjectId, Entry>);

/// An investigation in one of its states.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) shown: Shown,
    state: RevisionKey,
    /// Approximate memory, in bytes.
    pub(super) bytes: usize,
}

impl Default for RecentlyShown {
    fn default() -> Self {
        Self(LruCache::new(SHOWN_BYTES, |_, entry: &Entry| entry.bytes))
    }
}

impl RecentlyShown {
    /// Returns the investigation if it is cached in this state.
    pub(super) fn get(&self, id: ObjectId, state: RevisionKey) -> Option<Entry> {
        self.0.get(&id).filter(|entry| entry.state == state)
    }

    pub(super) fn keep(&self, entry: Entry) -> Entry {
        self.0.insert(entry.shown.id, entry.clone());
        entry
    }
}

impl Entry {
    /// Reads an investigation from a row with its internal number and all columns of an investigation.
    pub(super) fn read(row: &Row) -> Result<Self, StoreError> {
        let shown: Shown = investigations::read(row)?.into();
        // Parsed dismissals take about twice the memory of their text. Short fields take more than their text.
        let content = row.text("content")?.len() + shown.content.fields().count() * FIELD_BYTES;
        let bytes = size_of_val(&*shown) + content + 2 * row.text("findings")?.len();
        Ok(Self { shown, state: RevisionKey::read(row)?, bytes })
    }
}

impl Store {
    /// Returns the current state of an investigation.
    pub async fn state(&self, id: ObjectId) -> Result<Option<RevisionKey>, StoreError> {
        self.get(state_of(id)).await?.first().map(RevisionKey::read).transpose()
    }

    /// Returns an investigation in its current state for display, with its content and findings as stored JSON
    /// text.
    pub async fn show(&self, id: ObjectId) -> Result<Option<Shown>, StoreError> {
        let Some(state) = self.state(id).await? else { return Ok(None) };
        if let Some(Entry { shown, .. }) = self.shown.get(id, state) {
            return Ok(Some(shown));
        }
        let found = self.get(investigations::find(id)).await?;
        let Some(row) = found.first() else { return Ok(None) };
        admission::hold(Class::of_text(row.text("content")?.as_bytes())).await?;
        Ok(Some(self.shown.keep(Entry::read(row)?).shown))
    }
}

/// Returns the query for the state of an investigation.
fn state_of(id: ObjectId) -> Statement {
    static SQL: LazyLock<String> = LazyLock::new(|| format!("SELECT {STATE} FROM investigation i WHERE i.id = $id"));
    Statement::new(SQL.as_str()).with("id", id)
}
