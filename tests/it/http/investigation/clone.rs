//! `POST /api/investigation/{id}/clone`

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use super::create::complete;
use crate::support::{COLLEAGUE, TEACHER, TestApp};

#[tokio::test]
async fn clone_has_the_content_and_a_new_history() {
    let (app, teacher, id) = TestApp::with_id(json!({"note": {"b": null, "a": [1]}, "title": "Cress"})).await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Watercress"})).await;
    app.clock.advance(std::time::Duration::from_millis(1500));
    let cloned = app.signed_in(COLLEAGUE).post_empty(&format!("/api/investigation/{id}/clone")).await;
    assert_snapshot!(cloned, @r#"
    POST /api/investigation/000000000000000000000001/clone
    201 Created
    etag: "1"
    location: /api/investigation/000000000000000000000003
    {
      "success": true, "message": "Investigation cloned successfully",
      "data": {
        "_id": "000000000000000000000003", "note": {"b": null, "a": [1]}, "title": "Watercress",
        "status": "draft_incomplete",
        "author": {"id": "bbbbbbbbbbbbbbbbbbbbbbbb", "name": null, "email": null, "avatar": null},
        "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
        "dismissed": [], "version": 0, "revision": 1, "clonedFrom": "000000000000000000000001",
        "createdAt": "2026-11-21T08:00:01.500Z", "updatedAt": "2026-11-21T08:00:01.500Z"
      }
    }
    "#);
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.data()["version"], 1, "the source stays");
}

#[tokio::test]
async fn first_update_of_a_clone_records_its_user_as_author_in_the_metadata() {
    let (app, _, path) = TestApp::with(json!({"metadata": {"author": TEACHER}})).await;
    let colleague = app.signed_in(COLLEAGUE);
    let cloned = colleague.post_empty(&format!("{path}/clone")).await;
    let clone = cloned.data();
    assert_eq!((&clone["metadata"]["author"], &clone["author"]["id"]), (&json!(null), &json!(COLLEAGUE)));
    let updated = colleague.patch(cloned.location(), json!({"title": "Cress"})).await.json();
    assert_eq!(updated["updatedInvestigation"]["metadata"]["author"], COLLEAGUE);
}

#[tokio::test]
async fn clone_has_no_chat_no_versions_and_no_links_of_its_source() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut content = complete();
    content["durationMinutes"] = json!(5);
    let id = teacher.create(content).await;
    let source = format!("/api/investigation/{id}");
    teacher.post(&format!("{source}/resolve-contradiction"), json!({"fieldName": "durationMinutes"})).await;
    teacher.create_link(&id, "cress", "one").await;

    let cloned = teacher.post_empty(&format!("{source}/clone")).await;
    let (clone, own) = (cloned.data(), cloned.location());
    assert_eq!((&clone["version"], &clone["revision"]), (&json!(0), &json!(1)));
    assert_eq!(clone["lastChangeWithAI"], false);
    let chat = teacher.get(&format!("{own}/chat")).await.data();
    let chat_of_source = teacher.get(&format!("{source}/chat")).await.data();
    assert_eq!((&chat["investigationId"], &chat["history"]), (&clone["_id"], &json!([])));
    assert_eq!(chat_of_source["history"].as_array().map(Vec::len), Some(1));
    assert_ne!(chat["_id"], chat_of_source["_id"]);
    assert_eq!(teacher.get(&format!("{own}/versions")).await.data(), json!([]));
    assert_eq!(teacher.get(&format!("{own}/links")).await.data(), json!([]));
    let undone = teacher.post_empty(&format!("{own}/undo")).await;
    assert_eq!(undone.json()["message"], "Nothing to undo");
}

#[tokio::test]
async fn clone_gets_the_findings_of_its_content_and_a_draft_status() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut content = complete();
    content["durationMinutes"] = json!(5);
    content["status"] = json!("published");
    let path = teacher.create_path(content).await;
    let clone = teacher.post_empty(&format!("{path}/clone")).await.data();
    assert_eq!(clone["status"], "draft_contradictory_complete");
    assert_eq!(clone["contradictions"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn edits_of_a_clone_and_its_source_are_independent() {
    let (_app, teacher, source) = TestApp::with(json!({"title": "Cress"})).await;
    let cloned = teacher.post_empty(&format!("{source}/clone")).await;
    let clone = cloned.location();
    teacher.patch(clone, json!({"title": "Clone"})).await;
    assert_eq!(teacher.get(&source).await.data()["title"], "Cress");
    teacher.patch(&source, json!({"title": "Source"})).await;
    assert_eq!(teacher.get(clone).await.data()["title"], "Clone");
}

#[tokio::test]
async fn document_that_violates_a_new_schema_can_be_cloned() {
    let (app, _, teacher) = TestApp::start().await;
    let mut last = String::new();
    // Ids in tests come from a counter that starts again after a restart, so the clone gets the id of the deleted
    // investigation.
    for _ in 0..2 {
        last = teacher.create(json!({"title": "Cress"})).await;
    }
    teacher.delete("/api/investigation/000000000000000000000001").await;
    let app = app.restart_with_schema(r#"{"properties":{"title":{"type":"integer"}}}"#).await;
    let cloned = app.signed_in(TEACHER).post_empty(&format!("/api/investigation/{last}/clone")).await;
    assert_eq!(cloned.status, StatusCode::CREATED, "{cloned}");
    assert_eq!(cloned.data()["title"], "Cress");
}
