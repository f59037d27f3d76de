//! `GET /api/events`: changes to investigations, as server-sent events.
//!
//! A stream reads from the store only as fast as its client reads from the stream, and keeps at most one batch of
//! events in memory. A stream is owned only by its response body, so its resources are freed as soon as the client
//! disconnects.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;

use super::auth::{SignedIn, unauthenticated};
use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use super::params::{After, OfInvestigation};
use crate::admission::{Actor, Class, Permit, PoolError, share_of};
use crate::app::{App, Right};
use crate::domain::event::{Event, EventId};
use crate::feed::{BATCH, Listener};

/// The first line of a stream. It asks clients to reconnect one second after the stream ends.
const WELCOME: &str = "retry: 1000\n\n";

/// A comment that keeps an idle stream alive. It is sent after each check of the caller's right.
const HEARTBEAT: &str = ":\n\n";

pub async fn events(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    After(after): After,
    OfInvestigation(investigation): OfInvestigation,
) -> Result<Response, ApiError> {
    let right = caller.right.ok_or_else(unauthenticated)?;
    let replays = after.is_some();
    let place = app.feed.permit(caller.actor).map_err(|error| too_many(error, app.feed.streams()))?;
    let after = match after {
        None => app.store.newest_event().await?.unwrap_or(EventId::BEGINNING),
        Some(after) if after == EventId::BEGINNING => after,
        Some(after) if app.store.has_event(after).await? => after,
        Some(_) => return Err(expired_cursor()),
    };
    let listener = app.feed.listener(after, investigation);
    let stream = EventStream { app, listener, replays, right, actor: caller.actor, _open: OpenStream::new(place) };
    let welcome = async { Some((Bytes::from(WELCOME), stream)) };
    let body = Body::new(EventBody { next: Box::pin(welcome) });
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

fn too_many(error: PoolError, streams: u32) -> ApiError {
    let (status, reason) = match error {
        PoolError::ShareUsedUp => {
            let each = share_of(streams);
            (StatusCode::TOO_MANY_REQUESTS, format!("A caller can open at most {each} streams; close one first"))
        }
        PoolError::Everything => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("The limit of {streams} open streams is reached; try again later"),
        ),
    };
    ApiError::new(status, ErrorCode::TooManyStreams, "Too many streams").with_reason(reason).again_after(Some(SOON))
}

fn expired_cursor() -> ApiError {
    ApiError::new(StatusCode::GONE, ErrorCode::EventsGone, "The event has expired").with_reason(
        "The events after it would be incomplete; read the investigations again, then the events from now on, or all stored events with after=0",
    )
}

struct EventStream {
    app: App,
    listener: Listener,
    /// Whether the next batch may be large, because the stream reads events that were stored earlier.
    replays: bool,
    right: Right,
    actor: Actor,
    _open: OpenStream,
}

impl EventStream {
    /// Waits for the next frame. Returns `None` if the stream ends, because the service stops, the store fails or has
    /// lost events, or the caller has lost the right to read.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        loop {
            let wait = self.right.remaining(&self.app.clock);
            if wait.is_zero() {
                let checked = self.right.check(&self.app).await;
                let ended = |error: &_| tracing::debug!(%error, "ending an event stream, because the caller lost the right to read");
                self.right.checked_at = checked.inspect_err(ended).ok()?;
                return Some((Bytes::from(HEARTBEAT), self));
            }
            // Each batch of events waits for a permit, as a request does, because a caller may have many streams that
            // start at an old event. A batch that may be large needs a permit for heavy requests. Each caller gets only
            // one such permit at a time, so the caller's streams read large batches one after another.
            let class = if self.replays { Class::Heavy } else { Class::Light };
            let turn = async {
                self.listener.wait_for_events().await;
                self.app.admission.turn(self.actor, class).await
            };
            let _turn = tokio::select! {
                biased;
                () = self.app.feed.ended() => return None,
                () = self.app.clock.sleep(wait) => continue,
                turn = turn => turn,
            };
            let events = self.listener.read_unbroken(&self.app.store).await;
            let failed = |error: &_| tracing::warn!(%error, "an event stream ended early");
            // The stream ends if events may be missing. When the client reconnects, the service reports that events may
            // be missing.
            let events = events.inspect_err(failed).ok()??;
            self.replays = events.len() == BATCH as usize;
            if !events.is_empty() {
                let frame: String = events.iter().map(shown).collect();
                return Some((frame.into(), self));
            }
        }
    }
}

fn shown(event: &Event) -> String {
    let frame = serde_json::to_string(event).unwrap_or_default();
    format!("id: {}\nevent: {}\ndata: {frame}\n\n", event.id, event.what.name())
}

/// A slot of the limited number of streams. All callers share the slots. The metrics count the slots in use.
struct OpenStream {
    _place: Permit,
}

impl OpenStream {
    fn new(place: Permit) -> Self {
        metrics::gauge!("fieldbook_event_streams").increment(1.0);
        Self { _place: place }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        metrics::gauge!("fieldbook_event_streams").decrement(1.0);
    }
}

/// A future that resolves to the next frame and the stream, from which the following frame is made.
type Next = dyn Future<Output = Option<(Bytes, EventStream)>> + Send;

/// The body of a stream. hyper drops it as soon as the client closes the connection.
struct EventBody {
    next: Pin<Box<Next>>,
}

impl HttpBody for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = ready!(self.next.as_mut().poll(context));
        Poll::Ready(next.map(|(frame, stream)| {
            self.next = Box::pin(stream.next());
            Ok(Frame::data(frame))
        }))
    }
}
