//! `POST /api/investigation/{id}/resolve-contradiction`

use std::time::Duration;

use fieldbook::assistant::rules::Rule;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::chat::entries;
use super::version::content;
use super::versions::listed;
use crate::support::{Caller, Exchange, TEACHER, TestApp, rules};

pub async fn resolve(caller: &Caller, path: &str, field: &str) -> Exchange {
    caller.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": field})).await
}

/// A lesson of five minutes with steps of ten minutes in total.
pub(super) fn too_long() -> Value {
    json!({"durationMinutes": 5, "steps": [{"minutes": 4, "text": "Sow"}, {"text": "Water", "minutes": 6.0, "x": 1.50}]})
}

#[tokio::test]
async fn resolve_request_for_the_duration_field_changes_the_duration_and_not_the_steps() {
    let (app, teacher, path) =
        TestApp::with(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9.5}]})).await;
    app.clock.advance(Duration::from_secs(5));
    assert_snapshot!(resolve(&teacher, &path, "durationMinutes").await, @r#"
    POST /api/investigation/000000000000000000000001/resolve-contradiction
    {"fieldName":"durationMinutes"}
    200 OK
    etag: "2"
    {
      "success": true, "message": "Successfully resolved contradictions",
      "data": {
        "investigation": {
          "_id": "000000000000000000000001", "durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 9.5}],
          "status": "draft_incomplete",
          "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
          "metadata": {"author": null}, "lastChangeWithAI": true, "contradictions": [], "hints": [],
          "dismissed": [], "version": 1, "revision": 2, "clonedFrom": null,
          "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
        },
        "message": "Changed Duration in minutes from 5 to 10. The steps take 9.5 minutes, but the lesson lasts 5.",
        "explanation": null
      }
    }
    "#);
    let records = teacher.get(&format!("{path}/versions")).await.data();
    assert_eq!(records.as_array().map(Vec::len), Some(1));
    let record = &records[0];
    assert_eq!((&record["kind"], &record["by"], &record["withAI"]), (&json!("resolve"), &json!(TEACHER), &json!(true)));
    assert_eq!(record["changes"], json!([{"fieldPath": "durationMinutes", "before": 5, "after": 10}]));
}

#[tokio::test]
async fn resolve_for_the_steps_changes_the_steps() {
    let (_app, teacher, path) = TestApp::with(too_long()).await;
    let resolved = resolve(&teacher, &path, "steps").await.data();
    assert_eq!(
        content(&resolved["investigation"]),
        r#"{"durationMinutes":5,"steps":[{"minutes":2,"text":"Sow"},{"text":"Water","minutes":3,"x":1.5}]}"#
    );
    assert_eq!(resolved["investigation"]["contradictions"], json!([]));
    assert_snapshot!(resolved["message"].as_str().expect("a message"), @"Changed Step 1, minutes from 4 to 2. Changed Step 2, minutes from 6.0 to 3. The steps take 10 minutes, but the lesson lasts 5.");
}

#[tokio::test]
async fn resolution_adds_a_chat_entry() {
    let (_app, teacher, path) = TestApp::with(too_long()).await;
    let resolved = resolve(&teacher, &path, "steps").await.data();
    let metadata = resolved["investigation"].to_string();
    assert_eq!(
        entries(&teacher, &path).await,
        [json!({
            "user": {"content": ""},
            "assistant": {
                "content": resolved["message"], "metadata": metadata, "content_for_llm": "[investigation_provided]",
            },
        })]
    );
    assert_eq!(teacher.get(&path).await.data().to_string(), metadata);
}

