//! API keys in memory.
//!
//! A process uses the keys that it has read for at most [`KEYS_MAX_AGE`]. A command that revokes a key waits for that
//! time, so that afterwards nearly every request with the key is refused. The exception is a request that waits for a
//! slow read of the keys, if the read began before the revocation. Such a request is accepted, and its right is checked
//! again after [`RECHECK`](super::RECHECK), counted from the start of the read.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::cache::{RefreshedValue, Timestamped};
use crate::clock::Clock;
use crate::domain::api_key::{ApiKey, KeyText};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::{Store, StoreError};

/// Time for which a process may use the API keys that it has read, counted from the start of the read.
pub const KEYS_MAX_AGE: Duration = Duration::from_secs(1);

/// Minimum time between two updates of the stored time at which an API key was last used.
const RESOLUTION: Duration = Duration::from_secs(60);

type Keys = Arc<HashMap<ObjectId, ApiKey>>;

/// Cache of the store's API keys. Without it, each request with a key would need a query.
pub struct ApiKeys {
    keys: RefreshedValue<Keys, StoreError>,
    /// Time of the last stored use, for each key that this process has accepted.
    used: Mutex<HashMap<ObjectId, Timestamp>>,
}

impl Default for ApiKeys {
    fn default() -> Self {
        Self { keys: RefreshedValue::new(KEYS_MAX_AGE), used: Mutex::default() }
    }
}

impl ApiKeys {
    /// Returns the key with this text, and the uptime at which the keys were read; `None` if no such key exists or the
    /// key was revoked.
    ///
    /// # Errors
    /// [`StoreError`] if the cached keys are older than [`KEYS_MAX_AGE`], and the store cannot return new ones.
    pub async fn find(
        &self,
        text: &KeyText,
        store: &Store,
        clock: &Clock,
    ) -> Result<Option<(ApiKey, Duration)>, StoreError> {
        let Some(id) = text.id() else { return Ok(None) };
        let read = || async {
            let keys: Keys = Arc::new(store.api_keys().await?.into_iter().map(|key| (key.id, key)).collect());
            Ok::<_, StoreError>(keys)
        };
        let Timestamped { value: keys, since } = self.keys.get(clock, read).await?;
        Ok(keys.get(&id).filter(|key| key.accepts(text)).map(|key| (key.clone(), since)))
    }

    /// Returns whether to store the time of this use of a key: at the first use, and then at most once per minute.
    pub fn notes_use(&self, key: &ApiKey, now: Timestamp) -> bool {
        let mut used = self.used.lock();
        let last = used.get(&key.id).copied().or(key.last_used_at);
        let notes = last.is_none_or(|last| now.since(last) >= RESOLUTION);
        if notes {
            used.insert(key.id, now);
        }
        notes
    }
}
