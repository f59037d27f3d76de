//! Authentication. Handlers get a caller only from these extractors, so a handler's signature shows what it requires.

use axum::extract::FromRequestParts;
use axum::http::{StatusCode, header, request::Parts};

use super::error::ApiError;
use super::{client_address, digest};
use crate::app::{Access, App};
use crate::authoring::ChangeContext;
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
    /// Roles from the token.
    pub roles: Roles,
    /// The actor whose share of the service's capacity the request takes: the user, or else the address.
    pub actor: Actor,
    /// Identifies the bearer among all others: the name in the token, or else a digest of the token.
    pub name: Option<String>,
    /// The bearer token.
    pub bearer: Option<Bearer>,
}

/// A caller with a valid token, who only reads.
pub struct SignedIn(pub Caller);

/// A caller with a valid token whose roles allow changes of links.
pub struct ChangesLinks(pub Caller);

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
        Principal { user: self.user, roles: self.roles }
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
    let refused =
        |reason: &str| ApiError::new(StatusCode::UNAUTHORIZED, "invalid_token", "Invalid token").because(reason);
    if headers.next().is_some() {
        return Err(refused("the request has more than one Authorization header"));
    }
    let token = header.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
    let token = token.ok_or_else(|| refused("the Authorization header must be \"Bearer \" and a token"))?;
    match app.tokens.user(token, app.clock.now()).await {
        Ok(User { id, name, roles }) => {
            let name = name.unwrap_or_else(|| digest::digest_of(token.as_bytes()));
            let bearer = Some(Bearer::new(token));
            let actor = id.map_or_else(|| client_address::client_actor(parts, app), Actor::User);
            parts.extensions.insert(actor);
            Ok(Some(Caller { user: id, roles, actor, name: Some(name), bearer }))
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

fn unauthenticated() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "unauthenticated", "Authentication required")
        .because("send a token in the header \"Authorization: Bearer …\"")
}
