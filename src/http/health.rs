//! Health checks. Live means that the process responds, and ready means that the store can read and write.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use crate::app::App;
use crate::store::StoreError;

/// The health of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`. If the check fails, the response is an error instead.
    status: &'static str,
}

/// Reports that the process responds. Says nothing about the store.
#[utoipa::path(get, path = "/health/live", operation_id = "live", tag = "health",
    responses((status = 200, description = "The process answers", body = Health)))]
pub async fn live() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Reports whether the store can read and write. A load balancer sends requests only to copies that are ready.
#[utoipa::path(get, path = "/health/ready", operation_id = "ready", tag = "health",
    responses((status = 200, description = "The store reads and writes", body = Health),
              (status = 503, description = "It does not", body = super::error::ErrorBody)))]
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
