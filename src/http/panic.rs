//! Catches panics of operations, and answers with the message of the API contract, without details.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::{ApiError, Wording};
use crate::app::ErrorStatuses;
use crate::authoring::Failure;

/// Handles a request. If the operation panics, returns the response that the API contract specifies for the operation.
/// The details of the panic appear only in the log.
pub async fn catch(State(statuses): State<ErrorStatuses>, request: Request, next: Next) -> Response {
    let (method, route) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    let mut handled = pin!(next.run(request));
    // `CatchPanicLayer` would be a second layer, which allocates for each request.
    let handled = poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| handled.as_mut().poll(context)));
        polled.map_or_else(|panic| Poll::Ready(Err(panic)), |poll| poll.map(Ok))
    });
    handled.await.unwrap_or_else(|panic| {
        let reason = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        tracing::error!(error.code = "internal_error", reason, "an operation panicked");
        let answer = match route.and_then(|route| wording(&method, route.as_str())) {
            Some(wording) => ApiError::per_contract(Failure::Panicked, wording, statuses),
            None => ApiError::internal(),
        };
        answer.into_response()
    })
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
