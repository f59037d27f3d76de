//! A proxy in front of a server that the service uses. On demand, the proxy loses answers, becomes silent or slow, or
//! makes a database read-only.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

const PASSING: u8 = 0;
const LOSING_THE_NEXT_ANSWER: u8 = 1;
const SILENT: u8 = 2;
const SLOW: u8 = 3;

/// Delay of an answer of a slow proxy.
const SLOWNESS: Duration = Duration::from_millis(2500);

/// Text that the address of a database must contain for [`Proxy::take_writes`]. The proxy replaces this text with the
/// next constant.
const OPTION: &str = "default_transaction_read_only=off";
const OPTION_WITHOUT_WRITES: &str = "default_transaction_read_only=on ";
const HALVING_THE_NEXT_ANSWER: u8 = 4;
const LOSING_THE_NEXT_COMMIT: u8 = 5;

/// The end of PostgreSQL's answer to a transaction that it has stored.
const COMMITTED: &[u8] = b"COMMIT\0";

pub struct Proxy {
    pub address: SocketAddr,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

struct Shared {
    mode: AtomicU8,
    takes_writes: AtomicBool,
    taken: AtomicUsize,
    hung_up: watch::Sender<()>,
}

impl Proxy {
    pub async fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            mode: AtomicU8::new(PASSING),
            takes_writes: AtomicBool::new(true),
            taken: AtomicUsize::new(0),
            hung_up: watch::Sender::default(),
        });
        let (server, told) = (server.to_owned(), shared.clone());
        let task = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                told.taken.fetch_add(1, Ordering::SeqCst);
                let Ok(far) = TcpStream::connect(&server).await else { continue };
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                tokio::spawn(pass(near_in, far_out, told.clone(), false));
                tokio::spawn(pass(far_in, near_out, told.clone(), true));
            }
        });
        Self { address, shared, task }
    }

    /// Discards the next answer of the server and closes the connection. The server has executed the request.
    pub fn lose_the_next_answer(&self) {
        self.shared.mode.store(LOSING_THE_NEXT_ANSWER, Ordering::SeqCst);
    }

    /// Discards the answer to the next commit and closes the connection. PostgreSQL has stored the transaction. The
    /// connection must not use TLS.
    pub fn lose_the_answer_to_the_next_commit(&self) {
        self.shared.mode.store(LOSING_THE_NEXT_COMMIT, Ordering::SeqCst);
    }

    /// Forwards half of the server's next answer, and closes the connection.
    pub fn halve_the_next_answer(&self) {
        self.shared.mode.store(HALVING_THE_NEXT_ANSWER, Ordering::SeqCst);
    }

    /// Returns true if the answer that was to be lost or halved has arrived.
    pub fn has_lost_it(&self) -> bool {
        self.shared.mode.load(Ordering::SeqCst) == PASSING
    }

    /// Keeps connections open and accepts new ones, but forwards nothing.
    pub fn fall_silent(&self) {
        self.shared.mode.store(SILENT, Ordering::SeqCst);
    }

    pub fn be_slow(&self) {
        self.shared.mode.store(SLOW, Ordering::SeqCst);
    }

    /// Makes new connections read-only if `takes_writes` is false, or writable again. Closes all existing connections.
    pub fn take_writes(&self, takes_writes: bool) {
        self.shared.takes_writes.store(takes_writes, Ordering::SeqCst);
        self.shared.hung_up.send_replace(());
    }

    pub fn taken(&self) -> usize {
        self.shared.taken.load(Ordering::SeqCst)
    }

    pub fn speak_again(&self) {
        self.shared.mode.store(PASSING, Ordering::SeqCst);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn take_writes_out(said: &mut [u8]) {
    if let Some(place) = said.windows(OPTION.len()).position(|words| words == OPTION.as_bytes()) {
        said[place..place + OPTION.len()].copy_from_slice(OPTION_WITHOUT_WRITES.as_bytes());
    }
}

fn has_committed(said: &[u8]) -> bool {
    said.windows(COMMITTED.len()).any(|words| words == COMMITTED)
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, shared: Arc<Shared>, answers: bool) {
    let mut hung_up = shared.hung_up.subscribe();
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let read = tokio::select! {
            read = from.read(&mut bytes) => read,
            _ = hung_up.changed() => return,
        };
        let Ok(count) = read else { return };
        if count == 0 {
            return;
        }
        match shared.mode.load(Ordering::SeqCst) {
            LOSING_THE_NEXT_ANSWER if answers => {
                shared.mode.store(PASSING, Ordering::SeqCst);
                return;
            }
            LOSING_THE_NEXT_COMMIT if answers && has_committed(&bytes[..count]) => {
                shared.mode.store(PASSING, Ordering::SeqCst);
                return;
            }
            HALVING_THE_NEXT_ANSWER if answers => {
                shared.mode.store(PASSING, Ordering::SeqCst);
                let _ = to.write_all(bytes.get(..count / 2).unwrap_or_default()).await;
                return;
            }
            SILENT => std::future::pending().await,
            SLOW if answers => tokio::time::sleep(SLOWNESS).await,
            _ => {}
        }
        let mut said = bytes.get(..count).unwrap_or_default().to_vec();
        if !answers && !shared.takes_writes.load(Ordering::SeqCst) {
            take_writes_out(&mut said);
        }
        if to.write_all(&said).await.is_err() {
            return;
        }
    }
}
