//! `POST /api/session`

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::cookie;
use crate::app::App;
use crate::domain::opaque::Opaque;
use crate::domain::permission::{Denial, Principal};
use crate::domain::person::{self, GrantedRole, Person};
use crate::domain::session::SignedInBy;
use crate::http::body::JsonObject;
use crate::http::client_address::client_actor;
use crate::http::cross_site::FromPage;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::limits;
use crate::http::me::Me;
use crate::http::params::DryRun;
use crate::store::SignIn;

/// Signs in with the code of a sign-in link: begins a session and ends the one that the browser sent. A dry run says whom the
/// code signs in.
pub async fn create(
    State(app): State<App>,
    _: FromPage,
    DryRun(dry_run): DryRun,
    head: Parts,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let address = client_actor(&head, &app);
    let _turn = app.capacity.unproven(address).await;
    let refused = || limits::refused_sign_in(&app, address).unwrap_or_else(not_valid);
    let Some(code) = read(&body)? else { return Err(refused()) };
    let now = app.clock.now();
    // A wrong code costs a read alone, so strangers do not delay writes.
    let Some(person) = app.store.person_of_link(code.digest(), now).await? else { return Err(refused()) };
    if dry_run {
        return Ok(Answer::without_message(json!({ "id": person.id, "name": person.name })).into_response());
    }
    let text = app.ids.opaque();
    let replaced = cookie::read(&app.http, &head.headers).map(|text| text.digest());
    let ends_another = replaced.is_some();
    match app.store.sign_in_by_link(code.digest(), text.digest(), replaced, now).await? {
        // The link is used up now. Nothing may fail any more, or its person could not sign in.
        SignIn::Done(person) => {
            if ends_another {
                app.directory.check_again().await;
            }
            let mut response = Answer::new("Signed in successfully", me(&app, person)).into_response();
            response.headers_mut().extend(cookie::set(&app.http, Some(&text)).map(|set| (header::SET_COOKIE, set)));
            Ok(response)
        }
        SignIn::NotValid => Err(refused()),
        SignIn::Disabled => Err(ApiError::denied(Denial::Disabled)),
    }
}

fn me(app: &App, person: Person) -> Me {
    let role = person::role(GrantedRole::Unsaid, Some(&person), app.http.default_role).unwrap_or_default();
    let principal = Principal { user: Some(person.id), role, key: None };
    Me::new(app, principal, SignedInBy::Link, person.name, person.email)
}

/// Returns the code; `None` if it has the wrong form.
fn read(body: &Map<String, Value>) -> Result<Option<Opaque>, ApiError> {
    let code = body.get("code").and_then(Value::as_str).filter(|_| body.len() == 1);
    code.map(Opaque::read).ok_or_else(|| ApiError::invalid_at("code", "must be a string, and the only member"))
}

fn not_valid() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::WrongCredentials, "Not signed in")
        .with_reason("this link was used, or is no longer valid; ask for a new one")
}
