//! `POST /api/session`

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use super::cookie;
use crate::app::{App, Credential};
use crate::domain::opaque::Opaque;
use crate::domain::permission::Denial;
use crate::http::auth;
use crate::http::body::JsonObject;
use crate::http::cross_site::FromPage;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::limits::SignsIn;
use crate::http::me;
use crate::http::params::DryRun;
use crate::store::SignedIn;

/// Signs in with the code of a sign-in link: begins a session and ends the one that the browser sent. A dry run says whom the
/// code signs in.
pub async fn create(
    State(app): State<App>,
    _: FromPage,
    _: SignsIn,
    DryRun(dry_run): DryRun,
    head: Parts,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let code = read(&body)?;
    let now = app.clock.now();
    if dry_run {
        let person = app.store.person_of_link(code.digest(), now).await?.ok_or_else(not_valid)?;
        return Ok(Answer::without_message(json!({ "id": person.id, "name": person.name })).into_response());
    }
    let text = app.ids.opaque();
    let replaced = cookie::read(&app.http, &head.headers).map(|text| text.digest());
    match app.store.sign_in_by_link(code.digest(), text.digest(), replaced.clone(), now).await? {
        SignedIn::Done(person) => {
            app.directory.note(&app.clock, &person);
            if let Some(digest) = replaced {
                app.sessions.end(digest, &app.clock);
            }
            let caller = auth::identified(&head, Credential::Session(text.clone()), &app).await?;
            let mut response = Answer::new("Signed in successfully", me::of(&app, &caller).await).into_response();
            response.headers_mut().extend(cookie::set(&app, Some(&text)).map(|cookie| (header::SET_COOKIE, cookie)));
            Ok(response)
        }
        SignedIn::NotValid => Err(not_valid()),
        SignedIn::Disabled => Err(ApiError::denied(Denial::Disabled)),
    }
}

fn read(body: &Map<String, Value>) -> Result<Opaque, ApiError> {
    let code = body.get("code").and_then(Value::as_str).filter(|_| body.len() == 1);
    let code = code.ok_or_else(|| ApiError::invalid_at("code", "must be a string, and the only member"))?;
    Opaque::read(code).ok_or_else(not_valid)
}

fn not_valid() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, ErrorCode::WrongCredentials, "Not signed in")
        .with_reason("this link was used, or is no longer valid; ask for a new one")
}
