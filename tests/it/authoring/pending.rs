//! `Prefer: respond-async`: the service answers as soon as the change is stored, and the model's findings come later.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{at_odds, finds_birds, found, start, start_at_odds, updated};
use crate::support::endpoint::Answer;
use crate::support::stream::Stream;
use crate::support::{Caller, Exchange, SETTLE, TEACHER, TestApp};

/// Returns this caller with the header `Prefer: respond-async`.
fn hurried(caller: &Caller) -> Caller {
    caller.clone().with_header("prefer", "respond-async")
}

fn is_pending(investigation: &Value) -> bool {
    investigation.get("contradictionsPending").is_some_and(|flag| flag == true)
}

/// Returns whether the service answered without waiting for the model.
fn came_early(answer: &Exchange) -> bool {
    let json = answer.json();
    let investigation = if json["data"].is_object() { &json["data"] } else { &json["updatedInvestigation"] };
    let applied = answer.header("preference-applied") == Some("respond-async");
    assert_eq!(applied, is_pending(investigation), "{answer}");
    applied
}

/// Waits until pending processing has led to this revision, and returns the event. A long transaction on PostgreSQL
/// may delay older events, so the helper skips other revisions.
async fn applied(stream: &mut Stream, revision: u64) -> Value {
    loop {
        let (_, kind, mut data) = stream.event().await;
        if kind == "investigation.contradictions" && data["revision"] == revision {
            data["id"] = json!("evt");
            return data;
        }
    }
}

#[tokio::test]
async fn early_answer_is_followed_by_an_event_with_the_findings_of_the_model() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    let id = teacher.create(json!({"phenomenon": "The cress leans to the window."})).await;
    let path = format!("/api/investigation/{id}");
    let mut stream = Stream::open(&teacher, "/api/events").await;
    endpoint.hold("findings");
    let answer = hurried(&teacher).patch(&path, json!({"assessment": "Name three birds."})).await;
    assert!(came_early(&answer), "{answer}");
    assert_eq!(answer.header("etag"), Some("\"3\""));
    let early = updated(&answer);
    assert_eq!((&early["assessment"], &early["contradictions"]), (&json!("Name three birds."), &json!([])));
    assert_eq!((&early["version"], &early["revision"]), (&json!(1), &json!(3)));
    app.clock.advance(SETTLE);
    endpoint.asked("findings", 2).await;
    assert!(is_pending(&teacher.get(&path).await.data()));
    endpoint.let_go();
    assert_snapshot!(applied(&mut stream, 4).await, @r#"{"id":"evt","type":"investigation.contradictions","at":"2026-11-21T08:00:02.000Z","investigationId":"000000000000000000000001","revision":4,"total":1,"hints":0,"incomplete":false}"#);
    let stored = teacher.get(&path).await.data();
    assert_eq!((found(&stored), is_pending(&stored)), (vec!["model:muse phenomenon".into()], false));
    assert_eq!((&stored["version"], &stored["revision"]), (&json!(1), &json!(4)));
    let versions = teacher.get(&format!("{path}/versions")).await.data();
    assert_eq!(versions.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn create_update_clone_undo_redo_and_restore_can_answer_before_the_model_check() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    let hurried = hurried(&teacher);
    let created = hurried.post("/api/investigation", at_odds()).await;
    let path = format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"));
    let mut answers = vec![created, hurried.patch(&path, json!({"assessment": "Draw it."})).await];
    for operation in ["clone", "undo", "redo", "versions/0/restore"] {
        answers.push(hurried.post_empty(&format!("{path}/{operation}")).await);
    }
    for answer in answers {
        assert!(came_early(&answer), "{answer}");
    }
    assert_eq!(endpoint.count("findings"), 0);
}

#[tokio::test]
async fn prefer_respond_async_has_no_effect_if_no_model_needs_to_be_asked() {
    let (_app, _, teacher) = TestApp::start().await;
    assert!(!came_early(&hurried(&teacher).post("/api/investigation", at_odds()).await));

    let (_endpoint, _app, teacher, path) = start_at_odds(finds_birds).await;
    teacher.patch(&path, json!({"assessment": "Draw it."})).await;
    let undone = hurried(&teacher).post_empty(&format!("{path}/undo")).await;
    assert!(!came_early(&undone));
    assert_eq!(found(&undone.data()), ["model:muse phenomenon"]);
    // No model reads the content of a dry run, so its answer is incomplete and not pending.
    let shown = hurried(&teacher).patch(&format!("{path}?dryRun=true"), json!({"assessment": "Sing."})).await;
    assert!(!came_early(&shown));
    assert_eq!(updated(&shown)["contradictionsIncomplete"], true);
}

#[tokio::test]
async fn prefer_header_is_parsed_as_the_standard_requires() {
    let (_endpoint, _app, teacher) = start(finds_birds).await;
    for (prefer, is_early) in [
        ("wait=5, Respond-Async; foo=\"bar\"", true),
        ("respond-async=\"\"", true),
        ("return=minimal", false),
        ("respond-asynchronously", false),
        ("", false),
    ] {
        let caller = teacher.clone().with_header("prefer", prefer);
        let answer = caller.post("/api/investigation", json!({"title": prefer})).await;
        assert_eq!(came_early(&answer), is_early, "{prefer}: {answer}");
    }
}

#[tokio::test]
async fn model_checks_several_quick_changes_only_once_after_the_last_change() {
    let (endpoint, app, teacher, path) = start_at_odds(finds_birds).await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    for draft in ["N", "Name", "Name three", "Name three birds, or more."] {
        app.clock.advance(SETTLE / 2);
        assert!(came_early(&hurried(&teacher).patch(&path, json!({"assessment": draft})).await));
    }
    app.clock.advance(SETTLE);
    assert_eq!(applied(&mut stream, 7).await["total"], 1);
    assert_eq!(endpoint.count("findings"), 2);
    assert!(endpoint.last("findings").holds(&["or more."]));
}

#[tokio::test]
async fn change_made_during_a_model_check_is_checked_after_that_check() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let mut stream = Stream::open(&teacher, "/api/events").await;
    endpoint.hold("findings");
    hurried(&teacher).patch(&path, json!({"title": "Older"})).await;
    app.clock.advance(SETTLE);
    endpoint.asked("findings", 2).await;
    hurried(&teacher).patch(&path, at_odds()).await;
    app.clock.advance(SETTLE);
    endpoint.let_go();
    assert_eq!(applied(&mut stream, 5).await["total"], 1);
    let stored = teacher.get(&path).await.data();
    assert_eq!((found(&stored), is_pending(&stored)), (vec!["model:muse phenomenon".into()], false));
    assert_eq!(endpoint.count("findings"), 3);
}

