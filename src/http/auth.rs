//! Authentication. Handlers get a caller only from these extractors, so a handler's signature shows what it requires.

use axum::extract::FromRequestParts;
use axum::http::{StatusCode, header, request::Parts};

use super::error::ApiError;
use super::{client_address, digest};
use crate::app::{Access, App};
use crate::authoring::{ChangeContext, Failure};
use crate::domain::api_key::{ApiKey, KeyText};
use crate::domain::id::ObjectId;
use crate::domain::permission::{self, Operation, Principal, Roles};
use crate::limits::Actor;
use crate::profiles::Bearer;
use crate::tokens::{Refusal, User};

/// The sender of a request.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// The signed-in user.
    pub user: Option<ObjectId>,
    /// Roles from the token or the API key.
    pub roles: Roles,
    /// The API key, if the caller sent one instead of a token.
    pub key: Option<ObjectId>,
    /// The actor whose share of the service's capacity the request takes: the user, or else the address.
    pub actor: Actor,
    /// Identifies the bearer among all others: the name in the token, or else a digest of the token, or the id of the API
    /// key.
    pub name: Option<String>,
    /// The bearer token.
    pub bearer: Option<Bearer>,
}

/// A caller with a valid token, who only reads.
pub struct SignedIn(pub Caller);

/// A caller with a valid token whose roles allow changes of links.
pub struct ChangesLinks(pub Caller);

/// A caller with a valid token who is an admin.
pub struct Administers;

/// A caller of an investigation operation that reads: signed in, or anonymous if the settings allow it.
pub struct Reads(pub Caller);

/// A caller as in [`Reads`], whose roles allow creating investigations.
pub struct Creates(pub Caller);

/// A caller as in [`Reads`], whose roles allow changing investigations. Whether they may change this one is decided
/// when it is loaded.
pub struct Changes(pub Caller);

impl Caller {
    /// Returns the caller as decisions about permissions see them.
    pub fn principal(&self) -> Principal {
        Principal { user: self.user, roles: self.roles, key: self.key }
    }

    /// Returns the context of a change without further conditions.
    pub fn change(&self) -> ChangeContext {
        ChangeContext { caller: self.principal(), actor: self.actor, ..ChangeContext::default() }
    }
}

impl FromRequestParts<App> for SignedIn {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        caller(parts, app).await?.map(SignedIn).ok_or_else(unauthenticated)
    }
}

impl FromRequestParts<App> for ChangesLinks {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let SignedIn(caller) = SignedIn::from_request_parts(parts, app).await?;
        permitted(caller, Operation::Change, app).map(Self)
    }
}

impl FromRequestParts<App> for Administers {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let SignedIn(caller) = SignedIn::from_request_parts(parts, app).await?;
        permitted(caller, Operation::Administer, app).map(|_| Self)
    }
}

impl FromRequestParts<App> for Reads {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match (caller(parts, app).await?, app.http.investigations) {
            (Some(caller), _) => Ok(Reads(caller)),
            (None, Access::Optional) => {
                Ok(Reads(Caller { actor: client_address::client_actor(parts, app), ..Caller::default() }))
            }
            (None, Access::Required) => Err(unauthenticated()),
        }
    }
}

impl FromRequestParts<App> for Creates {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Reads(caller) = Reads::from_request_parts(parts, app).await?;
        permitted(caller, Operation::Create, app).map(Self)
    }
}

impl FromRequestParts<App> for Changes {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Reads(caller) = Reads::from_request_parts(parts, app).await?;
        permitted(caller, Operation::Change, app).map(Self)
    }
}

/// Returns the caller, unless their roles rule the operation out.
fn permitted(caller: Caller, operation: Operation, app: &App) -> Result<Caller, ApiError> {
    let decided = permission::decide(caller.principal(), operation, None, app.http.editing);
    decided.map(|()| caller).map_err(ApiError::denied)
}

/// Returns the caller according to the `Authorization` header; `None` without this header.
async fn caller(parts: &mut Parts, app: &App) -> Result<Option<Caller>, ApiError> {
    let mut headers = parts.headers.get_all(header::AUTHORIZATION).into_iter();
    let Some(header) = headers.next() else { return Ok(None) };
    if headers.next().is_some() {
        return Err(refused("the request has more than one Authorization header"));
    }
    let token = header.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
    let token = token.ok_or_else(|| refused("the Authorization header must be \"Bearer \" and a token"))?.to_owned();
    let caller = match KeyText::read(&token) {
        Some(text) => with_key(app, &text).await?,
        None => with_token(parts, app, &token).await?,
    };
    parts.extensions.insert(caller.actor);
    Ok(Some(caller))
}

/// Returns the caller who sent this token.
async fn with_token(parts: &Parts, app: &App, token: &str) -> Result<Caller, ApiError> {
    match app.tokens.user(token, app.clock.now()).await {
        Ok(User { id, name, roles }) => {
            let name = name.unwrap_or_else(|| digest::digest_of(token.as_bytes()));
            let actor = id.map_or_else(|| client_address::client_actor(parts, app), Actor::User);
            Ok(Caller { user: id, roles, key: None, actor, name: Some(name), bearer: Some(Bearer::new(token)) })
        }
        Err(Refusal::Bad(bad)) => Err(refused(&bad.to_string())),
        Err(Refusal::NoKeys(wait)) => Err(ApiError::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "authentication_unavailable",
            "Authentication is not available",
        )
        .because("the keys to check the token with cannot be fetched from its provider; nothing was changed, try again later")
        .again_after(Some(wait))),
    }
}

/// Returns the caller who sent this API key. The profile service does not know such keys, so it never receives them.
async fn with_key(app: &App, text: &KeyText) -> Result<Caller, ApiError> {
    let now = app.clock.now();
    let found = app.api_keys.find(text, &app.store, &app.clock).await;
    let found = found.map_err(|error| ApiError::plain(Failure::Store(error)))?;
    let key = found.ok_or_else(|| refused("the API key is unknown or was revoked"))?;
    if app.api_keys.notes_use(&key, now) {
        let (app, id) = (app.clone(), key.id);
        tokio::spawn(async move {
            if let Err(error) = app.store.note_api_key_use(id, now).await {
                tracing::warn!(%error, api_key.id = %id, "the last use of an API key was not stored");
            }
        });
    }
    let ApiKey { id, user, roles, .. } = key;
    let (actor, name) = (Actor::User(user), Some(id.to_string()));
    Ok(Caller { user: Some(user), roles, key: Some(id), actor, name, bearer: None })
}

fn refused(reason: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "invalid_token", "Invalid token").because(reason)
}

fn unauthenticated() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Authentication required")
        .because("send a token in the header \"Authorization: Bearer …\"")
}
