//! `POST /api/link/investigation/{id}`, also `POST /api/investigation/{id}/links`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{Created, Failure, links};
use crate::domain::link::{Link, Shows};
use crate::domain::link_request::LinkRequest;
use crate::domain::time::Timestamp;
use crate::http::auth::ChangesLinks;
use crate::http::body::JsonObject;
use crate::http::envelope::{Answer, answer, located};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::idempotency::{IdempotencyKey, marked};
use crate::http::params::InvestigationId;

/// The body of a request that creates a link.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes what `LinkRequest` reads")]
pub struct LinkBody {
    /// The first part of the link's address.
    #[schema(min_length = 1, max_length = 64, pattern = "^[A-Za-z0-9_-]+$")]
    key: String,
    /// The second part of the address. The service generates one if it is omitted, null or empty.
    #[schema(max_length = 64, pattern = "^[A-Za-z0-9_-]*$")]
    sub_link: Option<String>,
    /// What the link is for; may be empty.
    #[schema(max_length = 500)]
    description: String,
    /// Which parts of the investigation the page of the link shows; none if omitted.
    #[serde(default)]
    shows: Shows,
    /// Version of the investigation that the page shows; null for the current version.
    version: Option<u64>,
    /// Time at which the link closes; null if it never does.
    expires_at: Option<Timestamp>,
    /// Number of visits after which the link closes; null if there is no limit.
    #[schema(minimum = 1, maximum = 9007199254740991_u64)]
    max_visits: Option<u64>,
    /// True if the new link is closed.
    #[serde(default)]
    archived: bool,
}

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
    let asked =
        LinkRequest::read(&body).map_err(|violations| ApiError::with_http_status(Failure::Invalid(violations)))?;
    let context = caller.change();
    let created = links::create(&app, id, &context, asked, idempotent.as_ref()).await;
    let Created { what, replayed } = created.map_err(ApiError::with_http_status)?;
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
