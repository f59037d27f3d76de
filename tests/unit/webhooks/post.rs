//! Unit tests of `src/webhooks/post.rs`.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::domain::event::{EventId, EventKind};
use crate::domain::id::ObjectId;

/// The number of bytes of the body that arrive one by one.
const DRIPS: usize = 10_000;

/// Accepts one request, answers with this status, and sends the body byte by byte.
async fn drip(listener: TcpListener, status: u16) {
    let (mut stream, _) = listener.accept().await.expect("a connection");
    let mut request = [0; 4096];
    assert!(stream.read(&mut request).await.expect("a request") > 0);
    let head = format!("HTTP/1.1 {status} Any\r\ncontent-length: 1000000\r\n\r\n");
    stream.write_all(head.as_bytes()).await.expect("taken");
    for _ in 0..DRIPS {
        let _ = stream.write_all(b"x").await;
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn webhook_delivery_succeeds_without_reading_the_response_body() {
    let event = Event {
        id: EventId { transaction: 0, number: 1, at: Timestamp(0) },
        investigation_id: ObjectId::from_bytes([1; 12]),
        revision: 1,
        what: EventKind::Deleted { permanently: false },
    };
    for (status, judged) in [
        (200, Attempt::Accepted),
        (410, Attempt::Gone),
        (503, Attempt::Failed { reason: "it answered with status 503".into(), asked: None }),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
        let secrets = Secrets::read("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX").expect("a secret");
        let endpoint = Endpoint::new(&url, secrets).expect("an endpoint");
        tokio::select! {
            biased;
            attempt = endpoint.send(&event, Timestamp(0)) => assert_eq!(attempt, judged),
            () = drip(listener, status) => panic!("it waits for the body"),
        }
    }
}
