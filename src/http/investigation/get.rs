//! `GET /api/investigation/{id}`

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::app::App;
use crate::authoring::{self, Failure};
use crate::domain::permission::{self, Operation};
use crate::http::auth::Reads;
use crate::http::envelope::{Answer, InvestigationSchema, investigation_response};
use crate::http::error::{ApiError, Wording};
use crate::http::params::InvestigationId;

/// Returns an investigation. The response has a header `Allow` if the caller may not change the investigation.
#[utoipa::path(get, path = "/api/investigation/{id}", operation_id = "getInvestigation", tag = "investigation",
    security(("bearer" = [])), params(("id" = String, Path, description = "The investigation")),
    responses((status = 200, description = "The investigation", body = Answer<InvestigationSchema>)))]
pub async fn get(
    State(app): State<App>,
    Reads(caller): Reads,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    let loaded = app.store.show(id).await.map_err(Failure::from);
    let investigation = loaded.and_then(|found| found.ok_or(Failure::InvestigationNotFound)).map_err(|f| {
        ApiError::per_contract(f, Wording::Fixed("Failed to fetch investigation"), app.http.error_statuses)
    })?;
    authoring::resume_pending(&app, &investigation);
    let ownership = Some(investigation.ownership());
    let may_change = permission::decide(caller.principal(), Operation::Change, ownership, app.http.editing).is_ok();
    let message = "Investigation retrieved successfully";
    let mut response = investigation_response(&app, &caller, StatusCode::OK, message, investigation).await;
    if !may_change {
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    Ok(response)
}
