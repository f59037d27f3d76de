//! `DELETE /api/session`

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::cookie;
use crate::app::{App, Credential};
use crate::http::auth::Known;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;

/// Signs out: ends the session of the request. A token or an API key stays valid.
pub async fn delete(State(app): State<App>, Known(caller): Known) -> Result<Response, ApiError> {
    if let Some(Credential::Session(text)) = caller.right.map(|right| right.credential) {
        app.store.end_session(&text.digest()).await?;
        app.sessions.end(text.digest(), &app.clock);
    }
    let mut response = Answer::new("Signed out successfully", Value::Null).into_response();
    response.headers_mut().extend(cookie::set(&app, None).map(|cookie| (header::SET_COOKIE, cookie)));
    Ok(response)
}
