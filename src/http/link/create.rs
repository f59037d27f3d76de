//! `POST /api/link/investigation/{id}`, also `POST /api/investigation/{id}/links`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::{Created, links};
use crate::domain::link_request::LinkRequest;
use crate::http::auth::ChangesLinks;
use crate::http::body::JsonObject;
use crate::http::envelope::{Answer, located};
use crate::http::error::ApiError;
use crate::http::idempotency::{IdempotencyKey, marked};
use crate::http::params::InvestigationId;

/// Creates a link to an investigation. Its address consists of key and sub-link, and no other link can have it.
pub async fn create(
    State(app): State<App>,
    ChangesLinks(caller): ChangesLinks,
    InvestigationId(id): InvestigationId,
    key: IdempotencyKey,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let idempotent = key.of(&caller, "createLink", Some(id), Some(&body));
    let asked = LinkRequest::read(&body).map_err(ApiError::invalid)?;
    let created = links::create(&app, id, &caller.change(), asked, idempotent.as_ref()).await?;
    let Created { what, replayed } = created;
    let path = format!("/api/link/{}", what.address());
    let response = (StatusCode::CREATED, Answer::new("Link created successfully", what)).into_response();
    Ok(located(&app, &path, marked(replayed, response)))
}
