//! `POST /api/investigation/{id}/chat`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::app::App;
use crate::authoring::assist::{AssistantResult, Task, assist};
use crate::domain::representation::Document;
use crate::http::body::MessageBody;
use crate::http::change::ChangeRequest;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;

pub const MESSAGES: Messages = Messages::text("Message answered successfully", "Failed to converse");

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConverseResult {
    investigation: Document,
    message: String,
    has_changes: bool,
    changed_fields: Vec<String>,
}

pub async fn converse(
    State(app): State<App>,
    change: ChangeRequest,
    MessageBody(said): MessageBody,
) -> Result<Response, ApiError> {
    let answered = assist(&app, change.id, &change.context, Task::Converse(said)).await;
    let (investigation, AssistantResult { message, changed_fields, .. }) = answered.map_err(MESSAGES.error(&app))?;
    let has_changes = !changed_fields.is_empty();
    let body = |investigation| {
        let data = ConverseResult { investigation, message, has_changes, changed_fields };
        Answer::new(MESSAGES.done, data)
    };
    Ok(change.respond_with(&app, investigation, body).await)
}
