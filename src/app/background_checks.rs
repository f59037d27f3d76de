//! Investigations that background tasks of this process have reserved, to ask the language model about them.

use std::collections::HashSet;
use std::time::Duration;

use parking_lot::Mutex;

use crate::domain::id::ObjectId;

pub struct BackgroundChecks {
    /// Time for which an investigation must stay unchanged before the model reads it. After several quick changes, the
    /// model reads only the last content.
    pub settle: Duration,
    ids: Mutex<HashSet<ObjectId>>,
}

pub struct BackgroundCheck<'c> {
    checks: &'c BackgroundChecks,
    id: ObjectId,
}

impl BackgroundChecks {
    pub fn new(settle: Duration) -> Self {
        Self { settle, ids: Mutex::default() }
    }

    /// Reserves an investigation for one task. Returns `None` if another task of this process has reserved it.
    pub fn take(&self, id: ObjectId) -> Option<BackgroundCheck<'_>> {
        self.ids.lock().insert(id).then(|| BackgroundCheck { checks: self, id })
    }
}

impl Drop for BackgroundCheck<'_> {
    fn drop(&mut self) {
        self.checks.ids.lock().remove(&self.id);
    }
}
