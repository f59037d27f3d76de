//! Presence: which users have an investigation open. It is no content: it expires, and is neither exported nor audited.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::{Store, StoreError};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// Time after which a user who was not noted again has left.
pub const PRESENCE_TTL: Duration = Duration::from_secs(45);

/// Maximum number of investigations that one user has open. If there are more, the oldest ones count as left.
pub(super) const MAX_OPEN: usize = 16;

/// Maximum number of entries of the embedded store, and of users in one answer.
const MAX_ENTRIES: usize = 4096;
pub(super) const MAX_SHOWN: usize = 64;

impl Store {
    /// Notes that `user` has an investigation open at the time `now`, or has left it, and returns the other users who
    /// have it open, sorted by id.
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

/// The moment at which entries expire now.
pub(super) fn expired(now: Timestamp) -> Timestamp {
    now.earlier_by(PRESENCE_TTL)
}

/// Presence in the memory of the only process that uses an embedded store.
#[derive(Debug, Default)]
pub(super) struct PresenceInMemory(Mutex<Vec<Entry>>);

#[derive(Debug)]
struct Entry {
    id: ObjectId,
    user: ObjectId,
    at: Timestamp,
}

impl PresenceInMemory {
    /// Works like [`Store::note_presence`].
    pub fn note(&self, id: ObjectId, user: ObjectId, open: bool, now: Timestamp) -> Vec<ObjectId> {
        // Oldest first.
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.at > expired(now) && (entry.id, entry.user) != (id, user));
        if open {
            let own = entries.iter().filter(|entry| entry.user == user).count();
            let oldest = if own >= MAX_OPEN { entries.iter().position(|entry| entry.user == user) } else { None };
            if let Some(place) = oldest.or((entries.len() >= MAX_ENTRIES).then_some(0)) {
                entries.remove(place);
            }
            entries.push(Entry { id, user, at: now });
        }
        let others = entries.iter().filter(|entry| entry.id == id && entry.user != user);
        let mut others: Vec<_> = others.map(|entry| entry.user).collect();
        others.sort_unstable();
        others.truncate(MAX_SHOWN);
        others
    }
}
