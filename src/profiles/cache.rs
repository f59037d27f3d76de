//! Caches profiles for a short time in limited memory. Callers with different tokens share no entries.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};

use super::{Bearer, ProfilesById};
use crate::domain::id::ObjectId;
use crate::domain::representation::Profile;
use crate::domain::time::Timestamp;

/// Maximum memory for cached profiles, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Approximate size of a cached profile without its texts, in bytes.
const ENTRY: usize = 256;

/// Hash of the token of the caller for whom profiles are cached. The token itself is not stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BearerHash([u8; 32]);

impl BearerHash {
    /// Returns the hash of a token. All callers without a token share one value.
    pub fn of(bearer: Option<&Bearer>) -> Self {
        let mut hash = [0; 32];
        if let Some(Bearer(token)) = bearer {
            hash.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
        }
        Self(hash)
    }
}

/// Cache of responses of the profile service.
pub struct Cache {
    keep_milliseconds: i64,
    entries: Mutex<Entries>,
}

#[derive(Default)]
struct Entries {
    profiles: HashMap<(BearerHash, ObjectId), (Timestamp, Profile)>,
    bytes: usize,
}

impl Cache {
    /// Creates a cache that keeps each profile for the duration `keep`.
    pub fn new(keep: Duration) -> Self {
        Self { keep_milliseconds: i64::try_from(keep.as_millis()).unwrap_or(i64::MAX), entries: Mutex::default() }
    }

    /// Returns the cached profiles of these users, and the ids of the users without a cached profile, each id once and
    /// in the order of `ids`.
    pub fn get(
        &self,
        whose: BearerHash,
        ids: impl Iterator<Item = ObjectId>,
        now: Timestamp,
    ) -> (ProfilesById, Vec<ObjectId>) {
        let (mut found, mut missing, mut seen) = (ProfilesById::new(), Vec::new(), HashSet::new());
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for id in ids.filter(|id| seen.insert(*id)) {
            match entries.profiles.get(&(whose, id)) {
                Some((since, profile)) if self.is_fresh(*since, now) => {
                    found.insert(id, profile.clone());
                }
                _ => missing.push(id),
            }
        }
        (found, missing)
    }

    /// Caches these profiles, which were fetched at the time `now`.
    pub fn put(&self, whose: BearerHash, found: &ProfilesById, now: Timestamp) {
        if self.keep_milliseconds == 0 {
            return;
        }
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, profile) in found {
            let bytes = size(profile);
            if entries.bytes.saturating_add(bytes) > MAX_BYTES {
                entries.make_room(|since| self.is_fresh(since, now));
            }
            let before = entries.profiles.insert((whose, *id), (now, profile.clone()));
            let freed = before.map_or(0, |(_, before)| size(&before));
            entries.bytes = entries.bytes.saturating_add(bytes).saturating_sub(freed);
        }
    }

    /// Returns whether an entry is still valid. An entry with a future time is invalid: the clock was set back.
    fn is_fresh(&self, since: Timestamp, now: Timestamp) -> bool {
        (0..self.keep_milliseconds).contains(&now.0.saturating_sub(since.0))
    }
}

impl Entries {
    /// Removes expired profiles. If that does not free enough memory, removes all profiles, because they can be fetched
    /// again.
    fn make_room(&mut self, is_fresh: impl Fn(Timestamp) -> bool) {
        self.profiles.retain(|_, (since, _)| is_fresh(*since));
        self.bytes = self.profiles.values().map(|(_, profile)| size(profile)).sum();
        if self.bytes > MAX_BYTES / 2 {
            *self = Self::default();
        }
    }
}

fn size(profile: &Profile) -> usize {
    let Profile { id: _, name, email, avatar } = profile;
    [name, email, avatar].into_iter().flatten().map(String::len).sum::<usize>() + ENTRY
}

#[cfg(test)]
#[path = "../../tests/unit/profiles/cache.rs"]
mod tests;
