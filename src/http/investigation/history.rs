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
use crate::http::error::{ApiError, Wording};
use crate::http::error_code::ErrorCode;
use crate::http::params::{Field, History, InvestigationId};
use crate::http::reads::HeavyReader;

/// Returns the changes of one field, newest first. These include changes of the values inside the field, and of the
/// objects and lists around it.
#[utoipa::path(get, path = "/api/investigation/{id}/history/{fieldPath}", operation_id = "getFieldHistory", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("fieldPath" = String, Path, pattern = "[^\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]",
               description = "The field, dotted: variables.independent, steps.2.text"),
           ("limit" = Option<u32>, Query, description = "1 to 1000, default 50", minimum = 1, maximum = 1000),
           ("before" = Option<u64>, Query, description = "Only versions below this one. Pass the last version of a page for the next page; an empty list is the end", minimum = 1)),
    responses((status = 200, description = "The entries", body = Answer<Vec<FieldHistoryView>>)))]
pub async fn history(
    State(app): State<App>,
    reader: HeavyReader,
    InvestigationId(id): InvestigationId,
    Field(path): Field,
    History(wanted): History,
) -> Result<Response, ApiError> {
    let found = reader.heavy(&app, app.store.field_history(id, path, wanted)).await?.map_err(Failure::from);
    let entries = found.and_then(|entries| entries.ok_or(Failure::InvestigationNotFound)).map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to fetch field history"), app.http.error_statuses)
    })?;
    let entries = take_fitting(entries.into_iter().map(FieldHistoryView::from), ByteBudget::of_answer())?;
    Ok(answer(StatusCode::OK, "Field history retrieved successfully", entries))
}

/// Creates the error for a request without a field path.
pub async fn without_field(_: Reads, InvestigationId(_): InvestigationId) -> ApiError {
    ApiError::missing("Field path is required", ErrorCode::FieldPathRequired)
}
