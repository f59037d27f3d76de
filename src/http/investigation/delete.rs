//! `DELETE /api/investigation/{id}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::app::App;
use crate::authoring::{self, AuthoringError};
use crate::http::change::ChangeRequest;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::Permanently;

pub const MESSAGES: Messages = Messages::fixed("Investigation deleted successfully", "Failed to delete investigation");

/// Deletes an investigation with its versions, links and chat.
pub async fn delete(
    State(app): State<App>,
    ChangeRequest { id, context, .. }: ChangeRequest,
    Permanently(permanently): Permanently,
) -> Result<Response, ApiError> {
    let deleted = authoring::delete(&app, id, &context, permanently).await.map_err(|error| match error {
        AuthoringError::InvestigationNotFound => error.into(),
        error => MESSAGES.error(&app)(error),
    });
    let data = json!({ "investigationId": id, "deletedChats": deleted? });
    Ok(Answer::new(MESSAGES.done, data).into_response())
}
