//! Locks that allow only one change of an investigation at a time.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::admission::{self, Permit, Pool};
use crate::domain::id::ObjectId;

/// Unused locks are removed only if there are at least this many.
const MIN_CLEANED: usize = 256;

/// Locks that make changes of one investigation wait for each other. Their callers take turns.
///
/// The locks only avoid wasted work within one process. The store's compare-and-swap protects the data, also between
/// copies of the service. Nobody waits for a model, a permit or a core while they hold a lock.
#[derive(Default)]
pub struct EditLocks(Mutex<HashMap<ObjectId, Weak<Pool>>>);

/// The lock of an investigation that a change holds.
#[derive(Debug)]
#[must_use]
pub struct EditLock {
    _turn: Permit,
    /// Keeps the lock in the map of locks as long as a change holds it or waits for it.
    _lock: Arc<Pool>,
}

impl EditLocks {
    pub async fn lock(&self, id: ObjectId) -> EditLock {
        let lock = self.of(id);
        EditLock { _turn: lock.take(admission::actor(), 1).await, _lock: lock }
    }

    /// Returns the lock of an investigation, which exists as long as a change holds it or waits for it.
    fn of(&self, id: ObjectId) -> Arc<Pool> {
        let mut locks = self.0.lock();
        if let Some(lock) = locks.get(&id).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() >= MIN_CLEANED {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::new(Pool::new(1));
        locks.insert(id, Arc::downgrade(&lock));
        lock
    }

    #[cfg(test)]
    fn known(&self) -> usize {
        self.0.lock().len()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/app/edit_locks.rs"]
mod tests;