#[tokio::test]
async fn pending_check_that_fails_is_marked_incomplete_and_retried_at_the_next_change() {
    let (_endpoint, app, teacher) = start(|question| match (question.kind, question.nth) {
        ("findings", 2) => Answer::Refuses(403),
        _ => finds_birds(question),
    })
    .await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let mut stream = Stream::open(&teacher, "/api/events").await;
    hurried(&teacher).patch(&path, at_odds()).await;
    app.clock.advance(SETTLE);
    assert_snapshot!(applied(&mut stream, 4).await, @r#"{"id":"evt","type":"investigation.contradictions","at":"2026-11-21T08:00:02.000Z","investigationId":"000000000000000000000001","revision":4,"total":0,"hints":0,"incomplete":true}"#);
    let stored = teacher.get(&path).await.data();
    assert_eq!((found(&stored).len(), is_pending(&stored)), (0, false));
    assert_eq!(stored["contradictionsIncomplete"], true);
    assert!(came_early(&hurried(&teacher).patch(&path, json!({})).await));
    app.clock.advance(SETTLE);
    assert_eq!(applied(&mut stream, 6).await["total"], 1);
    assert_eq!(teacher.get(&path).await.data().get("contradictionsIncomplete"), None);
}

#[tokio::test]
async fn check_left_pending_by_a_stopped_service_is_resumed_by_a_later_read() {
    let (endpoint, mut app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    endpoint.hold("findings");
    hurried(&teacher).patch(&path, at_odds()).await;
    app.clock.advance(SETTLE);
    endpoint.asked("findings", 2).await;
    // The service stops without waiting for the model, whose answer this test still holds back.
    app.stop().await;
    let app = app.restart().await;
    endpoint.let_go();
    let teacher = app.signed_in(TEACHER);
    let mut stream = Stream::open(&teacher, "/api/events").await;
    // The process that stored the change may still be waiting for the model, so the new process does not ask yet.
    assert!(is_pending(&teacher.get(&path).await.data()));
    assert_eq!(endpoint.count("findings"), 2);
    app.clock.advance(3 * SETTLE + endpoint.settings().deadline);
    assert!(is_pending(&teacher.get(&path).await.data()));
    assert_eq!(applied(&mut stream, 4).await["total"], 1);
    assert_eq!(found(&teacher.get(&path).await.data()), ["model:muse phenomenon"]);
}

#[tokio::test]
async fn pending_check_is_completed_by_the_rules_after_the_model_is_removed() {
    let (_endpoint, app, teacher) = start(finds_birds).await;
    let path = {
        let created = hurried(&teacher).post("/api/investigation", at_odds()).await;
        format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"))
    };
    let app = app.restart_without_model().await;
    let teacher = app.signed_in(TEACHER);
    let mut stream = Stream::open(&teacher, "/api/events").await;
    app.clock.advance(2 * SETTLE);
    assert!(is_pending(&teacher.get(&path).await.data()));
    assert_eq!(applied(&mut stream, 2).await["incomplete"], false);
    assert!(!is_pending(&teacher.get(&path).await.data()));
}

#[tokio::test]
async fn model_does_not_check_an_investigation_deleted_while_its_check_was_pending() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    let hurried = hurried(&teacher);
    let deleted = hurried.post("/api/investigation", json!({"title": "Deleted"})).await.data();
    let path = format!("/api/investigation/{}", deleted["_id"].as_str().expect("an id"));
    assert_eq!(teacher.delete(&path).await.status.as_u16(), 200);
    let mut stream = Stream::open(&teacher, "/api/events").await;
    hurried.post("/api/investigation", json!({"title": "There"})).await;
    app.clock.advance(SETTLE);
    assert_eq!(applied(&mut stream, 2).await["total"], 0);
    assert_eq!(endpoint.count("findings"), 1);
    assert_eq!(teacher.get(&path).await.json()["code"], "investigation_not_found");
}

#[tokio::test]
async fn repeated_creation_gets_the_first_answer_even_after_its_check_ended() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    let hurried = hurried(&teacher).with_header("idempotency-key", "one");
    let mut stream = Stream::open(&teacher, "/api/events").await;
    let first = hurried.post("/api/investigation", at_odds()).await;
    app.clock.advance(SETTLE);
    applied(&mut stream, 2).await;
    let again = hurried.post("/api/investigation", at_odds()).await;
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!((&again.text, came_early(&again)), (&first.text, true));
    assert_eq!(endpoint.count("findings"), 1);
}
