//! `POST /api/investigation/{id}/undo`

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::version::{content, updated};
use super::versions::listed;
use crate::support::{TEACHER, TestApp};

/// Returns complete content: a lesson of ten minutes with a step of this many minutes.
pub fn complete(minutes: u64) -> Value {
    json!({
        "title": "Cress", "grade": 5, "curriculum": "Biology", "drivingQuestion": "?", "objectives": ["Sow"],
        "materials": [{"name": "Seeds"}], "durationMinutes": 10, "assessment": "Quiz",
        "steps": [{"text": "Sow", "minutes": minutes}],
    })
}

#[tokio::test]
async fn undo_restores_the_previous_version() {
    let (app, teacher, path) = TestApp::with(json!({"b": 1, "gone": true, "a": {"x": 1}})).await;
    teacher.patch(&path, json!({"b": 2, "gone": null, "a": {"x": 5}, "new": []})).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(teacher.post_empty(&format!("{path}/undo")).await, @r#"
    POST /api/investigation/000000000000000000000001/undo
    200 OK
    etag: "3"
    {
      "success": true, "message": "Investigation undone successfully",
      "data": {
        "_id": "000000000000000000000001", "b": 1, "gone": true, "a": {"x": 1}, "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"}, "lastChangeWithAI": false, "contradictions": [],
        "hints": [], "dismissed": [], "version": 0, "revision": 3, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
      }
    }
    "#);
    assert_eq!(listed(&teacher, &path).await, "(1)");
}

#[tokio::test]
async fn new_investigation_has_nothing_to_undo() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    let nothing = teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(nothing.json()["code"], "nothing_to_undo", "{nothing}");
    teacher.patch(&path, json!({"status": "draft_incomplete", "n": 0})).await;
    let again = teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!((again.status, &again.text), (nothing.status, &nothing.text), "a computed status is not a change");
}

#[tokio::test]
async fn undo_and_redo_restore_the_status_the_contradictions_and_whether_ai_made_the_change() {
    let (_app, teacher, path) = TestApp::with(complete(10)).await;
    teacher.patch(&path, json!({"steps": [{"text": "Sow", "minutes": 20}]})).await;
    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    teacher.patch(&path, json!({"title": " "})).await;
    let mut seen = Vec::new();
    for direction in ["undo", "undo", "undo", "redo", "redo", "redo"] {
        let data = teacher.post_empty(&format!("{path}/{direction}")).await.data();
        let found = data["contradictions"].as_array().map_or(0, Vec::len);
        seen.push(format!("{} {} {found} {}", data["version"], data["status"], data["lastChangeWithAI"]));
    }
    assert_eq!(
        seen,
        [
            r#"2 "draft_non_contradictory_complete" 0 true"#,
            r#"1 "draft_contradictory_complete" 1 false"#,
            r#"0 "draft_non_contradictory_complete" 0 false"#,
            r#"1 "draft_contradictory_complete" 1 false"#,
            r#"2 "draft_non_contradictory_complete" 0 true"#,
            r#"3 "draft_incomplete" 0 false"#,
        ]
    );
}

#[tokio::test]
async fn status_set_by_a_person_is_undone_and_redone_like_any_change() {
    let (_app, teacher, path) = TestApp::with(complete(10)).await;
    let seen = async || {
        let data = teacher.get(&path).await.data();
        format!("{} {} {}", data["version"], data["status"].as_str().expect("a status"), data["durationMinutes"])
    };
    let step = async |operation: &str| {
        assert_eq!(teacher.post_empty(&format!("{path}/{operation}")).await.status, StatusCode::OK);
        seen().await
    };
    let minutes = teacher.get(&path).await.data()["durationMinutes"].clone();
    teacher.patch(&path, json!({"status": "published"})).await;
    // This change sets the status and a field, and one undo reverts both. The next change asks for a draft status,
    // which the service computes from the content.
    teacher.patch(&path, json!({"status": "in_development", "durationMinutes": 5})).await;
    teacher.patch(&path, json!({"status": "draft_incomplete"})).await;
    assert_eq!(seen().await, "3 draft_contradictory_complete 5");
    assert_eq!(step("undo").await, "2 in_development 5");
    assert_eq!(step("undo").await, format!("1 published {minutes}"));
    assert_eq!(step("undo").await, format!("0 draft_non_contradictory_complete {minutes}"));
    assert_eq!(teacher.post_empty(&format!("{path}/undo")).await.json()["message"], "Nothing to undo");
    assert_eq!(step("redo").await, format!("1 published {minutes}"));
    assert_eq!(step("redo").await, "2 in_development 5");
    assert_eq!(step("redo").await, "3 draft_contradictory_complete 5");
}

#[tokio::test]
async fn undo_and_redo_of_140_versions_restore_every_byte() {
    let (_app, _, teacher) = TestApp::start().await;
    let first = json!({"b": {"y": 1, "x": [1, 2.50]}, "n": 0, "a": "é"});
    let path = teacher.create_path(first.clone()).await;
    let mut contents = vec![first.to_string()];
    contents.extend(updated(&teacher, &path, 1..=140).await);
    let down = (0..140).rev().map(|version| ("undo", version));
    let up = (1..=140).map(|version| ("redo", version));
    for (direction, version) in down.chain(up) {
        let data = teacher.post_empty(&format!("{path}/{direction}")).await.data();
        assert_eq!(data["version"], version, "{direction}");
        assert_eq!(content(&data), contents[version], "{direction} to {version}");
    }
}

#[tokio::test]
async fn undo_succeeds_even_if_a_later_schema_forbids_the_old_content() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "grade": 5})).await;
    teacher.patch(&path, json!({"grade": null})).await;
    let strict = r#"{"properties":{"title":{"type":"string","x-complete":true}},"additionalProperties":false}"#;
    let app = app.restart_with_schema(strict).await;
    let teacher = app.signed_in(TEACHER);
    let undone = teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(content(&undone.data()), r#"{"title":"Cress","grade":5}"#, "{undone}");
    assert_eq!(undone.data()["status"], "draft_non_contradictory_complete");
}
