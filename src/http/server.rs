//! The accept loop. It limits how long a client may take to send headers, how long a connection may be idle, and how
//! long open requests may delay the stop of the service.

use std::convert::Infallible;
use std::future::poll_fn;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet, yield_now};
use tower::ServiceExt;

use super::client_address::{self, Peer};
use super::lingering::Lingering;
use super::panic::Running;
use super::router;
use crate::admission::{Actor, Permit, PoolError};
use crate::app::App;
use crate::metrics;

/// Time limit for receiving headers. An idle connection is closed after the same time.
const HEADER_TIMEOUT: Duration = Duration::from_secs(30);
/// Time after which a connection is closed if the client acknowledges nothing of a response, because the client or the
/// network is gone.
const ACKNOWLEDGE_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_HEAD: usize = 64 * 1024;
/// Size of the socket's send buffer, in bytes. The default could grow to 4 MiB, and copying that much for many
/// connections would delay other clients.
const SEND_BUFFER: usize = 128 * 1024;
/// Time limit for finishing open requests when the service stops.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of connections that wait to be accepted. The operating system drops further connections, and their
/// clients retry only after a second. So the number is large enough for all pupils of a school at once.
const BACKLOG: u32 = 4096;
/// Pause after a connection could not be accepted, for example because no file handle is free.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server that is bound to its address, but does not serve requests yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot listen on {address}: {reason}; choose another address with --listen")]
    Address { address: SocketAddr, reason: std::io::Error },
    #[error("a background task failed, so the service has ended; start it again")]
    BackgroundTask,
}

impl Server {
    /// Binds to `address`. With port 0, the system chooses a free port.
    pub fn bind(address: SocketAddr) -> Result<Self, ServerError> {
        let failed = |reason| ServerError::Address { address, reason };
        let listener = listen(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves requests and delivers webhooks until `stop` resolves. Then waits at most 10 seconds for open requests.
    ///
    /// # Errors
    /// A background task panicked, so the service stopped. Without the task, events and deliveries would stop
    /// unnoticed.
    pub async fn serve(self, app: App, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        metrics::install();
        app.tokens.prepare();
        let watching = app.clone();
        let mut beside = JoinSet::new();
        beside.spawn(async move { watching.feed.watch(&watching.store, &watching.clock).await });
        app.webhooks.begin(&app.store).await;
        for number in 0..app.webhooks.count() {
            let app = app.clone();
            beside.spawn(async move { app.webhooks.deliver(number, &app.store, &app.feed, &app.clock).await });
        }
        let router = router::router(app.clone());
        let graceful = GracefulShutdown::new();
        let running = watch::Sender::new(());
        let mut stop = std::pin::pin!(stop);
        let failed = |error: JoinError| {
            tracing::error!(%error, "a background task ended unexpectedly");
            Err(ServerError::BackgroundTask)
        };
        let mut served = Ok(());
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut stop => break,
                Some(error) = panic_in(&mut beside) => {
                    served = failed(error);
                    break;
                }
            };
            match accepted {
                Ok((stream, peer)) => {
                    let place = match place(&app, peer.ip()) {
                        Ok(place) => place,
                        Err(refused) => {
                            tracing::debug!(%peer, ?refused, "a connection was closed, because there are too many");
                            continue;
                        }
                    };
                    let marks = Marks { peer: Peer(peer.ip()), running: Running(running.subscribe()) };
                    serve_connection(stream, marks, place, router.clone(), &graceful);
                }
                Err(error) => {
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
        drop(self.listener);
        app.model_calls.cancel();
        app.feed.end();
        app.store.stop_heavy_reads();
        let all_ended = async {
            graceful.shutdown().await;
            running.closed().await;
        };
        if tokio::time::timeout(STOP_TIMEOUT, all_ended).await.is_err() {
            tracing::warn!("some requests did not end in time and were dropped");
        }
        while let Some(error) = panic_in(&mut beside).await {
            served = failed(error);
        }
        served
    }
}

/// Waits until a task panics, and returns the error. Returns `None` if all tasks have ended without a panic. A task may
/// end without a panic, such as the deliveries to an endpoint that was removed.
async fn panic_in(tasks: &mut JoinSet<()>) -> Option<JoinError> {
    loop {
        if let Err(error) = tasks.join_next().await? {
            return Some(error);
        }
    }
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // Without this option, a restarted service could not bind to its address until the system has closed the
    // connections of the previous process.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Extensions that are added to each request of a connection.
#[derive(Clone)]
struct Marks {
    peer: Peer,
    running: Running,
}

/// Takes a permit for a connection. The limit for a single client does not apply to a trusted proxy, because it serves
/// many clients.
fn place(app: &App, peer: IpAddr) -> Result<Permit, PoolError> {
    let (places, actor) = (&app.admission.connections, Actor::at(peer));
    match client_address::is_trusted(peer.to_canonical(), &app.http.trusted_proxies) {
        true => places.try_take_for_many(actor, 1),
        false => places.try_take(actor, 1),
    }
}

fn serve_connection(stream: TcpStream, marks: Marks, place: Permit, router: Router, graceful: &GracefulShutdown) {
    set_options(&stream);
    let stream = Lingering::new(stream);
    let has_had_turn = Arc::new(AtomicBool::new(false));
    let begins_turn = has_had_turn.clone();
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let (router, has_had_turn) = (router.clone(), has_had_turn.clone());
        let Marks { peer, running } = marks.clone();
        async move {
            // Serves only one pipelined request each time the connection is polled, so that other connections are
            // served in between.
            while has_had_turn.swap(true, Ordering::Relaxed) {
                yield_now().await;
            }
            let mut request = router::blank_segments(request.map(axum::body::Body::new));
            request.extensions_mut().insert(peer);
            request.extensions_mut().insert(running);
            Ok::<_, Infallible>(router.oneshot(request).await.unwrap_or_else(|never| match never {}))
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .auto_date_header(false)
        .header_read_timeout(HEADER_TIMEOUT)
        .max_header_size(MAX_HEAD)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        let mut connection = pin!(connection);
        let served = poll_fn(|context| {
            begins_turn.store(false, Ordering::Relaxed);
            connection.as_mut().poll(context)
        });
        if let Err(error) = served.await {
            tracing::debug!(%error, "a connection ended early");
        }
        drop(place);
    });
}

/// Sets the options of a connection. Ignores failures, because a connection also works without these options.
fn set_options(stream: &TcpStream) {
    // Responses are small, so delaying them until a packet is full would gain nothing.
    let _ = stream.set_nodelay(true);
    let _ = rustix::net::sockopt::set_socket_send_buffer_size(stream, SEND_BUFFER);
    // Closes a connection whose client has gone. By default, Linux would retransmit for 15 minutes, and the slot of an
    // event stream would be occupied for as long.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_user_timeout(stream, ACKNOWLEDGE_TIMEOUT.as_millis() as u32);
}

#[cfg(test)]
#[path = "../../tests/unit/http/server.rs"]
mod tests;
