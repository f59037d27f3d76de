//! `POST /api/investigation/{id}/redo`

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use super::versions::listed;
use crate::support::TestApp;

#[tokio::test]
async fn redo_restores_the_undone_change() {
    let (app, teacher, id) = TestApp::with_id(json!({"b": 1, "gone": true, "a": {"x": 1}})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"b": 2, "gone": null, "a": {"x": 5}, "new": []})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(teacher.post_empty(&format!("{path}/redo")).await, @r#"
    POST /api/investigation/000000000000000000000001/redo
    200 OK
    etag: "4"
    {
      "success": true, "message": "Investigation redone successfully",
      "data": {
        "_id": "000000000000000000000001", "b": 2, "a": {"x": 5}, "new": [], "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"}, "lastChangeWithAI": false, "contradictions": [],
        "hints": [], "dismissed": [], "version": 1, "revision": 4, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
      }
    }
    "#);
    assert_eq!(listed(&teacher, &path).await, "1");
}

#[tokio::test]
async fn redo_without_an_undo_fails() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    let nothing = teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!(nothing.json()["code"], "nothing_to_redo", "{nothing}");
    teacher.patch(&path, json!({"n": 1})).await;
    let again = teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!((again.status, &again.text), (nothing.status, &nothing.text));
}

#[tokio::test]
async fn change_after_an_undo_leaves_nothing_to_redo() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    teacher.patch(&path, json!({"n": 1})).await;
    teacher.patch(&path, json!({"n": 2})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"n": 3})).await;
    let nothing = teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!(nothing.json()["message"], "Nothing to redo", "{nothing}");
    assert_eq!(teacher.get(&path).await.data()["n"], 3);

    // Redo follows the newest branch, so it leads to the new change and not to the change that was replaced.
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    let mut seen = Vec::new();
    for _ in 0..2 {
        seen.push(teacher.post_empty(&format!("{path}/redo")).await.data()["version"].clone());
    }
    assert_eq!(seen, [1, 3]);
    assert_eq!(listed(&teacher, &path).await, "3 (2) 1");
}

#[tokio::test]
async fn update_without_changes_keeps_redo_available() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    teacher.patch(&path, json!({"n": 1})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"n": 0, "status": "draft_incomplete"})).await;
    let redone = teacher.post_empty(&format!("{path}/redo")).await.data();
    assert_eq!((&redone["n"], &redone["status"]), (&json!(1), &json!("draft_incomplete")));
}

#[tokio::test]
async fn restore_after_an_undo_leaves_nothing_to_redo() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    teacher.patch(&path, json!({"n": 1})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.post_empty(&format!("{path}/versions/1/restore")).await;
    let nothing = teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!(nothing.json()["message"], "Nothing to redo", "{nothing}");
    assert_eq!(listed(&teacher, &path).await, "2 (1)");
}
