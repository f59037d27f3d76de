//! `GET /api/investigation/{id}/versions/{version}`

use fieldbook::domain::content::is_system_field;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

/// Returns the content of an investigation in an answer as JSON text, without the system fields. The investigation may
/// be at the current or at an earlier version.
pub fn content(shown: &Value) -> String {
    let members = shown.as_object().expect("an object").iter();
    let content: serde_json::Map<_, _> =
        members.filter(|(name, _)| !is_system_field(name)).map(|(name, value)| (name.clone(), value.clone())).collect();
    serde_json::to_string(&content).expect("JSON")
}

/// Returns the patch for update `n`. Over several updates, the patches set, remove, add, reorder and nest values.
pub fn varied(n: u64) -> Value {
    let key = format!("k{}", n % 7);
    let mut patch = json!({"n": n, "list": (0..n % 5).collect::<Vec<_>>(), "deep": {"x": {&key: n as f64 / 4.0}}});
    patch[&key] = if n.is_multiple_of(3) { Value::Null } else { json!([{"b": n, "a": [n, null]}]) };
    if n.is_multiple_of(11) {
        patch["deep"] = Value::Null;
    }
    patch
}

/// Applies the update of every number in `range`, and returns the content after each update.
pub async fn updated(caller: &Caller, path: &str, range: std::ops::RangeInclusive<u64>) -> Vec<String> {
    let mut contents = Vec::new();
    for n in range {
        let done = caller.patch(path, varied(n)).await;
        let shown = &done.json()["updatedInvestigation"];
        assert_eq!(shown["version"], n, "{done}");
        contents.push(content(shown));
    }
    contents
}

#[tokio::test]
async fn document_of_a_version_has_the_content_the_id_and_the_version_number() {
    let (_app, teacher, path) =
        TestApp::with(json!({"title": "Cress", "steps": [{"text": "Sow", "minutes": 5.0}], "z": null})).await;
    teacher.patch(&path, json!({"title": null, "steps": [], "grade": 5})).await;
    assert_snapshot!(teacher.get(&format!("{path}/versions/0")).await, @r#"
    GET /api/investigation/000000000000000000000001/versions/0
    200 OK
    {
      "success": true, "message": "Investigation version retrieved successfully",
      "data": {
        "_id": "000000000000000000000001", "version": 0, "title": "Cress",
        "steps": [{"text": "Sow", "minutes": 5.0}], "z": null
      }
    }
    "#);
    let later = teacher.get(&format!("{path}/versions/1")).await.data();
    assert_eq!(later.to_string(), r#"{"_id":"000000000000000000000001","version":1,"steps":[],"z":null,"grade":5}"#);
}

#[tokio::test]
async fn version_0_of_an_investigation_without_changes_is_its_current_content() {
    let (_app, teacher, path) = TestApp::with(json!({"b": 1, "a": 2})).await;
    let first = teacher.get(&format!("{path}/versions/0")).await.data();
    assert_eq!(first.to_string(), r#"{"_id":"000000000000000000000001","version":0,"b":1,"a":2}"#);
}

#[tokio::test]
async fn two_hundred_versions_on_two_branches_can_each_be_read_to_the_byte() {
    let (_app, _, teacher) = TestApp::start().await;
    let first = json!({"b": {"y": 1, "x": [1, 2.50]}, "n": 0, "a": "é"});
    let path = teacher.create_path(first.clone()).await;
    let mut contents = vec![first.to_string()];
    contents.extend(updated(&teacher, &path, 1..=135).await);
    for version in (95..135).rev() {
        let undone = teacher.post_empty(&format!("{path}/undo")).await;
        assert_eq!(undone.data()["version"], version);
    }
    contents.extend(updated(&teacher, &path, 136..=200).await);
    for (version, expected) in contents.iter().enumerate() {
        let document = teacher.get(&format!("{path}/versions/{version}")).await;
        assert_eq!(&content(&document.data()), expected, "version {version}");
    }
}

#[tokio::test]
async fn reading_an_unknown_version_fails_with_its_number() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    teacher.patch(&path, json!({"n": 1})).await;
    let unknown = teacher.get(&format!("{path}/versions/9223372036854775807")).await;
    assert_eq!(unknown.json()["error"], "Version 9223372036854775807 not found", "{unknown}");
}
