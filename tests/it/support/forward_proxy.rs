//! A proxy for `HTTPS_PROXY` and `HTTP_PROXY`. It connects to the same server for every requested host.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

pub struct ForwardProxy {
    pub url: String,
    asked: watch::Receiver<Vec<String>>,
    task: tokio::task::JoinHandle<()>,
}

impl ForwardProxy {
    pub async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let (told, asked) = watch::channel(Vec::new());
        let task = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(pass(near, server, told.clone()));
            }
        });
        Self { url, asked, task }
    }

    /// Returns the method and the target of each connection's first request, such as `CONNECT id.example.org:443`.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

impl Drop for ForwardProxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(mut near: TcpStream, server: SocketAddr, told: watch::Sender<Vec<String>>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        match near.read_buf(&mut head).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let first = text.lines().next().expect("a line").trim_end_matches(" HTTP/1.1").to_owned();
    let is_tunnel = first.starts_with("CONNECT ");
    told.send_modify(|asked| asked.push(first));
    let mut far = TcpStream::connect(server).await.expect("the server");
    if is_tunnel {
        near.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.expect("written");
    } else {
        far.write_all(&head).await.expect("written");
    }
    let _ = copy_bidirectional(&mut near, &mut far).await;
}
