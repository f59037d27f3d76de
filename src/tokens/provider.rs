//! Verifies tokens of a provider. The provider's keys are cached and refreshed in the background. At most one fetch
//! runs at a time.
//!
//! A token whose key is cached never waits. Tokens with unknown keys cause at most one fetch per minute, however many
//! callers send them. If the provider is unavailable, the cached keys stay valid for up to a day.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jsonwebtoken::Header;
use tokio::sync::watch;

use super::claims::{Claims, Expected};
use super::fetch::{Source, UnusableProvider};
use super::jwks::{Keys, Unsigned};
use super::settings::ProviderSettings;
use super::{BadToken, Refusal};
use crate::clock::Clock;
use crate::domain::time::Timestamp;

/// Age at which the cached keys are refreshed in the background.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// Age at which the cached keys expire, even if the provider is unavailable.
const LONGEST_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Minimum time between two fetches that are caused by unknown keys.
const COOL_DOWN: Duration = Duration::from_secs(60);

/// Minimum time between a failed fetch and the next fetch.
const RETRY: Duration = Duration::from_secs(10);

/// Tolerated difference between the clocks of the provider and of this machine, in seconds.
const LEEWAY: f64 = 30.0;

/// A provider of tokens, with requirements on their claims.
pub struct Provider {
    expected: Expected,
    keyring: Arc<Keyring>,
}

struct Keyring {
    source: Source,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kept: Option<CachedKeys>,
    /// Channel that closes when the running fetch ends.
    under_way: Option<watch::Receiver<()>>,
    /// Uptime at which the last fetch ended, if it failed; `None` if it succeeded.
    failed: Option<Duration>,
    /// Uptime at which an unknown key last caused a fetch.
    searched: Option<Duration>,
}

/// Fetched keys, and the uptime at which their fetch began. Keys that the provider added later are missing.
#[derive(Clone)]
struct CachedKeys {
    keys: Arc<Keys>,
    since: Duration,
}

impl Provider {
    /// Creates a provider, without contacting it.
    pub fn new(settings: &ProviderSettings, clock: Clock) -> Result<Self, UnusableProvider> {
        let ProviderSettings { issuer, audience, .. } = settings;
        let expected = Expected { issuer: issuer.clone(), audience: audience.clone(), leeway: LEEWAY };
        let keyring = Keyring { source: Source::new(settings)?, clock, state: Mutex::default() };
        Ok(Self { expected, keyring: Arc::new(keyring) })
    }

    /// Starts to fetch the keys in the background.
    pub fn prepare(&self) {
        if self.expected.audience.is_none() {
            tracing::warn!(
                "auth.audience is not set: tokens that the provider issues for other services are accepted here, too"
            );
        }
        self.keyring.fetch(&mut self.keyring.state());
    }

    /// Verifies a token with this header, and returns its claims.
    ///
    /// # Errors
    /// [`Refusal`] if the token is invalid or the keys are unavailable.
    pub async fn check(&self, token: &str, header: &Header, now: Timestamp) -> Result<Claims, Refusal> {
        if !Keys::may_know(header) {
            return Err(BadToken::Untrusted.into());
        }
        let keys = self.keyring.keys().await?;
        let claims = match keys.check(token, header) {
            Err(Unsigned::UnknownKey) => self.keyring.newer(&keys).await?.check(token, header),
            known => known,
        };
        let claims = claims.map_err(|_| BadToken::Untrusted)?;
        self.expected.check(&claims, now)?;
        Ok(claims)
    }
}

impl Keyring {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the cached keys. Waits for a fetch only if no valid keys are cached.
    async fn keys(self: &Arc<Self>) -> Result<Arc<Keys>, Refusal> {
        let under_way = {
            let mut state = self.state();
            let now = self.clock.uptime();
            let pause = state.pause(now);
            if let Some(CachedKeys { keys, since }) = state.usable(now) {
                if now.saturating_sub(since) >= MAX_AGE && pause.is_none() {
                    self.fetch(&mut state);
                }
                return Ok(keys);
            }
            match pause {
                Some(pause) if state.running().is_none() => return Err(Refusal::NoKeys(pause)),
                _ => self.fetch(&mut state),
            }
        };
        wait_until_finished(under_way).await;
        self.state().usable(self.clock.uptime()).map(|kept| kept.keys).ok_or(Refusal::NoKeys(RETRY))
    }

