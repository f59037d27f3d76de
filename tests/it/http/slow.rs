//! Callers that are slower than the time limits of the service. The clock is paused and jumps ahead when all tasks
//! wait, so half a minute takes no real time.

use std::time::Duration;

use fieldbook::app::RECHECK;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::permissions::add_key;
use crate::support::{Caller, START, TestApp};

/// Shorter than every time limit, and longer than half of each.
const A_WHILE: Duration = Duration::from_secs(20);

async fn connect(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.address).await.expect("a connection")
}

/// Reads until the service closes the connection.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A connection reset is a close too.
    let _ = stream.read_to_end(&mut bytes).await;
    bytes
}

async fn rest_as_text(stream: &mut TcpStream) -> String {
    String::from_utf8_lossy(&rest(stream).await).into_owned()
}

async fn is_well(teacher: &Caller) {
    let listed = teacher.get("/api/investigation").await;
    assert_eq!(listed.status, 200, "{listed}");
}

#[tokio::test]
async fn a_head_that_does_not_end_is_given_up_also_where_it_comes_in_drips() {
    let (app, _, teacher) = TestApp::start().await;
    let (mut silent, mut halting, mut dripping) = (connect(&app).await, connect(&app).await, connect(&app).await);
    halting.write_all(b"GET /health/live HTTP/1.1\r\nhost:").await.expect("taken");
    dripping.write_all(b"GET /health/live HTTP/1.1\r\n").await.expect("taken");
    tokio::time::pause();
    for n in 0..3 {
        let _ = dripping.write_all(format!("x-{n}: y\r\n").as_bytes()).await;
        tokio::time::advance(A_WHILE).await;
    }
    for stream in [&mut silent, &mut halting, &mut dripping] {
        let told = rest_as_text(stream).await;
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 408"), "{told}");
    }
    tokio::time::resume();
    is_well(&teacher).await;
}

#[tokio::test]
async fn a_body_that_does_not_end_is_refused_in_the_envelope_also_where_it_comes_in_drips() {
    let (app, _, teacher) = TestApp::start().await;
    let head = format!(
        "POST /api/investigation HTTP/1.1\r\nhost: x\r\n{}content-type: application/json\r\n\
         content-length: 100\r\nexpect: 100-continue\r\n\r\n",
        app.bearer()
    );
    let (mut halting, mut dripping) = (connect(&app).await, connect(&app).await);
    for stream in [&mut halting, &mut dripping] {
        stream.write_all(head.as_bytes()).await.expect("taken");
        // The operation has begun to read the body.
        let mut told = [0; 25];
        stream.read_exact(&mut told).await.expect("an answer");
        assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    }
    tokio::time::pause();
    for _ in 0..3 {
        let _ = dripping.write_all(b"{").await;
        tokio::time::advance(A_WHILE).await;
    }
    for stream in [&mut halting, &mut dripping] {
        let told = rest_as_text(stream).await;
        assert!(told.starts_with("HTTP/1.1 408 Request Timeout\r\n"), "{told}");
        let envelope = r#"{"success":false,"message":"The body took too long to arrive","code":"body_timeout"}"#;
        assert!(told.ends_with(envelope), "{told}");
    }
    tokio::time::resume();
    is_well(&teacher).await;
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(0));
}

#[tokio::test]
async fn of_answers_that_nobody_reads_few_are_made() {
    const ASKED: usize = 1000;
    let (app, _, teacher) = TestApp::start().await;
    // This route does not use the store, which works in real time while the clock of this test runs ahead.
    let path = "/api/openapi.json";
    let length = teacher.get(path).await.text.len();
    let mut stream = connect(&app).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(request.repeat(ASKED).as_bytes()).await.expect("taken");
    stream.readable().await.expect("the first answer");
    tokio::time::pause();
    // The paused clock jumps ahead when all tasks wait. The service waits for its caller, which reads nothing.
    let _ = tokio::time::timeout(2 * A_WHILE, std::future::pending::<()>()).await;
    let told = rest(&mut stream).await;
    assert!(told.starts_with(b"HTTP/1.1 200 OK\r\n"), "the first was answered");
    assert!(told.len() < ASKED * length / 4, "{} bytes were made for somebody who reads none", told.len());
    tokio::time::resume();
    is_well(&teacher).await;
}

#[tokio::test]
async fn change_whose_body_ends_after_the_key_was_revoked_is_refused() {
    let (app, _, teacher) = TestApp::start().await;
    let key = add_key(&app, 1, "").await;
    let head = format!(
        "POST /api/investigation HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\n\
         content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n",
        key.expose()
    );
    let mut stream = connect(&app).await;
    stream.write_all(head.as_bytes()).await.expect("taken");
    let mut told = [0; 25];
    stream.read_exact(&mut told).await.expect("an answer");
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    app.app.store.revoke_api_key(key.id().expect("an id"), START).await.expect("revoked");
    app.clock.advance(RECHECK);
    stream.write_all(b"{}").await.expect("taken");
    let told = rest_as_text(&mut stream).await;
    assert!(told.starts_with("HTTP/1.1 401 Unauthorized\r\n"), "{told}");
    let envelope = r#"{"success":false,"message":"Invalid token","error":"the API key is unknown or was revoked","code":"invalid_token"}"#;
    assert!(told.ends_with(envelope), "{told}");
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(0));
}
