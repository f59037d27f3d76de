//! `GET /api/link/investigation/{id}`, also `GET /api/investigation/{id}/links`

use axum::extract::State;
use axum::response::Response;

use crate::app::App;
use crate::authoring::Failure;
use crate::domain::link::Link;
use crate::domain::page::LinkPosition;
use crate::http::auth::SignedIn;
use crate::http::envelope::{Data, Paged, page_response};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::params::{InvestigationId, Paged as Pages};

/// Lists the links of an investigation, oldest first. Every signed-in caller sees all links.
#[utoipa::path(get, path = "/api/link/investigation/{id}", operation_id = "listLinks", tag = "link",
    security(("bearer" = [])),
    params(InvestigationId, Pages<LinkPosition>),
    responses((status = 200, description = "The links. Where more follow, `pagination` has the cursor of the next page", body = Paged<Data<Vec<Link>>>),
              (status = 404, description = "No such investigation", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    _: SignedIn,
    InvestigationId(id): InvestigationId,
    pages: Pages<LinkPosition>,
) -> Result<Response, ApiError> {
    let wanted = pages.of(id, |place| place.investigation)?;
    page_response(app.store.links(id, wanted).await?.ok_or(Failure::InvestigationNotFound)?)
}

/// Lists the links of an investigation, oldest first. This is the operation `listLinks` at a second path.
#[utoipa::path(get, path = "/api/investigation/{id}/links", operation_id = "listInvestigationLinks", tag = "link",
    security(("bearer" = [])),
    params(InvestigationId, Pages<LinkPosition>),
    responses((status = 200, description = "The links. Where more follow, `pagination` has the cursor of the next page", body = Paged<Data<Vec<Link>>>),
              (status = 404, description = "No such investigation", body = ErrorBody)))]
pub async fn list_alias(
    app: State<App>,
    caller: SignedIn,
    id: InvestigationId,
    pages: Pages<LinkPosition>,
) -> Result<Response, ApiError> {
    list(app, caller, id, pages).await
}
