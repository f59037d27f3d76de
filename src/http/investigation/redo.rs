//! `POST /api/investigation/{id}/redo`

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::http::auth::Changes;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{DryRun, InvestigationId};
use crate::http::preconditions::IfMatch;
use crate::http::prefer::Prefer;

/// Redoes a change: goes to the newest undone version after the current one. Fails if there is nothing to redo.
#[utoipa::path(post, path = "/api/investigation/{id}/redo", operation_id = "redoInvestigation", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("dryRun" = Option<bool>, Query, description = "Return the result without storing it"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)"),
           ("Prefer" = Option<String>, Header, description = "respond-async: answer as soon as the change is stored, before a language model has read it (RFC 7240)")),
    responses((status = 200, description = "The investigation afterwards", body = Answer<InvestigationSchema>)))]
pub async fn redo(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    DryRun(dry_run): DryRun,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, respond_after: prefer.0, dry_run, ..caller.change() };
    let done = authoring::redo(&app, id, &context).await;
    let investigation = done.map_err(|f| {
        ApiError::per_contract(f, Wording::Text("Failed to redo investigation"), app.http.error_statuses)
    })?;
    let pending = investigation.findings.pending;
    let message = "Investigation redone successfully";
    let mut response = investigation_response(&app, &caller, StatusCode::OK, message, investigation).await;
    if dry_run {
        // A dry run stores nothing, so its result has no revision.
        response.headers_mut().remove(header::ETAG);
        return Ok(response);
    }
    Ok(prefer.mark(pending, response))
}
