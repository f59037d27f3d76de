//! Detects that a client closes its side of the connection while its request is being handled.
//!
//! hyper does not read from the connection while a handler runs. If the watcher reads bytes in the meantime, these are
//! passed to hyper later, as the start of the next request.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Maximum number of bytes that are read to find out whether the client is still connected.
const PEEK_BYTES: usize = 64;

/// A connection. Its [`Hangup`] notices the end of the connection, even while hyper (the HTTP library) does not read.
pub struct WatchedStream<S>(Arc<Mutex<ReadAhead<S>>>);

struct ReadAhead<S> {
    stream: S,
    /// Bytes that the watcher has read, and that hyper has not read yet.
    early: Vec<u8>,
    ended: bool,
}

/// Waits for the client to close its side of the connection. A handler must wait in the task of the connection, because
/// a connection wakes only the task that polled it last.
#[derive(Clone)]
pub struct Hangup(Arc<dyn Peek>);

trait Peek: Send + Sync {
    fn poll_closed(&self, context: &mut Context<'_>) -> Poll<()>;
}

impl<S: AsyncRead + Unpin + Send + 'static> WatchedStream<S> {
    pub fn new(stream: S) -> Self {
        Self(Arc::new(Mutex::new(ReadAhead { stream, early: Vec::new(), ended: false })))
    }

    pub fn hangup(&self) -> Hangup {
        Hangup(self.0.clone())
    }
}

impl Hangup {
    /// Waits until the client closes its side. Never completes if the client has already sent its next request.
    pub async fn closed(&self) {
        std::future::poll_fn(|context| self.0.poll_closed(context)).await;
    }
}

impl<S: AsyncRead + Unpin + Send> Peek for Mutex<ReadAhead<S>> {
    fn poll_closed(&self, context: &mut Context<'_>) -> Poll<()> {
        let mut ahead = self.lock().unwrap_or_else(PoisonError::into_inner);
        if !ahead.ended && ahead.early.is_empty() {
            let mut bytes = [0; PEEK_BYTES];
            let mut read = ReadBuf::new(&mut bytes);
            let outcome = ready!(Pin::new(&mut ahead.stream).poll_read(context, &mut read));
            ahead.ended = outcome.is_err() || read.filled().is_empty();
            ahead.early = read.filled().to_vec();
        }
        if ahead.ended { Poll::Ready(()) } else { Poll::Pending }
    }
}

impl<S> WatchedStream<S> {
    fn with<T>(&self, work: impl FnOnce(&mut ReadAhead<S>) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WatchedStream<S> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.with(|ahead| {
            if !ahead.early.is_empty() {
                let given = ahead.early.len().min(to.remaining());
                to.put_slice(&ahead.early[..given]);
                ahead.early.drain(..given);
                return Poll::Ready(Ok(()));
            }
            if ahead.ended { Poll::Ready(Ok(())) } else { Pin::new(&mut ahead.stream).poll_read(context, to) }
        })
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WatchedStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.with(|ahead| Pin::new(&mut ahead.stream).poll_write(context, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.with(|ahead| Pin::new(&mut ahead.stream).poll_write_vectored(context, bytes))
    }

    fn is_write_vectored(&self) -> bool {
        self.with(|ahead| ahead.stream.is_write_vectored())
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|ahead| Pin::new(&mut ahead.stream).poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|ahead| Pin::new(&mut ahead.stream).poll_shutdown(context))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/http/hangup.rs"]
mod tests;
