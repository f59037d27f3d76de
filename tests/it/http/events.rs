//! `GET /api/events`

use std::collections::HashSet;
use std::time::Duration;

use fieldbook::admission::{Actor, LIGHT, share_of};
use fieldbook::app::RECHECK;
use fieldbook::domain::event::EventId;
use fieldbook::domain::time::Timestamp;
use fieldbook::feed::Listener;
use fieldbook::store::events::ExpiredEvents;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::admit::is_waiting;
use super::permissions::add_key;
use crate::support::stream::{Block, Stream};
use crate::support::{COLLEAGUE, Caller, START, STREAMS, TEACHER, TestApp};

const WHOLE: &str = "/api/events?after=0";

/// Returns a document with a contradiction: the steps take longer than the lesson.
fn at_odds() -> Value {
    json!({"title": "Cress", "durationMinutes": 30, "steps": [{"text": "Sow", "minutes": 40}]})
}

/// Returns the next events, one per line, without their ids, which differ between stores.
async fn lines(stream: &mut Stream, count: usize) -> String {
    let mut lines = Vec::new();
    for _ in 0..count {
        let (id, kind, mut data) = stream.event().await;
        assert_eq!((data["id"].as_str(), data["type"].as_str()), (Some(id.as_str()), Some(kind.as_str())));
        let told = data.as_object_mut().expect("an object");
        told.shift_remove("id");
        lines.push(data.to_string());
    }
    lines.join("\n")
}

#[tokio::test]
async fn stream_sends_events_in_order_and_without_content() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    let path = teacher.create_path(at_odds()).await;
    teacher.patch(&path, json!({"durationMinutes": 40, "hypothesis": "It grows"})).await;
    teacher.patch(&path, json!({"status": "published"})).await;
    teacher.patch(&path, json!({"status": "published"})).await;
    for step in ["undo", "undo", "redo", "redo"] {
        teacher.post_empty(&format!("{path}/{step}")).await;
    }
    teacher.post_empty(&format!("{path}/versions/0/restore")).await;
    teacher.patch(&format!("{path}/versions/1"), json!({"name": "Before the trial lesson"})).await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "durationMinutes"})).await;
    teacher.post_empty(&format!("{path}/clone")).await;
    teacher.delete(&path).await;
    assert_snapshot!(lines(&mut stream, 15).await, @r#"
    {"type":"investigation.created","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":1}
    {"type":"investigation.contradictions_found","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":1,"count":1,"total":1}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"by":"update","version":1,"changedFields":["durationMinutes","hypothesis"]}
    {"type":"investigation.status_changed","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":3,"from":"draft_incomplete","to":"published"}
    {"type":"investigation.status_changed","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":4,"from":"published","to":"draft_incomplete"}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":5,"by":"undo","version":0,"changedFields":["durationMinutes","hypothesis"]}
    {"type":"investigation.contradictions_found","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":5,"count":1,"total":1}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":6,"by":"redo","version":1,"changedFields":["durationMinutes","hypothesis"]}
    {"type":"investigation.status_changed","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":7,"from":"draft_incomplete","to":"published"}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":8,"by":"restore","version":3,"changedFields":["durationMinutes","hypothesis"]}
    {"type":"investigation.contradictions_found","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":8,"count":1,"total":1}
    {"type":"investigation.version_named","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":9,"version":1}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":10,"by":"resolve","version":4,"changedFields":["durationMinutes"]}
    {"type":"investigation.created","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000003","revision":1,"clonedFrom":"000000000000000000000001"}
    {"type":"investigation.deleted","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":10,"permanently":true}
    "#);
}

