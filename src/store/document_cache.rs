//! Cache of recently read investigations, so that popular investigations are not read and parsed for every reader.
//!
//! Before a cached investigation is used, its state is compared with the current state in the store. So a change, by
//! this process or another, need not remove the investigation from the cache.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::domain::content::{ContentFields as _, RawContent};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;

/// Approximate maximum size of the cache, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;
/// Approximate size of a typical investigation, in bytes.
const TYPICAL_BYTES: usize = 4 * 1024;

pub type SharedInvestigation = Arc<Investigation<RawContent>>;

#[derive(Debug)]
pub struct DocumentCache(Cache<ObjectId, Cached, ByBytes>);

/// Identifies a state of an investigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Revision of the investigation.
    pub revision: u64,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Number that changes if the investigation is deleted and imported again. An import may restore the same revision
    /// and time. The number may also change for other reasons.
    pub insertion: i64,
}

#[derive(Debug, Clone)]
struct Cached {
    shown: SharedInvestigation,
    state: State,
}

#[derive(Debug, Clone)]
struct ByBytes;

impl Weighter<ObjectId, Cached> for ByBytes {
    fn weight(&self, _: &ObjectId, kept: &Cached) -> u64 {
        // Adds an estimated 1,024 bytes for the system fields, mainly findings.
        kept.shown.content.bytes() as u64 + 1024
    }
}

impl Default for DocumentCache {
    fn default() -> Self {
        Self(Cache::with_weighter(MAX_BYTES as usize / TYPICAL_BYTES, MAX_BYTES, ByBytes))
    }
}

impl DocumentCache {
    /// Returns the investigation if it is cached in this state.
    pub fn get(&self, id: ObjectId, state: State) -> Option<SharedInvestigation> {
        self.0.get(&id).filter(|kept| kept.state == state).map(|kept| kept.shown)
    }

    /// Returns whether any state of the investigation is cached.
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "used by `postgres`"))]
    pub fn has(&self, id: ObjectId) -> bool {
        self.0.peek(&id).is_some()
    }

    /// Caches the investigation `shown` in this state. The caller must read `state` first, or both in one query.
    /// Otherwise an old investigation could pass as current.
    pub fn insert(&self, shown: &SharedInvestigation, state: State) {
        self.0.insert(shown.id, Cached { shown: shown.clone(), state });
    }
}
