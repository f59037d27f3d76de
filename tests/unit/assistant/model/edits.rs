//! Unit tests of `src/assistant/model/edits.rs`.

use super::*;
use crate::domain::schema::BUILT_IN;
use serde_json::json;

fn applied(edits: Value) -> Result<String, String> {
    let content = json!({
        "title": "Cress", "durationMinutes": 40.0, "extra": {"b": 1, "a": [1.10, null]},
        "steps": [{"text": "Sow", "minutes": 5}], "safety": ["a", "b", "c"]
    });
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    let edits: Vec<Edit> = serde_json::from_value(edits).expect("edits");
    let may = |field: &str| if field == "title" { Err("names a field that must stay") } else { Ok(()) };
    let content = content.as_object().expect("an object");
    apply(content, &schema, &edits, may).map(|content| Value::Object(content).to_string())
}

#[test]
fn edit_by_a_model_changes_only_the_value_at_its_path() {
    let table = [
        (
            json!([]),
            r#"{"title":"Cress","durationMinutes":40.0,"extra":{"b":1,"a":[1.1,null]},"steps":[{"text":"Sow","minutes":5}],"safety":["a","b","c"]}"#,
        ),
        (
            json!([
                {"path": "durationMinutes", "value": 40},
                {"path": "extra", "value": {"a": [1.1, 2], "b": 1, "c": 3}},
                {"path": "steps.0.minutes", "value": null},
                {"path": "steps.1", "value": {"text": "Water"}},
                {"path": "steps.2", "value": {"text": "Wait"}},
                {"path": "hypothesis", "value": "It grows."}
            ]),
            r#"{"title":"Cress","durationMinutes":40.0,"extra":{"b":1,"a":[1.1,2],"c":3},"steps":[{"text":"Sow"},{"text":"Water"},{"text":"Wait"}],"safety":["a","b","c"],"hypothesis":"It grows."}"#,
        ),
        (
            json!([
                {"path": "safety.0", "value": null},
                {"path": "safety.3", "value": "d"},
                {"path": "safety.2", "value": "C"},
                {"path": "safety.3", "value": "e"},
                {"path": "safety.1", "value": null},
                {"path": "safety.1", "value": null},
                {"path": "steps.0.minutes", "value": null},
                {"path": "extra", "value": null}
            ]),
            r#"{"title":"Cress","durationMinutes":40.0,"steps":[{"text":"Sow"}],"safety":["C","d","e"]}"#,
        ),
    ];
    for (edits, after) in table {
        assert_eq!(applied(edits), Ok(after.to_owned()));
    }
}

#[test]
fn impossible_edit_by_a_model_is_refused_with_its_reason() {
    let deep = |levels: usize| -> Value {
        serde_json::from_str(&format!("{}1{}", "[".repeat(levels), "]".repeat(levels))).expect("JSON")
    };
    for (path, value, reason) in [
        ("", json!(1), "The edit of an empty path names no field."),
        ("_id", json!("x"), "The edit of id names a field that the service sets."),
        ("status", json!("published"), "The edit of Status names a field that the service sets."),
        ("metadata.author", json!("x"), "The edit of Metadata, author names a field that the service sets."),
        ("title", json!("x"), "The edit of Title names a field that must stay."),
        ("nowhere", json!(1), "The edit of Nowhere names a field that is neither in the plan nor in its schema."),
        ("steps.7.text", json!("x"), "The edit of Step 8 names a path that does not exist."),
        ("steps.7", json!({}), "The edit of Step 8 names an element that does not exist."),
        ("steps.7", json!(null), "The edit of Step 8 removes something that does not exist."),
        ("hypothesis", json!(null), "The edit of Hypothesis removes something that does not exist."),
        ("durationMinutes.x", json!(1), "The edit of Duration in minutes, x names a path that does not exist."),
        (
            "extra.$serde_json::private::Number",
            json!("1"),
            "The value of Extra has the key \"$serde_json::private::Number\", which cannot be stored; choose another.",
        ),
        ("safety", json!(["x".repeat(1024 * 1024)]), "The plan would take 1048698 bytes; at most 262144 are allowed."),
        ("safety", json!(vec![""; 10_000]), "The plan would have 10007 values; at most 10000 are allowed."),
        (
            "extra.deep",
            deep(31),
            &format!("The value of Extra, deep{} is nested deeper than 32 levels.", " 1".repeat(30)),
        ),
        (
            "extra.deep",
            deep(63),
            &format!("The value of Extra, deep{} is nested deeper than 64 levels.", " 1".repeat(62)),
        ),
    ] {
        assert_eq!(applied(json!([{ "path": path, "value": value }])), Err(reason.to_owned()));
    }
    let both = json!([{"path": "safety", "value": ["x"]}, {"path": "safety.2", "value": null}]);
    assert_eq!(applied(both), Err("The edit of Safety rule 3 removes something that another edit sets.".to_owned()));
}
