//! `POST /api/investigation/{id}/versions/{version}/restore`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::http::auth::Changes;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{InvestigationId, Version};
use crate::http::preconditions::IfMatch;
use crate::http::prefer::Prefer;

/// Restores the content of an earlier version. The result is stored as a new version.
#[utoipa::path(post, path = "/api/investigation/{id}/versions/{version}/restore", operation_id = "restoreInvestigationVersion", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"), ("version" = u64, Path, description = "The version to restore"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)"),
           ("Prefer" = Option<String>, Header, description = "respond-async: answer as soon as the change is stored, before a language model has read it (RFC 7240)")),
    responses((status = 200, description = "The investigation afterwards", body = Answer<InvestigationSchema>)))]
pub async fn restore(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    Version(version): Version,
    IfMatch(expected): IfMatch,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, respond_after: prefer.0, ..caller.change() };
    let restored = authoring::restore(&app, id, &context, version).await;
    let investigation = restored.map_err(|f| {
        ApiError::per_contract(f, Wording::Text("Failed to restore investigation version"), app.http.error_statuses)
    })?;
    let pending = investigation.findings.pending;
    Ok(prefer.mark(
        pending,
        investigation_response(
            &app,
            &caller,
            StatusCode::OK,
            "Investigation version restored successfully",
            investigation,
        )
        .await,
    ))
}
