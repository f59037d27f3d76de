//! A caller that sends any bytes, for requests that no correct client sends.

use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Exchange, TestApp};

/// Maximum time to wait for the service. After this, the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Raw {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Raw {
    pub async fn connect(app: &TestApp) -> Self {
        let stream = TcpStream::connect(app.address).await.expect("a connection");
        Self { stream, received: Vec::new() }
    }

    /// Opens a connection and sends bytes.
    pub async fn sending(app: &TestApp, bytes: impl AsRef<[u8]>) -> Self {
        let mut raw = Self::connect(app).await;
        raw.send(bytes).await;
        raw
    }

    /// Sends bytes and ends the request side. Returns all bytes that arrive until the service closes the connection.
    pub async fn whole_answer(app: &TestApp, bytes: impl AsRef<[u8]>) -> String {
        let mut raw = Self::sending(app, bytes).await;
        raw.end().await;
        raw.closed().await
    }

    /// Sends bytes. Ignores an error, because the service may have closed the connection.
    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let sent = tokio::time::timeout(PATIENCE, self.stream.write_all(bytes.as_ref())).await;
        let _ = sent.expect("the service reads or closes");
    }

    /// Sends bytes. Panics if the service does not read all of them.
    pub async fn send_all(&mut self, bytes: impl AsRef<[u8]>) {
        let sent = tokio::time::timeout(PATIENCE, self.stream.write_all(bytes.as_ref())).await;
        sent.expect("the service reads").expect("the service takes all");
    }

    /// Ends the request side of the connection. Responses can still be read.
    pub async fn end(&mut self) {
        let _ = self.stream.shutdown().await;
    }

    pub async fn answer(&mut self) -> Exchange {
        let head_ends = loop {
            match self.received.windows(4).position(|window| window == b"\r\n\r\n") {
                Some(at) => break at,
                None => assert!(self.receive().await, "closed without an answer"),
            }
        };
        let head = String::from_utf8(self.received.drain(..head_ends + 4).collect()).expect("a text");
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1)).expect("a status");
        let mut headers = HeaderMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            let name = HeaderName::from_bytes(name.as_bytes()).expect("a name");
            headers.append(name, HeaderValue::from_str(value).expect("a value"));
        }
        let length = headers.get("content-length").map_or("0", |length| length.to_str().expect("a text"));
        let length: usize = length.parse().expect("a number");
        while self.received.len() < length {
            assert!(self.receive().await, "closed within an answer");
        }
        let text = String::from_utf8(self.received.drain(..length).collect()).expect("a text");
        let status: StatusCode = status.parse().expect("a status");
        Exchange { request: String::new(), status, headers, text }
    }

    /// Returns what has arrived, without waiting for more.
    pub fn arrived(&mut self) -> String {
        while self.stream.try_read_buf(&mut self.received).is_ok_and(|bytes| bytes > 0) {}
        String::from_utf8_lossy(&self.received).into_owned()
    }

    /// Sends bytes and reads the response.
    pub async fn ask(&mut self, bytes: impl AsRef<[u8]>) -> Exchange {
        self.send(bytes).await;
        self.answer().await
    }

    /// Waits until the service closes the connection, and returns the bytes that arrived before.
    pub async fn closed(mut self) -> String {
        while self.receive().await {}
        String::from_utf8_lossy(&self.received).into_owned()
    }

    async fn receive(&mut self) -> bool {
        let received = tokio::time::timeout(PATIENCE, self.stream.read_buf(&mut self.received)).await;
        // A connection reset also counts as closed.
        received.expect("the service sends or closes").unwrap_or(0) > 0
    }
}
