//! Size limits of content, and of changes to content that is already larger.

use fieldbook::domain::content::Content;
use fieldbook::domain::size::*;
use serde_json::{Value, json};

fn content(value: Value) -> Content {
    value.as_object().cloned().expect("an object")
}

fn new(value: Value) -> Result<(), SizeError> {
    check(&Content::new(), &content(value))
}

fn changed(before: Value, after: Value) -> Result<(), SizeError> {
    check(&content(before), &content(after))
}

fn nested(levels: usize) -> Value {
    (1..levels).fold(json!("x"), |inner, _| json!([inner]))
}

#[test]
fn content_one_byte_over_the_limit_is_too_large() {
    let frame = r#"{"text":""}"#.len();
    for (sign, bytes) in [("x", 1), ("\u{1}", 6), ("é", 2)] {
        let of = |signs: usize| json!({"text": sign.repeat(signs)});
        let fit = (MAX_CONTENT - frame) / bytes;
        assert_eq!(new(of(fit)), Ok(()), "{sign:?}");
        assert_eq!(new(of(fit + 1)), Err(SizeError::Bytes(frame + (fit + 1) * bytes)), "{sign:?}");
    }
}

#[test]
fn leaf_limit_counts_every_value_without_children() {
    let leaf = [json!(1), json!("x"), json!(true), json!(null), json!([]), json!({})];
    let leaves: Vec<Value> = leaf.into_iter().cycle().take(MAX_LEAVES - 1).collect();
    assert_eq!(new(json!({"a": leaves, "b": {"c": [1]}})), Ok(()));
    assert_eq!(new(json!({"a": leaves, "b": {"c": [1, 2]}})), Err(SizeError::Leaves(MAX_LEAVES + 1)));
}

#[test]
fn nesting_beyond_the_limit_is_refused_with_the_first_path_that_is_too_deep() {
    assert_eq!(new(json!({"a": nested(MAX_DEPTH)})), Ok(()));
    let refused = new(json!({"a": 1, "b": [0, nested(MAX_DEPTH - 1), nested(MAX_DEPTH)], "c": nested(60)}));
    let Err(SizeError::Depth(path)) = refused else { panic!("{refused:?}") };
    assert_eq!(path.to_string(), format!("b.2{}", ".0".repeat(MAX_DEPTH - 2)));
    let objects = (1..=MAX_DEPTH).fold(json!({}), |inner, _| json!({"k": inner}));
    let Err(SizeError::Depth(path)) = new(json!({"o": objects})) else { panic!("taken") };
    assert_eq!(path.to_string(), format!("o{}", ".k".repeat(MAX_DEPTH - 1)));
}

#[test]
fn oversized_content_may_stay_or_shrink_but_not_grow() {
    let text = |bytes: usize| json!({"text": "x".repeat(bytes), "title": "Cress"});
    let leaves = |count: usize| json!({"list": vec![1; count]});
    let deep = |levels: usize| json!({"deep": nested(levels), "n": levels});
    for (before, same, smaller, larger) in [
        (text(600_000), text(600_000), text(400_000), text(600_001)),
        (leaves(20_000), leaves(20_000), leaves(15_000), leaves(20_001)),
        (deep(60), deep(60), deep(40), deep(61)),
    ] {
        assert_eq!(changed(before.clone(), same), Ok(()));
        assert_eq!(changed(before.clone(), smaller.clone()), Ok(()));
        assert!(new(smaller).is_err());
        assert!(changed(before, larger).is_err());
    }
    // If content exceeds one limit, a change may not make it exceed another limit.
    assert_eq!(changed(text(600_000), leaves(20_000)), Err(SizeError::Leaves(20_000)));
    assert_eq!(changed(leaves(100_000), leaves(90_000)), Ok(()));
}
