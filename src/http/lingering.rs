//! Ends connections: gently after the last response, and early if the client reads too slowly.
//!
//! Closing a connection with unread input resets the connection. A reset can destroy a response that the client has not
//! read yet. So the input is read and discarded for a moment first.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// Maximum time for discarding input after the last response. `MAX_BYTES` is the maximum size of this input. Both are
/// large, because a client may send its whole request before it starts to read.
const MAX_WAIT: Duration = Duration::from_secs(1);
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A client reads too slowly if it takes less than `SLOW_BYTES` within this time while more data is waiting.
const SLOW: Duration = Duration::from_secs(30);
const SLOW_BYTES: usize = 128 * 1024;

pub struct Lingering {
    stream: TcpStream,
    /// How much the client has read since the service began to wait for it; `None` if the service has nothing to send.
    behind: Option<Behind>,
    /// Timer that ends the discarding; `None` until the shutdown begins.
    until: Option<Pin<Box<Sleep>>>,
    discarded: usize,
}

struct Behind {
    until: Pin<Box<Sleep>>,
    sent: usize,
}

impl Lingering {
    pub fn new(stream: TcpStream) -> Self {
        Self { stream, behind: None, until: None, discarded: 0 }
    }

    /// Records the outcome of a write. Fails if the client reads too slowly.
    fn pace(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => {
                let new = || Behind { until: Box::pin(tokio::time::sleep(SLOW)), sent: 0 };
                let behind = self.behind.get_or_insert_with(new);
                ready!(behind.until.as_mut().poll(context));
                Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
            }
            Poll::Ready(Ok(bytes)) => {
                if let Some(behind) = &mut self.behind {
                    behind.sent += bytes;
                    if behind.sent >= SLOW_BYTES {
                        self.behind = None;
                    }
                }
                Poll::Ready(Ok(bytes))
            }
            failed => failed,
        }
    }

    /// Discards input until the client closes the connection or [`MAX_BYTES`] is reached.
    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut space = [0; 16 * 1024];
        while self.discarded < MAX_BYTES {
            let mut buffer = ReadBuf::new(&mut space);
            let read = ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                break;
            }
            self.discarded += buffer.filled().len();
        }
        Poll::Ready(())
    }
}

impl AsyncRead for Lingering {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Lingering {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.pace(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.pace(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        // All data was sent, so the client can no longer be too slow.
        self.behind = None;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.until.is_none() {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
            self.until = Some(Box::pin(tokio::time::sleep(MAX_WAIT)));
        }
        if self.poll_discard(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        match &mut self.until {
            Some(until) => until.as_mut().poll(context).map(Ok),
            None => Poll::Ready(Ok(())),
        }
    }
}
