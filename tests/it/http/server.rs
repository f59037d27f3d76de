//! Connections: malformed requests, clients that disconnect, and the stop of the service.

use std::sync::Arc;

use fieldbook::admission::{Actor, LIGHT, Permit, share_of};
use fieldbook::ids::Ids;
use fieldbook::store::simulated::{Fault, Faults};
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use super::body::creating;
use crate::support::{TEACHER, TestApp, place, raw::Raw};

const LIVE: &str = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";

#[tokio::test]
async fn malformed_request_is_refused_and_the_connection_closed() {
    let (app, anon, _) = TestApp::start().await;
    for garbage in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"[..],
        b"hello there\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\x01 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nno colon here\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: many\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip\r\n\r\n",
    ] {
        let told = Raw::whole_answer(&app, garbage).await;
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 4"), "{garbage:?}: {told}");
    }
    assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
}

#[tokio::test]
async fn request_whose_client_disconnects_before_its_end_creates_nothing() {
    let (app, _, teacher) = TestApp::start().await;
    let whole = creating(&app, "content-length: 100");
    Raw::whole_answer(&app, &whole[..whole.len() / 2]).await;
    // Sends half of the announced body. This half is valid JSON by itself.
    let told = Raw::whole_answer(&app, format!("{whole}{{\"title\":\"Cress\"}}")).await;
    assert!(!told.contains("201 Created"), "{told}");
    let listed = teacher.get("/api/investigation").await;
    assert_eq!(listed.data()["pagination"]["total"], json!(0), "{listed}");
}

