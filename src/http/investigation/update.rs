//! `PATCH /api/investigation/{id}`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{self, ChangeContext};
use crate::domain::content;
use crate::domain::representation::Document;
use crate::http::auth::Changes;
use crate::http::body::MergePatch;
use crate::http::docs::content::InvestigationPatch;
use crate::http::envelope::{InvestigationSchema, json, show, tagged};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{DryRun, InvestigationId};
use crate::http::preconditions::IfMatch;
use crate::http::prefer::Prefer;

/// The response to an update, which has an envelope of its own.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Updated {
    /// Always true.
    success: bool,
    /// The investigation after the update.
    #[schema(value_type = InvestigationSchema)]
    updated_investigation: Document,
}

/// Changes fields of the content. The body is a JSON Merge Patch (RFC 7396).
#[utoipa::path(patch, path = "/api/investigation/{id}", operation_id = "updateInvestigation", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("dryRun" = Option<bool>, Query, description = "Return the result without storing it"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)"),
           ("Prefer" = Option<String>, Header, description = "respond-async: answer as soon as the change is stored, before a language model has read it (RFC 7240)")),
    request_body(content((InvestigationPatch = "application/json"), (InvestigationPatch = "application/merge-patch+json"))),
    responses((status = 200, description = "The investigation after the update", body = Updated)))]
pub async fn update(
    State(app): State<App>,
    Changes(caller): Changes,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    DryRun(dry_run): DryRun,
    prefer: Prefer,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, respond_after: prefer.0, dry_run, ..caller.change() };
    let updated = authoring::update(&app, id, &context, body).await;
    let investigation = updated.map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to update investigation"), app.http.error_statuses)
    })?;
    let (revision, pending) = (investigation.revision, investigation.findings.pending);
    let bytes = content::bytes(&investigation.content);
    let body = Updated { success: true, updated_investigation: show(&app, &caller, investigation).await };
    let response = app.capacity.compute(caller.actor, bytes, || json(1, &body)).await;
    // A dry run stores nothing, so its result has no revision.
    Ok(if dry_run { response } else { prefer.mark(pending, tagged(revision, response)) })
}
