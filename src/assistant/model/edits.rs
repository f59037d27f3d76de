//! Checks the edits of a proposal one by one, and applies them to a copy of the content: either all edits or none.
//!
//! Values that are not edited stay the same, byte for byte. In an edited value, keys keep their order and numbers keep
//! their notation.

use std::cmp::Reverse;

use serde::Deserialize;
use serde_json::Value;

use crate::assistant::rules::edit::{in_form_of, slot};
use crate::domain::content::{Content, is_system_field};
use crate::domain::json;
use crate::domain::label::label;
use crate::domain::path::{FieldPath, index};
use crate::domain::schema::Schema;
use crate::domain::size::{self, SizeError};
use crate::domain::text::beginning;

pub const MAX_EDITS: usize = 500;

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Edit {
    /// Dotted path of the value, such as `steps.2.minutes`. Indexes count in the content before any edit.
    pub path: String,
    /// New value, which replaces the whole old value. Null removes the key or list element.
    pub value: Value,
    /// Numbers of the contradictions that the edit should fix, as in the question (`C1`).
    #[serde(default, rename = "for")]
    pub findings: Vec<String>,
}

/// Applies `edits` to a copy of `content`: first new values, then removals. `may` returns an error for a top-level
/// field that must not change.
///
/// # Errors
/// Returns a sentence with the reason for the first edit that cannot be made, or for an exceeded limit.
pub fn apply<'e>(
    content: &Content,
    schema: &Schema,
    edits: impl IntoIterator<Item = &'e Edit>,
    may: impl Fn(&str) -> Result<(), &'static str>,
) -> Result<Content, String> {
    let mut copy = content.clone();
    let (mut places, mut removals) = (Vec::new(), Vec::new());
    for (position, Edit { path, value, .. }) in edits.into_iter().enumerate() {
        if position == MAX_EDITS {
            return Err(format!("There are more than {MAX_EDITS} edits."));
        }
        let place = FieldPath::parse(path);
        let refused = |reason: &str| refused(schema, &place, reason);
        let field = place.field().ok_or_else(|| refused("names no field"))?;
        if is_system_field(field) {
            return Err(refused("names a field that the service sets"));
        }
        may(field).map_err(refused)?;
        let known = content.contains_key(field) || schema.document()["properties"].get(field).is_some();
        if !known {
            return Err(refused("names a field that is neither in the plan nor in its schema"));
        }
        if value.is_null() {
            removals.push(place);
        } else {
            set(&mut copy, content, &place, value.clone()).map_err(refused)?;
            places.push(place);
        }
    }
    // Removes from last to first, so that the other paths stay valid.
    removals.sort_by_cached_key(|place| Reverse(in_order(place)));
    removals.dedup();
    for place in removals {
        if places.iter().any(|other| other.is_prefix_of(&place)) {
            return Err(refused(schema, &place, "removes something that another edit sets"));
        }
        remove(&mut copy, &place).map_err(|reason| refused(schema, &place, reason))?;
    }
    // Each value was valid alone, but a path may have a key that cannot be stored, and the content may exceed a limit.
    let text = Value::Object(copy.clone()).to_string();
    json::parse(text.as_bytes())
        .map_err(|error| format!("The value of {} {}.", label(schema, &error.path), error.kind))?;
    size::check(content, &copy).map_err(|error| match &error {
        SizeError::Depth(path) => format!("The value of {} {error}.", label(schema, path)),
        _ => format!("The plan {error}."),
    })?;
    Ok(copy)
}

fn refused(schema: &Schema, place: &FieldPath, reason: &str) -> String {
    let name = label(schema, place);
    let name = if name.is_empty() { "an empty path" } else { beginning(name.trim(), 200) };
    format!("The edit of {name} {reason}.")
}

/// Returns a sort key that compares indexes as numbers, and puts parents before their children.
fn in_order(place: &FieldPath) -> Vec<(Option<usize>, String)> {
    place.segments().iter().map(|segment| (index(segment), segment.to_string())).collect()
}

/// Sets the value at a path. An index past the end of a list appends the value. `before` is the content before any
/// edit; the length of the list there decides what is past the end.
fn set(content: &mut Content, before: &Content, place: &FieldPath, value: Value) -> Result<(), &'static str> {
    let Some((key, holder)) = place.segments().split_last() else { return Err("names no field") };
    let holder = FieldPath::from(holder.to_vec());
    let length = |elements: &Value| elements.as_array().map(Vec::len);
    let known = holder.get_in(before).and_then(length);
    match slot(content, &holder) {
        Some(Value::Array(elements)) if index(key).is_some_and(|at| known.is_some_and(|known| known <= at)) => {
            let fits = index(key).is_some_and(|at| at <= elements.len());
            fits.then(|| elements.push(value)).ok_or("names an element that does not exist")
        }
        Some(Value::Array(elements)) => match index(key).and_then(|at| elements.get_mut(at)) {
            Some(old) => {
                *old = in_form_of(Some(old), value);
                Ok(())
            }
            None => Err("names an element that does not exist"),
        },
        Some(Value::Object(members)) => {
            set_key(members, key, value);
            Ok(())
        }
        None if holder.segments().is_empty() => {
            set_key(content, key, value);
            Ok(())
        }
        _ => Err("names a path that does not exist"),
    }
}

fn set_key(members: &mut Content, key: &str, value: Value) {
    let value = in_form_of(members.get(key), value);
    members.insert(key.to_owned(), value);
}

fn remove(content: &mut Content, place: &FieldPath) -> Result<(), &'static str> {
    const NOT_THERE: &str = "removes something that does not exist";
    let Some((key, holder)) = place.segments().split_last() else { return Err("names no field") };
    let members = match slot(content, &FieldPath::from(holder.to_vec())) {
        Some(Value::Array(elements)) => {
            let at = index(key).filter(|at| *at < elements.len()).ok_or(NOT_THERE)?;
            elements.remove(at);
            return Ok(());
        }
        Some(Value::Object(members)) => members,
        None if holder.is_empty() => content,
        _ => return Err(NOT_THERE),
    };
    members.shift_remove(key.as_ref()).map(drop).ok_or(NOT_THERE)
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/edits.rs"]
mod tests;
