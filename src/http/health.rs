//! Health checks. Live means that the process responds, and ready means that the store can read and write.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use crate::app::App;
use crate::store::StoreError;

/// Reports that the process responds. Says nothing about the store.
pub async fn live() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// Reports whether the store can read and write. A load balancer sends requests only to copies that are ready.
pub async fn ready(State(app): State<App>) -> Response {
    match app.store.ready().await {
        Ok(()) => live().await.into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            let unavailable = ApiError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                ErrorCode::StoreUnavailable,
                "The store is not available",
            )
            .again_after(Some(SOON));
            match error {
                StoreError::Fixable { kind, .. } => unavailable.with_reason(kind.answer()),
                _ => unavailable,
            }
            .into_response()
        }
    }
}
