//! `GET /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Response;

use crate::app::App;
use crate::authoring::{Failure, links};
use crate::domain::link::Visit;
use crate::http::envelope::{Data, data};
use crate::http::error::ApiError;
use crate::http::params::LinkName;

/// Says where a link leads, and counts the visit. Public.
#[utoipa::path(get, path = "/api/link/{key}/{subLink}", operation_id = "resolveLink", tag = "link",
    params(("key" = String, Path, description = "The key"), ("subLink" = String, Path, description = "The sub-link")),
    responses((status = 200, description = "Where it leads, and the count after this visit", body = Data<Visit>),
              (status = 404, description = "No such link", body = crate::http::error::ErrorBody)))]
pub async fn resolve(State(app): State<App>, LinkName { key, sub_link }: LinkName) -> Result<Response, ApiError> {
    let visit = links::resolve(&app, key, sub_link).await.map_err(ApiError::plain)?;
    Ok(uncached(data(visit)))
}

/// Says whether a link is there. Counts no visit.
#[utoipa::path(head, path = "/api/link/{key}/{subLink}", operation_id = "headLink", tag = "link",
    params(("key" = String, Path, description = "The key"), ("subLink" = String, Path, description = "The sub-link")),
    responses((status = 200, description = "The link is there"), (status = 404, description = "No such link")))]
pub async fn head(State(app): State<App>, LinkName { key, sub_link }: LinkName) -> Result<Response, ApiError> {
    let found = app.store.link(key, sub_link).await.map_err(Failure::from);
    found.and_then(|link| link.ok_or(Failure::LinkNotFound)).map_err(ApiError::plain)?;
    Ok(uncached(Response::default()))
}

/// A cache that answered in the service's place would swallow visits.
fn uncached(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
