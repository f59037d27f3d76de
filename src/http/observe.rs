//! Observes every request: adds a request id (`x-request-id`, sent by the caller or generated), metrics, a trace and
//! the common response headers. Logs requests that end with a server error, or all requests if the settings enable
//! that.

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use super::error_code::ErrorCode;
use super::{client_address, framing, headers};
use crate::app::App;
use crate::clock::Stopwatch;
use crate::metrics;
use crate::telemetry;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const LONGEST_REQUEST_ID: usize = 128;

/// Handles a request in a log span with the request id, logs the result, and adds the common response headers.
pub async fn observe(State(app): State<App>, request: Request, next: Next) -> Response {
    let id = match request.headers().get(&REQUEST_ID) {
        Some(given) if is_usable(given) => given.clone(),
        _ => HeaderValue::try_from(app.ids.request_id(app.clock.now())).unwrap_or(HeaderValue::from_static("req")),
    };
    client_address::warn_of_untrusted_proxy(&request, &app.http.trusted_proxies);
    let span = tracing::info_span!("request", request.id = id.to_str().unwrap_or_default());
    let watch = Stopwatch::start();
    let method = request.method().clone();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = matched.as_ref().map(MatchedPath::as_str);
    let header = |name: &str| request.headers().get(name)?.to_str().ok();
    let work = telemetry::request(method.as_str(), route.unwrap_or("none"), header);
    // Checks the framing here and not in a separate layer, because each layer allocates memory for each request.
    let mut response = work.trace(framing::check(request, next)).instrument(span.clone()).await;
    let took = watch.elapsed();
    let status = response.status();
    work.note("http.request.method", || method.as_str().to_owned());
    work.note("http.route", || route.unwrap_or_default().to_owned());
    work.note("http.response.status_code", || i64::from(status.as_u16()));
    if status.is_server_error() {
        work.failed("server_error");
    }
    let code = response.extensions().get::<ErrorCode>().map_or("none", |code| (*code).into());
    metrics::count_request(method.as_str(), route, status.as_u16(), code, took);
    if app.http.log_requests || status.is_server_error() {
        span.in_scope(|| {
            tracing::info!(
                http.method = %method,
                http.route = route.unwrap_or("none"),
                http.status = status.as_u16(),
                error.code = code,
                duration_ms = took.as_micros() as f64 / 1000.0,
                "request served"
            );
        });
    }
    headers::complete(&app.http, app.clock.now(), response.headers_mut());
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// Returns true if a request id from a caller is short, and contains nothing that could corrupt a log line.
fn is_usable(id: &HeaderValue) -> bool {
    let bytes = id.as_bytes();
    !bytes.is_empty() && bytes.len() <= LONGEST_REQUEST_ID && bytes.iter().all(u8::is_ascii_graphic)
}
