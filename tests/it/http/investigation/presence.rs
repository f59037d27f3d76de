//! `POST /api/investigation/{id}/presence`

use std::time::Duration;

use fieldbook::store::PRESENCE_TTL;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, TestApp};

/// Reports that the caller has an investigation open or has left it. Returns the ids of the others who have it open.
async fn others(caller: &Caller, path: &str, open: bool) -> Vec<String> {
    let answer = caller.post(&format!("{path}/presence"), json!({ "open": open })).await;
    let others = answer.data()["others"].clone();
    let ids = others.as_array().unwrap_or_else(|| panic!("{answer}")).iter();
    ids.map(|other| other["id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn users_with_an_investigation_open_see_each_other_until_they_leave() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let colleague = app.signed_in(COLLEAGUE);
    assert_eq!(others(&teacher, &path, true).await, [""; 0]);
    assert_snapshot!(colleague.post(&format!("{path}/presence"), json!({"open": true})).await, @r#"
    POST /api/investigation/000000000000000000000001/presence
    {"open":true}
    200 OK
    {
      "success": true, "message": "Presence noted successfully",
      "data": {"others": [{"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null}]}
    }
    "#);
    // A second window of the same user is not another user.
    assert_eq!(others(&teacher, &path, true).await, [COLLEAGUE]);
    assert_eq!(others(&teacher, &path, true).await, [COLLEAGUE]);
    let other = format!("/api/investigation/{}", teacher.create(json!({"title": "Oats"})).await);
    assert_eq!(others(&colleague, &other, true).await, [""; 0]);
    others(&colleague, &path, false).await;
    assert_eq!(others(&teacher, &path, true).await, [""; 0]);
}

#[tokio::test]
async fn user_without_a_heartbeat_is_no_longer_present() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let colleague = app.signed_in(COLLEAGUE);
    others(&colleague, &path, true).await;
    app.clock.advance(PRESENCE_TTL - Duration::from_millis(1));
    assert_eq!(others(&teacher, &path, true).await, [COLLEAGUE]);
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(others(&teacher, &path, true).await, [""; 0]);
    assert_eq!(others(&colleague, &path, true).await, [crate::support::TEACHER], "the teacher was noted later");
}

#[tokio::test]
async fn presence_is_right_again_after_a_clock_was_ahead_for_a_while() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let colleague = app.signed_in(COLLEAGUE);
    others(&colleague, &path, true).await;
    app.clock.jump(-i64::try_from(PRESENCE_TTL.as_millis()).expect("45 seconds"));
    assert_eq!(others(&teacher, &path, true).await, [""; 0], "the colleague was noted in the future");
    others(&colleague, &path, true).await;
    assert_eq!(others(&teacher, &path, true).await, [COLLEAGUE]);
}

#[tokio::test]
async fn presence_heartbeat_does_not_read_the_content() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    app.behind("UPDATE investigation SET content = 'nonsense'");
    assert_eq!(others(&teacher, &path, true).await, [""; 0]);
}

#[tokio::test]
async fn presence_heartbeat_does_not_change_the_investigation() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let before = teacher.get(&path).await.data();
    others(&teacher, &path, true).await;
    assert_eq!(teacher.get(&path).await.data(), before);
    assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
}

#[tokio::test]
async fn one_user_has_at_most_sixteen_investigations_open() {
    let (app, _, teacher) = TestApp::start().await;
    let colleague = app.signed_in(COLLEAGUE);
    let mut paths = Vec::new();
    for n in 0..17 {
        let path = teacher.create_path(json!({ "title": n.to_string() })).await;
        others(&colleague, &path, true).await;
        app.clock.advance(Duration::from_millis(1));
        paths.push(path);
    }
    assert_eq!(others(&teacher, &paths[0], true).await, [""; 0], "the oldest counts as left");
    for path in &paths[1..] {
        assert_eq!(others(&teacher, path, false).await, [COLLEAGUE], "{path}");
    }
}

#[tokio::test]
async fn invalid_presence_heartbeat_is_refused() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let presence = format!("{path}/presence");
    for body in [json!({}), json!({"open": "yes"}), json!({"open": true, "window": 1})] {
        let refused = teacher.post(&presence, body).await.refusal();
        assert_eq!(
            refused,
            r#"400 "validation_failed" "Validation failed" "open" "must be true or false, and the only member""#
        );
    }
    let nobody: Value = teacher.post(&presence, json!({"open": false})).await.data();
    assert_eq!(nobody, json!({"others": []}));
}
