//! Investigations that background tasks of this process have reserved, to ask the language model about them.

use std::collections::HashSet;
use std::time::Duration;

use parking_lot::Mutex;

use crate::domain::id::ObjectId;

pub struct Pending {
    /// Time for which an investigation must stay unchanged before the model reads it. After several quick changes, the
    /// model reads only the last content.
    pub settle: Duration,
    ids: Mutex<HashSet<ObjectId>>,
}

pub struct PendingTask<'p> {
    pending: &'p Pending,
    id: ObjectId,
}

impl Pending {
    pub fn new(settle: Duration) -> Self {
        Self { settle, ids: Mutex::default() }
    }

    /// Reserves an investigation for one task. Returns `None` if another task of this process has reserved it.
    pub fn take(&self, id: ObjectId) -> Option<PendingTask<'_>> {
        self.ids.lock().insert(id).then(|| PendingTask { pending: self, id })
    }
}

impl Drop for PendingTask<'_> {
    fn drop(&mut self) {
        self.pending.ids.lock().remove(&self.id);
    }
}
