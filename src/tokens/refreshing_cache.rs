//! A cache for a value that a provider publishes. The value is refreshed in the background. At most one fetch runs at a
//! time.
//!
//! A caller who needs only the cached value never waits. A failed fetch does not change the cached value, which stays
//! valid for up to a day. The next fetch is made only after a pause.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;
use tokio::task::JoinHandle;

use super::fetch::FetchError;
use crate::breaker::{Breaker, Pauses, Permit};
use crate::clock::Clock;

/// Age at which the cached value is refreshed in the background.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// Age at which the cached value expires, even if the provider is unavailable.
const LONGEST_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Minimum time between two fetches on behalf of callers who need a newer value.
const COOL_DOWN: Duration = Duration::from_secs(60);

/// Minimum time between a failed fetch and the next fetch.
const RETRY: Duration = Duration::from_secs(10);
const PAUSES: Pauses = Pauses { first: RETRY, longest: RETRY };

/// Fetches a value once.
type Fetch<T> = Box<dyn Fn() -> Pin<Box<dyn Future<Output = Result<T, FetchError>> + Send>> + Send + Sync>;

pub struct RefreshingCache<T> {
    /// Name of the value, for the log.
    what: &'static str,
    fetch: Fetch<T>,
    clock: Clock,
    breaker: Breaker,
    cached: Mutex<Option<Cached<T>>>,
    /// Locked by the task that fetches. Other tasks wait for its end.
    turn: Arc<tokio::sync::Mutex<Turn>>,
}

/// The value is unavailable. Contains the time after which the caller should retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnavailableError(pub Duration);

#[derive(Default)]
struct Turn {
    /// Time of the last fetch on behalf of a caller who needed a newer value, as the uptime of the service.
    searched: Option<Duration>,
}

/// A value, and the uptime at which its fetch began. What the provider added after that time may be missing.
struct Cached<T> {
    value: Arc<T>,
    since: Duration,
}

impl<T> Clone for Cached<T> {
    fn clone(&self) -> Self {
        Self { value: self.value.clone(), since: self.since }
    }
}

impl<T: Send + Sync + 'static> RefreshingCache<T> {
    pub fn new<F>(what: &'static str, clock: Clock, fetch: impl Fn() -> F + Send + Sync + 'static) -> Arc<Self>
    where
        F: Future<Output = Result<T, FetchError>> + Send + 'static,
    {
        let fetch: Fetch<T> = Box::new(move || Box::pin(fetch()));
        let breaker = Breaker::new(PAUSES);
        Arc::new(Self { what, fetch, clock, breaker, cached: Mutex::default(), turn: Arc::default() })
    }

    /// Returns the cached value; `None` if it has expired.
    fn cached(&self) -> Option<Cached<T>> {
        let now = self.clock.uptime();
        let cached = self.cached.lock();
        cached.clone().filter(|cached| now.saturating_sub(cached.since) < LONGEST_AGE)
    }

    /// Returns the cached value. Waits for a fetch only if no valid value is cached.
    pub async fn get(self: &Arc<Self>) -> Result<Arc<T>, UnavailableError> {
        if let Some(Cached { value, since }) = self.cached() {
            if self.clock.uptime().saturating_sub(since) >= MAX_AGE {
                self.refresh();
            }
            return Ok(value);
        }
        let turn = self.turn.clone().lock_owned().await;
        // Another task may have fetched the value in the meantime.
        if let Some(cached) = self.cached() {
            return Ok(cached.value);
        }
        self.fetch(turn, self.permit()?).await.map_err(|_| UnavailableError(RETRY))?;
        self.cached().map(|cached| cached.value).ok_or(UnavailableError(RETRY))
    }

    /// Returns a value that is newer than the old value `than`. A caller needs this if something, such as a key, is
    /// missing in the old value. Fetches at most once a minute. Within that minute, returns the old value, or an error
    /// if the last fetch failed.
    pub async fn newer(self: &Arc<Self>, than: &Arc<T>) -> Result<Arc<T>, UnavailableError> {
        let is_newer = |cached: &Cached<T>| !Arc::ptr_eq(&cached.value, than);
        let mut turn = self.turn.clone().lock_owned().await;
        let now = self.clock.uptime();
        let cached = self.cached().ok_or(UnavailableError(RETRY))?;
        if is_newer(&cached) {
            return Ok(cached.value);
        }
        if let Some(searched) = turn.searched
            && let Some(wait) = (searched + COOL_DOWN).checked_sub(now).filter(|wait| !wait.is_zero())
        {
            // If the last fetch failed, the provider may already have a newer value. So the result is an error, not the
            // old value.
            return if cached.since < searched { Err(UnavailableError(wait)) } else { Ok(cached.value) };
        }
        let permit = self.permit()?;
        turn.searched = Some(now);
        self.fetch(turn, permit).await.map_err(|_| UnavailableError(COOL_DOWN))?;
        self.cached().filter(is_newer).map(|cached| cached.value).ok_or(UnavailableError(COOL_DOWN))
    }

    fn permit(&self) -> Result<Permit, UnavailableError> {
        let now = self.clock.uptime();
        self.breaker.permit(now).ok_or_else(|| UnavailableError(self.breaker.pause(now).unwrap_or(RETRY)))
    }

    /// Starts a fetch in the background, unless one is running or the last one has just failed.
    pub fn refresh(self: &Arc<Self>) {
        if let Ok(turn) = self.turn.clone().try_lock_owned()
            && let Ok(permit) = self.permit()
        {
            self.fetch(turn, permit);
        }
    }

    /// Fetches the value in a separate task, which continues if the caller disconnects.
    fn fetch(self: &Arc<Self>, turn: OwnedMutexGuard<Turn>, permit: Permit) -> JoinHandle<()> {
        let this = self.clone();
        tokio::spawn(async move {
            let since = this.clock.uptime();
            match (this.fetch)().await {
                Ok(value) => {
                    permit.succeeded();
                    tracing::debug!("the {} of the token provider were fetched", this.what);
                    let cached = Cached { value: Arc::new(value), since };
                    *this.cached.lock() = Some(cached);
                }
                Err(error) => {
                    permit.failed(this.clock.uptime(), 1, None);
                    let kept = this.cached().is_some();
                    tracing::warn!(reason = %error, kept, "the {} of the token provider cannot be fetched", this.what);
                }
            }
            drop(turn);
        })
    }
}
