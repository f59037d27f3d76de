//! A profile service that is unreachable, silent, slow or wrong. Lists still succeed, and Fieldbook does not call the
//! profile service for a while.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use fieldbook::admission::{LIGHT, share_of};
use fieldbook::profiles::ProfilesSettings;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;

use super::{authors, bare, known, start_with_authors, user};
use crate::support::counters::Counters;
use crate::support::log;
use crate::support::profile_service::{Played, impatient, knows_all, profile, settings};
use crate::support::proxy::Proxy;
use crate::support::token::{IN_AN_HOUR, signed};
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp};

/// A server that sends the same bytes on each connection, and then closes or keeps the connection.
struct Stranger {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
}

impl Stranger {
    async fn start(says: &'static [u8], closes: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let connections = Arc::new(AtomicUsize::new(0));
        let counted = connections.clone();
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                let _ = stream.write_all(says).await;
                if !closes {
                    kept.push(stream);
                }
            }
        });
        Self { address, connections }
    }

    fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Starts an HTTP/2 server that gives this answer to every call.
async fn answering(answer: fn() -> Response<Body>) -> SocketAddr {
    let incoming = TcpIncoming::bind(([127, 0, 0, 1], 0).into()).expect("a port");
    let address = incoming.local_addr().expect("an address");
    let service = tower::service_fn(move |_: Request<Body>| async move { Ok::<_, Infallible>(answer()) });
    tokio::spawn(Server::builder().serve_with_incoming(service, incoming));
    address
}

fn page(status: u16, content_type: &str, text: &'static str) -> Response<Body> {
    let body = Body::new(text.to_owned());
    Response::builder().status(status).header("content-type", content_type).body(body).expect("an answer")
}

/// Returns an address where no server listens.
async fn nowhere() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address")
}

/// Reads the list this many times, and asserts that its author is shown with the id alone.
async fn lists_without_names(settings: ProfilesSettings, times: usize) -> TestApp {
    let (app, teacher) = start_with_authors(settings, &[Some(user(0))]).await;
    for _ in 0..times {
        assert_eq!(authors(&teacher).await, [bare(Some(&user(0)))]);
    }
    app
}

