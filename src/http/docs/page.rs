//! The documentation page.

use std::io::Read as _;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use flate2::read::GzDecoder;
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::http::error::ApiError;
use crate::http::error_code::ErrorCode;
use crate::http::headers::accepts_gzip;

pub fn page<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let page = SwaggerUi::new("/docs").config(Config::new(["/api/openapi.json"]).validator_url("none"));
    Router::from(page).layer(from_fn(as_a_page))
}

/// Content security policy of the documentation page: the page may load its own scripts and pictures, and call this
/// service.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sets the headers of the documentation page. Decompresses files for clients that do not accept gzip. Adds the usual
/// error body to a 404 response, because the library of the page sends none.
async fn as_a_page(request: Request, next: Next) -> Response {
    let accepts_gzip = accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        return ApiError::new(StatusCode::NOT_FOUND, ErrorCode::RouteNotFound, "Not found").into_response();
    }
    if !accepts_gzip && response.headers_mut().remove(header::CONTENT_ENCODING).is_some() {
        let (parts, body) = response.into_parts();
        let compressed = to_bytes(body, usize::MAX).await.unwrap_or_default();
        let mut file = Vec::new();
        if GzDecoder::new(&compressed[..]).read_to_end(&mut file).is_err() {
            return ApiError::internal().into_response();
        }
        response = (parts, file).into_response();
    }
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
