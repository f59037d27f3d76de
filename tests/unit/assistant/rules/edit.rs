//! Unit tests of `src/assistant/rules/edit.rs`.

use super::*;
use serde_json::json;

#[test]
fn replacement_value_keeps_the_key_order_and_number_notation_of_the_old_value() {
    let old = json!({"c": 1.0, "gone": true, "a": [{"y": 2, "x": 3}], "n": 5});
    let new = json!({"a": [{"x": 3.0, "y": 4}, {"z": 1}], "b": null, "c": 1, "n": null});
    let formed = json!({"c": 1.0, "a": [{"y": 4, "x": 3}, {"z": 1}], "n": null, "b": null});
    assert_eq!(in_form_of(Some(&old), new).to_string(), formed.to_string());
}

#[test]
fn replacing_an_object_of_100_000_members_loses_no_member() {
    let object = |value: usize| -> Value {
        Value::Object((0..100_000).map(|n| (format!("{n:06}"), Value::from(value))).collect())
    };
    assert_eq!(in_form_of(Some(&object(1)), object(2)), object(2));
}
