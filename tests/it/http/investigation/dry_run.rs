//! `PATCH /api/investigation/{id}?dryRun=true`

use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn a_dry_run_answers_with_what_would_come_of_it_and_stores_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"durationMinutes": 30, "steps": [{"text": "Sow", "minutes": 20}]})).await;
    let path = format!("/api/investigation/{id}");
    let before = teacher.get(&path).await.text;
    assert_snapshot!(teacher.patch(&format!("{path}?dryRun=true"), json!({"durationMinutes": 10})).await, @r#"
    PATCH /api/investigation/000000000000000000000001?dryRun=true
    {"durationMinutes":10}

    200 OK
    {
      "success": true,
      "updatedInvestigation": {
        "_id": "000000000000000000000001",
        "durationMinutes": 10,
        "steps": [
          {
            "text": "Sow",
            "minutes": 20
          }
        ],
        "status": "draft_incomplete",
        "author": {
          "id": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "name": null,
          "email": null,
          "avatar": null
        },
        "metadata": {
          "author": "aaaaaaaaaaaaaaaaaaaaaaaa"
        },
        "lastChangeWithAI": false,
        "contradictions": [
          {
            "fieldName": "durationMinutes",
            "conflictsWith": [
              "steps"
            ],
            "reason": "The steps take 20 minutes, but the lesson lasts 10.",
            "evidence": [
              {
                "fieldPath": "durationMinutes",
                "quote": "10"
              },
              {
                "fieldPath": "steps.0.minutes",
                "quote": "20"
              }
            ],
            "suggestion": "Set the duration to 20 minutes, or shorten the steps.",
            "source": "rule:duration_sum"
          }
        ],
        "hints": [],
        "version": 1,
        "revision": 2,
        "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
    assert_eq!(teacher.get(&path).await.text, before);
    assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
}

#[tokio::test]
async fn a_dry_run_is_refused_like_the_update_itself() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}?dryRun=true");
    assert_eq!(teacher.patch(&path, json!({"title": 7})).await.json()["errors"][0]["path"], "title");
    let stale = teacher.clone().with_header("if-match", "\"9\"");
    assert_eq!(stale.patch(&path, json!({"title": "Radish"})).await.status, 412);
    let unknown = "/api/investigation/ffffffffffffffffffffffff?dryRun=true";
    assert_eq!(teacher.patch(unknown, json!({})).await.json()["message"], "Failed to update investigation");
    let odd = teacher.patch(&format!("/api/investigation/{id}?dryRun=yes"), json!({})).await;
    assert_eq!(odd.json()["errors"], json!([{"path": "dryRun", "message": "must be true or false"}]));
}
