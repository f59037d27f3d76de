//! `POST /api/investigation/{id}/resolve-contradiction`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::ChangeContext;
use crate::authoring::assist;
use crate::domain::content;
use crate::domain::representation::Document;
use crate::http::body::FieldName;
use crate::http::envelope::{Answer, InvestigationSchema, answer, show, tagged};
use crate::http::error::{ApiError, Wording};
use crate::http::limits::AssistantCaller;
use crate::http::params::{DryRun, InvestigationId};
use crate::http::preconditions::IfMatch;

/// The body of a request that names one field.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what `FieldName` reads")]
pub struct FieldNameBody {
    /// Name of a top-level content field.
    // Lists every blank character, because dialects of regular expressions differ in the meaning of `\s`.
    #[schema(
        pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]",
        example = "durationMinutes"
    )]
    field_name: String,
}

/// The result of a resolution.
#[derive(Debug, Serialize, ToSchema)]
pub struct Resolved {
    /// The investigation after the changes.
    #[schema(value_type = InvestigationSchema)]
    investigation: Document,
    /// Every edit with its reason, followed by the contradictions that could not be resolved.
    message: String,
    /// The language model's explanation of the result; null if there is none.
    #[schema(required)]
    explanation: Option<String>,
}

/// Resolves the contradictions of a field one by one. The field may be on either side of a contradiction. Fails only if
/// none of the contradictions could be resolved.
#[utoipa::path(post, path = "/api/investigation/{id}/resolve-contradiction", operation_id = "resolveContradiction", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("dryRun" = Option<bool>, Query, description = "Return the result without storing it. If you then store it within ten minutes and nothing else changes, the language model's same proposal is stored"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)")),
    request_body = FieldNameBody,
    responses((status = 200, description = "The investigation afterwards, and what changed", body = Answer<Resolved>),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = crate::http::error::ErrorBody)))]
pub async fn resolve_contradiction(
    State(app): State<App>,
    AssistantCaller(caller, asking): AssistantCaller,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    DryRun(dry_run): DryRun,
    FieldName(field): FieldName,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, dry_run, ..caller.change() };
    let (investigation, assist::AssistantResult { message, explanation, changed_fields: _ }) =
        assist::resolve_contradiction(&app, id, &context, &field, asking).await.map_err(|f| {
            ApiError::per_contract(f, Wording::Text("Failed to resolve contradiction"), app.http.error_statuses)
        })?;
    let (revision, bytes) = (investigation.revision, content::bytes(&investigation.content));
    let data = Resolved { investigation: show(&app, &caller, investigation).await, message, explanation };
    let response = app
        .capacity
        .compute(caller.actor, bytes, || answer(StatusCode::OK, "Successfully resolved contradictions", data))
        .await;
    // A dry run stores nothing, so its result has no revision.
    Ok(if dry_run { response } else { tagged(revision, response) })
}
