//! `DELETE /api/investigation/{id}/dismissals/{dismissalId}`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::dismissals;
use crate::http::change::ChangeRequest;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::DismissalId;

const MESSAGES: Messages = Messages::text("Dismissal removed successfully", "Failed to remove dismissal");

/// Removes a dismissal. If the content still has the finding, the finding is shown again.
pub async fn remove_dismissal(
    State(app): State<App>,
    change: ChangeRequest,
    DismissalId(dismissal): DismissalId,
) -> Result<Response, ApiError> {
    let removed = dismissals::remove(&app, change.id, &change.context, dismissal).await;
    change.respond(&app, MESSAGES, removed).await
}
