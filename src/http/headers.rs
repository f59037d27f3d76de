//! Headers that every response has, and the CORS rules. A handler may set a header itself: for example, a page has its
//! own content security policy.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method};
use axum::response::{IntoResponse, Response};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use super::{idempotency, prefer};
use crate::app::{HttpSettings, Origins};
use crate::domain::time::Timestamp;

/// Content security policy of responses with data: a browser may not load or run anything from them.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// Header that says which pages may embed a response. By default, only pages of the same origin may. CORS requests
/// ignore this header.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Tells search engines not to list a response in their results.
pub const UNINDEXED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex"));

const TYPICAL_HEADERS: usize = 13;

/// Value of `Strict-Transport-Security`: browsers must use TLS for a year.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// Time for which a browser may cache a preflight response.
const PREFLIGHT_MAX_AGE: Duration = Duration::from_secs(3600);

/// Sets each common header that the handler has not set.
pub fn complete(http: &HttpSettings, now: Timestamp, headers: &mut HeaderMap) {
    headers.reserve(TYPICAL_HEADERS);
    // HTTP has no dates after the year 9999. If a wrong clock shows a later year, the `Date` header is omitted. The
    // HTTP library must not set this header instead, because it would panic.
    if let Some(date) = now.http_date().and_then(|date| HeaderValue::try_from(date).ok()) {
        headers.insert(header::DATE, date);
    }
    let mut complete = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    complete(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    complete(header::REFERRER_POLICY, "no-referrer");
    complete(header::X_FRAME_OPTIONS, "DENY");
    complete(header::CONTENT_SECURITY_POLICY, NO_PAGE);
    complete(RESOURCE_POLICY, "same-origin");
    // Responses depend on the caller, so caches must not store them. Clients may keep a response with its ETag
    // themselves.
    complete(header::CACHE_CONTROL, "no-store");
    if http.has_tls() {
        complete(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
    }
}

/// Allows pages of any origin to embed this response, because the response is public.
pub fn for_any_page(headers: &mut HeaderMap) {
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
}

/// Returns a response with a picture. If it is opened by itself, it can load and run nothing.
pub fn picture_response(media_type: &'static str, bytes: Bytes) -> Response {
    let policy = HeaderValue::from_static("default-src 'none'; sandbox");
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(media_type)), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, bytes).into_response()
}

/// Returns the CORS rules; `None` if no other origin has access. Preflight requests need no token.
pub fn cross_origin(http: &HttpSettings) -> Option<CorsLayer> {
    let origins = match &http.cors_origins {
        Origins::None => return None,
        Origins::Any => AllowOrigin::from(Any),
        // No origin is skipped, because the check of the settings accepts only valid header values.
        Origins::Listed(origins) => AllowOrigin::list(origins.iter().filter_map(|origin| origin.parse().ok())),
    };
    let of = HeaderName::from_static;
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            header::IF_MATCH,
            header::IF_NONE_MATCH,
            prefer::NAME,
            of("idempotency-key"),
            of("last-event-id"),
            of("mcp-method"),
            of("mcp-name"),
            of("mcp-protocol-version"),
        ])
        .expose_headers([
            header::ALLOW,
            header::ETAG,
            header::LOCATION,
            header::RETRY_AFTER,
            idempotency::REPLAYED,
            prefer::APPLIED,
            of("ratelimit"),
            of("ratelimit-policy"),
            of("x-request-id"),
        ])
        .max_age(PREFLIGHT_MAX_AGE);
    Some(layer)
}

/// Returns the members of a header whose value is a comma-separated list.
pub fn listed(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

/// Returns the announced length of a body.
pub fn content_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    listed(headers, header::ACCEPT_ENCODING).any(|encoding| encoding == "gzip")
}
