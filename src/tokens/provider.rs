//! Verifies tokens of a provider. What the provider publishes, mostly its keys, is cached and
//! refreshed in the background. At most one fetch runs at a time.
//!
//! A token whose key is cached never waits. Tokens with unknown keys cause at most one fetch per minute, however many
//! callers send them. If the provider is unavailable, the cached keys stay valid for up to a day.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OwnedMutexGuard;
use tokio::task::JoinHandle;

use super::claims::{Claims, Expected, Header};
use super::fetch::{Published, Source};
use super::jwks::{Keys, Unsigned};
use super::settings::{ProviderSettings, SignInSettings};
use super::{BadToken, Refusal};
use crate::breaker::{Breaker, Pauses, Permit};
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
const PAUSES: Pauses = Pauses { first: RETRY, longest: RETRY };

/// Tolerated difference between the clocks of the provider and of this machine, in seconds.
const LEEWAY: f64 = 30.0;

pub struct Provider {
    expected: Expected,
    pub(super) sign_in: Option<SignInSettings>,
    keyring: Arc<Keyring>,
}

struct Keyring {
    source: Source,
    clock: Clock,
    breaker: Breaker,
    cached: Mutex<Option<Cached>>,
    /// Locked by the task that fetches. Other tasks wait for its end.
    turn: Arc<tokio::sync::Mutex<Turn>>,
}

#[derive(Default)]
struct Turn {
    /// Uptime at which an unknown key last caused a fetch.
    searched: Option<Duration>,
}

/// What was fetched, and the uptime at which the fetch began. Keys that the provider added later are missing.
#[derive(Clone)]
struct Cached {
    published: Arc<Published>,
    since: Duration,
}

impl Provider {
    pub fn new(settings: &ProviderSettings, clock: Clock) -> Result<Self, String> {
        let ProviderSettings { issuer, audience, sign_in, .. } = settings;
        let expected = Expected { issuer: issuer.clone(), audience: audience.clone(), leeway: LEEWAY };
        let keyring = Keyring {
            source: Source::new(settings)?,
            clock,
            breaker: Breaker::new(PAUSES),
            cached: Mutex::default(),
            turn: Arc::default(),
        };
        Ok(Self { expected, sign_in: sign_in.clone(), keyring: Arc::new(keyring) })
    }

    pub fn prepare(&self) {
        if self.expected.audience.is_none() {
            tracing::warn!(
                "auth.audience is not set: tokens that the provider issues for other services are accepted here, too"
            );
        }
        self.keyring.refresh();
    }

    pub async fn check(&self, token: &str, header: &Header, now: Timestamp) -> Result<Claims, Refusal> {
        self.check_as(token, header, &self.expected, now).await
    }

    /// Verifies a token that is meant for this audience.
    pub(super) async fn check_for(
        &self,
        audience: &str,
        token: &str,
        header: &Header,
        now: Timestamp,
    ) -> Result<Claims, Refusal> {
        let (issuer, audience) = (self.expected.issuer.clone(), Some(audience.to_owned()));
        self.check_as(token, header, &Expected { issuer, audience, leeway: LEEWAY }, now).await
    }

    async fn check_as(
        &self,
        token: &str,
        header: &Header,
        expected: &Expected,
        now: Timestamp,
    ) -> Result<Claims, Refusal> {
        if !Keys::may_know(header) {
            return Err(BadToken::Untrusted.into());
        }
        let published = self.keyring.published().await?;
        let claims = match published.keys.check(token, header) {
            Err(Unsigned::UnknownKey) => self.keyring.newer(&published).await?.keys.check(token, header),
            known => known,
        };
        let claims = claims.map_err(|_| BadToken::Untrusted)?;
        expected.check(&claims, now)?;
        Ok(claims)
    }

    /// Returns what the provider publishes, from memory if it is there.
    pub(super) async fn published(&self) -> Result<Arc<Published>, Refusal> {
        self.keyring.published().await
    }

    pub(super) fn issuer(&self) -> Option<&str> {
        self.expected.issuer.as_deref()
    }

    pub(super) fn source(&self) -> &Source {
        &self.keyring.source
    }
}

