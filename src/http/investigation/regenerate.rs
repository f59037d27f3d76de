//! `POST /api/investigation/{id}/regenerate`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::assist::{AssistantResult, Task, assist};
use crate::domain::representation::Document;
use crate::http::body::FieldName;
use crate::http::change::ChangeRequest;
use crate::http::docs::content::FieldNameBody;
use crate::http::docs::parameters::AssistantDryRun;
use crate::http::envelope::{Answer, InvestigationSchema};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::{DryRun, InvestigationId};
use crate::http::preconditions::IfMatch;
use crate::http::words::Words;

pub const WORDS: Words = Words::text("Other fields regenerated successfully", "Failed to regenerate other fields");
const NO_CHANGES: &str = "Regeneration completed with no changes";

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
    params(InvestigationId, AssistantDryRun, IfMatch),
    request_body = FieldNameBody,
    responses((status = 200, description = "The investigation afterwards, and what changed", body = Answer<Regenerated>),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = ErrorBody)))]
pub async fn regenerate(
    State(app): State<App>,
    mut change: ChangeRequest,
    DryRun(dry_run): DryRun,
    FieldName(field): FieldName,
) -> Result<Response, ApiError> {
    change.context.dry_run = dry_run;
    let regenerated = assist(&app, change.id, &change.context, Task::Regenerate(field)).await;
    let (investigation, AssistantResult { message, explanation, changed_fields }) =
        regenerated.map_err(WORDS.failure(&app))?;
    let has_changes = !changed_fields.is_empty();
    let done = if has_changes { WORDS.done } else { NO_CHANGES };
    let body = |investigation| {
        let data = Regenerated { investigation, message, explanation, has_changes, changed_fields };
        Answer { success: true, message: done, data }
    };
    Ok(change.respond_with(&app, investigation, body).await)
}
