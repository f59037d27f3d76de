//! Rows of the store in memory, for a short time, so that most requests need no query for them.
//!
//! A process uses what it has read for at most the [`LEASE`]. So what another copy of the service changed counts here soon.
//! What is still asked for is read again before that, beside the requests.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cache::{Recent, SingleFlight};
use crate::clock::Clock;
use crate::store::StoreError;

/// Time for which a process may use what it has read, counted from the start of the read.
pub const LEASE: Duration = Duration::from_secs(10);

/// Age after which what is asked for is read again.
const RENEWAL: Duration = Duration::from_secs(5);

/// Maximum memory for the entries, in bytes.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

/// What a read found, and the uptime at its start.
#[derive(Debug)]
struct Loaded<K, V> {
    rows: HashMap<K, V>,
    since: Duration,
}

type Loading<K, V> = SingleFlight<Vec<K>, Result<Arc<Loaded<K, V>>, StoreError>>;

/// Rows of one kind by their keys. Clones share the same rows.
#[derive(Clone)]
pub struct Leases<K: Hash + Eq, V> {
    entries: Arc<Recent<K, Leased<V>>>,
    under_way: Arc<Loading<K, V>>,
}

#[derive(Clone)]
struct Leased<V> {
    /// `None` if the store has no such row.
    value: Option<V>,
    /// Uptime at the start of the read.
    since: Duration,
    is_renewed: Arc<AtomicBool>,
}

impl<K, V> Leases<K, V>
where
    K: Hash + Ord + Clone + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Creates a cache. `weigh` returns how many bytes a row takes besides its struct.
    pub fn new(weigh: impl Fn(&V) -> usize + Send + Sync + 'static) -> Self {
        let weigh = move |_: &K, leased: &Leased<V>| leased.value.as_ref().map_or(0, &weigh) + size_of::<(K, V)>();
        Self { entries: Arc::new(Recent::new(MAX_BYTES, weigh)), under_way: Arc::default() }
    }

    /// Returns the rows with these keys that exist. `load` reads those that are not in memory.
    ///
    /// # Errors
    /// [`StoreError`] if what is in memory is too old, and the store cannot be read.
    pub async fn get<F>(
        &self,
        clock: &Clock,
        keys: impl IntoIterator<Item = K>,
        load: impl Fn(Vec<K>) -> F + Send + 'static,
    ) -> Result<HashMap<K, V>, StoreError>
    where
        F: Future<Output = Result<HashMap<K, V>, StoreError>> + Send + 'static,
    {
        let now = clock.uptime();
        let mut found = HashMap::new();
        let (mut missing, mut old) = (Vec::new(), Vec::new());
        for key in keys {
            let leased = self.entries.get(&key).filter(|leased| now.saturating_sub(leased.since) < LEASE);
            let Some(Leased { value, since, is_renewed }) = leased else {
                missing.push(key);
                continue;
            };
            if now.saturating_sub(since) >= RENEWAL && !is_renewed.swap(true, Ordering::Relaxed) {
                old.push(key.clone());
            }
            found.extend(value.map(|value| (key, value)));
        }
        if !old.is_empty() {
            let (leases, clock, work) = (self.clone(), clock.clone(), load(old.clone()));
            // If this fails, the rows stay in use until their lease ends.
            tokio::spawn(async move { leases.read(&clock, old, work).await.map(drop) });
        }
        if !missing.is_empty() {
            missing.sort_unstable();
            missing.dedup();
            let work = load(missing.clone());
            let loaded = self.read(clock, missing, work).await?;
            found.extend(loaded.rows.iter().map(|(key, value)| (key.clone(), value.clone())));
        }
        Ok(found)
    }

    async fn read(
        &self,
        clock: &Clock,
        keys: Vec<K>,
        work: impl Future<Output = Result<HashMap<K, V>, StoreError>>,
    ) -> Result<Arc<Loaded<K, V>>, StoreError> {
        let load = async {
            let since = clock.uptime();
            work.await.map(|rows| Arc::new(Loaded { rows, since }))
        };
        let loaded = self.under_way.run(keys.clone(), load).await?;
        for key in keys {
            let value = loaded.rows.get(&key).cloned();
            self.put(key, value, loaded.since);
        }
        Ok(loaded)
    }

    /// Takes over a row that was read or changed here; `None` if it is gone. `since` is the uptime at that time.
    pub fn put(&self, key: K, value: Option<V>, since: Duration) {
        let is_newer = |known: Leased<V>| known.since > since;
        if !self.entries.get(&key).is_some_and(is_newer) {
            self.entries.insert(key, Leased { value, since, is_renewed: Arc::default() });
        }
    }
}