#[tokio::test]
async fn resolve_changes_a_reference_beyond_the_last_step_to_the_last_step() {
    let (_app, teacher, path) = TestApp::with(
        json!({"steps": [{"text": "Sow"}, {"text": "Repeat step 1"}], "safety": ["Gloves", "Mind step 7!"]}),
    )
    .await;
    let resolved = resolve(&teacher, &path, "safety").await.data();
    assert_eq!(resolved["investigation"]["safety"], json!(["Gloves", "Mind step 2!"]));
    assert_eq!(resolved["investigation"]["contradictions"], json!([]));
    assert_snapshot!(resolved["message"].as_str().expect("a message"), @r#"Changed Safety rule 2 from "Mind step 7!" to "Mind step 2!" "step 7" refers to step 7, but the steps go from 1 to 2."#);
}

#[tokio::test]
async fn resolve_accepts_either_of_the_two_contradicting_fields() {
    let (_app, _, teacher) = TestApp::start().await;
    let referring = json!({"steps": [{"text": "Sow"}], "assessment": "Draw steps 0 and 3"});
    for field in ["steps", "assessment"] {
        let path = teacher.create_path(referring.clone()).await;
        let found = teacher.get(&path).await.data()["contradictions"][0].clone();
        assert_eq!((&found["fieldName"], &found["conflictsWith"]), (&json!("assessment"), &json!(["steps"])));
        let resolved = resolve(&teacher, &path, field).await;
        assert_eq!(resolved.data()["investigation"]["assessment"], "Draw steps 1 and 1", "{resolved}");
    }
    let path = teacher.create_path(json!({"steps": [{"text": "See step 4"}]})).await;
    let found = teacher.get(&path).await.data()["contradictions"][0].clone();
    assert_eq!((&found["fieldName"], &found["conflictsWith"]), (&json!("steps"), &json!(["steps"])));
    let resolved = resolve(&teacher, &path, "steps").await;
    assert_eq!(resolved.data()["investigation"]["steps"][0]["text"], "See step 1", "{resolved}");
}

#[tokio::test]
async fn resolve_fixes_all_contradictions_of_the_given_field_and_no_other_contradictions() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut document = too_long();
    document["steps"][0]["text"] = json!("Sow, see step 6");
    document["safety"] = json!(["Mind step 7", "Step 20 cm back"]);
    document["note"] = json!({"z": 1.0, "a": [null]});
    let path = teacher.create_path(document.clone()).await;
    let resolved = resolve(&teacher, &path, "steps").await.data();
    let investigation = &resolved["investigation"];
    assert_eq!(investigation["contradictions"], json!([]));
    assert_eq!(
        content(investigation),
        r#"{"durationMinutes":5,"steps":[{"minutes":2,"text":"Sow, see step 2"},{"text":"Water","minutes":3,"x":1.5}],"safety":["Mind step 2","Step 20 cm back"],"note":{"z":1.0,"a":[null]}}"#
    );
    assert_eq!(listed(&teacher, &path).await, "1");
    assert_eq!(entries(&teacher, &path).await.len(), 1);

    let path = teacher.create_path(document).await;
    let one = resolve(&teacher, &path, "safety").await.data();
    assert_eq!(one["investigation"]["contradictions"].as_array().map(Vec::len), Some(2), "those of other fields stay");
    assert_eq!(one["investigation"]["safety"], json!(["Mind step 2", "Step 20 cm back"]));
    assert_eq!(one["investigation"]["steps"][0]["text"], "Sow, see step 6");
}

#[tokio::test]
async fn consistent_document_is_created_without_contradictions() {
    let (_app, _, teacher) = TestApp::start().await;
    let steps = |text: &str| json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 9}, {"text": text, "minutes": 9}]});
    for document in [
        json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 3}]}),
        json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 10}, {"text": "Look"}]}),
        json!({"durationMinutes": 10}),
        json!({"steps": [{"text": "Sow", "minutes": 100}]}),
        steps("Meanwhile, label the pots"),
        steps("Leave them overnight"),
        json!({"steps": [{"text": "Build a step 20 cm high"}], "safety": ["Step 3 metres back"]}),
        json!({"steps": [{"text": "Repeat step 1"}, {"text": "Go from step 1 to step 2"}], "assessment": "Draw steps 1-2"}),
        json!({"assessment": "See step 12"}),
    ] {
        let created = teacher.post("/api/investigation", document).await.data();
        assert_eq!(created["contradictions"], json!([]), "{created}");
    }
}

