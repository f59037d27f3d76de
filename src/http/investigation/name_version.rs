//! `PATCH /api/investigation/{id}/versions/{version}`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, VersionName};
use crate::domain::history;
use crate::http::body::MergePatch;
use crate::http::change::ChangeRequest;
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::Version;

const MESSAGES: Messages =
    Messages::fixed("Investigation version named successfully", "Failed to name investigation version");

/// Names a version, or removes its name.
pub async fn name_version(
    State(app): State<App>,
    change: ChangeRequest,
    Version(version): Version,
    MergePatch(body): MergePatch,
) -> Result<Response, ApiError> {
    let name = history::read_name(&body).map_err(ApiError::invalid)?;
    let named = authoring::name_version(&app, change.id, &change.context, VersionName { version, name }).await;
    change.respond(&app, MESSAGES, named).await
}
