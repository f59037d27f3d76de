//! `GET /api/link/investigation/{id}`, also `GET /api/investigation/{id}/links`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::link::Link;
use crate::http::auth::SignedIn;
use crate::http::envelope::{Data, data};
use crate::http::error::ApiError;
use crate::http::params::InvestigationId;

/// Lists the links of an investigation, oldest first.
#[utoipa::path(get, path = "/api/link/investigation/{id}", operation_id = "listLinks", tag = "link",
    security(("bearer" = [])), params(("id" = String, Path, description = "The investigation")),
    responses((status = 200, description = "The links", body = Data<Vec<Link>>),
              (status = 404, description = "No such investigation", body = crate::http::error::ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    _: SignedIn,
    InvestigationId(id): InvestigationId,
) -> Result<Response, ApiError> {
    let found = app.store.links(id).await.map_err(Failure::from);
    let links = found.and_then(|links| links.ok_or(Failure::InvestigationNotFound)).map_err(ApiError::plain)?;
    Ok(data(links))
}

/// Lists the links of an investigation: the same operation under its second name.
#[utoipa::path(get, path = "/api/investigation/{id}/links", operation_id = "listInvestigationLinks", tag = "link",
    security(("bearer" = [])), params(("id" = String, Path, description = "The investigation")),
    responses((status = 200, description = "The links", body = Data<Vec<Link>>),
              (status = 404, description = "No such investigation", body = crate::http::error::ErrorBody)))]
pub async fn list_alias(app: State<App>, caller: SignedIn, id: InvestigationId) -> Result<Response, ApiError> {
    list(app, caller, id).await
}
