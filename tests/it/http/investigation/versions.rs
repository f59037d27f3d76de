//! `GET /api/investigation/{id}/versions`

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{COLLEAGUE, Caller, TestApp, compact};

/// Returns the numbers of the listed versions, with undone versions in brackets.
pub async fn listed(caller: &Caller, path: &str) -> String {
    let versions = caller.get(&format!("{path}/versions?limit=1000")).await;
    let records = versions.data();
    let number = |record: &Value| match record["undone"] == true {
        true => format!("({})", record["version"]),
        false => record["version"].to_string(),
    };
    records.as_array().expect("records").iter().map(number).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn versions_are_listed_newest_first_with_user_time_and_changes() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress", "notes": "old"})).await;
    app.clock.advance(Duration::from_millis(61_005));
    teacher.patch(&path, json!({"title": "Oats", "notes": null})).await;
    app.clock.advance(Duration::from_secs(600));
    app.signed_in(COLLEAGUE).patch(&path, json!({"grade": "K"})).await;
    assert_snapshot!(teacher.get(&format!("{path}/versions")).await, @r#"
    GET /api/investigation/000000000000000000000001/versions
    200 OK
    {
      "success": true, "message": "Investigation versions retrieved successfully",
      "data": [
        {
          "version": 2, "kind": "update", "at": "2026-11-21T08:11:01.005Z", "by": "bbbbbbbbbbbbbbbbbbbbbbbb",
          "withAI": false, "undone": false, "changes": [{"fieldPath": "grade", "after": "K"}]
        },
        {
          "version": 1, "kind": "update", "at": "2026-11-21T08:01:01.005Z", "by": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "withAI": false, "undone": false,
          "changes": [
            {"fieldPath": "notes", "before": "old"},
            {"fieldPath": "title", "before": "Cress", "after": "Oats"}
          ]
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn version_record_distinguishes_null_from_an_absent_value() {
    let (_app, teacher, path) = TestApp::with(json!({"gone": null, "list": [1]})).await;
    teacher.patch(&path, json!({"gone": null, "list": [null, 2]})).await;
    let changes = teacher.get(&format!("{path}/versions")).await.data()[0]["changes"].clone();
    assert_snapshot!(compact(&changes), @r#"
    [
      {"fieldPath": "gone", "before": null},
      {"fieldPath": "list.0", "before": 1, "after": null},
      {"fieldPath": "list.1", "after": 2}
    ]
    "#);
}

#[tokio::test]
async fn manual_status_is_recorded_as_a_change_of_the_status_field() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"status": "published"})).await;
    teacher.patch(&path, json!({"status": "published"})).await;
    teacher.patch(&path, json!({"title": "Oats", "status": "draft_incomplete"})).await;
    let records = teacher.get(&format!("{path}/versions")).await.data();
    let changes: Vec<_> = records.as_array().expect("a list").iter().map(|record| &record["changes"]).collect();
    assert_eq!(
        json!(changes),
        json!([
            [
                {"fieldPath": "title", "before": "Cress", "after": "Oats"},
                {"fieldPath": "status", "before": "published", "after": "draft_incomplete"},
            ],
            [{"fieldPath": "status", "before": "draft_incomplete", "after": "published"}],
        ])
    );
    // The content of a version has no status, so a restore does not bring the published status back.
    assert_eq!(
        teacher.get(&format!("{path}/versions/1")).await.data(),
        json!({"_id": id, "version": 1, "title": "Cress"})
    );
    let restored = teacher.post_empty(&format!("{path}/versions/1/restore")).await.data();
    assert_eq!((&restored["title"], &restored["status"]), (&json!("Cress"), &json!("draft_incomplete")));
}

#[tokio::test]
async fn versions_are_written_only_by_operations_that_change_the_content() {
    let (_app, teacher, path) =
        TestApp::with(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 5}]})).await;
    assert_eq!(listed(&teacher, &path).await, "");
    teacher.patch(&path, json!({"durationMinutes": 5})).await;
    teacher.patch(&path, json!({"status": "draft_contradictory_complete"})).await;
    teacher.patch(&path, json!({})).await;
    assert_eq!(listed(&teacher, &path).await, "");

    // This change causes a contradiction. No second version is stored for the contradiction.
    let updated = teacher.patch(&path, json!({"durationMinutes": 1})).await;
    assert_eq!(updated.json()["updatedInvestigation"]["contradictions"].as_array().map(Vec::len), Some(1), "{updated}");
    assert_eq!(listed(&teacher, &path).await, "1");
    teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(listed(&teacher, &path).await, "(1)");
    teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!(listed(&teacher, &path).await, "1");
    let copy = teacher.post_empty(&format!("{path}/clone")).await;
    assert_eq!(listed(&teacher, copy.location()).await, "");
    assert_eq!(listed(&teacher, &path).await, "1");

    teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    teacher.patch(&path, json!({"durationMinutes": 9, "steps": [{"text": "Sow", "minutes": 12}]})).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "steps"})).await;
    teacher.post_empty(&format!("{path}/versions/0/restore")).await;
    let records = teacher.get(&format!("{path}/versions")).await.data();
    let kinds: Vec<_> = records
        .as_array()
        .expect("records")
        .iter()
        .map(|r| format!("{} {} {}", r["version"], r["kind"], r["withAI"]))
        .collect();
    assert_eq!(
        kinds,
        [
            r#"5 "restore" false"#,
            r#"4 "regenerate" true"#,
            r#"3 "update" false"#,
            r#"2 "resolve" true"#,
            r#"1 "update" false"#
        ]
    );
}

#[tokio::test]
async fn undone_versions_stay_in_the_list() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    for n in 1..=3 {
        teacher.patch(&path, json!({"n": n})).await;
    }
    for _ in 0..2 {
        teacher.post_empty(&format!("{path}/undo")).await;
    }
    assert_eq!(listed(&teacher, &path).await, "(3) (2) 1");
    teacher.patch(&path, json!({"n": 4})).await;
    assert_eq!(listed(&teacher, &path).await, "4 (3) (2) 1");
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    assert_eq!(listed(&teacher, &path).await, "(4) (3) (2) (1)");
    teacher.patch(&path, json!({"n": 5})).await;
    assert_eq!(listed(&teacher, &path).await, "5 (4) (3) (2) (1)");
}
