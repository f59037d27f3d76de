//! `GET /api/investigation/{id}/versions`

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::page::ByteBudget;
use crate::domain::representation::VersionView;
use crate::http::envelope::{Answer, answer, take_fitting};
use crate::http::error::{ApiError, Wording};
use crate::http::params::{InvestigationId, Versions};
use crate::http::reads::HeavyReader;

/// Returns the versions after version 0, newest first, each with its changes. Undone versions are included.
#[utoipa::path(get, path = "/api/investigation/{id}/versions", operation_id = "getInvestigationVersions", tag = "investigation",
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The investigation"),
           ("limit" = Option<u32>, Query, description = "1 to 1000, default 20", minimum = 1, maximum = 1000),
           ("before" = Option<u64>, Query, description = "Only versions below this one. Pass the last version of a page for the next page; an empty list is the end", minimum = 1)),
    responses((status = 200, description = "The records", body = Answer<Vec<VersionView>>)))]
pub async fn versions(
    State(app): State<App>,
    reader: HeavyReader,
    InvestigationId(id): InvestigationId,
    Versions(wanted): Versions,
) -> Result<Response, ApiError> {
    let found = reader.heavy(&app, app.store.versions(id, wanted)).await?.map_err(Failure::from);
    let records = found.and_then(|records| records.ok_or(Failure::InvestigationNotFound)).map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to fetch investigation versions"), app.http.error_statuses)
    })?;
    let records = take_fitting(records.into_iter().map(VersionView::from), ByteBudget::of_answer())?;
    Ok(answer(StatusCode::OK, "Investigation versions retrieved successfully", records))
}