impl Keyring {
    /// Returns what is cached; `None` if it has expired.
    fn cached(&self) -> Option<Cached> {
        let now = self.clock.uptime();
        let cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        cached.clone().filter(|cached| now.saturating_sub(cached.since) < LONGEST_AGE)
    }

    /// Returns what is cached. Waits for a fetch only if nothing valid is cached.
    async fn published(self: &Arc<Self>) -> Result<Arc<Published>, Refusal> {
        if let Some(Cached { published, since }) = self.cached() {
            if self.clock.uptime().saturating_sub(since) >= MAX_AGE {
                self.refresh();
            }
            return Ok(published);
        }
        let turn = self.turn.clone().lock_owned().await;
        // Another task may have fetched the keys meanwhile.
        if let Some(cached) = self.cached() {
            return Ok(cached.published);
        }
        self.fetch(turn, self.permit()?).await.map_err(|_| Refusal::NoKeys(RETRY))?;
        self.cached().map(|cached| cached.published).ok_or(Refusal::NoKeys(RETRY))
    }

    /// Returns keys that are newer than `than`, for a token with an unknown key. Fetches at most once a minute. Within
    /// that minute, returns `than`, or an error if the last fetch failed.
    async fn newer(self: &Arc<Self>, than: &Arc<Published>) -> Result<Arc<Published>, Refusal> {
        let is_newer = |cached: &Cached| !Arc::ptr_eq(&cached.published, than);
        let mut turn = self.turn.clone().lock_owned().await;
        let now = self.clock.uptime();
        let cached = self.cached().ok_or(Refusal::NoKeys(RETRY))?;
        if is_newer(&cached) {
            return Ok(cached.published);
        }
        if let Some(searched) = turn.searched
            && let Some(wait) = (searched + COOL_DOWN).checked_sub(now).filter(|wait| !wait.is_zero())
        {
            // If that fetch failed, the token may be signed with a new key.
            return if cached.since < searched { Err(Refusal::NoKeys(wait)) } else { Ok(cached.published) };
        }
        let permit = self.permit()?;
        turn.searched = Some(now);
        self.fetch(turn, permit).await.map_err(|_| Refusal::NoKeys(COOL_DOWN))?;
        self.cached().filter(is_newer).map(|cached| cached.published).ok_or(Refusal::NoKeys(COOL_DOWN))
    }

    fn permit(&self) -> Result<Permit, Refusal> {
        let now = self.clock.uptime();
        self.breaker.permit(now).ok_or_else(|| Refusal::NoKeys(self.breaker.pause(now).unwrap_or(RETRY)))
    }

    /// Starts a fetch in the background, unless one is running or the last one has just failed.
    fn refresh(self: &Arc<Self>) {
        if let Ok(turn) = self.turn.clone().try_lock_owned()
            && let Ok(permit) = self.permit()
        {
            self.fetch(turn, permit);
        }
    }

    /// Fetches the keys in a task of its own, which continues if the caller disconnects.
    fn fetch(self: &Arc<Self>, turn: OwnedMutexGuard<Turn>, permit: Permit) -> JoinHandle<()> {
        let keyring = self.clone();
        tokio::spawn(async move {
            let since = keyring.clock.uptime();
            match keyring.source.fetch().await {
                Ok(published) => {
                    permit.succeeded();
                    tracing::debug!(keys = published.keys.usable(), "the keys of the token provider were fetched");
                    let cached = Cached { published: Arc::new(published), since };
                    *keyring.cached.lock().unwrap_or_else(PoisonError::into_inner) = Some(cached);
                    metrics::counter!("fieldbook_token_key_fetches_total", "outcome" => "fetched").increment(1);
                    let now = keyring.clock.now().0 as f64 / 1000.0;
                    metrics::gauge!("fieldbook_token_keys_fetched_timestamp_seconds").set(now);
                }
                Err(fault) => {
                    permit.failed(keyring.clock.uptime(), 1, None);
                    let kept = keyring.cached().is_some();
                    tracing::warn!(reason = %fault, kept, "the keys of the token provider cannot be fetched");
                    metrics::counter!("fieldbook_token_key_fetches_total", "outcome" => "failed").increment(1);
                }
            }
            drop(turn);
        })
    }
}
