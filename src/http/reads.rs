//! Expensive reads. Each caller may run only a few at once, and waits briefly for a permit. If the client leaves, hyper
//! drops the read.

use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use tokio::time::timeout;

use super::auth::{Caller, Reads};
use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use crate::app::App;

/// Maximum wait for a permit to read. It is shorter than the deadline of a read, so that the queue does not grow.
const WAIT: Duration = Duration::from_secs(3);

/// A caller of an operation that may read much more than it returns, such as a search.
pub struct HeavyReader {
    pub caller: Caller,
}

impl FromRequestParts<App> for HeavyReader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let Reads(caller) = Reads::from_request_parts(parts, app).await?;
        Ok(Self { caller })
    }
}

impl HeavyReader {
    /// Waits for a permit, and then runs the expensive read `read`.
    ///
    /// # Errors
    /// [`ApiError`] if no permit becomes free in time.
    pub async fn heavy<T>(&self, app: &App, read: impl Future<Output = T>) -> Result<T, ApiError> {
        let _share = timeout(WAIT, app.heavy_reads.take(self.caller.actor)).await.ok().flatten().ok_or_else(busy)?;
        Ok(read.await)
    }
}

fn busy() -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy, "The service is busy")
        .with_reason("Other histories, versions and searches are being read, perhaps your own. Nothing was changed; try again in a second")
        .again_after(Some(SOON))
}
