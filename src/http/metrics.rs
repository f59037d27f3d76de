//! `GET /metrics`

use std::time::Duration;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use tokio::time::timeout;

use crate::app::App;
use crate::metrics as recorded;
use crate::store::PoolUsage;

const SIZE_TIMEOUT: Duration = Duration::from_secs(1);

/// Returns the metrics for Prometheus. The metrics contain no content of investigations and no names of people.
pub async fn metrics(State(app): State<App>) -> impl IntoResponse {
    let (waiting, pools) = app.store.usage();
    metrics::gauge!("fieldbook_store_queue_length").set(waiting as f64);
    for PoolUsage { pool, in_use, max } in pools {
        metrics::gauge!("fieldbook_store_connections_in_use", "pool" => pool).set(in_use as f64);
        metrics::gauge!("fieldbook_store_connections_max", "pool" => pool).set(max as f64);
    }
    // If the store is slow or unavailable, the metric keeps its last value.
    if let Ok(Ok(bytes)) = timeout(SIZE_TIMEOUT, app.store.size()).await {
        metrics::gauge!("fieldbook_store_size_bytes").set(bytes as f64);
    }
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], recorded::render())
}
