//! A proxy between the service and its database, which loses answers or falls silent on demand.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

const PASSING: u8 = 0;
const LOSING_THE_NEXT_ANSWER: u8 = 1;
const SILENT: u8 = 2;

/// A proxy that runs until it is dropped.
pub struct Proxy {
    /// Where it listens.
    pub address: SocketAddr,
    mood: Arc<AtomicU8>,
    task: tokio::task::JoinHandle<()>,
}

impl Proxy {
    /// A proxy in front of this server, `host:port`.
    pub async fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let mood = Arc::new(AtomicU8::new(PASSING));
        let (server, shared) = (server.to_owned(), mood.clone());
        let task = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let Ok(far) = TcpStream::connect(&server).await else { continue };
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                tokio::spawn(pass(near_in, far_out, shared.clone(), false));
                tokio::spawn(pass(far_in, near_out, shared.clone(), true));
            }
        });
        Self { address, mood, task }
    }

    /// The next thing that the server says is swallowed, and the connection broken: what was asked was done.
    pub fn lose_the_next_answer(&self) {
        self.mood.store(LOSING_THE_NEXT_ANSWER, Ordering::SeqCst);
    }

    /// Whether the answer that was to be lost was lost.
    pub fn has_lost_it(&self) -> bool {
        self.mood.load(Ordering::SeqCst) == PASSING
    }

    /// Connections stand, new ones are taken, and nothing gets through.
    pub fn fall_silent(&self) {
        self.mood.store(SILENT, Ordering::SeqCst);
    }

    /// New connections get through again.
    pub fn speak_again(&self) {
        self.mood.store(PASSING, Ordering::SeqCst);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mood: Arc<AtomicU8>, answers: bool) {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let Ok(count) = from.read(&mut bytes).await else { return };
        if count == 0 {
            return;
        }
        match mood.load(Ordering::SeqCst) {
            LOSING_THE_NEXT_ANSWER if answers => {
                mood.store(PASSING, Ordering::SeqCst);
                return;
            }
            SILENT => std::future::pending().await,
            _ => {}
        }
        if to.write_all(bytes.get(..count).unwrap_or_default()).await.is_err() {
            return;
        }
    }
}
