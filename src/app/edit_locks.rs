//! One change of an investigation at a time.

use tokio::sync::{Mutex, MutexGuard};

use crate::domain::id::ObjectId;

/// Investigations share locks by their last bytes, which differ most.
const LOCKS: usize = 1024;

/// Locks that make changes of one investigation wait for each other, in order of arrival.
///
/// They save work within one process. The store's compare-and-swap protects the data, also between several copies.
pub struct EditLocks(Vec<Mutex<()>>);

impl Default for EditLocks {
    fn default() -> Self {
        Self((0..LOCKS).map(|_| Mutex::new(())).collect())
    }
}

impl EditLocks {
    /// Waits for the lock of `id`, held until the guard is dropped.
    pub async fn lock(&self, id: ObjectId) -> MutexGuard<'_, ()> {
        self.0[id.low_bits() % LOCKS].lock().await
    }
}
