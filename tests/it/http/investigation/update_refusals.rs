//! Refused updates: wrong revisions, races, unknown ids and missing tokens.

use fieldbook::app::{Access, ErrorStatuses, HttpSettings};
use fieldbook::domain::schema;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::update::{patched, with};
use crate::support::{COLLEAGUE, TestApp};

const UNKNOWN: &str = "/api/investigation/ffffffffffffffffffffffff";

#[tokio::test]
async fn an_update_is_made_only_on_a_revision_that_the_caller_has_seen() {
    let (_app, teacher, path) = with(json!({"title": "Cress"})).await;
    patched(&teacher, &path, json!({"title": "Watercress"})).await;
    let on = |tag: &str| teacher.clone().with_header("if-match", tag);
    assert_snapshot!(on("\"1\"").patch(&path, json!({"title": "Stale"})).await, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Stale"}

    412 Precondition Failed
    {
      "success": false,
      "message": "The investigation has changed",
      "error": "It is at revision 2 now; read it again and repeat the change on that",
      "code": "revision_mismatch"
    }
    "#);
    for stale in ["W/\"2\"", "2", "\"1\", \"3\"", "\"\"", "x"] {
        let refused = on(stale).patch(&path, json!({})).await;
        assert_eq!(refused.status, StatusCode::PRECONDITION_FAILED, "{stale}");
    }
    let stored = teacher.get(&path).await;
    assert_eq!((&stored.data()["title"], stored.header("etag")), (&json!("Watercress"), Some("\"2\"")));
    for (tag, title) in [("\"2\"", "A"), ("\"1\" , \"3\"", "B"), ("*", "C")] {
        assert_eq!(patched(&on(tag), &path, json!({"title": title})).await["title"], title);
    }
}

#[tokio::test]
async fn updates_of_different_fields_at_once_are_all_kept() {
    let (_app, teacher, path) = with(json!({})).await;
    let writers = (0..8).map(|n| {
        let (teacher, path) = (teacher.clone(), path.clone());
        tokio::spawn(async move { teacher.patch(&path, json!({format!("field{n}"): n})).await.status })
    });
    for writer in writers.collect::<Vec<_>>() {
        assert_eq!(writer.await.expect("an answer"), StatusCode::OK);
    }
    let stored = teacher.get(&path).await.data();
    assert_eq!((&stored["version"], &stored["revision"]), (&json!(8), &json!(9)));
    assert!((0..8).all(|n| stored[format!("field{n}")] == n), "{stored}");
}

#[tokio::test]
async fn of_several_updates_on_the_same_revision_one_is_made() {
    let (_app, teacher, path) = with(json!({})).await;
    let teacher = teacher.with_header("if-match", "\"1\"");
    let writers = (0..6).map(|n| {
        let (teacher, path) = (teacher.clone(), path.clone());
        tokio::spawn(async move { teacher.patch(&path, json!({"title": n.to_string()})).await.status })
    });
    let mut statuses = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        statuses.push(writer.await.expect("an answer").as_u16());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412, 412, 412, 412, 412]);
    assert_eq!(teacher.get(&path).await.data()["revision"], 2);
}

#[tokio::test]
async fn an_unknown_investigation_is_a_failure_in_the_words_of_the_operation() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(teacher.patch(UNKNOWN, json!({"title": "Cress"})).await, @r#"
    PATCH /api/investigation/ffffffffffffffffffffffff
    {"title":"Cress"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Failed to update investigation",
      "error": "Investigation not found",
      "code": "investigation_not_found"
    }
    "#);
    let http = HttpSettings { error_statuses: ErrorStatuses::Http, ..HttpSettings::default() };
    let (_http, _, teacher) = TestApp::start_with(http, schema::BUILT_IN).await;
    let gone = teacher.patch(UNKNOWN, json!({"title": "Cress"})).await;
    assert_eq!((gone.status, &gone.json()["error"]), (StatusCode::NOT_FOUND, &json!("Investigation not found")));
}

#[tokio::test]
async fn a_missing_or_malformed_id_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    for path in ["/api/investigation/", "/api/investigation/%20"] {
        let refused = teacher.patch(path, json!({})).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
        assert_eq!(refused.json()["message"], "Investigation ID is required", "{refused}");
    }
    let malformed = teacher.patch("/api/investigation/17", json!({})).await;
    assert_eq!(malformed.status, StatusCode::BAD_REQUEST);
    assert_eq!(malformed.json()["errors"], json!([{"path": "id", "message": "must be 24 hexadecimal digits"}]));
}

#[tokio::test]
async fn updating_needs_a_token_unless_tokens_are_optional() {
    let (app, teacher, path) = with(json!({"title": "Cress"})).await;
    assert_eq!(app.anon().patch(&path, json!({"title": 7})).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(teacher.get(&path).await.data()["revision"], 1);

    let http = HttpSettings { investigations: Access::Optional, ..HttpSettings::default() };
    let (_open, anon, _) = TestApp::start_with(http, schema::BUILT_IN).await;
    let path = format!("/api/investigation/{}", anon.create(json!({"title": "Cress"})).await);
    let after = patched(&anon, &path, json!({"title": "Watercress"})).await;
    assert_eq!(after["metadata"], json!({"author": null}));
    assert_eq!(anon.get(&format!("{path}/versions")).await.data()[0]["by"], Value::Null);
    assert_eq!(
        patched(&anon, &path, json!({"metadata": {"author": COLLEAGUE}})).await["metadata"]["author"],
        COLLEAGUE
    );
    let refused = anon.bearing("nonsense").patch(&path, json!({"title": "X"})).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
}
