//! `GET /api/investigation/{id}/history/{fieldPath}`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::page::ByteBudget;
use crate::domain::representation::FieldHistoryView;
use crate::http::auth::Reads;
use crate::http::envelope::{Answer, answer, take_fitting};
use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::params::{Field, History, InvestigationId};
use crate::http::words::Words;

pub const WORDS: Words = Words::fixed("Field history retrieved successfully", "Failed to fetch field history");

/// Returns the changes of one field, newest first. These include changes of the values inside the field, and of the
/// objects and lists around it.
#[utoipa::path(get, path = "/api/investigation/{id}/history/{fieldPath}", operation_id = "getFieldHistory", tag = "investigation",
    security(("bearer" = [])),
    params(InvestigationId, Field, History),
    responses((status = 200, description = "The entries", body = Answer<Vec<FieldHistoryView>>)))]
pub async fn history(
    State(app): State<App>,
    reader: Reads,
    InvestigationId(id): InvestigationId,
    Field(path): Field,
    History(wanted): History,
) -> Result<Response, ApiError> {
    let found = reader.heavy(&app, app.store.field_history(id, path, wanted)).await?;
    let entries = Failure::unless_found(found, Failure::InvestigationNotFound).map_err(WORDS.failure(&app))?;
    let entries = take_fitting(entries.into_iter().map(FieldHistoryView::from), ByteBudget::of_answer())?;
    Ok(answer(StatusCode::OK, WORDS.done, entries))
}

pub async fn without_field(_: Reads, InvestigationId(_): InvestigationId) -> ApiError {
    ApiError::missing("Field path is required", ErrorCode::FieldPathRequired)
}
