//! `PATCH /api/investigation/{id}/versions/{version}`

use std::time::Duration;

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use super::versions::listed;
use crate::support::{COLLEAGUE, Caller, TestApp};

/// Creates an investigation, changes it twice, and returns its path.
async fn at_version_2(teacher: &Caller) -> String {
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    teacher.patch(&path, json!({"title": "Oats"})).await;
    teacher.patch(&path, json!({"title": "Peas", "grade": 5})).await;
    path
}

async fn names(teacher: &Caller, path: &str) -> Value {
    let records = teacher.get(&format!("{path}/versions")).await.data();
    records.as_array().expect("records").iter().map(|record| record["name"].clone()).collect()
}

#[tokio::test]
async fn naming_a_version_stores_the_name_and_returns_the_investigation() {
    let (app, _, teacher) = TestApp::start().await;
    let path = at_version_2(&teacher).await;
    app.clock.advance(Duration::from_secs(5));
    let name = json!({"name": "  Before the trial lesson "});
    assert_snapshot!(app.signed_in(COLLEAGUE).patch(&format!("{path}/versions/1"), name).await, @r#"
    PATCH /api/investigation/000000000000000000000001/versions/1
    {"name":"  Before the trial lesson "}
    200 OK
    etag: "4"
    {
      "success": true, "message": "Investigation version named successfully",
      "data": {
        "_id": "000000000000000000000001", "title": "Peas", "grade": 5, "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"}, "lastChangeWithAI": false, "contradictions": [],
        "hints": [], "dismissed": [], "version": 2, "revision": 4, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:05.000Z"
      }
    }
    "#);
    assert_eq!(teacher.get(&format!("{path}/history/title")).await.data()[1]["name"], "Before the trial lesson");
    assert_eq!(names(&teacher, &path).await, json!([null, "Before the trial lesson"]));
}

#[tokio::test]
async fn name_of_a_version_does_not_change_content_or_history() {
    let (_app, _, teacher) = TestApp::start().await;
    let path = at_version_2(&teacher).await;
    let before = teacher.get(&path).await.data();
    teacher.post_empty(&format!("{path}/undo")).await;
    let named = teacher.patch(&format!("{path}/versions/2"), json!({"name": "Größe \u{1f331}"})).await;
    assert_eq!((named.status, named.header("etag")), (StatusCode::OK, Some("\"5\"")), "{named}");
    assert_eq!((&named.data()["title"], &named.data()["version"]), (&json!("Oats"), &json!(1)));
    assert_eq!(listed(&teacher, &path).await, "(2) 1");
    let redone = teacher.post_empty(&format!("{path}/redo")).await.data();
    assert_eq!((&redone["title"], &redone["grade"]), (&before["title"], &before["grade"]));
    assert_eq!(names(&teacher, &path).await, json!(["Größe \u{1f331}", null]));
}

#[tokio::test]
async fn list_of_versions_can_be_restricted_to_named_versions() {
    let (_app, _, teacher) = TestApp::start().await;
    let path = at_version_2(&teacher).await;
    for grade in 6..=8 {
        teacher.patch(&path, json!({"grade": grade})).await;
    }
    for version in [1, 2, 4] {
        teacher.patch(&format!("{path}/versions/{version}"), json!({"name": format!("Trial {version}")})).await;
    }
    teacher.patch(&format!("{path}/versions/2"), json!({"name": null})).await;
    let all = teacher.get(&format!("{path}/versions?named=false")).await.data();
    assert_eq!(all.as_array().map(Vec::len), Some(5));
    for (query, versions) in [("", json!([4, 1])), ("&limit=1", json!([4])), ("&before=4", json!([1]))] {
        let named = teacher.get(&format!("{path}/versions?named=true{query}")).await.data();
        let named = named.as_array().expect("records");
        assert_eq!(Value::from_iter(named.iter().map(|record| record["version"].clone())), versions, "{query}");
        assert!(named.iter().all(|record| all.as_array().is_some_and(|all| all.contains(record))), "{query}");
    }
    let refused = teacher.get(&format!("{path}/versions?named=yes")).await;
    assert_snapshot!(refused.refusal(), @r#"400 "validation_failed" "Validation failed" "named" "must be true or false""#);
}

#[tokio::test]
async fn version_name_can_be_set_replaced_and_removed() {
    let (_app, _, teacher) = TestApp::start().await;
    let path = at_version_2(&teacher).await;
    let version = format!("{path}/versions/2");
    let longest = "ö".repeat(100);
    for (name, etag) in [
        (json!("Trial"), "\"4\""),
        (json!(" Trial"), "\"4\""),
        (json!(longest), "\"5\""),
        (json!(null), "\"6\""),
        (json!(null), "\"6\""),
    ] {
        let answer = teacher.patch(&version, json!({ "name": name })).await;
        assert_eq!((answer.status, answer.header("etag")), (StatusCode::OK, Some(etag)), "{name}: {answer}");
    }
    assert_eq!(names(&teacher, &path).await, json!([null, null]));
}

#[tokio::test]
async fn invalid_name_or_version_is_refused_and_nothing_changes() {
    let (_app, _, teacher) = TestApp::start().await;
    let path = at_version_2(&teacher).await;
    let before = teacher.get(&path).await.data();
    let form = "must have 1 to 100 characters in one line, without spaces around them";
    for (version, body, field, message) in [
        ("1", json!({"name": "  "}), "name", form),
        ("1", json!({"name": "ö".repeat(101)}), "name", form),
        ("1", json!({"name": "Two\nlines"}), "name", form),
        ("1", json!({"name": 7}), "name", "must be given, as a string or null"),
        ("1", json!({}), "name", "must be given, as a string or null"),
        ("1", json!({"name": "Trial", "kind": "update"}), "kind", "is not a field of a version that can be changed"),
        ("one", json!({"name": "Trial"}), "version", "must be a whole number from 0 to 9223372036854775807"),
    ] {
        let refused = teacher.patch(&format!("{path}/versions/{version}"), body).await.refusal();
        assert_eq!(refused, format!(r#"400 "validation_failed" "Validation failed" "{field}" "{message}""#));
    }
    // Version 0 can be read, but it has no record to name.
    for version in ["0", "3", "9223372036854775807"] {
        let refused = teacher.patch(&format!("{path}/versions/{version}"), json!({"name": "Trial"})).await.refusal();
        assert_eq!(refused, r#"500 "version_not_found" "Failed to name investigation version""#);
    }
    assert_eq!(teacher.get(&path).await.data(), before);
    assert_eq!(names(&teacher, &path).await, json!([null, null]));
}

#[tokio::test]
async fn version_names_survive_the_trash_but_are_not_copied_to_a_clone() {
    let (_app, teacher) = TestApp::start_with_trash().await;
    let path = at_version_2(&teacher).await;
    teacher.patch(&format!("{path}/versions/1"), json!({"name": "Trial"})).await;
    let clone = teacher.post_empty(&format!("{path}/clone")).await.data();
    let clone = format!("/api/investigation/{}", clone["_id"].as_str().expect("an id"));
    assert_eq!(names(&teacher, &clone).await, json!([]));
    teacher.delete(&path).await;
    teacher.post_empty(&format!("{path}/undelete")).await;
    assert_eq!(names(&teacher, &path).await, json!([null, "Trial"]));
}
