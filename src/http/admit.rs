//! Handles requests: refuses changes from other sites, answers panics, and admits requests to operations.
//!
//! A request is admitted in this order: credentials, body, permit, memory for the response. So a client that sends or
//! reads slowly holds no permit, and no document is loaded whose response would not fit into memory.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::MethodFilter;
use hyper::body::{Frame, SizeHint};
use tokio::time::timeout;

use super::error::ApiError;
use super::panic::Called;
use super::{auth, body, client_address, cross_site, lesson_page, panic, sign_in};
use crate::admission::{self, Admitted, Class, Permit, WAIT};
use crate::app::{App, KEYS_MAX_AGE};

/// The operations of a path.
#[derive(Clone)]
pub struct Operations {
    pub app: App,
    pub classes: Arc<[(MethodFilter, Option<Class>)]>,
}

impl Operations {
    /// Returns the class of a request; `None` if it needs no permit.
    fn class(&self, method: &Method) -> Option<Class> {
        let of = |method: &Method| {
            let method = MethodFilter::try_from(method.clone()).ok()?;
            self.classes.iter().find(|(known, _)| *known == method).map(|(_, class)| *class)
        };
        // If a path has no HEAD operation, HEAD is answered like GET.
        of(method).or_else(|| of(&Method::GET).filter(|_| method == Method::HEAD)).flatten()
    }
}

/// Handles a request, unless it is a change from another site. It is one layer with several tasks, because each layer
/// allocates for each request.
pub async fn handle(State(operations): State<Operations>, request: Request, next: Next) -> Response {
    if let Err(error) = cross_site::check(&operations.app.http, &request) {
        return error.into_response();
    }
    let called = Called::of(&request, operations.app.http.error_statuses);
    panic::catch(called, admit(operations, request, next)).await
}

/// Admits a request, and runs its operation.
async fn admit(operations: Operations, request: Request, next: Next) -> Response {
    let Some(class) = operations.class(request.method()) else { return next.run(request).await };
    let app = &operations.app;
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let refuse = |error: ApiError| match &route {
        Some(route) if route.as_str().starts_with("/l/") => lesson_page::refused(error),
        Some(route) if route.as_str().starts_with("/sign-in/") => sign_in::refused(&error),
        _ => error.into_response(),
    };
    let busy = || {
        let messages = route.as_ref().and_then(|route| panic::messages(&method, route.as_str()));
        refuse(ApiError::busy(messages.map(|messages| messages.failed)))
    };
    if Admitted::current().is_some() {
        // The request comes from an MCP tool, and already uses the permit of the request to `/mcp`.
        return match admission::hold(class).await {
            Ok(()) => next.run(request).await,
            Err(_) => busy(),
        };
    }
    let (mut parts, body) = request.into_parts();
    let address = client_address::client_actor(&parts, app);
    let may_check = || timeout(WAIT, app.admission.credentials.take(address, 1));
    let actor = if class.is_public() {
        address
    } else {
        let Ok(_checking) = may_check().await else { return busy() };
        match auth::check(&mut parts, app).await {
            Ok(actor) => actor,
            Err(error) => return refuse(error),
        }
    };
    let begun = app.clock.uptime();
    let received = match body::receive(&parts, body, app, actor, class.body_bytes()).await {
        Ok(received) => received,
        Err(error) => return refuse(error),
    };
    // The caller may have lost the right while the body was arriving.
    let is_old = app.clock.uptime().saturating_sub(begun) >= KEYS_MAX_AGE;
    if is_old && !class.is_public() {
        let Ok(_checking) = may_check().await else { return busy() };
        if let Err(error) = auth::check_again(&parts, app).await {
            return refuse(error);
        }
    }
    let class = class.with_body(&received.bytes);
    let Ok(admitted) = app.admission.admit(actor, class).await else { return busy() };
    let request = Request::from_parts(parts, Body::from(received.bytes.clone()));
    let response = admitted.lend(next.run(request)).await;
    match admitted.finish().await {
        Some(room) => response.map(|body| answer(body, room)),
        None => response,
    }
}

/// Returns the body of a response, which holds its memory reservation until it is sent. Only event streams have no
/// known length. They reserve nothing, because they have their own limit and read only as fast as their client.
fn answer(body: Body, mut room: Permit) -> Body {
    let Some(length) = body.size_hint().exact().filter(|length| *length > 0) else { return body };
    room.shrink(length);
    Body::new(Answer { body, room: Arc::new(room) })
}

struct Answer {
    body: Body,
    room: Arc<Permit>,
}

/// A part of a response, with the memory reservation of the response. The connection keeps each part until it is sent.
/// With a slow client, this may be long after the last part was taken from the body.
struct Part {
    bytes: Bytes,
    _room: Arc<Permit>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let part = |bytes| Bytes::from_owner(Part { bytes, _room: self.room.clone() });
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
