//! Verifies tokens of a provider with its keys, and returns its addresses for a sign-in. Keys and endpoints are fetched
//! separately, so that neither fetch waits for the other or fails with it.
//!
//! A token whose key is cached is verified without waiting. Tokens with unknown keys cause at most one fetch per minute
//! in total.

use std::sync::Arc;

use super::claims::{Claims, Expected, Header};
use super::error::{InvalidTokenError, TokenError};
use super::fetch::{Endpoints, FetchError, Source};
use super::jwks::{Keys, SignatureError};
use super::refreshing_cache::{RefreshingCache, UnavailableError};
use super::settings::{ProviderSettings, SignInSettings};
use crate::clock::Clock;
use crate::domain::time::Timestamp;

/// Tolerated difference between the clocks of the provider and of this machine, in seconds.
const LEEWAY: f64 = 30.0;

pub struct Provider {
    expected: Expected,
    source: Arc<Source>,
    keys: Arc<RefreshingCache<Keys>>,
    pub(super) sign_in: Option<SignIn>,
}

/// How people sign in with the provider.
pub struct SignIn {
    pub settings: SignInSettings,
    pub endpoints: Arc<RefreshingCache<Endpoints>>,
}

impl From<UnavailableError> for TokenError {
    fn from(UnavailableError(wait): UnavailableError) -> Self {
        Self::NoKeys(wait)
    }
}

impl Provider {
    pub fn new(settings: &ProviderSettings, clock: Clock) -> Result<Self, String> {
        let ProviderSettings { issuer, audience, sign_in, .. } = settings;
        let expected = Expected { issuer: issuer.clone(), audience: audience.clone(), leeway: LEEWAY };
        let source = Arc::new(Source::new(settings)?);
        let sign_in = sign_in.clone().map(|settings| {
            let source = source.clone();
            let endpoints = move || {
                let source = source.clone();
                async move { source.endpoints().await }
            };
            SignIn { settings, endpoints: RefreshingCache::new("addresses", clock.clone(), endpoints) }
        });
        let (of_keys, timed) = (source.clone(), clock.clone());
        let keys = move || {
            let (source, clock) = (of_keys.clone(), timed.clone());
            async move {
                let fetched = source.keys().await;
                measure(&fetched, &clock);
                fetched
            }
        };
        Ok(Self { expected, source, keys: RefreshingCache::new("keys", clock, keys), sign_in })
    }

    pub fn prepare(&self) {
        if self.expected.audience.is_none() {
            tracing::warn!(
                "auth.audience is not set: tokens that the provider issues for other services are accepted here, too"
            );
        }
        self.keys.refresh();
        if let Some(sign_in) = &self.sign_in {
            sign_in.endpoints.refresh();
        }
    }

    pub async fn check(&self, token: &str, header: &Header, now: Timestamp) -> Result<Claims, TokenError> {
        self.check_as(token, header, &self.expected, now).await
    }

    /// Verifies a token that is meant for this audience.
    pub(super) async fn check_for(
        &self,
        audience: &str,
        token: &str,
        header: &Header,
        now: Timestamp,
    ) -> Result<Claims, TokenError> {
        let (issuer, audience) = (self.expected.issuer.clone(), Some(audience.to_owned()));
        self.check_as(token, header, &Expected { issuer, audience, leeway: LEEWAY }, now).await
    }

    async fn check_as(
        &self,
        token: &str,
        header: &Header,
        expected: &Expected,
        now: Timestamp,
    ) -> Result<Claims, TokenError> {
        if !Keys::may_know(header) {
            return Err(InvalidTokenError::Untrusted.into());
        }
        let keys = self.keys.get().await?;
        let claims = match keys.check(token, header) {
            Err(SignatureError::UnknownKey) => self.keys.newer(&keys).await?.check(token, header),
            known => known,
        };
        let claims = claims.map_err(|_| InvalidTokenError::Untrusted)?;
        expected.check(&claims, now)?;
        Ok(claims)
    }

    pub(super) fn issuer(&self) -> Option<&str> {
        self.expected.issuer.as_deref()
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }
}

fn measure(fetched: &Result<Keys, FetchError>, clock: &Clock) {
    let outcome = if fetched.is_ok() { "fetched" } else { "failed" };
    metrics::counter!("fieldbook_token_key_fetches_total", "outcome" => outcome).increment(1);
    if fetched.is_ok() {
        let now = clock.now().0 as f64 / 1000.0;
        metrics::gauge!("fieldbook_token_keys_fetched_timestamp_seconds").set(now);
    }
}
