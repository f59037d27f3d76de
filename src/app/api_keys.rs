//! API keys in memory.
//!
//! After a process has read the keys, it uses them only for a short time, the lease. A command that revokes a key waits
//! for the duration of the lease. After that, no copy of the service accepts the key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
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

/// Cache of the store's API keys. Without it, each request with a key would need a query.
#[derive(Debug, Default)]
pub struct ApiKeys {
    /// The cached keys; `None` before the first read. A task that reads the keys from the store holds the lock, and
    /// other tasks wait for its result.
    leased: tokio::sync::Mutex<Option<LeasedKeys>>,
    /// Time of the last stored use, for each key that this process has accepted.
    used: Mutex<HashMap<ObjectId, Timestamp>>,
}

#[derive(Debug, Clone)]
struct LeasedKeys {
    keys: Keys,
    /// Uptime at the start of the read.
    since: Duration,
}

impl ApiKeys {
    /// Returns the key with this text, and the uptime at which the keys were read; `None` if no such key exists or the key
    /// was revoked.
    ///
    /// # Errors
    /// [`StoreError`] if the cached keys are older than [`LEASE`], and the store cannot return new ones.
    pub async fn find(
        &self,
        text: &KeyText,
        store: &Store,
        clock: &Clock,
    ) -> Result<Option<(ApiKey, Duration)>, StoreError> {
        let Some(id) = text.id() else { return Ok(None) };
        let LeasedKeys { keys, since } = self.current(store, clock).await?;
        Ok(keys.get(&id).filter(|key| key.accepts(text)).map(|key| (key.clone(), since)))
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

    async fn current(&self, store: &Store, clock: &Clock) -> Result<LeasedKeys, StoreError> {
        let mut leased = self.leased.lock().await;
        let since = clock.uptime();
        if let Some(leased) = leased.as_ref().filter(|leased| since.saturating_sub(leased.since) < LEASE) {
            return Ok(leased.clone());
        }
        let keys: Keys = Arc::new(store.api_keys().await?.into_iter().map(|key| (key.id, key)).collect());
        Ok(leased.insert(LeasedKeys { keys, since }).clone())
    }
}
