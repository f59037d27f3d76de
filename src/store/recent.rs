//! Investigations that were shown lately, so that those which many read are not taken apart anew for each.
//!
//! What is kept is shown only after the store has said that the investigation still stands at the same revision:
//! nothing else, in this process or another, has to tell of a change.

use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::domain::content::Written;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;

/// What is kept takes about so many bytes.
const MOST: u64 = 16 * 1024 * 1024;
/// An investigation takes about so many.
const USUAL: usize = 4 * 1024;

pub type Shown = Arc<Investigation<Written>>;

#[derive(Debug)]
pub struct Recent(Cache<ObjectId, Shown, Bytes>);

/// What tells two states of an investigation apart.
pub type State = (u64, Timestamp);

#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<ObjectId, Shown> for Bytes {
    fn weight(&self, _: &ObjectId, shown: &Shown) -> u64 {
        // Beside the texts there are the fields that the service keeps, findings above all.
        shown.content.bytes() as u64 + 1024
    }
}

impl Default for Recent {
    fn default() -> Self {
        Self(Cache::with_weighter(MOST as usize / USUAL, MOST, Bytes))
    }
}

impl Recent {
    /// The investigation, if it is kept as it stands in this state.
    pub fn get(&self, id: ObjectId, state: State) -> Option<Shown> {
        self.0.get(&id).filter(|kept| (kept.revision, kept.updated_at) == state)
    }

    /// The investigation in whatever state it is kept.
    pub fn any(&self, id: ObjectId) -> Option<Shown> {
        self.0.get(&id)
    }

    /// Keeps an investigation for a while.
    pub fn keep(&self, shown: &Shown) {
        self.0.insert(shown.id, shown.clone());
    }
}
