//! Expensive reads. Each caller may run only a few at once, and waits briefly for a permit. If the client leaves, hyper
//! drops the read, unless it is one of a tool of MCP.

use std::time::Duration;

use axum::http::StatusCode;
use tokio::time::timeout;

use super::auth::Reads;
use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use crate::app::App;

/// Maximum wait for a permit to read. It is shorter than the deadline of a read, so that the queue does not grow.
const WAIT: Duration = Duration::from_secs(3);

impl Reads {
    /// Waits for a permit, and then runs the expensive read `read`.
    ///
    /// # Errors
    /// [`ApiError`] if no permit becomes free in time.
    pub async fn heavy<T>(&self, app: &App, read: impl Future<Output = T>) -> Result<T, ApiError> {
        let _share = timeout(WAIT, app.heavy_reads.take(self.0.actor)).await.ok().flatten().ok_or_else(busy)?;
        Ok(read.await)
    }
}

fn busy() -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy, "The service is busy")
        .with_reason("Other histories, versions and searches are being read, perhaps your own. Nothing was changed; try again in a second")
        .again_after(Some(SOON))
}