#[tokio::test]
async fn resolve_fails_for_a_field_without_a_contradiction() {
    let (_app, teacher, path) =
        TestApp::with(json!({"title": "Cress", "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})).await;
    let before = teacher.get(&path).await;
    for field in ["title", "nothing", "status", "_id", "steps.0", "Steps"] {
        let nothing = resolve(&teacher, &path, field).await;
        let message = format!("No contradiction was found for \"{field}\"");
        assert_eq!((nothing.status.as_u16(), &nothing.json()["message"]), (500, &json!(message)), "{nothing}");
    }
    assert_eq!(teacher.get(&path).await.text, before.text);
    assert_eq!((listed(&teacher, &path).await.as_str(), entries(&teacher, &path).await.len()), ("", 0));
}

#[tokio::test]
async fn resolve_changes_the_other_field_if_the_given_field_cannot_be_fixed() {
    let (_app, _, teacher) = TestApp::start().await;
    let steps: Vec<_> = ["Sow", "Water", "Look"].iter().map(|text| json!({"text": text, "minutes": 1})).collect();
    let path = teacher.create_path(json!({"durationMinutes": 2, "steps": steps})).await;
    let resolved = resolve(&teacher, &path, "steps").await;
    assert_eq!(resolved.data()["investigation"]["durationMinutes"], 3, "{resolved}");
    assert_eq!(resolved.data()["investigation"]["steps"], json!(steps));
}

#[tokio::test]
async fn resolve_changes_the_other_field_if_a_fix_of_the_given_field_causes_a_contradiction() {
    let (_app, _, teacher) = TestApp::start().await;
    // The duration cannot become 40 minutes, because the steps take 45.
    let steps = json!([{"text": "Sow", "minutes": 45}]);
    let content = json!({"title": "Cress in our 40-minute lesson", "durationMinutes": 50, "steps": steps});
    let path = teacher.create_path(content).await;
    let resolved = resolve(&teacher, &path, "durationMinutes").await;
    let resolved = &resolved.data()["investigation"];
    assert_eq!((&resolved["durationMinutes"], &resolved["contradictions"]), (&json!(50), &json!([])), "{resolved}");
    assert_eq!(resolved["title"], "Cress in our 50-minute lesson");
}

#[tokio::test]
async fn resolve_reports_the_contradictions_that_it_could_not_fix() {
    // No rule can know which of the two variables is wrong.
    let variables = json!({"independent": "Light", "controlled": ["Water", "Light"]});
    let (_app, teacher, path) = TestApp::with(json!({"variables": variables, "steps": [{"text": "See step 3"}]})).await;
    let refused = resolve(&teacher, &path, "variables").await;
    assert_eq!(refused.json()["code"], "not_resolved", "{refused}");
    let low = Rule {
        id: "low",
        find: |document| match rules::value(document, "a") {
            a if a["low"] == 0 => Ok(vec![rules::fixable("It is too low.", "a", json!({"low": 1, "high": a["high"]}))]),
            _ => Ok(Vec::new()),
        },
        ..rules::SILENT
    };
    let high = Rule { find: |_| Ok(vec![rules::found("It is too high.")]), ..rules::SAME };
    let (_app, teacher) = TestApp::start_with_rules("{}", &[low, high]).await;
    let path = teacher.create_path(json!({"a": {"low": 0, "high": 9}, "b": 1})).await;
    let resolved = resolve(&teacher, &path, "a").await.data();
    assert_snapshot!(resolved["message"].as_str().expect("a message"), @"Changed A, low from 0 to 1. It is too low. Could not be resolved: It is too high.");
    assert_eq!(resolved["investigation"]["contradictions"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn resolve_gives_advice_if_no_fix_of_the_contradiction_is_known() {
    let (_app, teacher) = TestApp::start_with_rules("{}", &[rules::SAME]).await;
    let path = teacher.create_path(json!({"a": 1, "b": 2})).await;
    let before = teacher.get(&path).await;
    assert_snapshot!(resolve(&teacher, &path, "b").await.refusal(), @r#"500 "not_resolved" "No safe way to resolve the contradiction of B is known. a is not b. Edit one of: A, B.""#);
    assert_eq!(teacher.get(&path).await.text, before.text);
    assert_eq!((listed(&teacher, &path).await.as_str(), entries(&teacher, &path).await.len()), ("", 0));
}

#[tokio::test]
async fn dismissed_contradiction_is_not_resolved() {
    let (_app, teacher, path) =
        TestApp::with(json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 20}]})).await;
    let finding = json!({"fieldName": "durationMinutes", "conflictsWith": ["steps"]});
    teacher.post(&format!("{path}/dismissals"), finding).await;
    let resolved = resolve(&teacher, &path, "durationMinutes").await;
    assert_eq!(
        (resolved.status.as_u16(), resolved.json()["message"].clone()),
        (500, json!("No contradiction was found for \"durationMinutes\""))
    );
    assert_eq!(teacher.get(&path).await.data()["durationMinutes"], 10);
}
