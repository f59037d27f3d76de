//! Authentication. Handlers receive a caller only through these extractors, so a handler's signature shows what the
//! handler requires.

use axum::http::{HeaderName, StatusCode, header, request::Parts};

use super::error::ApiError;
use super::error_code::ErrorCode;
use super::params::read_with;
use super::session::cookie;
use super::{client_address, cross_site};
use crate::admission::Actor;
use crate::app::{Access, App, Credential, CredentialError, Identity, Right};
use crate::authoring::ChangeContext;
use crate::domain::api_key::ApiKey;
use crate::domain::id::ObjectId;
use crate::domain::permission::{self, Operation, Principal, Role};
use crate::domain::session::Session;
use crate::profiles::Bearer;
use crate::store::Stamp;

/// Path of the Model Context Protocol, where session cookies are ignored.
pub const MCP: &str = "/mcp";

/// Header that marks a background request of the page, such as polling.
const BACKGROUND: HeaderName = HeaderName::from_static("fieldbook-background");

/// Header with the id of the person whom the page shows as signed in. Somebody else may have signed in since then, in
/// another window.
const PERSON: HeaderName = HeaderName::from_static("fieldbook-person");

#[derive(Debug, Clone, Default)]
pub struct Caller {
    /// Has no user if the token contains no user id, or if the request has no token.
    pub principal: Principal,
    /// The actor whose limits this request uses: the user, or else the client's address.
    pub actor: Actor,
    /// The claim of the caller's token that names its user; `None` if there is no token, or if it has no such claim.
    pub token_name: Option<String>,
    /// The right that the caller's credential gives; `None` for an anonymous caller.
    pub right: Option<Right>,
}

/// A caller with a valid token, API key or session, of any role.
pub struct Authenticated(pub Caller);

/// A caller with a valid token, API key or session, who may read.
pub struct SignedIn(pub Caller);

/// A caller with a valid token, API key or session, whose role allows changing links.
pub struct ChangesLinks(pub Caller);

/// A caller with a valid token, API key or session, who is an admin.
pub struct Administers(pub Caller);

/// A caller who may read investigations: signed in, or anonymous if the settings allow that.
pub struct Reads(pub Caller);

/// A caller who may read investigations, and whose role allows creating them.
pub struct Creates(pub Caller);

/// A caller who may read investigations, and whose role allows changes. When an investigation is loaded, the permission
/// to change that investigation is checked as well.
pub struct Changes(pub Caller);

impl Caller {
    /// Returns the actor and the time of a change that this caller makes now.
    pub fn stamp(&self, app: &App) -> Stamp {
        Stamp { actor: self.principal.into(), at: app.clock.now() }
    }

    /// Returns a context for changes by this caller, without preconditions such as `If-Match`.
    pub fn change(&self) -> ChangeContext {
        let right = self.right.clone();
        ChangeContext { caller: self.principal, right, actor: self.actor, ..ChangeContext::default() }
    }

    /// Returns the token, which is forwarded to the profile service. Returns `None` for an anonymous caller, and for an
    /// API key, because the profile service does not know API keys.
    pub fn bearer(&self) -> Option<&Bearer> {
        match &self.right.as_ref()?.credential {
            Credential::Token(bearer) => Some(bearer),
            Credential::Key(_) | Credential::Session(_) => None,
        }
    }
}

read_with! {
    Authenticated: |parts, app| signed_in(parts, app).await.map(Self);
    SignedIn: |parts, app| permitted(signed_in(parts, app).await?, Operation::Read, app).map(Self);
    ChangesLinks: |parts, app| permitted(signed_in(parts, app).await?, Operation::Change, app).map(Self);
    Administers: |parts, app| permitted(signed_in(parts, app).await?, Operation::Administer, app).map(Self);
    Reads: |parts, app| permitted(reader(parts, app).await?, Operation::Read, app).map(Self);
    Creates: |parts, app| permitted(reader(parts, app).await?, Operation::Create, app).map(Self);
    Changes: |parts, app| permitted(reader(parts, app).await?, Operation::Change, app).map(Self);
}

async fn signed_in(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
    caller(parts, app).await?.ok_or_else(unauthenticated)
}

async fn reader(parts: &mut Parts, app: &App) -> Result<Caller, ApiError> {
    match (caller(parts, app).await?, app.http.investigations) {
        (Some(caller), _) => Ok(caller),
        (None, Access::Optional) => {
            // An anonymous caller is never an admin, even if the default role is admin.
            let role = app.http.default_role.min(Role::Author);
            let principal = Principal { role, ..Principal::default() };
            let actor = client_address::client_actor(parts, app);
            Ok(Caller { principal, actor, ..Caller::default() })
        }
        (None, Access::Required) => Err(unauthenticated()),
    }
}

/// Returns the caller. Fails if their role forbids the operation for every investigation.
fn permitted(caller: Caller, operation: Operation, app: &App) -> Result<Caller, ApiError> {
    check_role(caller.principal, operation, app).map(|()| caller)
}

/// The caller of a request whose credentials were checked; `None` if the request has no credentials.
#[derive(Clone)]
struct Checked(Option<Caller>);

/// Checks the credentials of a request, if it has some. Fails if it needs some and has none. Attaches the caller to the
/// request, so that the extractors of this module can return it. Returns the actor whose permit the request takes.
pub async fn check(parts: &mut Parts, app: &App) -> Result<Actor, ApiError> {
    let caller = caller(parts, app).await?;
    if caller.is_none() && app.http.investigations == Access::Required {
        return Err(unauthenticated());
    }
    let actor = caller.as_ref().map_or_else(|| client_address::client_actor(parts, app), |caller| caller.actor);
    parts.extensions.insert(Checked(caller));
    Ok(actor)
}

