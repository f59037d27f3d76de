//! Headers that every answer bears, whatever it is. A handler that sets one of them itself is left alone: a page, say,
//! needs a content security policy of its own. Whose pages may call from a browser is said here, too.

use std::time::Duration;

use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use super::{idempotency, prefer};
use crate::app::{Edge, Origins};

/// What an answer may do in a browser: nothing at all. It is data.
const NO_PAGE: &str = "default-src 'none'; frame-ancestors 'none'";

/// Which pages may show an answer without asking: those of the same origin. With CORS this is not asked.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// An answer bears about so many headers.
const MOST: usize = 12;

/// For how long a browser goes on to use TLS, once it did: a year.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// How long a browser may remember what it was allowed.
const REMEMBERED: Duration = Duration::from_secs(3600);

/// Sets what the handler has left out.
pub fn complete(edge: &Edge, headers: &mut HeaderMap) {
    headers.reserve(MOST);
    let mut complete = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    complete(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    complete(header::REFERRER_POLICY, "no-referrer");
    complete(header::X_FRAME_OPTIONS, "DENY");
    complete(header::CONTENT_SECURITY_POLICY, NO_PAGE);
    complete(RESOURCE_POLICY, "same-origin");
    // Answers depend on who asks. Their ETag is for If-Match; nothing asks whether a kept copy is still good.
    complete(header::CACHE_CONTROL, "no-store");
    if is_over_tls(edge) {
        complete(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT);
    }
}

fn is_over_tls(edge: &Edge) -> bool {
    edge.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
}

/// Lets any page show this answer, which is public.
pub fn for_any_page(headers: &mut HeaderMap) {
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
}

/// What pages of other origins may do; `None` where they may do nothing. What they ask before they call needs no token.
pub fn cross_origin(edge: &Edge) -> Option<CorsLayer> {
    let origins = match &edge.cors_origins {
        Origins::None => return None,
        Origins::Any => AllowOrigin::from(Any),
        // What is no header value was refused as a setting.
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
            prefer::NAME,
            of("idempotency-key"),
            of("last-event-id"),
        ])
        .expose_headers([
            header::ETAG,
            header::RETRY_AFTER,
            idempotency::REPLAYED,
            prefer::APPLIED,
            of("ratelimit"),
            of("ratelimit-policy"),
            of("x-request-id"),
        ])
        .max_age(REMEMBERED);
    Some(layer)
}
