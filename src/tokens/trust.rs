//! Verifies tokens with a shared secret or with the keys of a provider.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::claims;
use super::error::{InvalidTokenError, MAX_TOKEN, TokenError};
use super::provider::Provider;
use super::secret::{RoleClaim, SharedSecret};
use super::settings::ProviderSettings;
use crate::clock::Clock;
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::time::Timestamp;
use crate::domain::token_user::{ClaimRules, TokenUser};
use crate::first_seen::FirstSeen;

/// Verifies tokens. With a shared secret, also signs tokens.
pub struct Tokens {
    pub(super) trust: Trust,
    pub(super) rules: ClaimRules,
    /// Whether a token without a user was received. This is logged once.
    has_warned: AtomicBool,
    /// Claims that are missing in the provider's responses. Each is logged once.
    pub(super) missing: FirstSeen<&'static str>,
}

pub(super) enum Trust {
    Secret(Box<SharedSecret>),
    Provider(Provider),
}

impl Tokens {
    pub fn with_secret(secret: &[u8]) -> Self {
        Self::of(Trust::Secret(Box::new(SharedSecret::new(secret))))
    }

    /// Creates an instance that verifies tokens of a provider. The provider's keys are cached. `clock` measures their
    /// age.
    pub fn of_provider(settings: &ProviderSettings, clock: Clock) -> Result<Self, String> {
        Ok(Self::of(Trust::Provider(Provider::new(settings, clock)?)))
    }

    fn of(trust: Trust) -> Self {
        Self { trust, rules: ClaimRules::default(), has_warned: AtomicBool::default(), missing: FirstSeen::new(16) }
    }

    #[must_use]
    pub fn with_rules(self, rules: ClaimRules) -> Self {
        Self { rules, ..self }
    }

    /// Returns whether tokens are signed with a secret that this service has.
    pub fn are_signed_here(&self) -> bool {
        matches!(self.trust, Trust::Secret(_))
    }

    fn roles_claim(&self) -> &str {
        &self.rules.roles_claim
    }

    /// Starts to fetch a provider's keys, so that the first caller does not have to wait.
    pub fn prepare(&self) {
        if let Trust::Provider(provider) = &self.trust {
            provider.prepare();
        }
    }

    /// Verifies a token. Returns the user that it names.
    pub async fn user(&self, token: &str, now: Timestamp) -> Result<TokenUser, TokenError> {
        if token.len() > MAX_TOKEN {
            return Err(InvalidTokenError::TooLong.into());
        }
        let claims = match &self.trust {
            Trust::Secret(secret) => secret.check(token, now)?,
            Trust::Provider(provider) => provider.check(token, &claims::header(token)?, now).await?,
        };
        let user = self.rules.read(&claims);
        if user.id.is_none() {
            self.warn_of_no_user();
        }
        Ok(user)
    }

    fn warn_of_no_user(&self) {
        metrics::counter!("fieldbook_tokens_without_user_total").increment(1);
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                claim = self.rules.user_claim,
                "received a token that names no user, because neither userId nor the claim consists of 24 hexadecimal \
                 digits; with a provider, set auth.user-ids to \"derived\""
            );
        }
    }

    /// # Errors
    /// A sentence that says why no token can be signed, for example because the tokens come from a provider.
    pub fn sign(&self, user: ObjectId, role: Option<Role>, now: Timestamp, ttl: Duration) -> Result<String, String> {
        match &self.trust {
            Trust::Secret(secret) => {
                secret.sign(user, role.map(|role| RoleClaim { name: self.roles_claim(), role }), now, ttl)
            }
            Trust::Provider(_) => {
                Err("tokens are issued by the provider in auth.issuer or auth.jwks-url, so Fieldbook \
                                       cannot sign one; get a token from the provider, or omit those settings"
                    .to_owned())
            }
        }
    }
}
