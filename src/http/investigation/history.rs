//! `GET /api/investigation/{id}/history/{fieldPath}`

use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::AuthoringError;
use crate::domain::page::{ByteBudget, MAX_ANSWER};
use crate::domain::representation::FieldHistoryView;
use crate::http::auth::Reads;
use crate::http::envelope::{Answer, take_fitting};
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::messages::Messages;
use crate::http::params::{Field, History, InvestigationId};

pub const MESSAGES: Messages = Messages::fixed("Field history retrieved successfully", "Failed to fetch field history");

/// Returns the changes of one field, newest first.
pub async fn history(
    State(app): State<App>,
    _: Reads,
    InvestigationId(id): InvestigationId,
    Field(path): Field,
    History(wanted): History,
) -> Result<Response, ApiError> {
    let found = app.store.field_history(id, path, wanted).await;
    let entries = AuthoringError::unless_found(found).map_err(MESSAGES.error(&app))?;
    let entries = take_fitting(entries.into_iter().map(FieldHistoryView::from), ByteBudget::of_answer(MAX_ANSWER))?;
    Ok(Answer::new(MESSAGES.done, entries).into_response())
}

pub async fn without_field(_: Reads, InvestigationId(_): InvestigationId) -> ApiError {
    ApiError::missing("Field path is required", ErrorCode::FieldPathRequired)
}
