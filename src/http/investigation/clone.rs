//! `POST /api/investigation/{id}/clone`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring;
use crate::http::auth::Authoring;
use crate::http::envelope::{Answer, InvestigationSchema, investigated};
use crate::http::error::{ApiError, Wording};
use crate::http::params::InvestigationId;

/// Makes a copy with a history and a chat of its own, and finds its contradictions.
#[utoipa::path(post, path = "/api/investigation/{id}/clone", operation_id = "cloneInvestigation", tag = "investigation",
    security(("bearer" = [])), params(("id" = String, Path, description = "The investigation to copy")),
    responses((status = 201, description = "Cloned", body = Answer<InvestigationSchema>)))]
pub async fn clone(
    State(app): State<App>,
    Authoring(caller): Authoring,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    let cloned = authoring::clone(&app, id, caller.user).await;
    let investigation = cloned
        .map_err(|f| ApiError::of(f, Wording::Fixed("Failed to clone investigation"), app.edge.error_statuses))?;
    Ok(investigated(&app, &caller, StatusCode::CREATED, "Investigation cloned successfully", investigation).await)
}
