//! `GET /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::links;
use crate::domain::link::Visit;
use crate::http::envelope::{Data, data};
use crate::http::error::{ApiError, ErrorBody};
use crate::http::lesson_page;
use crate::http::limits::Visitor;
use crate::http::params::LinkName;

/// Returns the investigation id of a link, and counts the visit. Needs no token.
#[utoipa::path(get, path = "/api/link/{key}/{subLink}", operation_id = "resolveLink", tag = "link",
    params(LinkName),
    responses((status = 200, description = "Its investigation, and the count after this visit. A browser, which prefers HTML, gets the page of the link", body = Data<Visit>),
              (status = 404, description = "No such link", body = ErrorBody),
              (status = 429, description = "Asked too often; Retry-After says when to come back", body = ErrorBody)))]
pub async fn resolve(
    State(app): State<App>,
    visitor: Visitor,
    name: Result<LinkName, ApiError>,
    headers: HeaderMap,
) -> Response {
    let is_person = lesson_page::prefers_html(&headers);
    let visit = match name {
        Ok(LinkName { key, sub_link }) if is_person => return lesson_page::visit(&app, visitor, key, sub_link).await,
        Ok(LinkName { key, sub_link }) => links::resolve(&app, visitor.0, key, sub_link).await.map_err(ApiError::from),
        Err(refusal) => Err(refusal),
    };
    let outcome = match &visit {
        Ok(_) => "counted",
        Err(refusal) => refusal.code(),
    };
    metrics::counter!("fieldbook_visits_total", "outcome" => outcome).increment(1);
    uncached(visit.map(data))
}

/// Checks whether a link is open. Needs no token, and does not count as a visit.
#[utoipa::path(head, path = "/api/link/{key}/{subLink}", operation_id = "headLink", tag = "link",
    params(LinkName),
    responses((status = 200, description = "The link exists"), (status = 404, description = "No such link"),
              (status = 429, description = "Asked too often; Retry-After says when to come back")))]
pub async fn head(State(app): State<App>, _: Visitor, name: Result<LinkName, ApiError>) -> Response {
    let found = match name {
        Ok(LinkName { key, sub_link }) => links::find_open(&app, key, sub_link).await.map_err(ApiError::from),
        Err(refusal) => Err(refusal),
    };
    uncached(found.map(|_| Response::default()))
}

/// Forbids caching of a response. A cached success would hide later visits. A cached failure would hide a link that is
/// created later.
fn uncached(answer: Result<Response, ApiError>) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}
