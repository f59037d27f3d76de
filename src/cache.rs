//! Caches with bounded memory, and a single flight, which runs equal concurrent work only once.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use moka::policy::EvictionPolicy;
use moka::sync::Cache as Entries;
use parking_lot::Mutex;
use tokio::sync::OnceCell;

use crate::clock::Clock;

/// Approximate size of an entry without its key and value, in bytes.
const ENTRY_BYTES: usize = 256;

/// How much a cache may keep, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum memory for the entries, in bytes.
    pub bytes: u64,
    /// Age at which an entry expires. With zero, the cache keeps nothing.
    pub keep: Duration,
}

/// A cache in bounded memory with least-recently-used eviction.
pub struct LruCache<K, V>(Entries<K, V>);

impl<K, V> fmt::Debug for LruCache<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LruCache").finish_non_exhaustive()
    }
}

impl<K: Hash + Eq + Send + Sync + 'static, V: Clone + Send + Sync + 'static> LruCache<K, V> {
    /// Creates a cache of at most `bytes` bytes. `weigh` returns how many bytes the key and the value of an entry take.
    pub fn new(bytes: u64, weigh: impl Fn(&K, &V) -> usize + Send + Sync + 'static) -> Self {
        let weigh =
            move |key: &K, value: &V| u32::try_from(weigh(key, value).saturating_add(ENTRY_BYTES)).unwrap_or(u32::MAX);
        // The default policy would refuse new entries that have not been requested often.
        Self(Entries::builder().max_capacity(bytes).weigher(weigh).eviction_policy(EvictionPolicy::lru()).build())
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.0.get(key)
    }

    pub fn insert(&self, key: K, value: V) {
        self.0.insert(key, value);
    }
}

/// A cache whose entries expire. The age of an entry follows the service's [`Clock`], which tests control.
pub struct Cache<K, V> {
    entries: LruCache<K, Entry<V>>,
    keep: Duration,
    clock: Clock,
}

#[derive(Clone)]
struct Entry<V> {
    value: V,
    since: Duration,
}

impl<K: Hash + Eq + Send + Sync + 'static, V: Clone + Send + Sync + 'static> Cache<K, V> {
    /// Creates a cache. `weigh` returns how many bytes the key and the value of an entry take.
    pub fn new(bounds: Bounds, clock: Clock, weigh: impl Fn(&K, &V) -> usize + Send + Sync + 'static) -> Self {
        let Bounds { bytes, keep } = bounds;
        let bytes = if keep.is_zero() { 0 } else { bytes };
        let entries = LruCache::new(bytes, move |key: &K, entry: &Entry<V>| weigh(key, &entry.value));
        Self { entries, keep, clock }
    }

    pub fn get(&self, key: &K) -> Option<V> {
        let Entry { value, since } = self.entries.get(key)?;
        (self.clock.uptime().saturating_sub(since) < self.keep).then_some(value)
    }

    pub fn insert(&self, key: K, value: V) {
        self.entries.insert(key, Entry { value, since: self.clock.uptime() });
    }
}

/// Work in progress. Tasks with equal keys share one run and its result. The result is not kept afterwards.
///
/// moka's own single flight blocks the threads of the tasks that wait. Its cache for async code looks at the real time
/// when it tidies up, so a simulation could not repeat a history.
pub struct SingleFlight<K: Hash + Eq, V>(Mutex<HashMap<K, Arc<OnceCell<V>>>>);

impl<K: Hash + Eq, V> fmt::Debug for SingleFlight<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SingleFlight").finish_non_exhaustive()
    }
}

impl<K: Hash + Eq, V> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Hash + Eq + Clone, V: Clone> SingleFlight<K, V> {
    /// Runs `work`, or waits for the task that runs it for the same key. If that task is cancelled or panics, one of
    /// the waiting tasks runs its own `work` instead.
    pub async fn run(&self, key: K, work: impl Future<Output = V>) -> V {
        let result = self.0.lock().entry(key.clone()).or_default().clone();
        let run = Run { flight: self, key, result };
        run.result.get_or_init(|| work).await.clone()
    }
}

/// A value of the store that a process may use up to a maximum age, counted from the start of its read. Tasks that need
/// a new one at the same time share one read and its result. So if the store does not answer, each task waits only for
/// the time of one read, regardless of the number of tasks.
pub struct RefreshedValue<V, E> {
    max_age: Duration,
    kept: Mutex<Kept<V>>,
    reads: SingleFlight<u64, Result<Timestamped<V>, E>>,
}

/// A value, and the uptime at the start of its read.
#[derive(Debug, Clone, Copy)]
pub struct Timestamped<V> {
    pub value: V,
    pub since: Duration,
}

struct Kept<V> {
    /// `None` before the first read.
    last: Option<Timestamped<V>>,
    /// How often the cached value was discarded. If this number changes during a read, the result of the read is not
    /// cached.
    forgotten: u64,
}

impl<V: Clone, E: Clone> RefreshedValue<V, E> {
    pub fn new(max_age: Duration) -> Self {
        let kept = Kept { last: None, forgotten: 0 };
        Self { max_age, kept: Mutex::new(kept), reads: SingleFlight::default() }
    }

    /// Returns the value in memory, or else what `read` returns.
    ///
    /// # Errors
    /// The error of `read`, if the value in memory is too old and the read failed. Later calls do not get this error.
    pub async fn get<R: Future<Output = Result<V, E>>>(
        &self,
        clock: &Clock,
        read: impl FnOnce() -> R,
    ) -> Result<Timestamped<V>, E> {
        let (last, forgotten) = {
            let kept = self.kept.lock();
            (kept.last.clone(), kept.forgotten)
        };
        if let Some(last) = last.filter(|last| clock.uptime().saturating_sub(last.since) < self.max_age) {
            return Ok(last);
        }
        let work = async {
            let since = clock.uptime();
            let read = Timestamped { value: read().await?, since };
            let mut kept = self.kept.lock();
            if kept.forgotten == forgotten {
                kept.last = Some(read.clone());
            }
            Ok::<_, E>(read)
        };
        // Boxed, because this future is large. Without the box, it would make the future of each request larger by its
        // size.
        Box::pin(self.reads.run(forgotten, work)).await
    }

    /// Makes the next task read the value, even if another read is under way.
    pub fn forget(&self) {
        let mut kept = self.kept.lock();
        kept.last = None;
        kept.forgotten += 1;
    }
}

/// A task's participation in a run. The first task that gets the result, or the last task that is cancelled, removes
/// the run from the map.
struct Run<'f, K: Hash + Eq, V> {
    flight: &'f SingleFlight<K, V>,
    key: K,
    result: Arc<OnceCell<V>>,
}

impl<K: Hash + Eq, V> Drop for Run<'_, K, V> {
    fn drop(&mut self) {
        let flight = self.flight;
        let mut in_progress = flight.0.lock();
        // The lock is held until this reference is dropped, so that the last task sees that it is the last.
        let result = std::mem::take(&mut self.result);
        let is_current = in_progress.get(&self.key).is_some_and(|current| Arc::ptr_eq(current, &result));
        // This task holds one reference, and the map holds the other.
        let is_last = Arc::strong_count(&result) == 2;
        if is_current && (is_last || result.initialized()) {
            in_progress.remove(&self.key);
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/cache.rs"]
mod tests;
