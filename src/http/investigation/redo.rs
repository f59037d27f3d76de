//! `POST /api/investigation/{id}/redo`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring;
use crate::http::change::ChangeRequest;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::DryRun;
use crate::http::prefer::Prefer;

pub const MESSAGES: Messages = Messages::text("Investigation redone successfully", "Failed to redo investigation");

/// Redoes a change: goes to the newest undone version after the current one. Fails if there is nothing to redo.
pub async fn redo(
    State(app): State<App>,
    change: ChangeRequest,
    dry_run: DryRun,
    prefer: Prefer,
) -> Result<Response, ApiError> {
    let change = change.with(dry_run, prefer);
    let redone = authoring::redo(&app, change.id, &change.context).await;
    change.respond(&app, MESSAGES, redone).await
}
