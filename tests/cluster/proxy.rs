//! A cable that can be cut: a proxy for connections. While the cable is cut, connections stay open but transfer
//! nothing, and new connections are accepted. Data in transit arrives once the cable is repaired.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Cuts the cables of one copy.
pub struct Knife(watch::Sender<bool>);

impl Knife {
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    /// Cuts or repairs the cables.
    pub fn cut(&self, cut: bool) {
        self.0.send_replace(cut);
    }

    /// Creates a cable to this server. Returns the address of its other end.
    pub async fn cable(&self, to: SocketAddr) -> Result<SocketAddr, String> {
        let listener = TcpListener::bind("127.0.0.1:0").await.map_err(|e| e.to_string())?;
        let address = listener.local_addr().map_err(|e| e.to_string())?;
        let cut = self.0.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(connect(near, to, cut.clone()));
            }
        });
        Ok(address)
    }
}

async fn connect(near: TcpStream, to: SocketAddr, mut cut: watch::Receiver<bool>) {
    if cut.wait_for(|cut| !cut).await.is_err() {
        return;
    }
    let Ok(far) = TcpStream::connect(to).await else { return };
    let (_, _) = (near.set_nodelay(true), far.set_nodelay(true));
    let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
    tokio::join!(pass(near_read, far_write, cut.clone()), pass(far_read, near_write, cut));
}

async fn pass(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut cut: watch::Receiver<bool>) {
    let mut piece = vec![0; 16 * 1024];
    loop {
        // While the cable is cut, the closing of a connection is not forwarded either.
        let read = from.read(&mut piece).await;
        if cut.wait_for(|cut| !cut).await.is_err() {
            return;
        }
        match read {
            Ok(length) if length > 0 && to.write_all(piece.get(..length).unwrap_or_default()).await.is_ok() => {}
            _ => return,
        }
    }
}
