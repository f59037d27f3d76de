//! `GET /api/investigation/{id}/versions`

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::AuthoringError;
use crate::domain::page::{ByteBudget, MAX_ANSWER};
use crate::domain::representation::VersionView;
use crate::http::auth::Reads;
use crate::http::envelope::{Answer, take_fitting};
use crate::http::error::ApiError;
use crate::http::messages::Messages;
use crate::http::params::{InvestigationId, OnlyNamed, Versions};

pub const MESSAGES: Messages =
    Messages::fixed("Investigation versions retrieved successfully", "Failed to fetch investigation versions");

/// Returns the versions after version 0, newest first, each with its changes. Undone versions are included.
pub async fn versions(
    State(app): State<App>,
    _: Reads,
    InvestigationId(id): InvestigationId,
    Versions(wanted): Versions,
    OnlyNamed(named): OnlyNamed,
) -> Result<Response, ApiError> {
    let found = if named { app.store.named_versions(id, wanted).await } else { app.store.versions(id, wanted).await };
    let records = AuthoringError::unless_found(found).map_err(MESSAGES.error(&app))?;
    let records = take_fitting(records.into_iter().map(VersionView::from), ByteBudget::of_answer(MAX_ANSWER))?;
    Ok(Answer::new(MESSAGES.done, records).into_response())
}
