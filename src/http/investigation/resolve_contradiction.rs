//! `POST /api/investigation/{id}/resolve-contradiction`

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

pub const WORDS: Words = Words::text("Successfully resolved contradictions", "Failed to resolve contradiction");

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
    params(InvestigationId, AssistantDryRun, IfMatch),
    request_body = FieldNameBody,
    responses((status = 200, description = "The investigation afterwards, and what changed", body = Answer<Resolved>),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = ErrorBody)))]
pub async fn resolve_contradiction(
    State(app): State<App>,
    mut change: ChangeRequest,
    DryRun(dry_run): DryRun,
    FieldName(field): FieldName,
) -> Result<Response, ApiError> {
    change.context.dry_run = dry_run;
    let resolved = assist(&app, change.id, &change.context, Task::Resolve(field)).await;
    let (investigation, AssistantResult { message, explanation, .. }) = resolved.map_err(WORDS.failure(&app))?;
    let body = |investigation| Answer {
        success: true,
        message: WORDS.done,
        data: Resolved { investigation, message, explanation },
    };
    Ok(change.respond_with(&app, investigation, body).await)
}
