//! Identifies the caller of a credential, and rechecks permissions during long requests.
//!
//! A stream or a request that lasts longer than [`RECHECK`] has its right checked again, so a revoked key or an expired
//! token soon stops working.

use std::sync::Arc;
use std::time::Duration;

use super::App;
use super::directory::Checked;
use crate::clock::Clock;
use crate::domain::api_key::{ApiKey, KeyText};
use crate::domain::id::ObjectId;
use crate::domain::permission::{PermissionError, Principal};
use crate::domain::person::{self, GrantedRole};
use crate::domain::secret_token::SecretToken;
use crate::domain::session::{Session, SignedInBy};
use crate::profiles::Bearer;
use crate::store::StoreError;
use crate::tokens::{InvalidTokenError, TokenError};

/// Time after which a right must be checked again.
pub const RECHECK: Duration = Duration::from_secs(15);

/// The means by which a caller authenticates.
#[derive(Debug, Clone)]
pub enum Credential {
    Key(KeyText),
    Token(Bearer),
    /// The text in the cookie of a session.
    Session(SecretToken),
}

/// The caller whom a credential identifies.
#[derive(Debug)]
pub struct Identity {
    pub principal: Principal,
    /// The claim of a token that names its user; `None` if the credential is no token, or if the claim is missing.
    pub token_name: Option<String>,
    pub signed_in_by: SignedInBy,
    /// The session, if the credential is one.
    pub session: Option<Arc<Session>>,
    /// The API key, if the credential is one.
    pub key: Option<ApiKey>,
    /// Uptime when the credential was last known to be valid. Later changes may have gone unnoticed.
    pub checked_at: Duration,
}

/// Why a credential identifies nobody. The text is sent to the caller.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    #[error("the API key is unknown or was revoked")]
    UnknownKey,
    #[error(transparent)]
    InvalidToken(InvalidTokenError),
    #[error("your session has ended; sign in again")]
    SessionEnded,
    #[error("{0}")]
    Denied(PermissionError),
    #[error("your permissions changed during the request, so nothing was done; send the request again")]
    RightsChanged,
    /// The keys of the token provider are unavailable. Contains the time after which the caller should retry.
    #[error(
        "the keys for verifying the token cannot be fetched from its provider; nothing was changed, try again later"
    )]
    NoKeys(Duration),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a caller may do, as a credential showed at the last check.
#[derive(Debug, Clone)]
pub struct Right {
    pub credential: Credential,
    pub principal: Principal,
    pub signed_in_by: SignedInBy,
    /// Uptime of the last check. Later changes may have gone unnoticed.
    pub checked_at: Duration,
}

impl Credential {
    /// Returns the credential in a bearer token.
    pub fn read(token: &str) -> Self {
        KeyText::read(token).map_or_else(|| Self::Token(Bearer::new(token)), Self::Key)
    }

    /// Checks the credential now.
    pub async fn identify(&self, app: &App) -> Result<Identity, CredentialError> {
        match self {
            Self::Key(text) => {
                let found = app.api_keys.find(text, &app.store, &app.clock).await?;
                let (key, read_at) = found.ok_or(CredentialError::UnknownKey)?;
                let checked = app.directory.checked(&app.store, &app.clock).await?;
                let principal =
                    principal(app, checked, Some(key.user), GrantedRole::AtMost(key.role), Some(key.id)).await?;
                Ok(Identity {
                    principal,
                    token_name: None,
                    signed_in_by: SignedInBy::Key,
                    session: None,
                    key: Some(key),
                    checked_at: checked.since.min(read_at),
                })
            }
            Self::Session(text) => {
                let checked = app.directory.checked(&app.store, &app.clock).await?;
                let session = app.directory.session(checked, &app.store, text, app.clock.now()).await?;
                let session = session.ok_or(CredentialError::SessionEnded)?;
                let is_of_provider = session.by == SignedInBy::Provider;
                let granted = if is_of_provider { GrantedRole::AtSignIn } else { GrantedRole::Unsaid };
                Ok(Identity {
                    principal: principal(app, checked, Some(session.person), granted, None).await?,
                    token_name: None,
                    signed_in_by: session.by,
                    session: Some(session),
                    key: None,
                    checked_at: checked.since,
                })
            }
            Self::Token(bearer) => {
                let user = app.tokens.user(bearer.expose(), app.clock.now()).await;
                let user = user.map_err(|error| match error {
                    TokenError::Invalid(error) => CredentialError::InvalidToken(error),
                    TokenError::NoKeys(wait) => CredentialError::NoKeys(wait),
                })?;
                let checked = app.directory.checked(&app.store, &app.clock).await?;
                let granted = match user.role {
                    None => GrantedRole::Unsaid,
                    // The operator who signs a token with the secret of this service may give it a lower role than the
                    // person has.
                    Some(role) if app.tokens.are_signed_here() => GrantedRole::AtMost(role),
                    Some(role) => GrantedRole::Given(role),
                };
                Ok(Identity {
                    principal: principal(app, checked, user.id, granted, None).await?,
                    token_name: user.name,
                    signed_in_by: SignedInBy::Token,
                    session: None,
                    key: None,
                    checked_at: checked.since,
                })
            }
        }
    }
}

/// Returns the caller, with the role that the credential and the directory give them.
async fn principal(
    app: &App,
    checked: Checked,
    user: Option<ObjectId>,
    granted: GrantedRole,
    key: Option<ObjectId>,
) -> Result<Principal, CredentialError> {
    let person = match user {
        Some(id) => app.directory.person(checked, &app.store, id).await?,
        None => None,
    };
    let role = person::role(granted, person.as_deref(), app.http.default_role);
    Ok(Principal { user, role: role.map_err(CredentialError::Denied)?, key })
}

impl Right {
    /// Returns the time until the right must be checked again.
    pub fn remaining(&self, clock: &Clock) -> Duration {
        RECHECK.saturating_sub(clock.uptime().saturating_sub(self.checked_at))
    }

    /// Checks the right again if the time for that has come. Returns the uptime at which the right was last known to be
    /// valid. A later change may have gone unnoticed.
    ///
    /// # Errors
    /// The caller no longer has the right, or the right cannot be checked now.
    pub async fn check(&self, app: &App) -> Result<Duration, CredentialError> {
        if self.remaining(&app.clock).is_zero() { self.check_now(app).await } else { Ok(self.checked_at) }
    }

    /// Like [`Self::check`], but always checks the right again.
    pub async fn check_now(&self, app: &App) -> Result<Duration, CredentialError> {
        let Identity { principal, checked_at, .. } = self.credential.identify(app).await?;
        if principal != self.principal {
            return Err(CredentialError::RightsChanged);
        }
        Ok(checked_at)
    }
}
