//! `POST /api/investigation/{id}/regenerate`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::resolve_contradiction::FieldNameBody;
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

/// The result of a regeneration.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Regenerated {
    /// The investigation after the changes.
    #[schema(value_type = InvestigationSchema)]
    investigation: Document,
    /// The message that was added to the chat.
    message: String,
    /// The language model's explanation of the result, including what still contradicts the field. Without a language
    /// model: what the rules changed, or how many rules were checked.
    #[schema(required)]
    explanation: Option<String>,
    /// True if anything was changed.
    has_changes: bool,
    /// Names of the top-level fields that changed.
    changed_fields: Vec<String>,
}

/// Changes other fields to agree with one field, which stays unchanged. Without a language model, the rules change what
/// they can.
#[utoipa::path(post, path = "/api/investigation/{id}/regenerate", operation_id = "regenerateOtherFields", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("dryRun" = Option<bool>, Query, description = "Return the result without storing it. If you then store it within ten minutes and nothing else changes, the language model's same proposal is stored"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)")),
    request_body = FieldNameBody,
    responses((status = 200, description = "The investigation afterwards, and what changed", body = Answer<Regenerated>),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = crate::http::error::ErrorBody)))]
pub async fn regenerate(
    State(app): State<App>,
    AssistantCaller(caller, asking): AssistantCaller,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    DryRun(dry_run): DryRun,
    FieldName(field): FieldName,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, dry_run, ..caller.change() };
    let (investigation, assist::AssistantResult { message, explanation, changed_fields }) =
        assist::regenerate(&app, id, &context, &field, asking).await.map_err(|f| {
            ApiError::per_contract(f, Wording::Text("Failed to regenerate other fields"), app.http.error_statuses)
        })?;
    let has_changes = !changed_fields.is_empty();
    let done =
        if has_changes { "Other fields regenerated successfully" } else { "Regeneration completed with no changes" };
    let (revision, bytes) = (investigation.revision, content::bytes(&investigation.content));
    let investigation = show(&app, &caller, investigation).await;
    let data = Regenerated { investigation, message, explanation, has_changes, changed_fields };
    let response = app.capacity.compute(caller.actor, bytes, || answer(StatusCode::OK, done, data)).await;
    // A dry run stores nothing, so its result has no revision.
    Ok(if dry_run { response } else { tagged(revision, response) })
}
