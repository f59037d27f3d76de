//! Unit tests of `crates/domain/src/change.rs`.

use super::*;
use crate::json::arbitrary;
use crate::patch::{apply, revert};
use proptest::prelude::*;
use serde_json::json;

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
fn a_small_edit_is_a_small_record() {
    let before = json!({"title":"Cress","steps":[{"text":"Sow","minutes":5},{"text":"Water"}],"grade":5});
    let after = json!({"title":"Cress","steps":[{"text":"Sow","minutes":6},{"text":"Water"},{"text":"Wait"}]});
    assert_eq!(
        shown(&diff(&before, &after)),
        [r#"grade: 5 -> nothing"#, r#"steps.0.minutes: 5 -> 6"#, r#"steps.2: nothing -> {"text":"Wait"}"#]
    );
}

#[test]
fn where_the_leaves_would_take_more_room_than_the_field_the_field_is_one_change() {
    let moved = |from: usize| json!({ "list": (from..from + 500).collect::<Vec<_>>() });
    let changes = diff(&moved(0), &moved(1));
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].path, FieldPath::parse("list"));
    assert_eq!(apply(moved(0), &changes), Ok(moved(1)));
    assert_eq!(revert(moved(1), &changes), Ok(moved(0)));
}

#[test]
fn a_key_that_was_removed_comes_back_to_its_place() {
    let before = json!({"a":1,"b":2,"c":3});
    let after = json!({"a":1,"c":3});
    let changes = diff(&before, &after);
    assert_eq!(revert(after, &changes).expect("fits").to_string(), before.to_string());
}

#[test]
fn a_change_of_another_document_is_refused() {
    let changes = diff(&json!({"a":[1]}), &json!({"a":[2]}));
    for other in [json!({"a":[]}), json!({"a":{}}), json!({}), json!(7)] {
        assert_eq!(apply(other, &changes), Err(ChangeMismatch(FieldPath::parse("a.0"))));
    }
}

proptest! {
    #[test]
    fn apply_makes_the_second_of_the_first_and_revert_the_first_of_the_second(a in arbitrary(), b in arbitrary()) {
        let changes = diff(&a, &b);
        if let (Value::Object(a), Value::Object(b)) = (&a, &b) {
            prop_assert_eq!(&diff_objects(a, b), &changes);
        }
        prop_assert_eq!(apply(a.clone(), &changes).expect("fits").to_string(), b.to_string());
        prop_assert_eq!(revert(b, &changes).expect("fits").to_string(), a.to_string());
    }

    #[test]
    fn what_is_the_same_has_no_changes(a in arbitrary()) {
        prop_assert_eq!(diff(&a, &a), vec![]);
    }

    #[test]
    fn changes_are_stored_and_read_back_as_they_were(a in arbitrary(), b in arbitrary()) {
        let changes = diff(&a, &b);
        let stored = serde_json::to_string(&changes).expect("JSON");
        prop_assert_eq!(serde_json::from_str::<Vec<Change>>(&stored).expect("changes"), changes);
    }
}
