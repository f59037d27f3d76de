//! `POST /api/people/{id}/link`

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::errors::{disabled, unknown};
use crate::app::App;
use crate::domain::person::Person;
use crate::domain::secret_token::SecretToken;
use crate::http::auth::Administers;
use crate::http::base_url::base;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::params::PersonId;
use crate::http::sign_in::sign_in_link;

/// A person, with a link that signs them in.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Linked {
    #[serde(flatten)]
    pub person: Person,
    pub sign_in_link: String,
}

pub fn link_with(app: &App, headers: &HeaderMap, code: &SecretToken) -> Result<String, ApiError> {
    Ok(sign_in_link(&base(&app.http, headers)?, code))
}

/// Makes a link that signs a person in, and makes an older one invalid.
pub async fn link(
    State(app): State<App>,
    Administers(caller): Administers,
    PersonId(id): PersonId,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let code = app.ids.secret_token();
    let sign_in_link = link_with(&app, &headers, &code)?;
    let person = app.store.make_sign_in_link(id, code.digest(), caller.stamp(&app)).await?.ok_or_else(unknown)?;
    if person.status.is_refused() {
        return Err(disabled());
    }
    let linked = Linked { person, sign_in_link };
    Ok((StatusCode::CREATED, Answer::new("Sign-in link made successfully", linked)).into_response())
}
