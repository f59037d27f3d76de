//! `GET /api/events`: changes to investigations, as server-sent events.
//!
//! A stream reads from the store only as fast as its client reads from the stream, and keeps at most one batch of
//! events in memory.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use http_body_util::channel::{Channel, Sender};
use tokio::time::timeout;

use super::auth::SignedIn;
use super::error::{ApiError, SOON};
use super::error_code::ErrorCode;
use super::params::After;
use crate::app::App;
use crate::domain::event::{Event, EventId};
use crate::feed::{Listener, STREAMS};
use crate::shares::{Refused, Share, share_of};

/// Interval between the comments that keep an idle stream alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// Maximum duration of a stream. After that the client must reconnect, so its token is checked again.
const MAX_STREAM: Duration = Duration::from_secs(3600);

/// The first line of a stream. It asks clients to reconnect one second after the stream ends.
const WELCOME: &str = "retry: 1000\n\n";

pub async fn events(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    After(after): After,
) -> Result<Response, ApiError> {
    let permit = app.feed.permit(caller.actor).map_err(too_many)?;
    let after = match after {
        None => app.store.newest_event().await?.unwrap_or(EventId::BEGINNING),
        Some(after) if after == EventId::BEGINNING => after,
        Some(after) if app.store.has_event(after).await? => after,
        Some(_) => return Err(expired_cursor()),
    };
    let (sender, body) = Channel::<Bytes, Infallible>::new(1);
    tokio::spawn(serve(app, after, sender, permit));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], Body::new(body)).into_response())
}

fn too_many(refused: Refused) -> ApiError {
    let (status, reason) = match refused {
        Refused::ShareUsedUp => {
            let each = share_of(STREAMS);
            (
                StatusCode::TOO_MANY_REQUESTS,
                format!("One caller can read {each} streams at once; close one of yours first"),
            )
        }
        Refused::Everything => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("{STREAMS} streams are being read here, and no more are served; try again later"),
        ),
    };
    ApiError::new(status, ErrorCode::TooManyStreams, "Too many streams").with_reason(reason).again_after(Some(SOON))
}

fn expired_cursor() -> ApiError {
    ApiError::new(StatusCode::GONE, ErrorCode::EventsGone, "The event has expired").with_reason(
        "The events after it would be incomplete; read the investigations again, then the events from now on, or all stored events with after=0",
    )
}

/// Sends events until the client disconnects, the service stops, the store fails, or the stream reaches its maximum
/// duration.
async fn serve(app: App, after: EventId, sender: Sender<Bytes>, _place: Share) {
    metrics::gauge!("fieldbook_event_streams").increment(1.0);
    tokio::select! {
        biased;
        () = app.feed.ended() => {}
        () = tokio::time::sleep(MAX_STREAM) => {}
        () = send_events(&app, app.feed.listener(after), sender) => {}
    }
    metrics::gauge!("fieldbook_event_streams").decrement(1.0);
}

async fn send_events(app: &App, mut listener: Listener, mut sender: Sender<Bytes>) {
    let mut frame = WELCOME.to_owned();
    while sender.send_data(Bytes::from(frame)).await.is_ok() {
        frame = match timeout(HEARTBEAT, listener.next(&app.store)).await {
            Err(_) => ":\n\n".to_owned(),
            Ok(Ok(events)) => events.iter().map(shown).collect(),
            Ok(Err(error)) => {
                tracing::warn!(%error, "a stream of events ends early");
                return;
            }
        };
    }
}

fn shown(event: &Event) -> String {
    let frame = serde_json::to_string(event).unwrap_or_default();
    format!("id: {}\nevent: {}\ndata: {frame}\n\n", event.id, event.what.name())
}
