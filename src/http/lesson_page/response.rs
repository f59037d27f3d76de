//! The responses of the page: all are pages or redirects.

use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::channel::Channel;

use super::html;
use crate::authoring::AuthoringError;
use crate::http::error::ApiError;
use crate::http::headers::UNINDEXED;

/// The content type of all pages.
const HTML: &str = "text/html; charset=utf-8";

/// Returns the page for an address below `/l/` at which there is nothing.
pub fn not_found_page() -> Response {
    page(StatusCode::NOT_FOUND, html::CLOSED.clone())
}

/// Returns the response to a prefetch. It has an error status, so that the browser does not use it, and requests the
/// page again when a person opens the link.
pub fn prefetched() -> Response {
    page(StatusCode::FORBIDDEN, html::PREFETCHED.clone())
}

pub fn redirect(status: StatusCode, address: String) -> Response {
    let Ok(address) = HeaderValue::try_from(address) else { return refused(ApiError::internal()) };
    (status, [(header::LOCATION, address)]).into_response()
}

/// Returns the page for a failure. Unknown and closed links get the same page, so that visitors cannot find out which
/// links exist.
pub fn failed(error: AuthoringError) -> Response {
    match error {
        AuthoringError::LinkNotFound
        | AuthoringError::LinkClosed
        | AuthoringError::InvestigationNotFound
        | AuthoringError::VersionNotFound(_) => not_found_page(),
        other => refused(other.into()),
    }
}

/// Converts an error response into a page. Keeps the status, and headers such as `Retry-After`.
pub fn refused(error: ApiError) -> Response {
    let (mut parts, _) = error.into_response().into_parts();
    let html = html::error(parts.status);
    // Unlike `extend`, this replaces the content type of the error.
    headers().into_iter().for_each(|(name, value)| drop(parts.headers.insert(name, value)));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(html))
}

pub fn headers() -> [(HeaderName, HeaderValue); 4] {
    [
        (header::CONTENT_TYPE, HeaderValue::from_static(HTML)),
        (header::CONTENT_SECURITY_POLICY, html::POLICY.clone()),
        (header::VARY, HeaderValue::from_static("accept")),
        UNINDEXED,
    ]
}

pub fn page(status: StatusCode, html: Bytes) -> Response {
    (status, headers(), html).into_response()
}

/// Returns an empty body for a response to HEAD, if the length of the body in the response to GET is unknown.
pub fn unknown_length() -> Body {
    Body::new(Channel::<Bytes>::new(1).1)
}
