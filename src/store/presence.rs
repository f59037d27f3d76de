//! Presence: which users have an investigation open. Entries expire, and are neither exported nor audited.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Store, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// Time after which a user no longer counts as present in an investigation. [`Store::note_presence`] starts it again.
pub const PRESENCE_TTL: Duration = Duration::from_secs(45);

/// Maximum number of presence entries of one user. A further entry replaces the user's oldest entry.
pub(super) const MAX_ENTRIES_PER_USER: usize = 16;

/// Maximum number of presence entries of all users in the embedded store.
const MAX_ENTRIES: usize = 4096;
pub(super) const MAX_RETURNED: usize = 64;

impl Store {
    /// Notes whether `user` has an investigation open at the time `now`. If `open` is false, the user has left the
    /// investigation. Returns up to 64 other users who have the investigation open, sorted by id.
    pub async fn note_presence(
        &self,
        id: ObjectId,
        user: ObjectId,
        open: bool,
        now: Timestamp,
    ) -> Result<Vec<ObjectId>, StoreError> {
        ask!(self, note_presence(id, user, open, now))
    }
}

/// Returns the expiry cutoff. Entries noted at this time or earlier have expired.
pub(super) fn expiry_cutoff(now: Timestamp) -> Timestamp {
    now.earlier_by(PRESENCE_TTL)
}

/// Presence entries of the embedded store, oldest first. They are in memory, because only one process uses the store.
#[derive(Debug, Default)]
pub(super) struct InMemoryPresence(Mutex<Vec<Entry>>);

#[derive(Debug)]
struct Entry {
    id: ObjectId,
    user: ObjectId,
    at: Timestamp,
}

impl InMemoryPresence {
    /// Works like [`Store::note_presence`].
    pub fn note(&self, id: ObjectId, user: ObjectId, open: bool, now: Timestamp) -> Vec<ObjectId> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.at > expiry_cutoff(now) && (entry.id, entry.user) != (id, user));
        if open {
            let own = entries.iter().filter(|entry| entry.user == user).count();
            let oldest =
                if own >= MAX_ENTRIES_PER_USER { entries.iter().position(|entry| entry.user == user) } else { None };
            if let Some(index) = oldest.or((entries.len() >= MAX_ENTRIES).then_some(0)) {
                entries.remove(index);
            }
            entries.push(Entry { id, user, at: now });
        }
        let others = entries.iter().filter(|entry| entry.id == id && entry.user != user);
        let mut others: Vec<_> = others.map(|entry| entry.user).collect();
        others.sort_unstable();
        others.truncate(MAX_RETURNED);
        others
    }
}
