//! The response of an operation that panicked. Its message is that of the API contract, without details.

use std::any::Any;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::{ApiError, Wording};
use crate::app::ErrorStatuses;
use crate::authoring::Failure;

/// Marks the response of an operation that panicked.
#[derive(Clone)]
struct Panicked;

/// Creates the response to a panic. The details appear only in the log.
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let reason = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    tracing::error!(error.code = "internal_error", reason, "an operation panicked");
    let mut response = ApiError::internal().into_response();
    response.extensions_mut().insert(Panicked);
    response
}

/// Replaces the response to a panic with the response that the API contract specifies for the operation.
pub async fn apply_operation_wording(State(statuses): State<ErrorStatuses>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let wording = route.and_then(|route| wording(request.method(), route.as_str()));
    let response = next.run(request).await;
    match (response.extensions().get::<Panicked>(), wording) {
        (Some(Panicked), Some(wording)) => ApiError::per_contract(Failure::Panicked, wording, statuses).into_response(),
        _ => response,
    }
}

/// Returns the wording for failures of an operation of the API contract; `None` for any other operation.
fn wording(method: &Method, route: &str) -> Option<Wording> {
    let below = route.strip_prefix("/api/investigation")?;
    Some(match (method.as_str(), below) {
        ("POST", "") => Wording::Fixed("Failed to create investigation"),
        ("GET" | "HEAD", "/format") => Wording::Fixed("Failed to fetch investigation schema format"),
        ("GET" | "HEAD", "/{id}") => Wording::Fixed("Failed to fetch investigation"),
        ("PATCH", "/{id}") => Wording::Fixed("Failed to update investigation"),
        ("DELETE", "/{id}") => Wording::Fixed("Failed to delete investigation"),
        ("POST", "/{id}/clone") => Wording::Fixed("Failed to clone investigation"),
        ("GET" | "HEAD", "/{id}/history/{fieldPath}") => Wording::Fixed("Failed to fetch field history"),
        ("GET" | "HEAD", "/{id}/versions") => Wording::Fixed("Failed to fetch investigation versions"),
        ("POST", "/{id}/undo") => Wording::Text("Failed to undo investigation"),
        ("POST", "/{id}/redo") => Wording::Text("Failed to redo investigation"),
        ("POST", "/{id}/resolve-contradiction") => Wording::Text("Failed to resolve contradiction"),
        ("POST", "/{id}/regenerate") => Wording::Text("Failed to regenerate other fields"),
        _ => return None,
    })
}

#[cfg(test)]
#[path = "../../tests/unit/http/panic.rs"]
mod tests;
