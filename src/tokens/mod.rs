//! Bearer tokens: JSON Web Tokens, verified with a shared secret (HS256) or with a provider's public keys.
//!
//! Never both: the algorithm follows from the key, not from the token, so that a public key can never be used as a
//! secret. The time is an argument.

mod claims;
mod fetch;
mod jwks;
mod provider;
mod secret;
mod settings;

use std::time::Duration;

pub use claims::{Claims, header};
pub use fetch::{FETCH_DEADLINE, UnusableProvider, is_issuer, is_key_address};
pub use jwks::{Keys, Unsigned};
pub use secret::{SECRET_FILE, fault as secret_fault, own_secret};
pub use settings::ProviderSettings;

use crate::clock::Clock;
use crate::domain::id::ObjectId;
use crate::domain::permission::Roles;
use crate::domain::time::Timestamp;

use provider::Provider;
use secret::SharedSecret;

/// Maximum bytes of a token.
const MAX_TOKEN: usize = 16 * 1024;

/// Verifies tokens, and signs them if the service has its own secret.
pub struct Tokens {
    trust: Trust,
    roles_claim: String,
}

const ROLES_CLAIM: &str = "roles";

enum Trust {
    Secret(SharedSecret),
    Provider(Provider),
}

/// Result of checking a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnosis {
    /// Number of usable keys.
    pub usable: usize,
    /// Total number of keys.
    pub listed: usize,
    /// The provider's time, if known.
    pub date: Option<Timestamp>,
}

/// Fetches a provider's keys once.
///
/// # Errors
/// Why there are none, as a phrase about "it".
pub async fn diagnose(settings: &ProviderSettings) -> Result<Diagnosis, String> {
    let source = fetch::Source::new(settings).map_err(|unusable| unusable.to_string())?;
    let fetched = source.diagnose().await.map_err(|fault| fault.to_string())?;
    Ok(Diagnosis { usable: fetched.keys.count(), listed: fetched.listed, date: fetched.date })
}

/// The user whom a valid token names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct User {
    /// The user, if the claim is a valid id.
    pub id: Option<ObjectId>,
    /// The claim as JSON. It tells bearers apart.
    pub name: Option<String>,
    /// Their roles.
    pub roles: Roles,
}

/// Why a token is refused. The text is for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadToken {
    /// The token is longer than any reasonable token.
    #[error("the token has more than {MAX_TOKEN} bytes")]
    TooLong,
    /// The token was not issued for this service, or was altered.
    #[error("the token is malformed or was not signed by a key that this service knows")]
    Untrusted,
    /// `exp` is missing, is not a number, or is so large that it may be in another unit.
    #[error("the token does not say when it expires (exp, in seconds since 1970)")]
    NoExpiry,
    /// The time in `exp` has passed.
    #[error("the token has expired; get a new one")]
    Expired,
    /// `nbf` is in the future, or is not a number.
    #[error("the token is not valid yet (nbf)")]
    NotYet,
    /// `iss` is not the provider that is set up.
    #[error("the token comes from another issuer (iss)")]
    OtherIssuer,
    /// `aud` does not name this service.
    #[error("the token is meant for others (aud)")]
    OtherAudience,
}

/// Why a token was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The token is not valid.
    Bad(BadToken),
    /// The token may be valid, but the keys to verify it are unavailable; they may be available after this time.
    NoKeys(Duration),
}

impl From<BadToken> for Refusal {
    fn from(bad: BadToken) -> Self {
        Self::Bad(bad)
    }
}

impl Tokens {
    /// Creates tokens that this secret signs.
    pub fn with_secret(secret: &[u8]) -> Self {
        Self::of(Trust::Secret(SharedSecret::new(secret)))
    }

    /// Creates tokens of a provider. Its keys are cached; `clock` measures their age.
    ///
    /// # Errors
    /// [`UnusableProvider`] for invalid settings.
    pub fn of_provider(settings: &ProviderSettings, clock: Clock) -> Result<Self, UnusableProvider> {
        Ok(Self::of(Trust::Provider(Provider::new(settings, clock)?)))
    }

    fn of(trust: Trust) -> Self {
        Self { trust, roles_claim: ROLES_CLAIM.to_owned() }
    }

    /// Sets the claim from which roles are read and to which they are written.
    #[must_use]
    pub fn with_roles_claim(self, name: &str) -> Self {
        Self { roles_claim: name.to_owned(), ..self }
    }

    /// Starts to fetch keys, so that the first caller does not wait for them.
    pub fn prepare(&self) {
        if let Trust::Provider(provider) = &self.trust {
            provider.prepare();
        }
    }

    /// Returns the user of a valid token: the claim `userId`, else `sub`.
    ///
    /// # Errors
    /// [`Refusal`]
    pub async fn user(&self, token: &str, now: Timestamp) -> Result<User, Refusal> {
        if token.len() > MAX_TOKEN {
            return Err(BadToken::TooLong.into());
        }
        Ok(match &self.trust {
            Trust::Secret(secret) => claims::user(secret.check(token, now)?.as_ref(), &self.roles_claim),
            Trust::Provider(provider) => {
                claims::user(&provider.check(token, &claims::header(token)?, now).await?, &self.roles_claim)
            }
        })
    }

    /// Returns a token for a user without a role, valid for `ttl` from `now`.
    ///
    /// # Errors
    /// Those of [`Self::sign_with_roles`].
    pub fn sign(&self, user: ObjectId, now: Timestamp, ttl: Duration) -> Result<String, String> {
        self.sign_with_roles(user, Roles::default(), now, ttl)
    }

    /// Returns a token for a user with these roles, valid for `ttl` from `now`.
    ///
    /// # Errors
    /// A sentence: only a shared secret signs.
    pub fn sign_with_roles(
        &self,
        user: ObjectId,
        roles: Roles,
        now: Timestamp,
        ttl: Duration,
    ) -> Result<String, String> {
        match &self.trust {
            Trust::Secret(secret) => {
                let names = roles.names();
                secret.sign(user, (!names.is_empty()).then_some((self.roles_claim.as_str(), names)), now, ttl)
            }
            Trust::Provider(_) => Err("tokens come from the provider of auth.issuer or auth.jwks-url, and Fieldbook \
                                       does not sign for it; get one there, or leave those settings out"
                .to_owned()),
        }
    }
}
