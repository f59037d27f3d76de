//! Tokens of a provider: its keys are kept, and fetched anew in the background; no more than one fetch runs at once.
//!
//! Whoever bears a token of a key that is kept never waits. A key that is not is looked for at most once a minute,
//! whoever asks and how often. Keys outlive a provider that is down for a day.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jsonwebtoken::Header;
use tokio::sync::watch;

use super::claims::{Claims, Expected};
use super::fetch::{Source, UnusableProvider};
use super::jwks::{Keys, Unsigned};
use super::{BadToken, Refusal};
use crate::clock::Clock;
use crate::domain::time::Timestamp;

/// Keys that are older are fetched anew, beside the request that finds it out.
const MAX_AGE: Duration = Duration::from_secs(10 * 60);

/// Keys that are older count no more, whatever became of the provider.
const LONGEST_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Tokens of unknown keys bring about one fetch in so long.
const COOL_DOWN: Duration = Duration::from_secs(60);

/// After a fetch that failed the next one is made no sooner.
const RETRY: Duration = Duration::from_secs(10);

/// By how many seconds the provider's clock may differ.
const LEEWAY: f64 = 30.0;

/// Where tokens come from, and what they must say.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Where the keys are, where they are not looked for at the issuer.
    pub jwks_url: Option<String>,
    /// `iss` of every token, to the letter; where there is no `jwks_url`, an OIDC issuer.
    pub issuer: Option<String>,
    /// What `aud` of every token must be or hold.
    pub audience: Option<String>,
    /// How long a fetch may take.
    pub deadline: Duration,
}

/// A provider of tokens.
pub struct Provider {
    expected: Expected,
    keyring: Arc<Keyring>,
}

/// The keys, and what became of fetching them.
struct Keyring {
    source: Source,
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    kept: Option<CachedKeys>,
    /// Closed when the fetch is over.
    under_way: Option<watch::Receiver<()>>,
    /// When the last fetch ended, if it failed.
    failed: Option<Duration>,
    /// When a token of an unknown key last brought about a fetch.
    searched: Option<Duration>,
}

/// Keys, and when the fetch of them began: what the provider has changed since is not in them.
#[derive(Clone)]
struct CachedKeys {
    keys: Arc<Keys>,
    since: Duration,
}

impl Provider {
    /// A provider that was not spoken to yet.
    ///
    /// # Errors
    /// [`UnusableProvider`] for settings that cannot be used.
    pub fn new(settings: &ProviderSettings, clock: Clock) -> Result<Self, UnusableProvider> {
        let ProviderSettings { issuer, audience, .. } = settings;
        let expected = Expected { issuer: issuer.clone(), audience: audience.clone(), leeway: LEEWAY };
        let keyring = Keyring { source: Source::new(settings)?, clock, state: Mutex::default() };
        Ok(Self { expected, keyring: Arc::new(keyring) })
    }

    /// Begins to fetch the keys.
    pub fn prepare(&self) {
        if self.expected.audience.is_none() {
            tracing::warn!(
                "auth.audience is not set: tokens that the provider makes for other services count here, too"
            );
        }
        self.keyring.fetch(&mut self.keyring.state());
    }

    /// The claims of a valid token with this header.
    ///
    /// # Errors
    /// [`Refusal`]
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

    /// The keys that are kept; waits only where there are none that count.
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
        over(under_way).await;
        self.state().usable(self.clock.uptime()).map(|kept| kept.keys).ok_or(Refusal::NoKeys(RETRY))
    }

    /// Keys that are newer than these, or these again where it is known that they are the newest.
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
                // Whether the key is one that the provider has meanwhile is not known.
                (None, Some(wait)) if state.failed.is_some() => return Err(Refusal::NoKeys(wait)),
                (None, Some(_)) => return Ok(than.clone()),
                (None, None) => {
                    state.searched = Some(now);
                    self.fetch(&mut state)
                }
            }
        };
        over(under_way).await;
        let kept = self.state().usable(self.clock.uptime());
        kept.map(|kept| kept.keys).filter(|keys| !Arc::ptr_eq(keys, than)).ok_or(Refusal::NoKeys(COOL_DOWN))
    }

    /// Begins a fetch, unless one is under way, on a task of its own: callers who go away do not stop it.
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
    /// The keys, where they count.
    fn usable(&self, now: Duration) -> Option<CachedKeys> {
        self.kept.clone().filter(|kept| now.saturating_sub(kept.since) < LONGEST_AGE)
    }

    /// The fetch that is under way.
    fn running(&self) -> Option<watch::Receiver<()>> {
        self.under_way.clone().filter(|under_way| under_way.has_changed().is_ok())
    }

    /// How long to leave the provider alone after a fetch that failed.
    fn pause(&self, now: Duration) -> Option<Duration> {
        (self.failed? + RETRY).checked_sub(now).filter(|pause| !pause.is_zero())
    }
}

/// Waits until a fetch is over.
async fn over(mut under_way: watch::Receiver<()>) {
    // Nothing is ever said: the channel only closes.
    while under_way.changed().await.is_ok() {}
}
