//! Runs operations. A change runs to its end, even if the client leaves. A panic is answered with the message of the
//! API contract, without details.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use axum::extract::{MatchedPath, Request};
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use tokio::sync::watch;
use tracing::Instrument;

use super::error::ApiError;
use super::investigation::{
    clone, converse, create, delete, format, get, history, redo, regenerate, resolve_contradiction, undo, update,
    versions,
};
use super::messages::Messages;
use crate::admission;
use crate::app::ErrorStatuses;
use crate::authoring::AuthoringError;
use crate::telemetry;

type Panic = Box<dyn Any + Send>;

/// Marks a request of a running service. A change keeps this value until the change ends. So when the service stops, it
/// can wait for changes whose clients have disconnected.
#[derive(Clone)]
pub struct Running(#[expect(dead_code, reason = "it is only dropped")] pub watch::Receiver<()>);

/// The operation that a request calls.
pub struct Called {
    method: Method,
    route: Option<MatchedPath>,
    running: Option<Running>,
    statuses: ErrorStatuses,
}

impl Called {
    pub fn of(request: &Request, statuses: ErrorStatuses) -> Self {
        let extensions = request.extensions();
        let (route, running) = (extensions.get::<MatchedPath>().cloned(), extensions.get::<Running>().cloned());
        Self { method: request.method().clone(), route, running, statuses }
    }
}

/// Runs an operation. If the client leaves, hyper drops this future: that ends a read, but not a change, which runs in
/// a separate task. If the operation panics, returns the response that the API contract specifies for the operation.
/// The details of the panic appear only in the log.
pub async fn catch(called: Called, handled: impl Future<Output = Response> + Send + 'static) -> Response {
    let Called { method, route, running, statuses } = called;
    let handled = if method.is_safe() {
        caught(handled).await
    } else {
        let change = async move {
            let handled = caught(handled).await;
            drop(running);
            handled
        };
        let task = tokio::spawn(telemetry::in_current_trace(admission::for_another_task(change.in_current_span())));
        task.await.unwrap_or_else(|error| Err(Box::new(error)))
    };
    handled.unwrap_or_else(|_| {
        let answer = match route.and_then(|route| messages(&method, route.as_str())) {
            Some(messages) => ApiError::per_contract(AuthoringError::Panicked, messages.failed, statuses),
            None => ApiError::internal(),
        };
        answer.into_response()
    })
}

/// Returns the response, or the panic of the operation, which is logged here because the client may have left. A read
/// runs without a separate task, because a task would make it slower.
async fn caught(handled: impl Future<Output = Response>) -> Result<Response, Panic> {
    let mut handled = pin!(handled);
    let outcome = poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| handled.as_mut().poll(context)));
        polled.map_or_else(|panic| Poll::Ready(Err(panic)), |poll| poll.map(Ok))
    });
    outcome.await.inspect_err(|panic| {
        let reason = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        tracing::error!(error.code = "internal_error", reason, "an operation panicked");
    })
}

/// Returns the messages that the API contract specifies for an operation; `None` for operations outside the contract.
pub fn messages(method: &Method, route: &str) -> Option<Messages> {
    let below = route.strip_prefix("/api/investigation")?;
    Some(match (method.as_str(), below) {
        ("POST", "") => create::MESSAGES,
        ("GET" | "HEAD", "/format") => format::MESSAGES,
        ("GET" | "HEAD", "/{id}") => get::MESSAGES,
        ("PATCH", "/{id}") => update::MESSAGES,
        ("DELETE", "/{id}") => delete::MESSAGES,
        ("POST", "/{id}/clone") => clone::MESSAGES,
        ("POST", "/{id}/chat") => converse::MESSAGES,
        ("GET" | "HEAD", "/{id}/history/{fieldPath}") => history::MESSAGES,
        ("GET" | "HEAD", "/{id}/versions") => versions::MESSAGES,
        ("POST", "/{id}/undo") => undo::MESSAGES,
        ("POST", "/{id}/redo") => redo::MESSAGES,
        ("POST", "/{id}/resolve-contradiction") => resolve_contradiction::MESSAGES,
        ("POST", "/{id}/regenerate") => regenerate::MESSAGES,
        _ => return None,
    })
}

#[cfg(test)]
#[path = "../../tests/unit/http/panic.rs"]
mod tests;
