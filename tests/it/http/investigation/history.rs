//! `GET /api/investigation/{id}/history/{fieldPath}`

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

const UNKNOWN: &str = "ffffffffffffffffffffffff";

/// Returns one line for each entry of a field's history: "(undone)" if the change is undone, the version, and the
/// values before and after.
async fn entries(caller: &Caller, path: &str, field: &str) -> Vec<String> {
    let answer = caller.get(&format!("{path}/history/{field}")).await;
    let data = answer.data();
    let entries = data.as_array().unwrap_or_else(|| panic!("no entries: {answer}"));
    let side = |entry: &Value, name: &str| entry.get(name).map_or("nothing".to_owned(), Value::to_string);
    let line = |entry: &Value| {
        let undone = if entry["undone"] == true { "(undone) " } else { "" };
        format!("{undone}{}: {} -> {}", entry["version"], side(entry, "before"), side(entry, "after"))
    };
    entries.iter().map(line).collect()
}

#[tokio::test]
async fn edited_value_is_in_the_history_of_its_path() {
    let (app, teacher, path) = TestApp::with(json!({"variables": {"independent": "light"}})).await;
    app.clock.advance(Duration::from_secs(1));
    teacher.patch(&path, json!({"variables": {"independent": "water"}})).await;
    assert_snapshot!(teacher.get(&format!("{path}/history/variables.independent")).await, @r#"
    GET /api/investigation/000000000000000000000001/history/variables.independent
    200 OK
    {
      "success": true, "message": "Field history retrieved successfully",
      "data": [
        {
          "version": 1, "kind": "update", "at": "2026-11-21T08:00:01.000Z", "by": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "withAI": false, "undone": false, "before": "light", "after": "water"
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn edited_value_is_in_the_history_of_the_field_that_contains_it() {
    let (_app, teacher, path) =
        TestApp::with(json!({"variables": {"independent": "light", "dependent": "height"}})).await;
    teacher.patch(&path, json!({"variables": {"independent": "water"}})).await;
    assert_eq!(
        entries(&teacher, &path, "variables").await,
        [r#"1: {"independent":"light","dependent":"height"} -> {"independent":"water","dependent":"height"}"#]
    );
    assert_eq!(entries(&teacher, &path, "variables.dependent").await, [""; 0]);
    assert_eq!(entries(&teacher, &path, "variables.independent.x").await, [""; 0]);
}

#[tokio::test]
async fn replaced_array_is_in_the_histories_of_the_elements_that_changed() {
    let (_app, teacher, path) = TestApp::with(json!({"steps": [{"text": "a"}, {"text": "b", "minutes": 1}]})).await;
    teacher.patch(&path, json!({"steps": [{"text": "a"}, {"text": "c", "minutes": 1}, {"text": "d"}]})).await;
    teacher.patch(&path, json!({"steps": [{"text": "a"}]})).await;
    teacher.patch(&path, json!({"steps": null})).await;
    assert_eq!(entries(&teacher, &path, "steps.0.text").await, [r#"3: "a" -> nothing"#]);
    assert_eq!(entries(&teacher, &path, "steps.1.text").await, [r#"2: "c" -> nothing"#, r#"1: "b" -> "c""#]);
    assert_eq!(entries(&teacher, &path, "steps.1.minutes").await, ["2: 1 -> nothing"]);
    assert_eq!(
        entries(&teacher, &path, "steps.2").await,
        [r#"2: {"text":"d"} -> nothing"#, r#"1: nothing -> {"text":"d"}"#]
    );
    assert_eq!(
        entries(&teacher, &path, "steps").await,
        [
            r#"3: [{"text":"a"}] -> nothing"#,
            r#"2: [{"text":"a"},{"text":"c","minutes":1},{"text":"d"}] -> [{"text":"a"}]"#,
            r#"1: [{"text":"a"},{"text":"b","minutes":1}] -> [{"text":"a"},{"text":"c","minutes":1},{"text":"d"}]"#,
        ]
    );
    assert_eq!(entries(&teacher, &path, "steps.01").await, [""; 0]);
    assert_eq!(entries(&teacher, &path, "steps.7").await, [""; 0]);
}

#[tokio::test]
async fn object_replaced_by_a_text_is_in_the_histories_of_its_former_parts() {
    let (_app, teacher, path) = TestApp::with(json!({"x": {"y": [1]}})).await;
    teacher.patch(&path, json!({"x": "text"})).await;
    teacher.patch(&path, json!({"x": {"y": [1, null]}})).await;
    assert_eq!(entries(&teacher, &path, "x.y.0").await, ["2: nothing -> 1", "1: 1 -> nothing"]);
    assert_eq!(entries(&teacher, &path, "x.y.1").await, ["2: nothing -> null"]);
}

#[tokio::test]
async fn history_of_a_field_has_no_changes_of_other_fields() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0, "nn": 0})).await;
    teacher.patch(&path, json!({"nn": 1})).await;
    teacher.patch(&path, json!({"n": 1, "status": "published"})).await;
    assert_eq!(entries(&teacher, &path, "n").await, ["2: 0 -> 1"]);
    for field in ["never", "status.x", "N"] {
        assert_eq!(entries(&teacher, &path, field).await, [""; 0], "{field}");
    }
    // The status has a history too, including undone changes.
    teacher.patch(&path, json!({"status": "in_development"})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    let of_status = [r#"(undone) 3: "published" -> "in_development""#, r#"2: "draft_incomplete" -> "published""#];
    assert_eq!(entries(&teacher, &path, "status").await, of_status);
}

#[tokio::test]
async fn history_path_may_name_fields_with_dots_and_special_characters() {
    let (_app, teacher, path) = TestApp::with(json!({"a.b": {"c/d é": 0}, "a": {"b": 0}})).await;
    teacher.patch(&path, json!({"a.b": {"c/d é": 1}})).await;
    assert_eq!(entries(&teacher, &path, "a%5C.b.c%2Fd%20%C3%A9").await, ["1: 0 -> 1"]);
    assert_eq!(entries(&teacher, &path, "a.b").await, [""; 0]);
}

#[tokio::test]
async fn undone_changes_stay_in_the_field_history_and_are_flagged_as_undone() {
    let (_app, teacher, path) = TestApp::with(json!({"v": {"n": 0}, "list": [1, 2]})).await;
    teacher.patch(&path, json!({"v": {"n": 1}})).await;
    teacher.patch(&path, json!({"v": {"n": 2}, "list": [1, 3]})).await;
    teacher.patch(&path, json!({"v": {"m": 3}})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    teacher.patch(&path, json!({"v": {"n": 4}})).await;
    assert_eq!(entries(&teacher, &path, "v.n").await, ["4: 1 -> 4", "(undone) 2: 1 -> 2", "1: 0 -> 1"]);
    assert_eq!(entries(&teacher, &path, "v.m").await, ["(undone) 3: nothing -> 3"]);
    assert_eq!(
        entries(&teacher, &path, "v").await,
        [
            r#"4: {"n":1} -> {"n":4}"#,
            r#"(undone) 3: {"n":2} -> {"n":2,"m":3}"#,
            r#"(undone) 2: {"n":1} -> {"n":2}"#,
            r#"1: {"n":0} -> {"n":1}"#,
        ]
    );
    assert_eq!(entries(&teacher, &path, "list.1").await, ["(undone) 2: 2 -> 3"]);
    assert_eq!(entries(&teacher, &path, "list.0").await, [""; 0]);
}

#[tokio::test]
async fn field_history_has_fifty_entries_by_default() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    for n in 1..=55 {
        teacher.patch(&path, json!({"n": n})).await;
    }
    let all = entries(&teacher, &path, "n").await;
    assert_eq!((all.len(), all[0].as_str(), all[49].as_str()), (50, "55: 54 -> 55", "6: 5 -> 6"));
    assert_eq!(entries(&teacher, &path, "n?limit=2").await, ["55: 54 -> 55", "54: 53 -> 54"]);
    assert_eq!(entries(&teacher, &path, "n?limit=1000").await.len(), 55);
}

#[tokio::test]
async fn before_parameter_of_a_field_history_selects_only_older_changes() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    for n in 1..=5 {
        teacher.patch(&path, json!({"n": n, "beside": 7})).await;
    }
    assert_eq!(entries(&teacher, &path, "n?limit=2&before=5").await, ["4: 3 -> 4", "3: 2 -> 3"]);
    assert_eq!(entries(&teacher, &path, "n?before=3").await, ["2: 1 -> 2", "1: 0 -> 1"]);
    assert_eq!(entries(&teacher, &path, "n?before=1").await, [""; 0]);
    // Undone changes are on another branch of the history, and `before` works for them too.
    for _ in 0..3 {
        teacher.post_empty(&format!("{path}/undo")).await;
    }
    teacher.patch(&path, json!({"n": 6})).await;
    let all = ["6: 2 -> 6", "(undone) 5: 4 -> 5", "(undone) 4: 3 -> 4", "(undone) 3: 2 -> 3", "2: 1 -> 2", "1: 0 -> 1"];
    assert_eq!(entries(&teacher, &path, "n").await, all);
    for (newest, rest) in [(6, 1), (5, 2), (4, 3), (3, 4), (2, 5), (1, 6)] {
        assert_eq!(entries(&teacher, &path, &format!("n?before={newest}")).await, all[rest..], "below {newest}");
    }
}

#[tokio::test]
async fn history_limit_counts_only_changes_of_the_requested_path() {
    let (_app, teacher, path) = TestApp::with(json!({"v": {"rare": 0, "often": 0}})).await;
    teacher.patch(&path, json!({"v": {"rare": 1}})).await;
    for n in 1..=5 {
        teacher.patch(&path, json!({"v": {"often": n}})).await;
    }
    assert_eq!(entries(&teacher, &path, "v.rare?limit=1").await, ["1: 0 -> 1"]);
}

#[tokio::test]
async fn field_history_without_a_field_path_is_refused() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let refused = teacher.get(&format!("/api/investigation/{id}/history")).await;
    assert_eq!(refused.refusal(), r#"400 "field_path_required" "Field path is required""#);
    for id in [id.as_str(), UNKNOWN] {
        for rest in ["", "/", "/%20", "/%20%09", "?limit=5", "/?limit=5"] {
            let other = teacher.get(&format!("/api/investigation/{id}/history{rest}")).await;
            assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
        }
    }
}

#[tokio::test]
async fn change_of_many_fields_takes_one_row_and_is_in_the_history_of_each_field() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let fields = |value: u64| (0..101).map(|n| (format!("f{n}"), json!(value))).collect::<serde_json::Map<_, _>>();
    teacher.patch(&path, fields(1).into()).await;
    assert_eq!(app.rows("version_field"), 1);
    teacher.patch(&path, json!({"f7": 2, "title": "Beans"})).await;
    assert_eq!(app.rows("version_field"), 3);
    let history = async |field: &str| {
        let entries = teacher.get(&format!("{path}/history/{field}")).await.data();
        let shown = |entry: &Value| format!("{}: {} → {}", entry["version"], entry["before"], entry["after"]);
        entries.as_array().expect("entries").iter().map(shown).collect::<Vec<_>>()
    };
    assert_eq!(history("f7").await, ["2: 1 → 2", "1: null → 1"]);
    assert_eq!(history("f8").await, ["1: null → 1"]);
    assert_eq!(history("title").await, [r#"2: "Cress" → "Beans""#]);
}
