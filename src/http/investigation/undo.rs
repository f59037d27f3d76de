//! `POST /api/investigation/{id}/undo`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring;
use crate::http::change::ChangeRequest;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::DryRun;
use crate::http::prefer::Prefer;

pub const MESSAGES: Messages = Messages::text("Investigation undone successfully", "Failed to undo investigation");

/// Undoes the latest change: goes back to the version that the change was based on. Fails if there is nothing to undo.
pub async fn undo(
    State(app): State<App>,
    change: ChangeRequest,
    dry_run: DryRun,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let change = change.with(dry_run, prefer);
    let undone = authoring::undo(&app, change.id, &change.context).await;
    change.respond(&app, MESSAGES, undone).await
}
