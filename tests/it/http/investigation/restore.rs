//! `POST /api/investigation/{id}/versions/{version}/restore`

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use super::undo::complete;
use super::version::{content, updated};
use super::versions::listed;
use crate::support::{COLLEAGUE, TEACHER, TestApp};

#[tokio::test]
async fn restoring_a_version_creates_a_new_version_with_its_content() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "steps": [{"text": "Sow"}]})).await;
    teacher.patch(&path, json!({"title": "Oats", "steps": null, "grade": 5})).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(app.signed_in(COLLEAGUE).post_empty(&format!("{path}/versions/0/restore")).await, @r#"
    POST /api/investigation/000000000000000000000001/versions/0/restore
    200 OK
    etag: "3"
    {
      "success": true, "message": "Investigation version restored successfully",
      "data": {
        "_id": "000000000000000000000001", "title": "Cress", "steps": [{"text": "Sow"}],
        "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"}, "lastChangeWithAI": false, "contradictions": [],
        "hints": [], "dismissed": [], "version": 2, "revision": 3, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
      }
    }
    "#);
    let record = &teacher.get(&format!("{path}/versions")).await.data()[0];
    assert_eq!(
        [&record["kind"], &record["by"], &record["at"]],
        [&json!("restore"), &json!(COLLEAGUE), &json!("2026-11-21T08:00:05.000Z")]
    );
    let changes = json!([
        {"fieldPath": "grade", "before": 5},
        {"fieldPath": "title", "before": "Oats", "after": "Cress"},
        {"fieldPath": "steps", "after": [{"text": "Sow"}]},
    ]);
    assert_eq!(record["changes"], changes);
}

#[tokio::test]
async fn undone_version_can_be_restored_and_that_restore_can_be_undone() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    teacher.patch(&path, json!({"n": 1, "side": true})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"n": 2})).await;
    let restored = teacher.post_empty(&format!("{path}/versions/1/restore")).await.data();
    assert_eq!((&restored["version"], content(&restored).as_str()), (&json!(3), r#"{"n":1,"side":true}"#));
    assert_eq!(listed(&teacher, &path).await, "3 2 (1)");
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((&undone["version"], content(&undone).as_str()), (&json!(2), r#"{"n":2}"#));
}

#[tokio::test]
async fn restoring_the_current_content_writes_nothing() {
    let (app, teacher, path) = TestApp::with(json!({"a": 1, "b": [1, {"c": null}]})).await;
    teacher.patch(&path, json!({"a": 2})).await;
    teacher.patch(&path, json!({"a": 1})).await;
    let before = teacher.get(&path).await;
    app.clock.advance(Duration::from_secs(5));
    for version in [0, 2] {
        let same = teacher.post_empty(&format!("{path}/versions/{version}/restore")).await;
        assert_eq!((same.status.as_u16(), same.header("etag")), (200, before.header("etag")), "{same}");
        assert_eq!(same.data().to_string(), before.data().to_string());
    }
    assert_eq!(teacher.get(&path).await.text, before.text);
    assert_eq!(listed(&teacher, &path).await, "2 1");
}

#[tokio::test]
async fn restored_version_has_its_findings_and_status_and_no_mark_as_changed_with_ai() {
    let (_app, teacher, path) = TestApp::with(complete(20)).await;
    let resolved = teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    assert_eq!(resolved.data()["investigation"]["lastChangeWithAI"], true, "{resolved}");
    let restored = teacher.post_empty(&format!("{path}/versions/0/restore")).await.data();
    assert_eq!(restored["lastChangeWithAI"], false);
    assert_eq!(restored["status"], "draft_contradictory_complete");
    assert_eq!(restored["contradictions"].as_array().map(Vec::len), Some(1));
    let again = teacher.post_empty(&format!("{path}/versions/1/restore")).await.data();
    assert_eq!(again["lastChangeWithAI"], false, "a person brought it back");
    assert_eq!(again["status"], "draft_non_contradictory_complete");
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((&undone["version"], &undone["lastChangeWithAI"]), (&json!(2), &json!(false)));
}

#[tokio::test]
async fn restore_succeeds_even_if_a_later_schema_forbids_the_old_content() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "grade": 5})).await;
    teacher.patch(&path, json!({"grade": null})).await;
    let strict = r#"{"properties":{"title":{"type":"string"}},"additionalProperties":false}"#;
    let app = app.restart_with_schema(strict).await;
    let teacher = app.signed_in(TEACHER);
    let refused = teacher.patch(&path, json!({"grade": 5})).await;
    assert_eq!(refused.status.as_u16(), 400, "{refused}");
    let restored = teacher.post_empty(&format!("{path}/versions/0/restore")).await;
    assert_eq!(content(&restored.data()), r#"{"title":"Cress","grade":5}"#, "{restored}");
    let undone = teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(content(&undone.data()), r#"{"title":"Cress"}"#, "{undone}");
}

#[tokio::test]
async fn restored_version_equals_the_old_version_even_across_many_changes() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    let contents = updated(&teacher, &path, 1..=135).await;
    for version in [127, 128, 129, 3] {
        let restored = teacher.post_empty(&format!("{path}/versions/{version}/restore")).await.data();
        let expected: serde_json::Value = serde_json::from_str(&contents[version - 1]).expect("JSON");
        let shown: serde_json::Value = serde_json::from_str(&content(&restored)).expect("JSON");
        assert_eq!(shown, expected, "version {version}");
        let number = &restored["version"];
        let document = teacher.get(&format!("{path}/versions/{number}")).await.data();
        assert_eq!(content(&document), content(&restored));
        let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
        assert_eq!(content(&undone), contents[134]);
        let undone_document = teacher.get(&format!("{path}/versions/{number}")).await.data();
        assert_eq!(content(&undone_document), content(&restored));
    }
}
