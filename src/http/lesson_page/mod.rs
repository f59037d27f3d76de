//! The page of a link, for people: `GET /l/{key}/{subLink}`. Programs use the operation `resolveLink`.
//!
//! The page needs no scripts. It shows the parts of the investigation that the link's `shows` names, and nothing else.

pub mod html;
mod negotiate;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

pub use negotiate::prefers_html;

use super::error::ApiError;
use super::limits::Visitor;
use super::params::LinkName;
use crate::app::{App, Sheet};
use crate::authoring::{Failure, links};
use crate::domain::content::{Content, ContentFields as _};
use crate::domain::lesson_sheet::{sections, title};
use crate::domain::link::{Shows, Visit};

pub fn routes() -> Router<App> {
    Router::new().route("/l/{key}/{subLink}", get(open).head(head))
}

async fn open(State(app): State<App>, request: Request) -> Response {
    let (mut parts, _) = request.into_parts();
    let visitor = match Visitor::from_request_parts(&mut parts, &app).await {
        Ok(visitor) => visitor,
        Err(refusal) => return refused(refusal),
    };
    match LinkName::from_request_parts(&mut parts, &app).await {
        Ok(LinkName { key, sub_link }) => visit(&app, visitor, key, sub_link).await,
        Err(_) => failed(Failure::LinkNotFound),
    }
}

/// Counts a visit. Returns the page of the link, or a redirect if the operator configured another page.
pub async fn visit(app: &App, visitor: Visitor, key: String, sub_link: String) -> Response {
    let visit = links::resolve(app, visitor.0, key, sub_link).await;
    let outcome = if visit.is_ok() { "counted" } else { "refused" };
    metrics::counter!("fieldbook_visits_total", "outcome" => outcome).increment(1);
    match visit {
        Ok(visit) => shown(app, visitor, visit).await,
        Err(failure) => failed(failure),
    }
}

/// Checks whether a link is open. Does not count as a visit.
async fn head(State(app): State<App>, _: Visitor, name: Result<LinkName, ApiError>) -> Response {
    let found = match name {
        Ok(LinkName { key, sub_link }) => links::find_open(&app, key, sub_link).await,
        Err(_) => Err(Failure::LinkNotFound),
    };
    found.map_or_else(failed, |_| page(StatusCode::OK, html::EMPTY.clone()))
}

async fn shown(app: &App, visitor: Visitor, visit: Visit) -> Response {
    if let Some(target) = &app.http.link_target {
        let address = target.of(visit.investigation_id, &visit.key, &visit.sub_link);
        return match HeaderValue::try_from(address) {
            Ok(address) => (
                StatusCode::FOUND,
                [(header::LOCATION, address), (header::CACHE_CONTROL, HeaderValue::from_static("no-store"))],
            )
                .into_response(),
            Err(_) => refused(ApiError::internal()),
        };
    }
    match lesson(app, visitor, &visit).await {
        Ok(html) => page(StatusCode::OK, html),
        Err(failure) => failed(failure),
    }
}

async fn lesson(app: &App, visitor: Visitor, visit: &Visit) -> Result<Arc<[u8]>, Failure> {
    let (id, version, shows) = (visit.investigation_id, visit.version, visit.shows);
    if shows == Shows::Nothing {
        return Ok(html::NOTHING.clone());
    }
    let investigation = app.store.show(id).await?.ok_or(Failure::LinkNotFound)?;
    let content: Option<Content> = match version {
        Some(version) if version != investigation.version => {
            Some(app.store.content_at(id, version).await?.flatten().ok_or(Failure::LinkNotFound)?)
        }
        _ => None,
    };
    let bytes = content.as_ref().map_or_else(|| investigation.content.bytes(), |content| content.bytes());
    let render = || {
        let content = content.map_or_else(|| investigation.content.parse(), Ok).ok()?;
        Some(html::lesson(title(&app.schema, &content, shows), &sections(&app.schema, &content, shows)))
    };
    let sheet = Sheet { investigation: id, revision: investigation.revision, version, shows };
    let html = app.sheets.run(sheet, app.capacity.compute(visitor.0, bytes, render)).await;
    html.ok_or(Failure::Damaged)
}

/// Returns the page for a failure. Unknown and closed links get the same page, so that visitors cannot find out which
/// links exist.
fn failed(failure: Failure) -> Response {
    match failure {
        Failure::LinkNotFound | Failure::LinkClosed => page(StatusCode::NOT_FOUND, html::CLOSED.clone()),
        other => refused(other.into()),
    }
}

/// Converts an error response into a page. Keeps the status, and headers such as `Retry-After`.
fn refused(refusal: ApiError) -> Response {
    let (mut parts, _) = refusal.into_response().into_parts();
    let html = html::failure(parts.status);
    // Unlike `extend`, this replaces the content type of the error.
    headers().into_iter().for_each(|(name, value)| drop(parts.headers.insert(name, value)));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(Bytes::from_owner(html)))
}

fn headers() -> [(HeaderName, HeaderValue); 5] {
    [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, html::POLICY.clone()),
        (header::VARY, HeaderValue::from_static("accept")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex")),
    ]
}

fn page(status: StatusCode, html: Arc<[u8]>) -> Response {
    (status, headers(), Bytes::from_owner(html)).into_response()
}
