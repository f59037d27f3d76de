//! `GET /api/link/{key}/{subLink}`

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::authoring::links;
use crate::domain::link::VisitKind;
use crate::http::envelope::Answer;
use crate::http::error::ApiError;
use crate::http::lesson_page;
use crate::http::limits::Visitor;
use crate::http::params::LinkName;

/// Returns the investigation id of a link, and counts the visit. Needs no token.
pub async fn resolve(
    State(app): State<App>,
    visitor: Visitor,
    name: Result<LinkName, ApiError>,
    headers: HeaderMap,
) -> Response {
    let is_person = lesson_page::prefers_html(&headers);
    let visit = match name {
        // Boxed, because its future is large and would otherwise be copied on each visit.
        Ok(name) if is_person => return Box::pin(lesson_page::look(&app, visitor, name, &headers)).await,
        Ok(name) => lesson_page::count(&app, name, VisitKind::Open).await.map_err(ApiError::from),
        Err(error) => Err(error),
    };
    varying(visit.map(|counted| Answer::without_message(counted.visit)))
}

/// Checks whether a link is open. Needs no token, and does not count as a visit.
pub async fn head(
    State(app): State<App>,
    _: Visitor,
    name: Result<LinkName, ApiError>,
    headers: HeaderMap,
) -> Response {
    let found = match name {
        Ok(name) if lesson_page::prefers_html(&headers) => {
            return lesson_page::look_without_counting(&app, name, &headers).await;
        }
        Ok(name) => links::find_open(&app, name).await.map_err(ApiError::from),
        Err(error) => Err(error),
    };
    varying(found.map(|_| ([(header::CONTENT_TYPE, "application/json")], lesson_page::unknown_length())))
}

/// Adds the header `Vary`, because browsers get a page instead of this response. Like every response, this one is not
/// cached: a cached success would hide later visits, and a cached failure would hide a link that is created later.
fn varying(answer: impl IntoResponse) -> Response {
    let mut response = answer.into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    response
}
