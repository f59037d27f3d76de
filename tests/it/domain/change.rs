//! The sizes of changes, which limit records and answers. `crates/domain/tests/unit/change.rs` tests what changes do.

use fieldbook::domain::change::diff;
use serde_json::{Value, json};

/// Returns the approximate size of all changes from one document to another, in bytes.
fn bytes(before: &Value, after: &Value) -> usize {
    diff(before, after).iter().map(|change| change.bytes()).sum()
}

#[test]
fn a_change_is_as_large_as_its_two_values() {
    let (short, long) = (json!({"goal": "Observe"}), json!({"goal": "Observe ".repeat(100)}));
    assert_eq!(bytes(&short, &short), 0);
    assert!((800..850).contains(&bytes(&short, &long)), "{}", bytes(&short, &long));
    assert_eq!(bytes(&short, &long), bytes(&long, &short));
    assert!((800..850).contains(&bytes(&json!({}), &long)), "{}", bytes(&json!({}), &long));
    assert!((1600..1650).contains(&bytes(&long, &json!({"goal": "Measure ".repeat(100)}))));
}

#[test]
fn leaves_that_outgrow_their_field_are_stored_as_one_change_of_it() {
    let numbers = |from: i64, count: i64| json!({ "list": (from..from + count).collect::<Vec<_>>() });
    assert_eq!(diff(&numbers(0, 500), &numbers(1, 500)).len(), 1);
    // Changes of leaves stay separate below 16 KiB, because they tell more than one change of the whole list.
    assert_eq!(diff(&numbers(0, 250), &numbers(1, 250)).len(), 250);
    // Separate changes of half of the long texts take less space than the whole list before and after.
    let texts = |end: &str| {
        let text = |index: i32| format!("{}{}", "x".repeat(400), if index % 2 == 0 { end } else { "" });
        json!({ "list": (0..60).map(text).collect::<Vec<_>>() })
    };
    assert_eq!(diff(&texts("a"), &texts("b")).len(), 30);
}
