//! Unit tests of `src/cli/import/field_map.rs`.

use serde_json::json;

use super::*;

/// Returns the mapped document and the number of members that were left out, or why the map does not fit.
fn mapped(map: &str, document: Value) -> Result<(String, u64), String> {
    let mut account = Account::of(&document);
    let Value::Object(document) = document else { panic!("an object") };
    let mapped = FieldMap::parse(map)?.apply(document, &mut account)?;
    Ok((Value::Object(mapped).to_string(), account.reported))
}

#[test]
fn members_are_unwrapped_renamed_and_moved() {
    let map = "title.value = 'title'\ngradeLevel = 'grade'\ndetails.duration = 'durationMinutes'\n\
        'procedure.*' = 'steps.*.text'\n'materials.*.label' = 'materials.*.name'\n";
    let document = json!({"_id": 1, "title": {"value": "Cress", "by": "Anna"}, "gradeLevel": 5,
        "details": {"duration": 45, "room": 2}, "procedure": ["Sow", "Water"], "materials": [{"label": "Seeds", "unit": "g"}]});
    let expected = r#"{"_id":1,"title":"Cress","grade":5,"durationMinutes":45,"details":{"room":2},"steps":[{"text":"Sow"},{"text":"Water"}],"materials":[{"name":"Seeds","unit":"g"}]}"#;
    assert_eq!(mapped(map, document), Ok((expected.to_owned(), 1)));
    // The map changes nothing in a document without wrapped values.
    let plain = json!({"title": "Cress", "steps": [{"text": "Sow"}]});
    assert_eq!(mapped(map, plain.clone()), Ok((plain.to_string(), 0)));
    assert_eq!(
        mapped(r#"{"steps.*": "steps.*.text"}"#, json!({"steps": ["Sow"]})).map(|(text, _)| text).as_deref(),
        Ok(r#"{"steps":[{"text":"Sow"}]}"#)
    );
    let (map, document) = ("objectives = 'objectives.0'", json!({"objectives": "Observe"}));
    assert_eq!(mapped(map, document).map(|(text, _)| text).as_deref(), Ok(r#"{"objectives":["Observe"]}"#));
}

#[test]
fn what_stood_at_a_target_is_reported_and_a_map_that_does_not_fit_is_refused() {
    assert_eq!(mapped("a = 'b'", json!({"a": 1, "b": {"c": 2, "d": 3}})), Ok((r#"{"b":1}"#.to_owned(), 2)));
    let years = json!({"years": {"0": 1, "2024": [{"n": 2}, {}]}, "a": 1});
    let expected = r#"{"years":{"0":1,"2024":[{"n":2},{}]},"c":1}"#;
    assert_eq!(mapped("a = 'c'", years), Ok((expected.to_owned(), 0)), "other members stay as they are");
    for (map, document, at) in [
        ("a = 'c'\nb = 'c'", json!({"a": 1, "b": 2}), "c"),
        ("a = 'b.c'", json!({"b": 2, "a": 1}), "b.c"),
        ("'a.*.x' = 'b.*'", json!({"a": [{"y": 1}, {"x": 2}]}), "b.1"),
        ("'a.*' = 'b'", json!({"a": [1, 2]}), "b"),
        ("'a.0.x' = 'b'", json!({"a": [{"x": 1}, {"y": 2}]}), "a.1.y"),
    ] {
        assert_eq!(mapped(map, document), Err(format!("is left out: the map finds no free place at {at}")), "{map}");
    }
    assert_eq!(FieldMap::parse("a = 1").expect_err("refused"), "the target of a is not a path");
    assert!(FieldMap::parse("{").is_err() && FieldMap::parse("a =").is_err());
}
