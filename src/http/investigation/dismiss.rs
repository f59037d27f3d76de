//! `POST /api/investigation/{id}/dismissals`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{AuthoringError, dismissals};
use crate::domain::dismissal::DismissalRequest;
use crate::http::body::JsonObject;
use crate::http::change::ChangeRequest;
use crate::http::envelope::located;
use crate::http::error::ApiError;
use crate::http::messages::Messages;

const MESSAGES: Messages = Messages::text("Finding dismissed successfully", "Failed to dismiss finding");

/// Dismisses a finding. Until a value in its evidence changes, the finding is hidden and does not affect the status.
pub async fn dismiss(
    State(app): State<App>,
    change: ChangeRequest,
    JsonObject(body): JsonObject,
) -> Result<Response, ApiError> {
    let asked = DismissalRequest::read(&body)
        .map_err(|violations| MESSAGES.error(&app)(AuthoringError::Invalid(violations)))?;
    let dismissed = dismissals::dismiss(&app, change.id, &change.context, &asked).await;
    // Dismissals are listed oldest first, so the last one is the one that this request has added.
    let newest = dismissed.as_ref().ok().and_then(|investigation| investigation.dismissals.last()).map(|new| new.id);
    let path = newest.map(|dismissal| format!("/api/investigation/{}/dismissals/{dismissal}", change.id));
    let mut response = change.respond(&app, MESSAGES, dismissed).await?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(located(&app, &path.unwrap_or_default(), response))
}
