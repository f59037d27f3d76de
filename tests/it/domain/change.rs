//! How large changes are, by which records and answers are bounded. What changes do is tested in `crates/domain/tests/unit/change.rs`.

use fieldbook::domain::change::{diff, json_length};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::content::{containers, document};

/// About how many bytes the changes from one document to another take.
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
    // Below 16 KiB leaves say more than they cost.
    assert_eq!(diff(&numbers(0, 250), &numbers(1, 250)).len(), 250);
    // Half of a list of long texts takes less than the whole list twice.
    let texts = |end: &str| {
        let text = |index: i32| format!("{}{}", "x".repeat(400), if index % 2 == 0 { end } else { "" });
        json!({ "list": (0..60).map(text).collect::<Vec<_>>() })
    };
    assert_eq!(diff(&texts("a"), &texts("b")).len(), 30);
}

proptest! {
    #[test]
    fn the_text_length_of_a_value_is_its_json_and_a_comma_for_each_list(value in document()) {
        let json = value.to_string().len();
        let estimate = json_length(&value);
        prop_assert!((json..=json + containers(&value)).contains(&estimate), "{estimate} {value}");
    }
}
