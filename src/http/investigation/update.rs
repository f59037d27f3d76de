//! `PATCH /api/investigation/{id}`

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use crate::app::App;
use crate::authoring;
use crate::domain::representation::Document;
use crate::http::body::MergePatch;
use crate::http::change::ChangeRequest;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::DryRun;
use crate::http::prefer::Prefer;

/// A successful response of this operation contains no message.
pub const MESSAGES: Messages = Messages::fixed("", "Failed to update investigation");

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Updated {
    success: bool,
    updated_investigation: Document,
}

/// Changes fields of the content. The body is a JSON Merge Patch (RFC 7396).
pub async fn update(
    State(app): State<App>,
    change: ChangeRequest,
    dry_run: DryRun,
    prefer: Prefer,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let change = change.with(dry_run, prefer);
    let investigation =
        authoring::update(&app, change.id, &change.context, body).await.map_err(MESSAGES.error(&app))?;
    let body = |updated_investigation| Updated { success: true, updated_investigation };
    Ok(change.respond_with(&app, investigation, body).await)
}
