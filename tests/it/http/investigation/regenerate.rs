//! `POST /api/investigation/{id}/regenerate`

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::chat::entries;
use super::version::content;
use super::versions::listed;
use crate::support::{Caller, Exchange, TEACHER, TestApp};

const NO_CHANGES: &str =
    "The assistant cannot regenerate the remaining fields because no modification is needed or the input is invalid.";

pub async fn regenerate(caller: &Caller, path: &str, field: &str) -> Exchange {
    caller.post(&format!("{path}/regenerate"), json!({"fieldName": field})).await
}

/// A lesson of five minutes with a step of nine minutes.
pub(super) fn too_long() -> Value {
    json!({"durationMinutes": 5, "steps": [{"minutes": 9.0, "text": "Sow"}]})
}

#[tokio::test]
async fn regenerate_changes_other_fields_to_agree_with_the_given_field() {
    let (app, teacher, path) = TestApp::with(too_long()).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(regenerate(&teacher, &path, "steps").await, @r#"
    POST /api/investigation/000000000000000000000001/regenerate
    {"fieldName":"steps"}
    200 OK
    etag: "2"
    {
      "success": true, "message": "Other fields regenerated successfully",
      "data": {
        "investigation": {
          "_id": "000000000000000000000001", "durationMinutes": 9, "steps": [{"minutes": 9.0, "text": "Sow"}],
          "status": "draft_incomplete",
          "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
          "metadata": {"author": null}, "lastChangeWithAI": true, "contradictions": [], "hints": [],
          "dismissed": [], "version": 1, "revision": 2, "clonedFrom": null,
          "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
        },
        "message": "Successfully regenerated other fields",
        "explanation": "Changed Duration in minutes from 5 to 9. The steps take 9 minutes, but the lesson lasts 5.",
        "hasChanges": true, "changedFields": ["durationMinutes"]
      }
    }
    "#);
    let record = &teacher.get(&format!("{path}/versions")).await.data()[0];
    assert_eq!(
        [&record["kind"], &record["by"], &record["at"], &record["withAI"]],
        [&json!("regenerate"), &json!(TEACHER), &json!("2026-11-21T08:00:05.000Z"), &json!(true)]
    );
    assert_eq!(record["changes"], json!([{"fieldPath": "durationMinutes", "before": 5, "after": 9}]));
}

#[tokio::test]
async fn regenerate_changes_several_fields_and_no_byte_of_the_given_field() {
    let (_app, _, teacher) = TestApp::start().await;
    let steps = json!([{"x": 1.50, "minutes": 9.0, "text": "Sow"}, {"text": "Water"}]);
    let path = teacher
        .create_path(json!({"assessment": "Draw step 3", "durationMinutes": 5, "steps": steps, "safety": ["Mind step 7", "Look"]}))
        .await;
    let data = regenerate(&teacher, &path, "steps").await.data();
    assert_eq!(data["changedFields"], json!(["assessment", "durationMinutes", "safety"]));
    assert_eq!(
        content(&data["investigation"]),
        r#"{"assessment":"Draw step 2","durationMinutes":9,"steps":[{"x":1.5,"minutes":9.0,"text":"Sow"},{"text":"Water"}],"safety":["Mind step 2","Look"]}"#
    );
    assert_eq!((&data["investigation"]["contradictions"], listed(&teacher, &path).await.as_str()), (&json!([]), "1"));
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!(undone["contradictions"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn regenerate_for_the_duration_changes_the_minutes_of_the_steps() {
    let (_app, teacher, path) = TestApp::with(too_long()).await;
    let data = regenerate(&teacher, &path, "durationMinutes").await.data();
    assert_eq!((&data["changedFields"], &data["hasChanges"]), (&json!(["steps"]), &json!(true)));
    assert_eq!(content(&data["investigation"]), r#"{"durationMinutes":5,"steps":[{"minutes":5,"text":"Sow"}]}"#);
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!(content(&undone), too_long().to_string());
}

#[tokio::test]
async fn regeneration_adds_a_chat_entry() {
    let (_app, teacher, path) = TestApp::with(too_long()).await;
    let data = regenerate(&teacher, &path, "steps").await.data();
    let entry = |message: &str, metadata: String| {
        json!({
            "user": {"content": ""},
            "assistant": {"content": message, "metadata": metadata, "content_for_llm": "[investigation_provided]"},
        })
    };
    let first = entry("Successfully regenerated other fields", data["investigation"].to_string());
    assert_eq!(entries(&teacher, &path).await, std::slice::from_ref(&first));
    let again = regenerate(&teacher, &path, "steps").await.data();
    assert_eq!(entries(&teacher, &path).await, [first, entry(NO_CHANGES, again["investigation"].to_string())]);
}

#[tokio::test]
async fn regenerate_adds_only_a_chat_entry_if_nothing_needs_to_change() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let before = teacher.get(&path).await;
    app.clock.advance(Duration::from_secs(5));
    let answer = regenerate(&teacher, &path, "title").await;
    let data = answer.data();
    assert_eq!((answer.status.as_u16(), answer.header("etag")), (200, Some("\"1\"")), "{answer}");
    assert_eq!(data["investigation"], before.data());
    assert_snapshot!(data["explanation"], @r#""No rule reads Title, so nothing was compared with it. A language model can do more, but none is set up.""#);
    assert_eq!(teacher.get(&path).await.text, before.text);
    assert_eq!((listed(&teacher, &path).await.as_str(), entries(&teacher, &path).await.len()), ("", 1));
}

#[tokio::test]
async fn regenerate_changes_nothing_for_a_field_that_no_other_field_depends_on() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut document = too_long();
    document["steps"][0]["text"] = json!("See step 4");
    document["safety"] = json!(["Mind step 5"]);
    document["durationMinutes"] = json!(10);
    let path = teacher.create_path(document.clone()).await;
    for field in ["title", "unknown", "status", "_id", "contradictions", "safety", "steps.0", "durationMinutes"] {
        let answer = regenerate(&teacher, &path, field).await;
        let (json, data) = (answer.json(), answer.data());
        assert_eq!(
            (&json["message"], &data["message"], &data["hasChanges"], &data["changedFields"]),
            (&json!("Regeneration completed with no changes"), &json!(NO_CHANGES), &json!(false), &json!([])),
            "{answer}"
        );
        assert_eq!(content(&data["investigation"]), document.to_string());
    }
    assert_eq!((listed(&teacher, &path).await.as_str(), entries(&teacher, &path).await.len()), ("", 8));
}

#[tokio::test]
async fn regenerate_reports_contradictions_that_it_cannot_fix() {
    let (_app, _, teacher) = TestApp::start().await;
    let variables = json!({"independent": "Light", "controlled": ["Light"]});
    let path = teacher.create_path(json!({"variables": variables, "durationMinutes": 5})).await;
    let explained = async |field: &str| regenerate(&teacher, &path, field).await.data()["explanation"].clone();
    assert_snapshot!(explained("variables").await, @r#""The one rule that reads Variables was checked, and no other field was changed. Could not be resolved: \"Light\" is both the independent variable and a controlled one. A language model can do more, but none is set up.""#);
    assert_snapshot!(explained("durationMinutes").await, @r#""The 2 rules that read Duration in minutes were checked, and no other field was changed. A language model can do more, but none is set up.""#);
}
