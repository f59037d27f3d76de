//! API keys in memory, so that a request with a key needs no query.
//!
//! After a process has read the keys, it uses them only for a short time, the lease. A command that revokes a key waits
//! for the duration of the lease. After that, no copy of the service accepts the key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Clock;
use crate::domain::api_key::{ApiKey, KeyText};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::{Store, StoreError};

/// Time for which a process may use the API keys that it has read, counted from the start of the read.
pub const LEASE: Duration = Duration::from_secs(1);

/// Minimum time between two updates of the stored time at which an API key was last used.
const RESOLUTION: Duration = Duration::from_secs(60);

type Keys = Arc<HashMap<ObjectId, ApiKey>>;

/// Cache of the store's API keys.
#[derive(Debug, Default)]
pub struct ApiKeys {
    /// The cached keys, and the uptime at the start of the read that returned them; `None` before the first read.
    read: Mutex<Option<(Duration, Keys)>>,
    /// Lock of the task that reads the keys from the store. Other tasks wait for its result.
    reading: tokio::sync::Mutex<()>,
    /// Time of the last stored use, for each key that this process has accepted.
    used: Mutex<HashMap<ObjectId, Timestamp>>,
}

impl ApiKeys {
    /// Returns the key with this text; `None` if no such key exists or the key was revoked.
    ///
    /// # Errors
    /// [`StoreError`] if the cached keys are older than [`LEASE`], and the store cannot return new ones.
    pub async fn find(&self, text: &KeyText, store: &Store, clock: &Clock) -> Result<Option<ApiKey>, StoreError> {
        let Some(id) = text.id() else { return Ok(None) };
        let keys = self.current(store, clock).await?;
        Ok(keys.get(&id).filter(|key| key.accepts(text)).cloned())
    }

    /// Returns whether to store the time of this use of a key: at the first use, and then at most once per minute.
    pub fn notes_use(&self, key: &ApiKey, now: Timestamp) -> bool {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let last = used.get(&key.id).copied().or(key.last_used_at);
        let notes = last.is_none_or(|last| now.since(last) >= RESOLUTION);
        if notes {
            used.insert(key.id, now);
        }
        notes
    }

    async fn current(&self, store: &Store, clock: &Clock) -> Result<Keys, StoreError> {
        if let Some(keys) = self.leased(clock) {
            return Ok(keys);
        }
        let _reading = self.reading.lock().await;
        if let Some(keys) = self.leased(clock) {
            return Ok(keys);
        }
        let start = clock.uptime();
        let keys: Keys = Arc::new(store.api_keys().await?.into_iter().map(|key| (key.id, key)).collect());
        *self.read() = Some((start, keys.clone()));
        Ok(keys)
    }

    /// Returns the cached keys; `None` if they are older than [`LEASE`] or no keys were read yet.
    fn leased(&self, clock: &Clock) -> Option<Keys> {
        let read = self.read();
        let (start, keys) = read.as_ref()?;
        (clock.uptime().saturating_sub(*start) < LEASE).then(|| keys.clone())
    }

    fn read(&self) -> MutexGuard<'_, Option<(Duration, Keys)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
