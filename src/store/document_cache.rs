//! Investigations that were shown lately, so that those which many read are not taken apart anew for each.
//!
//! What is kept is shown only after the store has said that the investigation is still in the same state:
//! nothing else, in this process or another, has to tell of a change.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::domain::content::{Shown as _, Written};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;

/// What is kept takes about so many bytes.
const MOST: u64 = 16 * 1024 * 1024;
/// An investigation takes about so many.
const USUAL: usize = 4 * 1024;

pub type Shown = Arc<Investigation<Written>>;

#[derive(Debug)]
pub struct DocumentCache(Cache<ObjectId, Cached, Bytes>);

/// What tells two states of an investigation apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Its revision.
    pub revision: u64,
    /// When it became what it is.
    pub updated_at: Timestamp,
    /// What never comes back, as the other two do when it is deleted and imported again.
    pub storing: i64,
}

#[derive(Debug, Clone)]
struct Cached {
    shown: Shown,
    state: State,
}

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<ObjectId, Cached> for Bytes {
    fn weight(&self, _: &ObjectId, kept: &Cached) -> u64 {
        // Beside the texts there are the fields that the service keeps, findings above all.
        kept.shown.content.bytes() as u64 + 1024
    }
}

impl Default for DocumentCache {
    fn default() -> Self {
        Self(Cache::with_weighter(MOST as usize / USUAL, MOST, Bytes))
    }
}

impl DocumentCache {
    /// The investigation, if it is kept as it stands in this state.
    pub fn get(&self, id: ObjectId, state: State) -> Option<Shown> {
        self.0.get(&id).filter(|kept| kept.state == state).map(|kept| kept.shown)
    }

    /// Whether the investigation is kept, in whatever state.
    pub fn has(&self, id: ObjectId) -> bool {
        self.0.peek(&id).is_some()
    }

    /// Keeps an investigation for a while. The state is that of the same moment, or of an earlier one.
    pub fn keep(&self, shown: &Shown, state: State) {
        self.0.insert(shown.id, Cached { shown: shown.clone(), state });
    }
}
