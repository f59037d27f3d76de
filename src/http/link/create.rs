//! `POST /api/link/investigation/{id}`, also `POST /api/investigation/{id}/links`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{Created, links};
use crate::domain::link::Link;
use crate::domain::link_request::LinkRequest;
use crate::http::auth::ChangesLinks;
use crate::http::body::JsonObject;
use crate::http::docs::content::LinkBody;
use crate::http::envelope::{Answer, answer, located};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::{IdempotencyKey, marked};
use crate::http::params::InvestigationId;

/// Creates a link to an investigation. Its address consists of key and sub-link, and no other link can have it.
#[utoipa::path(post, path = "/api/link/investigation/{id}", operation_id = "createLink", tag = "link",
    security(("bearer" = [])), params(InvestigationId, IdempotencyKey), request_body = LinkBody,
    responses((status = 201, description = "Created", body = Answer<Link>),
              (status = 404, description = "No such investigation", body = ErrorBody),
              (status = 409, description = "Key and subLink are taken, or the Idempotency-Key belongs to another request", body = ErrorBody)))]
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
    Ok(located(&app, &path, marked(replayed, answer(StatusCode::CREATED, "Link created successfully", what))))
}

/// Creates a link to an investigation. This is the operation `createLink` at a second path.
#[utoipa::path(post, path = "/api/investigation/{id}/links", operation_id = "createInvestigationLink", tag = "link",
    security(("bearer" = [])), params(InvestigationId, IdempotencyKey), request_body = LinkBody,
    responses((status = 201, description = "Created", body = Answer<Link>),
              (status = 404, description = "No such investigation", body = ErrorBody),
              (status = 409, description = "Key and subLink are taken, or the Idempotency-Key belongs to another request", body = ErrorBody)))]
pub async fn create_alias(
    app: State<App>,
    caller: ChangesLinks,
    id: InvestigationId,
    key: IdempotencyKey,
    body: JsonObject,
) -> Result<Response, ApiError> {
    create(app, caller, id, key, body).await
}
