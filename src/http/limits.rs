//! Rate limits, checked by extractors before a handler runs, so that the handler's signature shows which limit applies.
//!
//! A visit counts on arrival. A request to the assistant counts once it is certain that the assistant will be used
//! (`authoring/assist.rs`).

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::auth::{Caller, Changes};
use super::client_address::client_actor;
use super::error::ApiError;
use crate::app::App;
use crate::limits::{Actor, AssistantRequest};

/// A visitor of a public link, within the rate limit of their address.
pub struct Visitor(pub Actor);

/// A caller of the assistant. Counts against the rate limit when the assistant is used.
pub struct Assisted(pub Caller, pub AssistantRequest);

impl FromRequestParts<App> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let actor = client_actor(parts, app);
        let limit = app.limits.resolve.as_ref();
        limit.map_or(Ok(()), |limit| limit.ask(actor)).map_err(ApiError::too_many).map(|()| Self(actor))
    }
}

impl FromRequestParts<App> for Assisted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Changes(caller) = Changes::from_request_parts(parts, app).await?;
        let asking = AssistantRequest::by(caller.actor);
        Ok(Self(caller, asking))
    }
}
