//! Differences between two JSON values, leaf by leaf. So a small edit of a large document needs little storage.
//!
//! Property tests check for arbitrary JSON values `a` and `b` that `diff(a, a) == []`, `apply(a, diff(a, b)) == b` and
//! `revert(b, diff(a, b)) == a`. The tests compare the order of keys as well.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::content;
use super::path::FieldPath;

mod apply;

pub use apply::{apply, revert};

/// Change of one value, usually of a leaf: a string, number, boolean or null.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Path of the changed value.
    pub path: FieldPath,
    /// Value before the change; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_even_if_null")]
    pub before: Option<Value>,
    /// Value after the change; `None` if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_even_if_null")]
    pub after: Option<Value>,
    /// Index of an added or removed key among the keys of its object, counted from 0. `None` if the key is the last
    /// one, or if the change adds or removes no key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
}

impl Change {
    /// Returns the approximate total size of `before` and `after` as JSON, in bytes.
    pub fn bytes(&self) -> usize {
        [&self.before, &self.after].into_iter().flatten().map(content::bytes_of).sum()
    }

    fn replacing(path: FieldPath, before: &Value, after: &Value) -> Self {
        Self { path, before: Some(before.clone()), after: Some(after.clone()), position: None }
    }
}

/// Deserializes `null` as `Some(Value::Null)`. By default, serde reads `null` as `None`, like a missing value.
fn some_even_if_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The error if a change cannot be applied to the document or reverted in it. Contains the path of the change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the recorded change of \"{0}\" does not fit the document")]
pub struct ChangeError(pub FieldPath);

/// Returns the changes from `before` to `after`, in the order in which they must be applied.
pub fn diff(before: &Value, after: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare(&FieldPath::root(), before, after, &mut changes);
    condensed(changes, |field| (field.get(before), field.get(after)))
}

/// Works like [`diff`], for two objects.
pub fn diff_objects(before: &Map<String, Value>, after: &Map<String, Value>) -> Vec<Change> {
    if !same_order(before, after) {
        return diff(&Value::Object(before.clone()), &Value::Object(after.clone()));
    }
    let mut changes = Vec::new();
    compare_objects(&FieldPath::root(), before, after, &mut changes);
    let field = |path: &FieldPath, object| path.field().and_then(|field| Map::get(object, field));
    condensed(changes, |path| (field(path, before), field(path, after)))
}

fn compare(path: &FieldPath, before: &Value, after: &Value, changes: &mut Vec<Change>) {
    match (before, after) {
        (Value::Object(old), Value::Object(new)) if same_order(old, new) => compare_objects(path, old, new, changes),
        (Value::Array(old), Value::Array(new)) => compare_arrays(path, old, new, changes),
        _ if same(before, after) => {}
        _ => changes.push(Change::replacing(path.clone(), before, after)),
    }
}

/// Compares two objects whose common keys are in the same order. Appends removals from the last key to the first, then
/// changed values, then additions from the first key to the last. This order keeps each recorded position valid,
/// whether the changes are applied in order or reverted in reverse order.
fn compare_objects(path: &FieldPath, old: &Map<String, Value>, new: &Map<String, Value>, changes: &mut Vec<Change>) {
    let mut length = old.len();
    for (position, (key, value)) in old.iter().enumerate().rev() {
        if !new.contains_key(key) {
            let position = (position + 1 < length).then_some(position);
            changes.push(Change { path: path.child(key.as_str()), before: Some(value.clone()), after: None, position });
            length -= 1;
        }
    }
    for (key, value) in new {
        // Most top-level fields are unchanged, so their values are compared before any path is built.
        if let Some(previous) = old.get(key)
            && !(path.segments().is_empty() && same(previous, value))
        {
            compare(&path.child(key.as_str()), previous, value, changes);
        }
    }
    for (position, (key, value)) in new.iter().enumerate() {
        if !old.contains_key(key) {
            let position = (position < length).then_some(position);
            changes.push(Change { path: path.child(key.as_str()), before: None, after: Some(value.clone()), position });
            length += 1;
        }
    }
}

fn compare_arrays(path: &FieldPath, old: &[Value], new: &[Value], changes: &mut Vec<Change>) {
    let at = |index: usize| path.child(index.to_string());
    for (index, (previous, value)) in old.iter().zip(new).enumerate() {
        compare(&at(index), previous, value, changes);
    }
    for (index, value) in old.iter().enumerate().skip(new.len()).rev() {
        changes.push(Change { path: at(index), before: Some(value.clone()), after: None, position: None });
    }
    for (index, value) in new.iter().enumerate().skip(old.len()) {
        changes.push(Change { path: at(index), before: None, after: Some(value.clone()), position: None });
    }
}

/// Size, in bytes, up to which the changes of one field stay separate. Separate changes are more readable.
const MAX_LEAFWISE: usize = 16 * 1024;

/// Replaces the changes inside a top-level field with one change of the whole field, if the changes exceed
/// [`MAX_LEAFWISE`] bytes and the one change is smaller. Example: all elements of a long array move.
fn condensed<'v>(
    changes: Vec<Change>,
    values: impl Fn(&FieldPath) -> (Option<&'v Value>, Option<&'v Value>),
) -> Vec<Change> {
    let mut condensed = Vec::with_capacity(changes.len());
    let mut rest = changes.into_iter().peekable();
    while let Some(first) = rest.next() {
        let field = match first.path.segments() {
            [field, _, ..] => FieldPath::root().child(field.clone()),
            _ => {
                condensed.push(first);
                continue;
            }
        };
        let mut run = vec![first];
        while let Some(next) = rest.next_if(|next| field.is_prefix_of(&next.path) && next.path != field) {
            run.push(next);
        }
        match values(&field) {
            (Some(old), Some(new))
                if size_in_bytes(&run) > (content::bytes_of(old) + content::bytes_of(new)).max(MAX_LEAFWISE) =>
            {
                condensed.push(Change::replacing(field, old, new));
            }
            _ => condensed.append(&mut run),
        }
    }
    condensed
}

fn size_in_bytes(changes: &[Change]) -> usize {
    /// Approximate size of a change as JSON without its path and values, in bytes.
    const FRAME: usize = 32;
    let path = |change: &Change| change.path.segments().iter().map(|segment| segment.len() + 3).sum::<usize>();
    changes.iter().map(|change| FRAME + path(change) + change.bytes()).sum()
}

/// Returns whether the keys that exist in both objects have the same order.
pub fn same_order(old: &Map<String, Value>, new: &Map<String, Value>) -> bool {
    let kept = old.keys().filter(|key| new.contains_key(*key));
    kept.eq(new.keys().filter(|key| old.contains_key(*key)))
}

/// Returns whether two objects are equal, including the order of keys.
pub fn same_content(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|((key, value), (other, its))| key == other && same(value, its))
}

/// Returns whether two values are equal. Unlike `==`, also compares the order of keys and the sign of `-0.0`.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => same_content(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(v, w)| same(v, w)),
        (Value::Number(a), Value::Number(b)) => a == b && a.to_string() == b.to_string(),
        _ => a == b,
    }
}
