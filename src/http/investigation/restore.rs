//! `POST /api/investigation/{id}/versions/{version}/restore`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring;
use crate::http::change::ChangeRequest;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::{DryRun, Version};
use crate::http::prefer::Prefer;

const MESSAGES: Messages =
    Messages::text("Investigation version restored successfully", "Failed to restore investigation version");

/// Restores the content of an earlier version. The result is stored as a new version.
pub async fn restore(
    State(app): State<App>,
    change: ChangeRequest,
    Version(version): Version,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let change = change.with(DryRun(false), prefer);
    let restored = authoring::restore(&app, change.id, &change.context, version).await;
    change.respond(&app, MESSAGES, restored).await
}
