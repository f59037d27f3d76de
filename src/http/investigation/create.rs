//! `POST /api/investigation`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring;
use crate::http::auth::Authoring;
use crate::http::body::JsonObject;
use crate::http::envelope::{Answer, InvestigationSchema, investigated};
use crate::http::error::{ApiError, Wording};

/// Creates an investigation and its chat, and finds its contradictions.
#[utoipa::path(post, path = "/api/investigation", operation_id = "createInvestigation", tag = "investigation",
    security(("bearer" = [])), request_body(content = Object, description = "The content fields, and optionally author, status, metadata.author"),
    responses((status = 201, description = "Created", body = Answer<InvestigationSchema>)))]
pub async fn create(
    State(app): State<App>,
    Authoring(caller): Authoring,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let created = authoring::create(&app, caller.user, body).await;
    let investigation = created
        .map_err(|f| ApiError::of(f, Wording::Fixed("Failed to create investigation"), app.edge.error_statuses))?;
    Ok(investigated(&app, &caller, StatusCode::CREATED, "Investigation created successfully", investigation).await)
}
