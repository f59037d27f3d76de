//! Changes between two values: their effects and their sizes. The sizes limit version records and answers.

use fieldbook::domain::change::{Change, ChangeError, apply, diff, diff_objects, revert};
use fieldbook::domain::path::FieldPath;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns the approximate size of all changes from one document to another, in bytes.
fn bytes(before: &Value, after: &Value) -> usize {
    diff(before, after).iter().map(|change| change.bytes()).sum()
}

#[test]
fn stored_size_of_a_change_is_the_sum_of_its_old_and_new_value() {
    let (short, long) = (json!({"goal": "Observe"}), json!({"goal": "Observe ".repeat(100)}));
    assert_eq!(bytes(&short, &short), 0);
    assert!((800..850).contains(&bytes(&short, &long)), "{}", bytes(&short, &long));
    assert_eq!(bytes(&short, &long), bytes(&long, &short));
    assert!((800..850).contains(&bytes(&json!({}), &long)), "{}", bytes(&json!({}), &long));
    assert!((1600..1650).contains(&bytes(&long, &json!({"goal": "Measure ".repeat(100)}))));
}

#[test]
fn many_small_changes_in_a_list_are_stored_as_one_change_of_the_list() {
    let numbers = |from: i64, count: i64| json!({ "list": (from..from + count).collect::<Vec<_>>() });
    let changes = diff(&numbers(0, 500), &numbers(1, 500));
    assert_eq!((changes.len(), &changes[0].path), (1, &FieldPath::parse("list")));
    assert_eq!(apply(numbers(0, 500), &changes), Ok(numbers(1, 500)));
    assert_eq!(revert(numbers(1, 500), &changes), Ok(numbers(0, 500)));
    // Below 16 KiB, changes of single values stay separate, because they show more clearly what changed than a single
    // change of the whole list.
    assert_eq!(diff(&numbers(0, 250), &numbers(1, 250)).len(), 250);
    // Separate changes of half of the long texts take less space than the whole list before and after.
    let texts = |end: &str| {
        let text = |index: i32| format!("{}{}", "x".repeat(400), if index % 2 == 0 { end } else { "" });
        json!({ "list": (0..60).map(text).collect::<Vec<_>>() })
    };
    assert_eq!(diff(&texts("a"), &texts("b")).len(), 30);
}

/// Returns a strategy for arbitrary JSON values. There are only a few different keys, so that two values often share
/// keys.
fn arbitrary() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..4).prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e6f64..1e6).prop_map(Value::from),
        "[a-cé. ]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec(("[a-e]|a\\.b|0|1", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn shown(changes: &[Change]) -> Vec<String> {
    changes
        .iter()
        .map(|c| {
            let side = |v: &Option<Value>| v.as_ref().map_or("nothing".into(), Value::to_string);
            format!("{}: {} -> {}", c.path, side(&c.before), side(&c.after))
        })
        .collect()
}

#[test]
fn small_edit_is_recorded_as_a_change_of_each_edited_value() {
    let before = json!({"title":"Cress","steps":[{"text":"Sow","minutes":5},{"text":"Water"}],"grade":5});
    let after = json!({"title":"Cress","steps":[{"text":"Sow","minutes":6},{"text":"Water"},{"text":"Wait"}]});
    assert_eq!(
        shown(&diff(&before, &after)),
        [r#"grade: 5 -> nothing"#, r#"steps.0.minutes: 5 -> 6"#, r#"steps.2: nothing -> {"text":"Wait"}"#]
    );
}

#[test]
fn reverting_a_removal_restores_the_position_of_the_key() {
    let before = json!({"a":1,"b":2,"c":3});
    let after = json!({"a":1,"c":3});
    let changes = diff(&before, &after);
    assert_eq!(revert(after, &changes).expect("fits").to_string(), before.to_string());
}

#[test]
fn change_cannot_be_applied_to_a_document_that_lacks_its_path() {
    let changes = diff(&json!({"a":[1]}), &json!({"a":[2]}));
    for other in [json!({"a":[]}), json!({"a":{}}), json!({}), json!(7)] {
        assert_eq!(apply(other, &changes), Err(ChangeError(FieldPath::parse("a.0"))));
    }
}

proptest! {
    #[test]
    fn changes_lead_from_the_old_value_to_the_new_one_and_back(a in arbitrary(), b in arbitrary()) {
        let changes = diff(&a, &b);
        if let (Value::Object(a), Value::Object(b)) = (&a, &b) {
            prop_assert_eq!(&diff_objects(a, b), &changes);
        }
        prop_assert_eq!(apply(a.clone(), &changes).expect("fits").to_string(), b.to_string());
        prop_assert_eq!(revert(b, &changes).expect("fits").to_string(), a.to_string());
    }

    #[test]
    fn comparing_equal_contents_gives_no_changes(a in arbitrary()) {
        prop_assert_eq!(diff(&a, &a), vec![]);
    }

    #[test]
    fn changes_written_as_json_are_read_back_unchanged(a in arbitrary(), b in arbitrary()) {
        let changes = diff(&a, &b);
        let stored = serde_json::to_string(&changes).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Vec<Change>>(&stored).expect("changes"), changes);
    }
}
