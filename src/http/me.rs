//! `GET /api/me`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::auth::{Authenticated, unauthenticated};
use super::envelope::Answer;
use super::error::ApiError;
use super::names;
use super::sign_in_ways::SignInWays;
use crate::app::App;
use crate::domain::id::ObjectId;
use crate::domain::permission::{Operation, Principal, Role, decide};
use crate::domain::session::SignedInBy;

/// The data about the caller that the page shows.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    id: Option<ObjectId>,
    name: Option<String>,
    email: Option<String>,
    role: Role,
    signed_in_by: SignedInBy,
    may: May,
    sign_in: SignInWays,
}

/// The permissions that the role of the caller gives. The response for an investigation shows whether the caller may
/// change it.
#[derive(Debug, Serialize)]
struct May {
    read: bool,
    create: bool,
    administer: bool,
}

/// Returns who the caller is, and what they may do. Without a caller, says how people can sign in.
pub async fn me(State(app): State<App>, caller: Result<Authenticated, ApiError>) -> Result<Response, ApiError> {
    let Authenticated(caller) = caller.map_err(|error| error.with_ways(SignInWays::of(&app)))?;
    let right = caller.right.as_ref().ok_or_else(unauthenticated)?;
    let profile = names::profile(&app, &caller, caller.principal.user).await;
    let me = Me::new(&app, caller.principal, right.signed_in_by, profile.name, profile.email);
    Ok(Answer::without_message(me).into_response())
}

impl Me {
    pub fn new(
        app: &App,
        principal: Principal,
        signed_in_by: SignedInBy,
        name: Option<String>,
        email: Option<String>,
    ) -> Self {
        let may = |operation| decide(principal, operation, None, app.http.editing).is_ok();
        let may =
            May { read: may(Operation::Read), create: may(Operation::Create), administer: may(Operation::Administer) };
        let (id, role, sign_in) = (principal.user, principal.role, SignInWays::of(app));
        Self { id, name, email, role, signed_in_by, may, sign_in }
    }
}
