//! Defines how a fix changes one value of a document and nothing else.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::domain::content::Content;
use crate::domain::path::{self, FieldPath};

#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    pub path: FieldPath,
    pub edit: Edit,
    /// True if the edit only guesses what the author means. When contradictions are resolved, guesses are tried last.
    pub guess: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    Replace(Value),
    Splice { range: Range<usize>, text: String },
}

/// Returns the value at a path of the content, or `None` if the path does not exist.
pub fn slot<'c>(content: &'c mut Content, path: &FieldPath) -> Option<&'c mut Value> {
    let (field, rest) = path.segments().split_first()?;
    rest.iter().try_fold(content.get_mut(field.as_ref())?, |slot, segment| match slot {
        Value::Object(members) => members.get_mut(segment.as_ref()),
        Value::Array(elements) => elements.get_mut(path::index(segment)?),
        _ => None,
    })
}

/// Applies the first [`Edit::Replace`] in `edits` to a value, or else every [`Edit::Splice`]. Starts with the last
/// splice, so that offsets stay valid. Skips overlapping splices. Returns `None` if the value to splice is not a text.
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
    // If splices overlap, only the one that starts last is applied. A later round can apply the others.
    let mut untouched = text.len();
    for (range, replacement) in splices {
        if range.end <= untouched && text.get(range.clone()).is_some() {
            untouched = range.start;
            text.replace_range(range, &replacement);
        }
    }
    Some(Value::String(text))
}

/// Returns `new` with its keys in the order of `old`. A number that equals the old number keeps the old notation, such
/// as `1.0`. So an edit changes only what it is meant to change.
pub fn in_form_of(old: Option<&Value>, new: Value) -> Value {
    match (old, new) {
        (Some(Value::Object(old)), Value::Object(mut new)) => {
            let mut ordered: Map<String, Value> = Map::new();
            for (key, previous) in old {
                // Takes the value but keeps the key, with null as its value, because removing the key and keeping the
                // order of the map would move all later keys.
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
#[path = "../../../tests/unit/assistant/rules/edit.rs"]
mod tests;