#[tokio::test]
async fn unreachable_profile_service_is_not_asked_again_during_a_pause() {
    let (counters, _counting) = Counters::of_this_thread();
    let counted = |outcome| counters.get(&format!("fieldbook_profile_lookups_total{{outcome={outcome}}}"));
    lists_without_names(settings(nowhere().await), 4).await;
    assert_eq!((counted("unreachable"), counted("resting")), (1, 3));
    let silent = Stranger::start(b"", false).await;
    lists_without_names(impatient(silent.address), 4).await;
    assert_eq!((silent.connections(), counted("timed_out"), counted("resting")), (1, 1, 6));
    let curt = Stranger::start(b"", true).await;
    lists_without_names(settings(curt.address), 4).await;
    // The client connects twice, because the first connection may have been about to close.
    assert_eq!((curt.connections(), counted("unreachable"), counted("resting")), (2, 2, 9));
    let broken = Stranger::start(b"\0\0\x12\x04\0\0\0\0\0\0\x03", true).await;
    lists_without_names(settings(broken.address), 4).await;
    assert_eq!((broken.connections(), counted("unreachable"), counted("resting")), (2, 3, 12));
    let other = Stranger::start(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n", true).await;
    lists_without_names(settings(other.address), 4).await;
    assert_eq!((other.connections(), counted("unreachable"), counted("resting")), (2, 4, 15));
    let gone = Played::start(|_| Err(Status::unavailable(""))).await;
    lists_without_names(gone.settings(), 4).await;
    assert_eq!((gone.count(), counted("unreachable"), counted("resting")), (2, 5, 18));
}

#[tokio::test]
async fn profile_service_with_invalid_answers_is_paused_after_five_failures() {
    let html = || page(200, "text/html", "<html>Welcome</html>");
    let plain = || page(404, "text/plain", "no such page");
    // The gRPC library panics on this answer.
    let broken = || {
        let mut answer = page(200, "application/grpc", "");
        let headers = answer.headers_mut();
        headers.insert("grpc-status", "2".parse().expect("a header"));
        headers.insert("grpc-status-details-bin", "?!".parse().expect("a header"));
        answer
    };
    let cut_off = || page(200, "application/grpc", "\0\0\0\0\x09half");
    let (counters, _counting) = Counters::of_this_thread();
    let counted = |outcome: &str| counters.get(&format!("fieldbook_profile_lookups_total{{outcome={outcome}}}"));
    for (round, answer) in (1..).zip([html as fn() -> Response<Body>, plain, broken, cut_off]) {
        lists_without_names(settings(answering(answer).await), 8).await;
        let failed = counted("useless") + counted("unimplemented");
        assert_eq!((failed, counted("resting")), (5 * round, 3 * round), "{round}");
    }
}

#[tokio::test]
async fn oversized_answer_of_the_profile_service_is_not_read() {
    let service = Played::start(|asked| {
        let mut profiles = knows_all(asked)?;
        profiles.iter_mut().for_each(|profile| profile.avatar = Some("x".repeat(5 * 1024 * 1024)));
        Ok(profiles)
    })
    .await;
    lists_without_names(service.settings(), 1).await;
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn truncated_profile_answer_is_requested_again_over_a_new_connection() {
    let service = Played::start(knows_all).await;
    let proxy = Proxy::before(&service.address.to_string()).await;
    let settings = ProfilesSettings { keep: Duration::ZERO, ..settings(proxy.address) };
    let (_app, teacher) = start_with_authors(settings, &[Some(user(0))]).await;
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
    proxy.halve_the_next_answer();
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
    assert!(proxy.has_lost_it());
    assert_eq!(service.count(), 3);
}

/// Reads the list until its author is `expected`, and moves the clock, so that the machine's speed does not matter.
async fn until_the_author_is(expected: Value, app: &TestApp, teacher: &Caller) {
    let listing = async {
        while authors(teacher).await != [expected.clone()] {
            app.clock.advance(Duration::from_secs(30));
        }
    };
    tokio::time::timeout(Duration::from_secs(30), listing).await.expect("it comes to that");
}

#[tokio::test]
async fn connection_to_the_profile_service_is_not_reused_after_a_timeout() {
    let service = Played::start(knows_all).await;
    let proxy = Proxy::before(&service.address.to_string()).await;
    let settings =
        ProfilesSettings { keep: Duration::ZERO, deadline: Duration::from_secs(1), ..settings(proxy.address) };
    let (app, teacher) = start_with_authors(settings, &[Some(user(0))]).await;
    until_the_author_is(known(&user(0)), &app, &teacher).await;
    proxy.fall_silent();
    until_the_author_is(bare(Some(&user(0))), &app, &teacher).await;
    // Data on the old connection is lost for ever, but new connections work.
    proxy.speak_again();
    until_the_author_is(known(&user(0)), &app, &teacher).await;
}

#[tokio::test]
async fn profile_service_is_asked_again_after_its_restart() {
    let first = Played::start(knows_all).await;
    let address = first.address;
    let settings = ProfilesSettings { keep: Duration::ZERO, ..settings(address) };
    let (app, teacher) = start_with_authors(settings, &[Some(user(0))]).await;
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
    drop(first);
    // The connection ends some time after the server was dropped.
    while authors(&teacher).await != [bare(Some(&user(0)))] {}
    let second = Played::start_at(address, knows_all).await;
    assert_eq!(authors(&teacher).await, [bare(Some(&user(0)))]);
    assert_eq!(second.count(), 0, "it rests");
    app.clock.advance(Duration::from_secs(2));
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
}

#[tokio::test]
async fn one_profile_lookup_tries_the_service_after_a_pause_and_delays_no_other_lookup() {
    let away = Arc::new(AtomicBool::new(true));
    let is_away = away.clone();
    let service = Played::start(move |asked| match is_away.load(Ordering::SeqCst) {
        true => Err(Status::unavailable("")),
        false => knows_all(asked),
    })
    .await;
    let (app, teacher) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    assert_eq!(authors(&teacher).await, [bare(Some(&user(0)))]);
    let before = service.count();
    app.clock.advance(Duration::from_secs(2));
    away.store(false, Ordering::SeqCst);
    service.hold();
    let probe = tokio::spawn({
        let teacher = teacher.clone();
        async move { authors(&teacher).await }
    });
    service.was_asked(before + 1).await;
    // The answer to the probe is held back, but the lists of others are still answered.
    let colleague = app.signed_in(COLLEAGUE);
    for _ in 0..5 {
        assert_eq!(authors(&colleague).await, [bare(Some(&user(0)))]);
    }
    service.let_go();
    assert_eq!(probe.await.expect("a list"), [known(&user(0))]);
    assert_eq!(authors(&teacher).await, [known(&user(0))]);
    assert_eq!(service.count(), before + 1);
}

#[tokio::test]
async fn concurrent_lists_ask_a_hanging_profile_service_once() {
    let service = Played::start(knows_all).await;
    service.hold();
    let (_app, teacher) = start_with_authors(impatient(service.address), &[Some(user(0))]).await;
    let mut lists = tokio::task::JoinSet::new();
    for _ in 0..share_of(LIGHT) {
        let teacher = teacher.clone();
        lists.spawn(async move { authors(&teacher).await });
    }
    for shown in lists.join_all().await {
        assert_eq!(shown, [bare(Some(&user(0)))]);
    }
    assert_eq!(service.count(), 1);
    for _ in 0..100 {
        assert_eq!(authors(&teacher).await, [bare(Some(&user(0)))]);
    }
    assert_eq!(service.count(), 1);
}

#[tokio::test]
async fn change_is_stored_and_answered_while_the_profile_service_hangs() {
    let service = Played::start(knows_all).await;
    service.hold();
    let (_app, teacher) = super::start(impatient(service.address)).await;
    let created = teacher.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!((created.status.as_u16(), &created.data()["author"]), (201, &bare(Some(TEACHER))));
    let path = format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"));
    assert_eq!(teacher.get(&path).await.data()["title"], "Cress");
}

#[tokio::test]
async fn list_shows_the_same_profiles_again_after_one_lookup_failed() {
    let service = Played::start(|asked| match asked.batch {
        true => Err(Status::unimplemented("")),
        false if asked.ids == [user(1)] => Err(Status::unavailable("")),
        false => Ok(vec![profile(&asked.ids[0])]),
    })
    .await;
    let (_app, teacher) = start_with_authors(service.settings(), &[Some(user(0)), Some(user(1)), Some(user(2))]).await;
    let shown = authors(&teacher).await;
    assert_eq!(shown[1], bare(Some(&user(1))));
    // The order of the answers of the profile service decides whether the first list names the other two authors. The
    // second list must name the same authors.
    assert_eq!(authors(&teacher).await, shown);
}

#[tokio::test]
async fn profile_failure_is_logged_in_one_line_without_tokens_or_personal_data() {
    let (log, _guard) = log::captured();
    let service =
        Played::start(|asked| Err(Status::internal(format!("{:?} wants ada@example.org", asked.authorization)))).await;
    let (app, _) = start_with_authors(service.settings(), &[Some(user(0))]).await;
    let token = signed(&json!({"userId": TEACHER, "exp": IN_AN_HOUR}));
    authors(&app.anon().bearing(&token)).await;
    let text = log.text();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("fieldbook::profiles")).collect();
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].contains("WARN") && lines[0].contains("rpc.grpc.status=\"Internal\""), "{lines:#?}");
    assert!(lines[0].contains("duration_ms=") && lines[0].contains("outcome=\"useless\""), "{lines:#?}");
    let ours: Vec<&str> = text.lines().filter(|line| line.contains("fieldbook")).collect();
    assert!(ours.iter().all(|line| !line.contains(&token) && !line.contains("ada@")), "{ours:#?}");
}
