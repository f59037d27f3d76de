//! Locks that allow only one change of an investigation at a time.

use tokio::sync::{Mutex, MutexGuard};

use crate::domain::id::ObjectId;

/// Number of locks. The last bytes of an investigation's id select its lock, because these bytes differ most.
const LOCKS: usize = 1024;

/// Locks that make changes of one investigation wait for each other, in the order of their arrival.
///
/// The locks only avoid wasted work within one process. The store's compare-and-swap protects the data, also between
/// copies of the service.
pub struct EditLocks(Vec<Mutex<()>>);

impl Default for EditLocks {
    fn default() -> Self {
        Self((0..LOCKS).map(|_| Mutex::new(())).collect())
    }
}

impl EditLocks {
    pub async fn lock(&self, id: ObjectId) -> MutexGuard<'_, ()> {
        self.0[id.low_bits() % LOCKS].lock().await
    }
}
