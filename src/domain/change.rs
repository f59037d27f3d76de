//! What changed between two JSON values, leaf by leaf, so that a small edit of a large document is a small record.
//!
//! For all JSON, to the byte of its text, the order of keys included (property tests at the end):
//! `apply(a, diff(a, b)) == b`, `revert(b, diff(a, b)) == a`, `diff(a, a) == []`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::path::{self, FieldPath};

/// One leaf that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Where it stands.
    pub path: FieldPath,
    /// The value before; `None` where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub before: Option<Value>,
    /// The value after; `None` where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub after: Option<Value>,
    /// For a key that comes or goes: its place among the keys of its object, where that is not the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}

/// Keeps `null` apart from absent, which serde would otherwise take for the same.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// A change that does not fit the value it is applied to: the record was made from another document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the recorded change of \"{0}\" does not fit the document")]
pub struct Misfit(pub FieldPath);

/// The changes that lead from `before` to `after`, in the order in which they apply.
pub fn diff(before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(&FieldPath::root(), before, after, &mut changes);
    changes
}

/// The value that `changes` make of `value`.
///
/// # Errors
/// [`Misfit`] with the first change whose place is not there.
pub fn apply(mut value: Value, changes: &[Change]) -> Result<Value, Misfit> {
    for change in changes {
        put(&mut value, change, change.before.is_some(), change.after.as_ref())?;
    }
    Ok(value)
}

/// The value from which `changes` made `value`.
///
/// # Errors
/// [`Misfit`] with the first change whose place is not there.
pub fn revert(mut value: Value, changes: &[Change]) -> Result<Value, Misfit> {
    for change in changes.iter().rev() {
        put(&mut value, change, change.after.is_some(), change.before.as_ref())?;
    }
    Ok(value)
}

fn compare(path: &FieldPath, before: &Value, after: &Value, changes: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) if same_order(old, new) => compare_objects(path, old, new, changes),
        (Value::Array(old), Value::Array(new)) => compare_arrays(path, old, new, changes),
        _ if same(before, after) => {}
        _ => changes.push(Change {
            path: path.clone(),
            before: Some(before.clone()),
            after: Some(after.clone()),
            position: None,
        }),
    }
}

/// Removals first, from the last key to the first, then additions from the first to the last:
/// so each position is right at the moment at which it is used, forwards and backwards.
fn compare_objects(path: &FieldPath, old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Vec<Change>) {
    let mut length = old.len();
    for (position, (key, value)) in old.iter().enumerate().rev() {
        if !new.contains_key(key) {
            changes.push(Change {
                path: path.child(key),
                before: Some(value.clone()),
                after: None,
                position: (position + 1 < length).then_some(position),
            });
            length -= 1;
        }
    }
    for (position, (key, value)) in new.iter().enumerate() {
        match old.get(key) {
            Some(previous) => compare(&path.child(key), previous, value, changes),
            None => {
                changes.push(Change {
                    path: path.child(key),
                    before: None,
                    after: Some(value.clone()),
                    position: (position < length).then_some(position),
                });
                length += 1;
            }
        }
    }
}

fn compare_arrays(path: &FieldPath, old: &[Value], new: &[Value], changes: &mut Vec<Change>) {
    for (index, (previous, value)) in old.iter().zip(new).enumerate() {
        compare(&path.child(index.to_string()), previous, value, changes);
    }
    for (index, value) in old.iter().enumerate().skip(new.len()).rev() {
        changes.push(Change {
            path: path.child(index.to_string()),
            before: Some(value.clone()),
            after: None,
            position: None,
        });
    }
    for (index, value) in new.iter().enumerate().skip(old.len()) {
        changes.push(Change {
            path: path.child(index.to_string()),
            before: None,
            after: Some(value.clone()),
            position: None,
        });
    }
}

/// Whether the keys that both objects have stand in the same order.
fn same_order(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    let kept = old.keys().filter(|key| new.contains_key(*key));
    kept.eq(new.keys().filter(|key| old.contains_key(*key)))
}

/// Equality that minds the order of keys, which `serde_json` does not.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, v), (l, w))| k == l && same(v, w))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(v, w)| same(v, w)),
        (Value::Number(a), Value::Number(b)) => a == b && a.to_string() == b.to_string(),
        _ => a == b,
    }
}

/// Puts `to` where the path leads, or takes away what is there.
fn put(root: &mut Value, change: &Change, there: bool, to: Option<&Value>) -> Result<(), Misfit> {
    let misfit = || Misfit(change.path.clone());
    let Some((last, parents)) = change.path.segments().split_last() else {
        *root = to.cloned().ok_or_else(misfit)?;
        return Ok(());
    };
    let mut holder = root;
    for segment in parents {
        holder = match holder {
            Value::Object(object) => object.get_mut(segment),
            Value::Array(array) => path::index(segment).and_then(|i| array.get_mut(i)),
            _ => None,
        }
        .ok_or_else(misfit)?;
    }
    match holder {
        Value::Object(object) => {
            if object.contains_key(last) != there {
                return Err(misfit());
            }
            match to {
                None => {
                    object.shift_remove(last);
                }
                Some(value) => match object.get_mut(last) {
                    Some(slot) => *slot = value.clone(),
                    None => {
                        let position = change.position.unwrap_or(object.len()).min(object.len());
                        object.shift_insert(position, last.clone(), value.clone());
                    }
                },
            }
        }
        Value::Array(array) => {
            let index = path::index(last).ok_or_else(misfit)?;
            match (there, to) {
                (true, Some(value)) => *array.get_mut(index).ok_or_else(misfit)? = value.clone(),
                (true, None) if index + 1 == array.len() => {
                    array.pop();
                }
                (false, Some(value)) if index == array.len() => array.push(value.clone()),
                _ => return Err(misfit()),
            }
        }
        _ => return Err(misfit()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::json::arbitrary;
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
            assert_eq!(apply(other, &changes), Err(Misfit(FieldPath::parse("a.0"))));
        }
    }

    proptest! {
        #[test]
        fn apply_makes_the_second_of_the_first_and_revert_the_first_of_the_second(a in arbitrary(), b in arbitrary()) {
            let changes = diff(&a, &b);
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
}
