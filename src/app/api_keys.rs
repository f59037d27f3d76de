//! API keys in memory, so that a request with a key needs no query.
//!
//! A process accepts the keys that it has read for a short time only, its lease. Whoever revokes a key waits as long;
//! afterwards no copy of the service accepts it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Clock;
use crate::domain::api_key::{ApiKey, KeyText};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::{Store, StoreError};

/// How long keys are accepted after the start of the read that returned them.
pub const LEASE: Duration = Duration::from_secs(1);

/// Resolution of the time of the last use of a key. A use within this time after the last one is not stored.
const RESOLUTION: Duration = Duration::from_secs(60);

type Keys = Arc<HashMap<ObjectId, ApiKey>>;

/// The API keys of the store.
#[derive(Debug, Default)]
pub struct ApiKeys {
    /// The keys, and the uptime at the start of the read that returned them.
    read: Mutex<Option<(Duration, Keys)>>,
    /// Held by the one task that reads the keys.
    reading: tokio::sync::Mutex<()>,
    /// Last stored use of each key that this process has accepted.
    used: Mutex<HashMap<ObjectId, Timestamp>>,
}

impl ApiKeys {
    /// Returns the key with this text; `None` if there is none, or it was revoked.
    ///
    /// # Errors
    /// [`StoreError`] if the lease is over and the keys cannot be read.
    pub async fn find(&self, text: &KeyText, store: &Store, clock: &Clock) -> Result<Option<ApiKey>, StoreError> {
        let Some(id) = text.id() else { return Ok(None) };
        let keys = self.current(store, clock).await?;
        Ok(keys.get(&id).filter(|key| key.accepts(text)).cloned())
    }

    /// Returns whether this use of a key is to be stored: the first one in a minute.
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

    /// Returns the keys if their lease is not over.
    fn leased(&self, clock: &Clock) -> Option<Keys> {
        let read = self.read();
        let (start, keys) = read.as_ref()?;
        (clock.uptime().saturating_sub(*start) < LEASE).then(|| keys.clone())
    }

    fn read(&self) -> MutexGuard<'_, Option<(Duration, Keys)>> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
