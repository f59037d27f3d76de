//! `DELETE /api/session`

use axum::extract::State;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use super::cookie;
use crate::app::App;
use crate::http::auth::Authenticated;
use crate::http::cross_site;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::sign_in;

/// Signs out: ends the session of the cookie, and deletes the cookie. A token or an API key stays valid. The cookie is
/// used even if the request also has a token, because a proxy may add one. An expired cookie is accepted, because it
/// could not be deleted otherwise.
pub async fn delete(
    State(app): State<App>,
    head: Parts,
    caller: Result<Authenticated, ApiError>,
) -> Result<Response, ApiError> {
    match cookie::read(&app.http, &head.headers) {
        Some(text) => {
            cross_site::check_page(&app.http, &head.method, &head.headers)?;
            if app.store.end_session(text.digest()).await? {
                app.directory.check_again();
            }
        }
        // Deletes the cookies even if there are two, because they could not be deleted otherwise.
        None if cookie::is_there(&app.http, &head.headers) => {
            cross_site::check_page(&app.http, &head.method, &head.headers)?;
        }
        None => drop(caller?),
    }
    let mut response = Answer::new("Signed out successfully", Value::Null).into_response();
    let signed_out = sign_in::note_sign_out(&app);
    for cookie in cookie::delete(&app.http).into_iter().chain(signed_out) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}
