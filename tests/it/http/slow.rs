//! Callers that are slower than the time limits of the service. The clock is paused and jumps ahead when all tasks
//! wait, so half a minute takes no real time.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fieldbook::app::{KEYS_MAX_AGE, RECHECK};
use fieldbook::clock::Clock;
use fieldbook::domain::api_key::KeyText;
use fieldbook::ids::Ids;
use fieldbook::store::simulated::{Fault, Faults};
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
async fn request_headers_sent_too_slowly_time_out() {
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
async fn request_body_sent_too_slowly_is_refused_with_a_json_error() {
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

/// Sends many requests on one connection, and pauses the clock of the test when the first answer arrives. Returns the
/// connection and the length of an answer.
async fn ask_often(app: &TestApp, teacher: &Caller, asked: usize) -> (TcpStream, usize) {
    // This route does not use the store. The store works in real time, while the clock of the test runs ahead.
    let path = "/api/openapi.json";
    let length = teacher.get(path).await.text.len();
    let mut stream = connect(app).await;
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n");
    stream.write_all(request.repeat(asked).as_bytes()).await.expect("taken");
    stream.readable().await.expect("the first answer");
    tokio::time::pause();
    (stream, length)
}

#[tokio::test]
async fn service_stops_answering_pipelined_requests_of_a_client_that_does_not_read() {
    const ASKED: usize = 1000;
    let (app, _, teacher) = TestApp::start().await;
    let (mut stream, length) = ask_often(&app, &teacher, ASKED).await;
    // The paused clock jumps ahead when all tasks wait. The service waits for its caller, which reads nothing.
    let _ = tokio::time::timeout(2 * A_WHILE, std::future::pending::<()>()).await;
    let told = rest(&mut stream).await;
    assert!(told.starts_with(b"HTTP/1.1 200 OK\r\n"), "the first was answered");
    assert!(told.len() < ASKED * length / 4, "{} bytes were made for somebody who reads none", told.len());
    tokio::time::resume();
    is_well(&teacher).await;
}

/// Sends the head of a request with this first line and these further headers, and waits until the service asks for the
/// body `{}`.
async fn begin(app: &TestApp, line: &str, headers: &str, key: &KeyText) -> TcpStream {
    let head = format!(
        "{line} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {}\r\n{headers}\
         content-type: application/json\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n",
        key.expose()
    );
    let mut stream = connect(app).await;
    stream.write_all(head.as_bytes()).await.expect("taken");
    let mut told = [0; 25];
    stream.read_exact(&mut told).await.expect("an answer");
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream
}

async fn end(stream: &mut TcpStream) -> String {
    stream.write_all(b"{}").await.expect("taken");
    rest_as_text(stream).await
}

#[tokio::test]
async fn change_is_refused_if_its_key_was_revoked_while_the_body_arrived() {
    let (app, _, teacher) = TestApp::start().await;
    let lesson = teacher.create_path(json!({})).await;
    let (edit, picture) = (format!("PATCH {lesson}?dryRun=true"), format!("POST {lesson}/pictures"));
    let create = "POST /api/investigation";
    let requests = [(create, ""), (create, "idempotency-key: mine\r\n"), (edit.as_str(), ""), (picture.as_str(), "")];
    let mut keys = Vec::new();
    for number in 1..=4 {
        keys.push(add_key(&app, number, "author").await);
    }
    for (key, (line, headers)) in keys.iter().zip(requests) {
        let program = app.anon().bearing(key.expose()).with_header("idempotency-key", "mine");
        let first = program.post("/api/investigation", json!({})).await;
        assert_eq!(first.status, 201, "{first}");
        let before = teacher.get("/api/investigation").await.text;
        let mut stream = begin(&app, line, headers, key).await;
        app.app.store.revoke_api_key(key.id().expect("an id"), START).await.expect("revoked");
        app.clock.advance(KEYS_MAX_AGE);
        let told = end(&mut stream).await;
        assert!(told.starts_with("HTTP/1.1 401 Unauthorized\r\n"), "{line} {headers}: {told}");
        let envelope = r#"{"success":false,"message":"Invalid token","error":"the API key is unknown or was revoked","code":"invalid_token"}"#;
        assert!(told.ends_with(envelope), "{told}");
        assert_eq!(teacher.get("/api/investigation").await.text, before);
    }
}

/// Advances the clock by [`RECHECK`] before each read of the store, so that the right of the caller is checked again.
/// Does nothing until the test has put its clock here.
#[derive(Debug, Default)]
struct SlowReads(OnceLock<Clock>);

impl Faults for SlowReads {
    fn before(&self, call: &'static str) -> Fault<'_> {
        if let Some(clock) = self.0.get().filter(|_| call == "read") {
            clock.advance(RECHECK);
        }
        Box::pin(std::future::ready(Ok(())))
    }

    fn mark(&self) -> String {
        Ids::random().nonce()
    }
}

#[tokio::test]
async fn dry_run_is_refused_if_its_key_was_revoked_while_the_body_arrived() {
    let reads = Arc::new(SlowReads::default());
    let (app, teacher) = TestApp::start_with_faults(reads.clone()).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let key = add_key(&app, 1, "author").await;
    let program = app.anon().bearing(key.expose());
    let edit = async || program.patch(&format!("{path}?dryRun=true"), json!({"title": "Peas"})).await;
    assert_eq!(edit().await.json()["updatedInvestigation"]["title"], "Peas");
    app.app.store.revoke_api_key(key.id().expect("an id"), START).await.expect("revoked");
    reads.0.set(app.clock.clone()).expect("once");
    let refused = edit().await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (401, &json!("invalid_token")), "{refused}");
}

#[tokio::test]
async fn change_is_refused_as_not_allowed_if_the_role_changed_while_the_body_arrived() {
    let (app, _, _) = TestApp::start().await;
    let key = add_key(&app, 1, "author").await;
    let mut stream = begin(&app, "POST /api/investigation", "", &key).await;
    app.behind("UPDATE api_key SET role = 'admin'");
    app.clock.advance(RECHECK);
    let told = end(&mut stream).await;
    assert!(told.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{told}");
    let envelope = r#"{"success":false,"message":"Not allowed","error":"your permissions changed during the request, so nothing was done; send the request again","code":"rights_changed"}"#;
    assert!(told.ends_with(envelope), "{told}");
    let again = app.anon().bearing(key.expose()).post("/api/investigation", json!({})).await;
    assert_eq!(again.status, 201, "{again}");
}

#[tokio::test]
async fn client_that_reads_its_answer_too_slowly_is_disconnected() {
    const ASKED: usize = 1000;
    let (app, _, teacher) = TestApp::start().await;
    let (mut stream, length) = ask_often(&app, &teacher, ASKED).await;
    let mut read = 0;
    for _ in 0..20 {
        let mut drip = [0; 32 * 1024];
        read += stream.read(&mut drip).await.unwrap_or_default();
        let _ = tokio::time::timeout(A_WHILE, std::future::pending::<()>()).await;
    }
    read += rest(&mut stream).await.len();
    assert!(read < ASKED * length / 4, "{read} bytes were sent to a client that reads slowly");
    tokio::time::resume();
    is_well(&teacher).await;
}