/// Sends a change of the title to "Radishes", and disconnects before the answer. Takes and returns all other permits of
/// the teacher. While they are held, a permit becomes free only when the change has ended.
async fn leave_a_change(app: &TestApp, id: &str) -> Vec<Permit> {
    let take = || app.app.admission.light.try_take(teacher(), 1);
    let others = (1..share_of(LIGHT)).map(|_| take().expect("a free permit")).collect();
    let open = app.connections();
    let head = creating(app, "content-length: 20")
        .replace("POST /api/investigation", &format!("PATCH /api/investigation/{id}"));
    let mut raw = Raw::connect(app).await;
    raw.send(format!(r#"{head}{{"title":"Radishes"}}"#)).await;
    while take().is_ok() {
        tokio::task::yield_now().await;
    }
    drop(raw);
    while app.connections() > open {
        tokio::task::yield_now().await;
    }
    others
}

fn teacher() -> Actor {
    Actor::User(TEACHER.parse().expect("an id"))
}

#[tokio::test]
async fn change_is_stored_even_if_its_client_disconnects() {
    let (app, _, caller) = TestApp::start().await;
    let id = caller.create(json!({"title": "Cress"})).await;
    let lock = app.app.edit_locks.lock(id.parse().expect("an id")).await;
    let others = leave_a_change(&app, &id).await;
    assert!(app.app.admission.light.try_take(teacher(), 1).is_err(), "the change goes on");
    drop(lock);
    while app.app.admission.light.try_take(teacher(), 1).is_err() {
        tokio::task::yield_now().await;
    }
    drop(others);
    assert_eq!(caller.get(&format!("/api/investigation/{id}")).await.data()["title"], json!("Radishes"));
}

#[tokio::test]
async fn stopping_service_waits_for_a_change_whose_client_disconnected() {
    let (mut app, _, caller) = TestApp::start().await;
    let id = caller.create(json!({"title": "Cress"})).await;
    let parts = app.app.clone();
    let lock = parts.edit_locks.lock(id.parse().expect("an id")).await;
    let _others = leave_a_change(&app, &id).await;
    {
        let mut stop = std::pin::pin!(app.stop());
        // The service has begun to stop, and accepts no more connections.
        let begun = async {
            while !parts.feed.has_ended() {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            () = &mut stop => panic!("the change has not ended"),
            () = begun => drop(lock),
        }
        stop.await;
    }
    let (_again, caller) = TestApp::start_at(place(app.folder())).await;
    assert_eq!(caller.get(&format!("/api/investigation/{id}")).await.data()["title"], json!("Radishes"));
}

/// Makes the task that watches for events panic as soon as the test allows it.
#[derive(Debug)]
struct PanickingFeed(Semaphore);

impl Faults for PanickingFeed {
    fn before(&self, call: &'static str) -> Fault<'_> {
        Box::pin(async move {
            if call == "keep_expiry_clock" {
                let _permit = self.0.acquire().await;
                panic!("as the test asked");
            }
            Ok(())
        })
    }

    fn mark(&self) -> String {
        Ids::random().nonce()
    }
}

#[tokio::test]
async fn background_task_that_panics_ends_the_service_after_open_requests() {
    let feed = Arc::new(PanickingFeed(Semaphore::new(0)));
    let (mut app, _) = TestApp::start_with_faults(feed.clone()).await;
    let mut open = Raw::connect(&app).await;
    let begun = open.ask(creating(&app, "content-length: 2\r\nexpect: 100-continue")).await;
    assert_eq!(begun.status, StatusCode::CONTINUE);
    feed.0.add_permits(1);
    app.app.feed.ended().await;
    assert_eq!(open.ask("{}").await.status, StatusCode::CREATED);
    let error = app.ended().await.expect_err("it ends by itself");
    assert_snapshot!(error, @"a background task failed, so the service has ended; start it again");
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let (app, _, _) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    let create = |body: &str| creating(&app, &format!("content-length: {}", body.len())) + body;
    raw.send([create(r#"{"title":"1"}"#), LIVE.into(), create(r#"{"title":"2"}"#), LIVE.into()].concat()).await;
    assert_eq!(raw.answer().await.data()["title"], json!("1"));
    assert_eq!(raw.answer().await.json(), json!({"status": "ok"}));
    assert_eq!(raw.answer().await.data()["title"], json!("2"));
    assert_eq!(raw.answer().await.json(), json!({"status": "ok"}));
}

#[tokio::test]
async fn single_request_is_answered_before_200_pipelined_requests_of_another_connection() {
    let (app, _, _) = TestApp::start().await;
    let (mut many, mut one) = (Raw::connect(&app).await, Raw::connect(&app).await);
    for connection in [&mut many, &mut one] {
        connection.send(LIVE).await;
        connection.answer().await;
    }
    many.send(LIVE.repeat(200)).await;
    one.send(LIVE).await;
    one.answer().await;
    let served = many.arrived().matches("HTTP/1.1 200").count();
    assert!(served < 10, "{served} requests were served first");
}

#[tokio::test]
async fn body_of_a_refused_request_does_not_affect_the_next_request() {
    let (app, _, _) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    // The service refuses the missing token before it reads the body, which looks like a request.
    let smuggled = "DELETE /api/link/k/s HTTP/1.1\r\nhost: x\r\n\r\n";
    let head = format!("POST /api/investigation HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", smuggled.len());
    raw.send(format!("{head}{smuggled}{LIVE}")).await;
    assert_eq!(raw.answer().await.status, StatusCode::UNAUTHORIZED);
    raw.end().await;
    let rest = raw.closed().await;
    // Either the connection is closed, or the next answer belongs to the next request.
    assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 200"), "{rest}");
}

#[tokio::test]
async fn endless_request_headers_are_refused() {
    let (app, anon, _) = TestApp::start().await;
    let many: String = (0..1000).map(|n| format!("x-{n}: y\r\n")).collect();
    for headers in [format!("x-long: {}\r\n", "y".repeat(200_000)), many] {
        let told = Raw::whole_answer(&app, format!("GET /health/live HTTP/1.1\r\nhost: x\r\n{headers}\r\n")).await;
        assert!(told.is_empty() || told.starts_with("HTTP/1.1 431"), "{told}");
    }
    let told = Raw::whole_answer(&app, format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(200_000))).await;
    assert!(told.is_empty() || told.starts_with("HTTP/1.1 4"), "{told}");
    assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
}

#[tokio::test]
async fn answer_to_head_has_no_body() {
    let (app, _, _) = TestApp::start().await;
    let raw = Raw::sending(&app, "HEAD /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await;
    let told = raw.closed().await;
    assert!(told.starts_with("HTTP/1.1 200 OK\r\n") && told.ends_with("\r\n\r\n"), "{told}");
}

#[tokio::test]
async fn stopping_service_finishes_active_requests_and_closes_idle_connections() {
    let (app, _, _) = TestApp::start().await;
    let mut idle = Raw::connect(&app).await;
    assert_eq!(idle.ask(LIVE).await.status, StatusCode::OK);
    let mut busy = Raw::connect(&app).await;
    let body = r#"{"title":"Cress"}"#;
    busy.send(creating(&app, &format!("expect: 100-continue\r\ncontent-length: {}", body.len()))).await;
    // The operation has begun to read the body.
    assert_eq!(busy.answer().await.status, StatusCode::CONTINUE);

    let address = app.address;
    let mut stopping = app;
    let stopped = tokio::spawn(async move {
        stopping.stop().await;
        stopping
    });
    assert_eq!(idle.closed().await, "");
    assert!(TcpStream::connect(address).await.is_err(), "it takes connections still");
    busy.send(body).await;
    let created = busy.answer().await;
    assert_snapshot!(created.status, @"201 Created");
    assert_eq!(created.header("connection"), Some("close"));
    assert_eq!(busy.closed().await, "");

    let app = stopped.await.expect("stopped").restart().await;
    let kept = app.signed_in(TEACHER).get("/api/investigation").await;
    assert_eq!(kept.data()["items"][0]["title"], json!("Cress"), "{kept}");
}
