//! Rate limits. Extractors check them before a handler runs, so a handler's signature shows which limit applies.
//!
//! A visit is counted when its request arrives. A request to the assistant is counted as soon as it is certain that the
//! assistant will be used (see `authoring/assist.rs`).

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::client_address::client_actor;
use super::error::ApiError;
use crate::admission::Actor;
use crate::app::App;

/// The visitor of a public link. A request over the rate limit of the visitor's address is refused.
pub struct Visitor(pub Actor);

/// Counts a wrong code of a sign-in link, or a password attempt. Correct codes are not counted, because many people in
/// one school share an address.
///
/// # Errors
/// The response if the address has made too many attempts.
pub fn count_sign_in(app: &App, address: Actor) -> Result<(), ApiError> {
    let limit = app.limits.sign_in.as_ref();
    limit.map_or(Ok(()), |limit| limit.check(address)).map_err(ApiError::too_many)
}

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let actor = client_actor(parts, app);
        let limit = app.limits.resolve.as_ref();
        limit.map_or(Ok(()), |limit| limit.check(actor)).map_err(ApiError::too_many).map(|()| Self(actor))
    }
}
