//! Bearer tokens: JSON Web Tokens, verified either with a shared secret (HS256) or with a provider's public keys; and
//! sign-in with a provider, whose ID tokens are verified in the same way.
//!
//! A service never accepts both kinds. The algorithm follows from the key, not from the token, so that a public key can
//! never be used as a secret. Functions receive the current time as an argument.

mod claims;
mod fetch;
mod jwks;
mod provider;
mod published;
mod secret;
mod settings;
mod sign_in;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub use claims::{Claims, header};
pub use fetch::{Endpoints, FETCH_DEADLINE, is_issuer, is_key_address};
pub use jwks::{Keys, Unsigned};
pub use secret::{SECRET_FILE, fault as secret_fault, own_secret};
pub use settings::{ProviderSettings, SignInSettings};
pub use sign_in::{Attempt, Question, Returned, SignInFault};

use crate::clock::Clock;
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::time::Timestamp;
use crate::domain::token_user::{ClaimRules, TokenUser};
use crate::once_each::OnceEach;

use provider::Provider;
use secret::{RoleClaim, SharedSecret};

const MAX_TOKEN: usize = 16 * 1024;

/// Verifies tokens. With a shared secret, also signs tokens.
pub struct Tokens {
    trust: Trust,
    rules: ClaimRules,
    /// Whether a token without a user has come in, which is logged once.
    has_warned: AtomicBool,
    /// Members that the provider's answers about people lack. The log names each once.
    missing: OnceEach<&'static str>,
}

enum Trust {
    Secret(Box<SharedSecret>),
    Provider(Provider),
}

/// What a check of a provider found.
pub struct Diagnosis {
    pub keys: Keys,
    /// The addresses for a sign-in, or why there are none; `None` if no sign-in is configured.
    pub endpoints: Option<Result<Endpoints, String>>,
    /// Why the provider does not accept this service, if a sign-in is configured.
    pub client: Result<(), String>,
}

/// Fetches what a provider publishes once, to check the provider, and shows it the client's secret. It sends browsers back
/// to `redirect`.
///
/// # Errors
/// The reason why there are no keys, such as "it did not answer in time", where "it" is the provider.
pub async fn diagnose(settings: &ProviderSettings, redirect: &str) -> Result<Diagnosis, String> {
    let source = fetch::Source::new(settings)?;
    let keys = source.keys().await?;
    let Some(client) = &settings.sign_in else { return Ok(Diagnosis { keys, endpoints: None, client: Ok(()) }) };
    let endpoints = source.endpoints().await;
    let client = match &endpoints {
        Ok(endpoints) => sign_in::check_client(&source, client, endpoints, redirect).await,
        Err(_) => Ok(()),
    };
    Ok(Diagnosis { keys, endpoints: Some(endpoints), client })
}

/// Why a token is invalid. The text is sent to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    #[error("the token has more than {MAX_TOKEN} bytes")]
    TooLong,
    #[error("the token is malformed or was not signed by a key that this service knows")]
    Untrusted,
    #[error("the token does not say when it expires (exp, in seconds since 1970)")]
    NoExpiry,
    #[error("the token has expired; get a new one")]
    Expired,
    #[error("the token is not valid yet (nbf)")]
    NotYet,
    #[error("the token comes from another issuer (iss)")]
    OtherIssuer,
    #[error("the token is meant for another audience (aud)")]
    OtherAudience,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    Bad(BadToken),
    /// The keys are unavailable, so it is unknown whether the token is valid. Contains the time after which the caller
    /// should retry.
    NoKeys(Duration),
}

impl From<BadToken> for Refusal {
    fn from(bad: BadToken) -> Self {
        Self::Bad(bad)
    }
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
        Self { trust, rules: ClaimRules::default(), has_warned: AtomicBool::default(), missing: OnceEach::new() }
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

    /// Verifies a token. Returns whom it names.
    pub async fn user(&self, token: &str, now: Timestamp) -> Result<TokenUser, Refusal> {
        if token.len() > MAX_TOKEN {
            return Err(BadToken::TooLong.into());
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
                "tokens come in that name no user, because neither userId nor the claim is 24 hexadecimal digits; \
                 with a provider, set auth.user-ids to \"derived\""
            );
        }
    }

    pub fn sign(&self, user: ObjectId, now: Timestamp, ttl: Duration) -> Result<String, String> {
        self.sign_with_role(user, None, now, ttl)
    }

    /// # Errors
    /// A sentence that says why no token can be signed, for example because the tokens come from a provider.
    pub fn sign_with_role(
        &self,
        user: ObjectId,
        role: Option<Role>,
        now: Timestamp,
        ttl: Duration,
    ) -> Result<String, String> {
        match &self.trust {
            Trust::Secret(secret) => {
                secret.sign(user, role.map(|role| RoleClaim { name: self.roles_claim(), role }), now, ttl)
            }
            Trust::Provider(_) => Err("tokens come from the provider of auth.issuer or auth.jwks-url, and Fieldbook \
                                       does not sign for it; get one there, or leave those settings out"
                .to_owned()),
        }
    }
}
