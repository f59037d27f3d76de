//! `POST /api/investigation/{id}/chat`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::authoring::{ChangeContext, assist};
use crate::domain::content;
use crate::domain::representation::Document;
use crate::http::body::MessageBody;
use crate::http::envelope::{Answer, InvestigationSchema, answer, show, tagged};
use crate::http::error::{ApiError, Wording};
use crate::http::limits::AssistantCaller;
use crate::http::params::InvestigationId;
use crate::http::preconditions::IfMatch;

/// A message to the assistant.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "describes what `MessageBody` reads")]
pub struct ChatMessageBody {
    /// Text of the message: not blank, and at most 16 KiB.
    // Lists every blank character, because dialects of regular expressions differ in the meaning of `\s`.
    #[schema(pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]")]
    content: String,
}

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
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("If-Match" = Option<String>, Header, description = "Change only this revision (its ETag)")),
    request_body = ChatMessageBody,
    responses((status = 200, description = "The answer, and the investigation afterwards", body = Answer<ConverseResult>),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = crate::http::error::ErrorBody)))]
pub async fn converse(
    State(app): State<App>,
    AssistantCaller(caller, asking): AssistantCaller,
    InvestigationId(id): InvestigationId,
    IfMatch(expected): IfMatch,
    MessageBody(said): MessageBody,
) -> Result<Response, ApiError> {
    let context = ChangeContext { expected, ..caller.change() };
    let (investigation, assist::AssistantResult { message, explanation: _, changed_fields }) =
        assist::converse(&app, id, &context, &said, asking)
            .await
            .map_err(|f| ApiError::per_contract(f, Wording::Text("Failed to converse"), app.http.error_statuses))?;
    let has_changes = !changed_fields.is_empty();
    let (revision, bytes) = (investigation.revision, content::bytes(&investigation.content));
    let data = ConverseResult {
        investigation: show(&app, &caller, investigation).await,
        message,
        has_changes,
        changed_fields,
    };
    let response = app
        .capacity
        .compute(caller.actor, bytes, || answer(StatusCode::OK, "Message answered successfully", data))
        .await;
    Ok(tagged(revision, response))
}