/// Checks the right of the caller again, because the body of the request took long to arrive.
pub async fn check_again(parts: &Parts, app: &App) -> Result<(), ApiError> {
    let checked = parts.extensions.get().and_then(|Checked(caller)| caller.as_ref()?.right.as_ref());
    match checked {
        Some(right) => Ok(right.check_now(app).await.map(drop)?),
        None => Ok(()),
    }
}

/// Fails if the role of the caller forbids the operation.
pub fn check_role(caller: Principal, operation: Operation, app: &App) -> Result<(), ApiError> {
    permission::decide(caller, operation, None, app.http.editing).map_err(ApiError::denied)
}

/// Returns the caller that the request identifies; `None` if it has no credentials.
async fn caller(parts: &mut Parts, app: &App) -> Result<Option<Caller>, ApiError> {
    if let Some(Checked(caller)) = parts.extensions.get() {
        return Ok(caller.clone());
    }
    let Some(credential) = credential(parts, app)? else { return Ok(None) };
    if matches!(credential, Credential::Session(_)) {
        // Browsers send cookies by themselves, also with requests from pages of other sites.
        cross_site::check_page(&app.http, &parts.method, &parts.headers)?;
    }
    let caller = identified(parts, credential, app).await?;
    if is_of_another(parts, caller.principal.user) {
        return Err(unauthenticated_because("somebody else has signed in with this browser"));
    }
    Ok(Some(caller))
}

/// Returns the credential in the header `Authorization`, or else that in the cookie; `None` if both are missing.
fn credential(parts: &Parts, app: &App) -> Result<Option<Credential>, ApiError> {
    let mut headers = parts.headers.get_all(header::AUTHORIZATION).into_iter();
    let Some(header) = headers.next() else {
        // MCP clients are programs. A session cookie that they happen to send is ignored.
        let is_page = parts.uri.path() != MCP;
        return Ok(cookie::read(&app.http, &parts.headers).filter(|_| is_page).map(Credential::Session));
    };
    if headers.next().is_some() {
        return Err(refused("the request has more than one Authorization header"));
    }
    let token = header.to_str().ok().and_then(token_of);
    let token = token.ok_or_else(|| refused("the Authorization header must be \"Bearer \" and a token"))?;
    Ok(Some(Credential::read(token)))
}

/// Returns the caller whom a credential identifies.
pub async fn identified(parts: &Parts, credential: Credential, app: &App) -> Result<Caller, ApiError> {
    let Identity { principal, token_name, signed_in_by, session, key, checked_at } = credential.identify(app).await?;
    if let Some(key) = key {
        note_use(app, &key);
    }
    if let Some(session) = session.filter(|_| prolongs(parts)) {
        note_session_use(app, &session);
    }
    let actor = principal.user.map_or_else(|| client_address::client_actor(parts, app), Actor::User);
    let right = Some(Right { credential, principal, signed_in_by, checked_at });
    Ok(Caller { principal, actor, token_name, right })
}

/// Returns whether a request shows that the user is active. The page marks its background requests, which continue
/// after the user has left.
fn prolongs(parts: &Parts) -> bool {
    !parts.headers.contains_key(BACKGROUND) && parts.uri.path() != "/api/events"
}

/// Returns whether the page shows somebody other than `user` as signed in.
fn is_of_another(parts: &Parts, user: Option<ObjectId>) -> bool {
    let meant = parts.headers.get(PERSON);
    meant.is_some_and(|meant| user.is_none_or(|user| meant.as_bytes() != user.to_string().as_bytes()))
}

/// Stores the time at which a session was used, in a separate task.
fn note_session_use(app: &App, session: &Session) {
    let now = app.clock.now();
    if app.directory.notes_use(session, now) {
        let (app, digest) = (app.clone(), session.digest.clone());
        tokio::spawn(async move {
            if let Err(error) = app.store.note_session_use(digest, now).await {
                tracing::warn!(%error, "the last use of a session was not stored");
            }
        });
    }
}

/// Returns the token in an `Authorization` header. The case of the scheme does not matter.
fn token_of(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("Bearer").then_some(token.trim())
}

/// Stores the time at which an API key was used, in a separate task.
fn note_use(app: &App, key: &ApiKey) {
    let now = app.clock.now();
    if app.api_keys.notes_use(key, now) {
        let (app, id) = (app.clone(), key.id);
        tokio::spawn(async move {
            if let Err(error) = app.store.note_api_key_use(id, now).await {
                tracing::warn!(%error, api_key.id = %id, "the last use of an API key was not stored");
            }
        });
    }
}

impl From<CredentialError> for ApiError {
    fn from(error: CredentialError) -> Self {
        match error {
            CredentialError::UnknownKey | CredentialError::InvalidToken(_) => refused(&error.to_string()),
            CredentialError::SessionEnded => unauthenticated_because(&error.to_string()),
            // The status is not 401, because a client would then discard its credential, which is valid.
            CredentialError::RightsChanged => {
                Self::new(StatusCode::FORBIDDEN, ErrorCode::RightsChanged, "Not allowed").with_reason(error.to_string())
            }
            CredentialError::NoKeys(wait) => Self::new(
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorCode::AuthenticationUnavailable,
                "Authentication is not available",
            )
            .with_reason(error.to_string())
            .again_after(Some(wait)),
            CredentialError::Denied(error) => Self::denied(error),
            CredentialError::Store(error) => error.into(),
        }
    }
}

fn refused(reason: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::InvalidToken, "Invalid token").with_reason(reason)
}

pub fn unauthenticated() -> ApiError {
    unauthenticated_because("send a token in the header \"Authorization: Bearer …\"")
}

fn unauthenticated_because(reason: &str) -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::Unauthenticated, "Authentication required").with_reason(reason)
}