#[tokio::test]
async fn stream_sends_the_events_of_one_change_in_the_documented_order() {
    let (_app, anon, teacher) = TestApp::start_with_optional_tokens().await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    let path = anon.create_path(json!({"title": "Cress"})).await;
    let change = json!({
        "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}], "editors": [COLLEAGUE], "status": "published",
    });
    assert_eq!(teacher.patch(&path, change).await.status, 200);
    teacher.delete(&path).await;
    assert_snapshot!(lines(&mut stream, 7).await, @r#"
    {"type":"investigation.created","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":1}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"by":"update","version":1,"changedFields":["durationMinutes","steps"]}
    {"type":"investigation.author_set","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"author":"aaaaaaaaaaaaaaaaaaaaaaaa"}
    {"type":"investigation.editors_changed","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"editors":["bbbbbbbbbbbbbbbbbbbbbbbb"]}
    {"type":"investigation.status_changed","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"from":"draft_incomplete","to":"published"}
    {"type":"investigation.contradictions_found","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"count":1,"total":1}
    {"type":"investigation.deleted","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000001","revision":2,"permanently":true}
    "#);
}

#[tokio::test]
async fn refused_changes_dry_runs_and_repeats_emit_no_events() {
    let (_app, _, teacher) = TestApp::start().await;
    let once = teacher.clone().with_header("idempotency-key", "k");
    let first = once.post("/api/investigation", json!({"title": "Cress"})).await;
    assert_eq!(first.status, StatusCode::CREATED, "{first}");
    once.post("/api/investigation", json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{}", first.data()["_id"].as_str().expect("an id"));
    teacher.patch(&path, json!({"title": 1})).await;
    teacher.patch(&format!("{path}?dryRun=true"), json!({"title": "Radish"})).await;
    teacher.patch(&path, json!({"title": "Cress"})).await;
    teacher.clone().with_header("if-match", "\"9\"").delete(&path).await;
    teacher.delete(&path).await;
    let mut stream = Stream::open(&teacher, WHOLE).await;
    let (_, created, _) = stream.event().await;
    let (_, deleted, _) = stream.event().await;
    assert_eq!((created.as_str(), deleted.as_str()), ("investigation.created", "investigation.deleted"));
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_reader_that_reconnects_gets_every_event_exactly_once() {
    const EDITORS: usize = share_of(LIGHT) as usize - 1;
    const EDITS: usize = 50;
    let (_app, _, teacher) = TestApp::start().await;
    let mut editors = JoinSet::new();
    for editor in 0..EDITORS {
        let teacher = teacher.clone();
        editors.spawn(async move {
            let id = teacher.create(json!({"title": "Cress"})).await;
            for n in 0..EDITS {
                let edited =
                    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": format!("{editor} {n}")})).await;
                assert_eq!(edited.status, StatusCode::OK, "{edited}");
            }
            id
        });
    }
    let mut seen: Vec<(String, u64)> = Vec::new();
    let mut ids = HashSet::new();
    let mut last = "0".to_owned();
    // Each investigation has one creation and `EDITS` edits. Each stream is closed after a few events, and the next
    // stream continues after the last id.
    for length in (1..=7).cycle() {
        let caller = teacher.clone().with_header("last-event-id", &last);
        let mut stream = Stream::open(&caller, "/api/events").await;
        for _ in 0..length {
            if seen.len() == EDITORS * (EDITS + 1) {
                break;
            }
            let (id, _, data) = stream.event().await;
            assert!(ids.insert(id.clone()), "{id} twice");
            let investigation = data["investigationId"].as_str().expect("an id").to_owned();
            seen.push((investigation, data["revision"].as_u64().expect("a revision")));
            last = id;
        }
        if seen.len() == EDITORS * (EDITS + 1) {
            break;
        }
    }
    for id in editors.join_all().await {
        let told: Vec<u64> = seen.iter().filter(|(of, _)| *of == id).map(|(_, revision)| *revision).collect();
        assert_eq!(told, (1..=EDITS as u64 + 1).collect::<Vec<_>>(), "in the order of their revisions");
    }
}

#[tokio::test]
async fn reader_cannot_resume_a_stream_if_the_next_events_have_expired() {
    let (app, _, teacher) = TestApp::start().await;
    for _ in 0..3 {
        teacher.create(json!({})).await;
    }
    let mut stream = Stream::open(&teacher, WHOLE).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(stream.event().await.0);
    }
    app.clock.advance(Duration::from_secs(8 * 24 * 3600));
    let teacher = app.signed_in(TEACHER);
    let newest = teacher.create(json!({})).await;
    let now = app.clock.now();
    let outdated = ExpiredEvents { before: Timestamp(now.0 - 1), now, endpoints: Vec::new() };
    app.app.store.forget_events(outdated).await.expect("forgotten");

    let gone = teacher.get(&format!("/api/events?after={}", ids[0])).await;
    assert_eq!(gone.status, StatusCode::GONE, "{gone}");
    assert_snapshot!(gone.json(), @r#"{"success":false,"message":"The event has expired","error":"The events after it would be incomplete; read the investigations again, then the events from now on, or all stored events with after=0","code":"events_gone"}"#);
    // A client that has seen the last expired event has missed nothing.
    let mut stream = Stream::open(&teacher, &format!("/api/events?after={}", ids[2])).await;
    assert_eq!(stream.event().await.2["investigationId"], json!(newest));
    let mut stream = Stream::open(&teacher, WHOLE).await;
    assert_eq!(stream.event().await.0, ids[2]);
    // This id is after the newest event. It could belong to another store, or to a store before its restore.
    let unknown = teacher.get(&format!("/api/events?after={}0", ids[2])).await;
    assert_eq!(unknown.json()["code"], "events_gone", "{unknown}");
}

#[tokio::test]
async fn malformed_event_id_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    for text in ["1", "evt_", "evt_1_2", "evt_1_2_3_4", "evt_x_1_2", "-1", "evt_-1_1_1", ""] {
        let refused = teacher.get(&format!("/api/events?after={text}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
    }
    let refused = teacher.with_header("last-event-id", "seventeen").get(WHOLE).await;
    assert_snapshot!(refused.json(), @r#"{"success":false,"message":"Validation failed","errors":[{"path":"Last-Event-ID","message":"must be the id of an event, as it was received, or 0"}],"code":"validation_failed"}"#);
}

#[tokio::test]
async fn streams_end_when_the_service_stops() {
    let (mut app, _, teacher) = TestApp::start().await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    app.stop().await;
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn stream_beyond_the_limit_is_refused_until_an_open_stream_ends() {
    let (app, _, teacher) = TestApp::start().await;
    let other = |n: u32| Actor::at(std::net::Ipv4Addr::from_bits(n / share_of(STREAMS)).into());
    let mut places: Vec<_> = (1..STREAMS).map(|n| app.app.feed.permit(other(n)).expect("a place")).collect();
    let stream = Stream::open(&teacher, "/api/events").await;
    let refused = teacher.get("/api/events").await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, Some("1")));
    assert_eq!(refused.json()["code"], "too_many_streams", "{refused}");
    places.pop();
    drop(Stream::open(&teacher, "/api/events").await);
    drop(stream);
}

#[tokio::test]
async fn user_at_the_stream_limit_does_not_block_streams_of_others() {
    let (app, _, teacher) = TestApp::start().await;
    let user = Actor::User(TEACHER.parse().expect("an id"));
    let _streams: Vec<_> = (0..share_of(STREAMS)).map(|_| app.app.feed.permit(user).expect("a place")).collect();
    let refused = teacher.get("/api/events").await;
    assert_eq!((refused.status, refused.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, Some("1")));
    assert_snapshot!(refused.json(), @r#"{"success":false,"message":"Too many streams","error":"A caller can open at most 64 streams; close one first","code":"too_many_streams"}"#);
    Stream::open(&app.signed_in(crate::support::COLLEAGUE), "/api/events").await;
}

/// The clock of the service does not move, so only the end of the connection can free the permit.
#[tokio::test]
async fn stream_no_longer_counts_towards_the_limit_after_its_client_disconnects() {
    let (app, _, teacher) = TestApp::start().await;
    let user = Actor::User(TEACHER.parse().expect("an id"));
    let mut streams = Vec::new();
    for path in ["/api/events", WHOLE, "/api/events?investigation=000000000000000000000009"] {
        streams.push(Stream::open(&teacher, path).await);
    }
    let mut places = Vec::new();
    while let Ok(place) = app.app.feed.permit(user) {
        places.push(place);
    }
    assert_eq!(places.len() + streams.len(), share_of(STREAMS) as usize);
    for stream in streams {
        drop(stream);
        places.push(loop {
            match app.app.feed.permit(user) {
                Ok(place) => break place,
                Err(_) => tokio::task::yield_now().await,
            }
        });
    }
}

#[tokio::test]
async fn stream_of_one_investigation_has_no_events_of_other_investigations() {
    let (app, _, teacher) = TestApp::start().await;
    let other = teacher.create_path(json!({"title": "Peas"})).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    app.events(2).await;
    let own = format!("/api/events?investigation={id}");
    let (mut now, mut whole) = (Stream::open(&teacher, &own).await, Stream::open(&teacher, WHOLE).await);
    let mut old = Stream::open(&teacher, &format!("{own}&after=0")).await;
    for title in ["1", "2"] {
        teacher.patch(&other, json!({"title": title})).await;
        teacher.patch(&path, json!({"title": title})).await;
    }
    teacher.create_link(&id, "class-5b", "cress").await;
    teacher.delete(&other).await;
    teacher.delete(&path).await;
    assert_snapshot!(lines(&mut now, 4).await, @r#"
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000003","revision":2,"by":"update","version":1,"changedFields":["title"]}
    {"type":"investigation.updated","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000003","revision":3,"by":"update","version":2,"changedFields":["title"]}
    {"type":"link.created","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000003","revision":3,"key":"class-5b","subLink":"cress"}
    {"type":"investigation.deleted","at":"2026-11-21T08:00:00.000Z","investigationId":"000000000000000000000003","revision":3,"permanently":true}
    "#);
    let mut ids = Vec::new();
    for _ in 0..9 {
        let (id, _, data) = whole.event().await;
        ids.push((id, data["investigationId"].clone()));
    }
    ids.retain(|(_, of)| *of == json!(id));
    for (event, _) in &ids {
        assert_eq!(old.event().await.0, *event);
    }
    let mut rest = Stream::open(&teacher.clone().with_header("last-event-id", &ids[3].0), &own).await;
    assert_eq!(rest.event().await.0, ids[4].0);
    let refused = teacher.get("/api/events?investigation=cress").await;
    assert_snapshot!(refused.json(), @r#"{"success":false,"message":"Validation failed","errors":[{"path":"investigation","message":"must be 24 hexadecimal digits"}],"code":"validation_failed"}"#);
}

/// Waits until `count` events are stored, and reads those that the listener has not read yet.
async fn read_all(app: &TestApp, listener: &mut Listener, count: usize) {
    app.events(count).await;
    while !listener.read(&app.app.store).await.expect("read").is_empty() {}
}

#[tokio::test]
async fn listener_of_one_investigation_is_not_woken_by_events_of_other_investigations() {
    let (app, _, teacher) = TestApp::start().await;
    let (path, other) = (teacher.create_path(json!({})).await, teacher.create_path(json!({})).await);
    let id = path.rsplit('/').next().expect("an id").parse().expect("an id");
    let mut all = app.app.feed.listener(EventId::BEGINNING, None);
    let mut own = app.app.feed.listener(EventId::BEGINNING, Some(id));
    read_all(&app, &mut all, 2).await;
    read_all(&app, &mut own, 2).await;
    // The first check for new events wakes all listeners, because the feed does not know yet what they have read.
    teacher.patch(&path, json!({"title": "Peas"})).await;
    for listener in [&mut all, &mut own] {
        listener.wait_for_events().await;
        read_all(&app, listener, 3).await;
    }
    for n in 0..3 {
        teacher.patch(&other, json!({"title": n.to_string()})).await;
        all.wait_for_events().await;
        read_all(&app, &mut all, 4 + n).await;
        let woken = tokio::time::timeout(Duration::ZERO, own.wait_for_events()).await.is_ok();
        assert!(!woken, "by the event of another investigation");
    }
    teacher.patch(&path, json!({"title": "Cress"})).await;
    own.wait_for_events().await;
    let events = own.read(&app.app.store).await.expect("read");
    assert_eq!((events.len(), events[0].investigation_id), (1, id));
}

#[tokio::test]
async fn listener_is_woken_by_new_events_after_a_restore_decreased_the_event_ids() {
    let (app, _, teacher) = TestApp::start().await;
    let path = teacher.create_path(json!({})).await;
    // The feed notices only the loss of events that it could see when it first had a listener.
    app.events(1).await;
    let mut early = app.app.feed.listener(EventId::BEGINNING, None);
    read_all(&app, &mut early, 1).await;
    teacher.patch(&path, json!({"title": "Peas"})).await;
    early.wait_for_events().await;
    read_all(&app, &mut early, 2).await;
    // This is the state after the restore of a dump without events.
    app.behind("DELETE FROM event");
    early.wait_for_events().await;
    assert_eq!(early.read_unbroken(&app.app.store).await.expect("read"), None, "it may have missed events");
    let mut late = app.app.feed.listener(EventId::BEGINNING, None);
    read_all(&app, &mut late, 0).await;
    teacher.patch(&path, json!({"title": "Cress"})).await;
    late.wait_for_events().await;
    let events = late.read(&app.app.store).await.expect("read");
    assert_eq!((events.len(), events[0].revision), (1, 3));
}

#[tokio::test]
async fn listener_gets_new_events_even_if_the_last_event_it_read_expired() {
    let (app, _, teacher) = TestApp::start().await;
    let path = teacher.create_path(json!({})).await;
    let id = path.rsplit('/').next().expect("an id").parse().expect("an id");
    let mut listener = app.app.feed.listener(EventId::BEGINNING, Some(id));
    read_all(&app, &mut listener, 1).await;
    teacher.create(json!({})).await;
    app.behind("DELETE FROM event WHERE n = (SELECT min(n) FROM event)");
    teacher.patch(&path, json!({"title": "Peas"})).await;
    app.events(2).await;
    let events = listener.read_unbroken(&app.app.store).await.expect("read").expect("nothing is missing");
    assert_eq!((events.len(), events[0].revision), (1, 2));
}

#[tokio::test]
async fn stream_ends_if_a_restored_store_lacks_events_already_sent() {
    let (app, _, teacher) = TestApp::start().await;
    let (path, other) = (teacher.create_path(json!({})).await, teacher.create_path(json!({})).await);
    let id = path.rsplit('/').next().expect("an id");
    let mut streams = Vec::new();
    for asked in ["/api/events?after=0".to_owned(), format!("/api/events?after=0&investigation={id}")] {
        streams.push((Stream::open(&teacher, &asked).await, asked));
    }
    teacher.patch(&path, json!({"title": "Peas"})).await;
    let mut last = Vec::new();
    for ((stream, _), events) in streams.iter_mut().zip([3, 2]) {
        for _ in 1..events {
            stream.event().await;
        }
        last.push(stream.event().await.0);
    }
    assert_eq!(last[0], last[1]);
    // This is the state after a failover to a standby that lacks the last event, and that has stored new ones since.
    app.behind("DELETE FROM event WHERE revision = 2");
    app.clock.advance(Duration::from_secs(1));
    teacher.patch(&other, json!({"title": "Cress"})).await;
    for (mut stream, asked) in streams {
        assert_eq!(stream.next().await, None, "{asked}");
        let again = teacher.clone().with_header("last-event-id", &last[0]).get(&asked).await;
        assert_eq!(again.json()["code"], "events_gone", "{again}");
    }
}

/// Reads until the end of a stream, and returns how many heartbeats came.
async fn heartbeats(mut stream: Stream) -> usize {
    let mut count = 0;
    while let Some(block) = stream.next().await {
        count += usize::from(block == Block::Aside(":".to_owned()));
    }
    count
}

#[tokio::test]
async fn stream_of_a_revoked_key_ends_at_the_next_check() {
    let (app, _, teacher) = TestApp::start().await;
    let (revoked, kept) = (add_key(&app, 1, "author").await, add_key(&app, 2, "author").await);
    let program = app.anon().bearing(revoked.expose());
    let stream = Stream::open(&program, "/api/events").await;
    let mut other = Stream::open(&app.anon().bearing(kept.expose()), "/api/events").await;
    app.app.store.revoke_api_key(revoked.id().expect("an id"), START).await.expect("revoked");
    app.clock.advance(RECHECK);
    assert_eq!(heartbeats(stream).await, 0);
    teacher.create(json!({})).await;
    other.event().await;
    let refused = program.get("/api/events").await;
    assert_eq!(
        (refused.status.as_u16(), &refused.json()["error"]),
        (401, &json!("the API key is unknown or was revoked"))
    );
}

#[tokio::test]
async fn stream_of_an_expired_token_ends_at_the_next_check() {
    let (app, anon, _) = TestApp::start().await;
    let token = app.app.tokens.sign(TEACHER.parse().expect("an id"), None, app.clock.now(), RECHECK * 2);
    let mut stream = Stream::open(&anon.bearing(&token.expect("a token")), "/api/events").await;
    assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    app.clock.advance(RECHECK);
    assert_eq!(stream.next().await, Some(Block::Aside(":".to_owned())));
    app.clock.advance(RECHECK);
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn stream_ends_when_the_roles_of_its_caller_change() {
    let (app, _, _) = TestApp::start().await;
    let key = add_key(&app, 1, "admin").await;
    let program = app.anon().bearing(key.expose());
    let stream = Stream::open(&program, "/api/events").await;
    app.behind("UPDATE api_key SET role = 'reader'");
    app.clock.advance(RECHECK);
    assert_eq!(heartbeats(stream).await, 0);
    // The key has the role of a reader, which may read events. Each check of the rights finds this role, so the stream
    // continues.
    let mut stream = Stream::open(&program, "/api/events").await;
    assert_eq!(stream.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    app.clock.advance(RECHECK);
    assert_eq!(stream.next().await, Some(Block::Aside(":".to_owned())));
}

#[tokio::test]
async fn stream_ends_when_its_credential_cannot_be_checked() {
    let (app, _, teacher) = TestApp::start().await;
    let key = add_key(&app, 1, "author").await;
    let program = app.anon().bearing(key.expose());
    let stream = Stream::open(&program, "/api/events").await;
    let mut other = Stream::open(&teacher, "/api/events").await;
    app.behind("ALTER TABLE api_key RENAME TO lost");
    app.clock.advance(RECHECK);
    assert_eq!(heartbeats(stream).await, 0);
    let refused = program.get("/api/events").await;
    assert_eq!(
        (refused.status, &refused.json()["code"]),
        (StatusCode::SERVICE_UNAVAILABLE, &json!("store_unavailable"))
    );
    // A token is checked without the store.
    assert_eq!(other.next().await, Some(Block::Aside("retry: 1000".to_owned())));
    assert_eq!(other.next().await, Some(Block::Aside(":".to_owned())));
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_stream_reader_does_not_block_other_readers() {
    let (_app, _, teacher) = TestApp::start().await;
    let slow = Stream::open(&teacher, "/api/events").await;
    let mut quick = Stream::open(&teacher, "/api/events").await;
    let id = teacher.create(json!({})).await;
    edit(&teacher, &id, 300).await;
    for _ in 0..301 {
        quick.event().await;
    }
    drop(slow);
}

#[tokio::test]
async fn stream_reads_stored_events_only_with_a_permit_of_its_user() {
    let (app, _, teacher) = TestApp::start().await;
    let colleague = app.signed_in(COLLEAGUE);
    teacher.create(json!({})).await;
    let mut own = Stream::open(&teacher, WHOLE).await;
    own.event().await;
    let user = Actor::User(TEACHER.parse().expect("an id"));
    let permits = app.app.admission.light.take(user, share_of(LIGHT)).await;
    colleague.create(json!({})).await;
    is_waiting(&app.app.admission.light).await;
    Stream::open(&colleague, WHOLE).await.event().await;
    drop(permits);
    own.event().await;
}

#[tokio::test]
async fn stream_replays_stored_events_only_after_its_user_gets_a_permit_for_heavy_requests() {
    let (app, _, teacher) = TestApp::start().await;
    let colleague = app.signed_in(COLLEAGUE);
    teacher.create(json!({})).await;
    let mut live = Stream::open(&teacher, "/api/events").await;
    let user = Actor::User(TEACHER.parse().expect("an id"));
    let permit = app.app.admission.heavy.take(user, 1).await;
    let mut replay = Stream::open(&teacher, WHOLE).await;
    is_waiting(&app.app.admission.heavy).await;
    Stream::open(&colleague, WHOLE).await.event().await;
    // New events do not wait for the replay.
    colleague.create(json!({})).await;
    live.event().await;
    drop(permit);
    replay.event().await;
}

async fn edit(teacher: &Caller, id: &str, times: usize) {
    for n in 0..times {
        let edited = teacher.patch(&format!("/api/investigation/{id}"), json!({"title": n.to_string()})).await;
        assert_eq!(edited.status, StatusCode::OK, "{edited}");
    }
}
