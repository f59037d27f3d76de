//! Health checks. Live means that the process responds, and ready means that the store can read and write.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use crate::app::App;
use crate::store::StoreError;

/// The health of the service.
#[derive(Debug, Serialize)]
pub struct Health {
    status: &'static str,
}

/// Reports that the process responds. Says nothing about the store.
pub async fn live() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Reports whether the store can read and write. A load balancer sends requests only to copies that are ready.
pub async fn ready(State(app): State<App>) -> Response {
    match app.store.ready().await {
        Ok(()) => Json(Health { status: "ok" }).into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            let unavailable = ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorCode::StoreUnavailable,
                "The store is not available",
            )
            .again_after(Some(SOON));
            match error {
                StoreError::Hindered { hindrance, .. } => unavailable.with_reason(hindrance.to_string()),
                _ => unavailable,
            }
            .into_response()
        }
    }
}
