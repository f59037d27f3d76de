//! The content of an investigation: everything that the author wrote, without the fields that the service manages.

use fieldbook::domain::content::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Generates texts, and nested lists and objects of texts.
pub fn document() -> impl Strategy<Value = Value> {
    let text = "[a-z]{0,40}".prop_map(Value::from);
    text.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::btree_map("[a-z]{1,20}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Returns the number of lists and objects in a value, including the value itself.
pub fn containers(value: &Value) -> usize {
    match value {
        Value::Array(elements) => 1 + elements.iter().map(containers).sum::<usize>(),
        Value::Object(members) => 1 + members.values().map(containers).sum::<usize>(),
        _ => 0,
    }
}

#[test]
fn content_parsed_lazily_equals_content_parsed_at_once() {
    let text = r#"{"b":[1.10,{"z":null,"a":"\u00e9"}],"a":"é"}"#;
    let written: RawContent = serde_json::from_str(text).expect("an object");
    let read: Content = serde_json::from_str(text).expect("an object");
    assert_eq!(written.read(&["a", "b"]).expect("JSON"), read);
    assert_eq!(written.read(&["a", "c"]).expect("JSON"), *json!({"a": "é"}).as_object().expect("an object"));
    assert!(serde_json::from_str::<RawContent>("[1]").is_err());
}

#[test]
fn null_white_space_and_empty_lists_and_objects_are_blank() {
    for blank in [json!(null), json!(""), json!(" \t\n\u{a0}"), json!([]), json!({})] {
        assert!(is_blank(&blank), "{blank}");
    }
    for said in [json!("x"), json!(0), json!(false), json!([""]), json!({"a":null})] {
        assert!(!is_blank(&said), "{said}");
    }
}

#[test]
fn size_of_a_null_a_boolean_or_a_number_is_estimated_as_a_few_bytes() {
    for value in [json!(null), json!(true), json!(1.5)] {
        assert!((4..=10).contains(&bytes_of(&value)), "{value}");
    }
}

proptest! {
    #[test]
    fn estimated_size_of_content_exceeds_its_json_size_by_at_most_one_byte_per_container(value in document()) {
        let (json, commas) = (value.to_string().len(), containers(&value));
        let estimate = bytes_of(&value);
        prop_assert!((json..=json + commas).contains(&estimate), "{estimate} {value}");
        if let Value::Object(content) = &value {
            prop_assert_eq!(bytes(content) + 2, estimate);
        }
    }
}
