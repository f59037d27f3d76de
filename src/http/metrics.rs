//! `GET /metrics`

use axum::http::header;
use axum::response::IntoResponse;

use crate::metrics;

/// Returns the metrics for Prometheus. The metrics contain no content of investigations and no names of people.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "health",
    responses((status = 200, description = "The text form of Prometheus", body = String, content_type = "text/plain")))]
pub async fn metrics() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics::render())
}
