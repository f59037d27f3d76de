//! Edits: how a fix changes one place of a document and nothing else.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::domain::content::Content;
use crate::domain::path::{self, FieldPath};

/// A change that removes a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// The place.
    pub path: FieldPath,
    /// The edit.
    pub edit: Edit,
    /// Whether the edit only guesses what the author means. It is taken only if no other fix is known.
    pub guess: bool,
}

/// A change at one place.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// The value is replaced by this one.
    Replace(Value),
    /// Replaces these bytes of the text at the place.
    Splice {
        /// The byte range to replace.
        range: Range<usize>,
        /// The replacement.
        text: String,
    },
}

impl Edit {
    /// A splice is written as a map of `start`, `end` and `text`; anything else is the new value.
    pub fn read(value: Value, old: Option<&Value>) -> Self {
        let offset = |key: &str| value.get(key)?.as_u64().map(|offset| offset as usize);
        match (offset("start"), offset("end"), value.get("text").and_then(Value::as_str), old) {
            (Some(start), Some(end), Some(text), Some(Value::String(_))) => {
                Edit::Splice { range: start..end, text: text.to_owned() }
            }
            _ => Edit::Replace(in_form_of(old, value)),
        }
    }
}

/// The value at a path of the content.
pub fn slot<'c>(content: &'c mut Content, path: &FieldPath) -> Option<&'c mut Value> {
    let (field, rest) = path.segments().split_first()?;
    rest.iter().try_fold(content.get_mut(field.as_ref())?, |slot, segment| match slot {
        Value::Object(members) => members.get_mut(segment.as_ref()),
        Value::Array(elements) => elements.get_mut(path::index(segment)?),
        _ => None,
    })
}

/// Applies edits to a value: the first replacement, or all splices from the end, so that offsets stay valid.
pub fn edited(value: &Value, edits: Vec<Edit>) -> Option<Value> {
    let mut splices = Vec::new();
    for edit in edits {
        match edit {
            Edit::Replace(value) => return Some(value),
            Edit::Splice { range, text } => splices.push((range, text)),
        }
    }
    splices.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = value.as_str()?.to_owned();
    // Of overlapping splices the later one is applied; the others wait for the next round.
    let mut untouched = text.len();
    for (range, replacement) in splices {
        if range.end <= untouched && text.get(range.clone()).is_some() {
            untouched = range.start;
            text.replace_range(range, &replacement);
        }
    }
    Some(Value::String(text))
}

/// `new` with keys in the order of `old`, and numbers in the notation of `old` if they are equal, so that a fix changes
/// only what it means to.
pub fn in_form_of(old: Option<&Value>, new: Value) -> Value {
    match (old, new) {
        (Some(Value::Object(old)), Value::Object(mut new)) => {
            let mut ordered: Map<String, Value> = Map::new();
            for (key, previous) in old {
                // Leaves a gap; closing it would shift all later members.
                if let Some(member) = new.get_mut(key).map(Value::take) {
                    ordered.insert(key.clone(), in_form_of(Some(previous), member));
                }
            }
            for (key, member) in new {
                ordered.entry(key).or_insert(member);
            }
            Value::Object(ordered)
        }
        (Some(Value::Array(old)), Value::Array(new)) => {
            Value::Array(new.into_iter().enumerate().map(|(i, element)| in_form_of(old.get(i), element)).collect())
        }
        (Some(Value::Number(old)), Value::Number(new)) if old.as_f64() == new.as_f64() => Value::Number(old.clone()),
        (_, new) => new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_new_value_takes_the_form_of_the_old_one() {
        let old = json!({"c": 1.0, "gone": true, "a": [{"y": 2, "x": 3}], "n": 5});
        let new = json!({"a": [{"x": 3.0, "y": 4}, {"z": 1}], "b": null, "c": 1, "n": null});
        let formed = json!({"c": 1.0, "a": [{"y": 4, "x": 3}, {"z": 1}], "n": null, "b": null});
        assert_eq!(in_form_of(Some(&old), new).to_string(), formed.to_string());
    }

    #[test]
    fn an_object_of_a_hundred_thousand_members_takes_the_form_of_another() {
        let object = |value: usize| -> Value {
            Value::Object((0..100_000).map(|n| (format!("{n:06}"), Value::from(value))).collect())
        };
        assert_eq!(in_form_of(Some(&object(1)), object(2)), object(2));
    }
}