    /// Returns keys that are newer than `than`, for a token with an unknown key. Fetches at most once a minute. Within
    /// that minute, returns `than`, or an error if the last fetch failed.
    async fn newer(self: &Arc<Self>, than: &Arc<Keys>) -> Result<Arc<Keys>, Refusal> {
        let under_way = {
            let mut state = self.state();
            let now = self.clock.uptime();
            if let Some(CachedKeys { keys, .. }) = state.usable(now).filter(|kept| !Arc::ptr_eq(&kept.keys, than)) {
                return Ok(keys);
            }
            let wait = state.searched.and_then(|then| (then + COOL_DOWN).checked_sub(now)).filter(|w| !w.is_zero());
            match (state.running(), wait) {
                (Some(running), _) => running,
                // The last fetch failed, so the token may be signed with a new key.
                (None, Some(wait)) if state.failed.is_some() => return Err(Refusal::NoKeys(wait)),
                (None, Some(_)) => return Ok(than.clone()),
                (None, None) => {
                    state.searched = Some(now);
                    self.fetch(&mut state)
                }
            }
        };
        wait_until_finished(under_way).await;
        let kept = self.state().usable(self.clock.uptime());
        kept.map(|kept| kept.keys).filter(|keys| !Arc::ptr_eq(keys, than)).ok_or(Refusal::NoKeys(COOL_DOWN))
    }

    /// Starts a fetch, or joins the running fetch. The fetch runs in its own task, so that it continues if the caller
    /// disconnects.
    fn fetch(self: &Arc<Self>, state: &mut State) -> watch::Receiver<()> {
        if let Some(running) = state.running() {
            return running;
        }
        let (end, under_way) = watch::channel(());
        state.under_way = Some(under_way.clone());
        let keyring = self.clone();
        tokio::spawn(async move {
            let since = keyring.clock.uptime();
            let fetched = keyring.source.fetch().await;
            let mut state = keyring.state();
            match fetched {
                Ok(keys) => {
                    tracing::debug!(keys = keys.count(), "the keys of the token provider were fetched");
                    state.kept = Some(CachedKeys { keys: Arc::new(keys), since });
                    state.failed = None;
                    metrics::counter!("fieldbook_token_key_fetches_total", "outcome" => "fetched").increment(1);
                    let now = keyring.clock.now().0 as f64 / 1000.0;
                    metrics::gauge!("fieldbook_token_keys_fetched_timestamp_seconds").set(now);
                }
                Err(fault) => {
                    let kept = state.usable(keyring.clock.uptime()).is_some();
                    tracing::warn!(reason = %fault, kept, "the keys of the token provider cannot be fetched");
                    state.failed = Some(keyring.clock.uptime());
                    metrics::counter!("fieldbook_token_key_fetches_total", "outcome" => "failed").increment(1);
                }
            }
            drop(end);
        });
        under_way
    }
}

impl State {
    /// Returns the cached keys; `None` if they have expired.
    fn usable(&self, now: Duration) -> Option<CachedKeys> {
        self.kept.clone().filter(|kept| now.saturating_sub(kept.since) < LONGEST_AGE)
    }

    fn running(&self) -> Option<watch::Receiver<()>> {
        self.under_way.clone().filter(|under_way| under_way.has_changed().is_ok())
    }

    fn pause(&self, now: Duration) -> Option<Duration> {
        (self.failed? + RETRY).checked_sub(now).filter(|pause| !pause.is_zero())
    }
}

async fn wait_until_finished(mut under_way: watch::Receiver<()>) {
    // No value is ever sent, so the wait ends when the channel closes.
    while under_way.changed().await.is_ok() {}
}
