//! `POST /api/investigation/{id}/chat`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::assist::{AssistantResult, Task, assist};
use crate::domain::representation::Document;
use crate::http::body::MessageBody;
use crate::http::change::ChangeRequest;
use crate::http::docs::content::ChatMessageBody;
use crate::http::envelope::{Answer, InvestigationSchema};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::InvestigationId;
use crate::http::preconditions::IfMatch;
use crate::http::words::Words;

pub const WORDS: Words = Words::text("Message answered successfully", "Failed to converse");

/// The assistant's answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConverseResult {
    /// The investigation after the changes.
    #[schema(value_type = InvestigationSchema)]
    investigation: Document,
    /// The assistant's answer in words.
    message: String,
    /// True if the assistant changed anything.
    has_changes: bool,
    /// Names of the top-level fields that changed.
    changed_fields: Vec<String>,
}

/// Sends a message to the assistant. The assistant answers the message, and changes the fields that the message asks it
/// to change. Requires a language model.
#[utoipa::path(post, path = "/api/investigation/{id}/chat", operation_id = "converse", tag = "investigation",
    security(("bearer" = [])), params(InvestigationId, IfMatch), request_body = ChatMessageBody,
    responses((status = 200, description = "The answer, and the investigation afterwards", body = Answer<ConverseResult>),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = ErrorBody)))]
pub async fn converse(
    State(app): State<App>,
    change: ChangeRequest,
    MessageBody(said): MessageBody,
) -> Result<Response, ApiError> {
    let answered = assist(&app, change.id, &change.context, Task::Converse(said)).await;
    let (investigation, AssistantResult { message, changed_fields, .. }) = answered.map_err(WORDS.failure(&app))?;
    let has_changes = !changed_fields.is_empty();
    let body = |investigation| {
        let data = ConverseResult { investigation, message, has_changes, changed_fields };
        Answer { success: true, message: WORDS.done, data }
    };
    Ok(change.respond_with(&app, investigation, body).await)
}
