//! The field map of an import: moves members with other names or inside other objects, such as `data.name` to `title`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::members::{Account, Outcome, for_each};
use crate::domain::path::{self, FieldPath};

/// Segment that stands for every element of an array, or every member of an object.
const WILDCARD: &str = "*";

/// Pairs of paths: a member at the source, such as `data.name`, moves to the target, such as `title`. The source
/// `data.name` comes before the source `data`, so that the most specific pair applies.
#[derive(Debug, Default)]
pub struct FieldMap(Vec<(FieldPath, FieldPath)>);

impl FieldMap {
    /// Parses a map in TOML or JSON. The error says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let map: Value = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|e| e.to_string())?,
            false => toml::from_str(text).map_err(|e| e.to_string())?,
        };
        let mut rules = BTreeMap::new();
        flatten("", &map, &mut rules)?;
        Ok(Self(rules.into_iter().rev().collect()))
    }

    /// Moves members to their targets. The error says why the map does not fit the document, as a phrase that follows
    /// the line number.
    pub fn apply(&self, document: Map<String, Value>, account: &mut Account) -> Result<Map<String, Value>, String> {
        if self.0.is_empty() {
            return Ok(document);
        }
        let (document, mut members) = (Value::Object(document), Vec::new());
        for_each(&FieldPath::root(), &document, &mut |path, value| {
            let target = self.0.iter().find_map(|(source, target)| target_of(path, source, target));
            account.moved.extend(target.clone());
            members.push((path.clone(), target, value.clone()));
        });
        let mut mapped = Value::Object(Map::new());
        for (path, target, value) in members {
            if target.is_none() && account.is_moved(&path) {
                account.report(&path, &value, Outcome::LeftOut, "the map puts another value there");
                continue;
            }
            let path = target.unwrap_or(path);
            if !put(&mut mapped, Some(&document), path.segments(), value) {
                return Err(format!("is left out: the map finds no free place at {path}"));
            }
        }
        Ok(mapped.as_object_mut().map(std::mem::take).unwrap_or_default())
    }
}

fn flatten(at: &str, value: &Value, rules: &mut BTreeMap<FieldPath, FieldPath>) -> Result<(), String> {
    match value {
        Value::String(target) if !target.is_empty() => {
            rules.insert(FieldPath::parse(at), FieldPath::parse(target));
            Ok(())
        }
        Value::Object(members) => members.iter().try_for_each(|(key, member)| {
            flatten(&if at.is_empty() { key.clone() } else { format!("{at}.{key}") }, member, rules)
        }),
        _ => Err(format!("the target of {at} is not a path")),
    }
}

/// Returns the new path of the member at `path`. Returns `None` if this path is neither `source` nor inside it.
fn target_of(path: &FieldPath, source: &FieldPath, target: &FieldPath) -> Option<FieldPath> {
    let (matched, below) = path.segments().split_at_checked(source.segments().len())?;
    let pairs = || source.segments().iter().zip(matched);
    if !pairs().all(|(wanted, segment)| **wanted == *WILDCARD || wanted == segment) {
        return None;
    }
    let mut captured = pairs().filter(|(wanted, _)| ***wanted == *WILDCARD).map(|(_, segment)| segment);
    let target = target.segments().iter().map(|s| if **s == *WILDCARD { captured.next().unwrap_or(s) } else { s });
    Some(FieldPath::from(target.chain(below).cloned().collect::<Vec<_>>()))
}

/// Stores `value` at the path `at` if nothing is there. Creates missing containers: objects and arrays as in `model`.
/// If `model` has none at a path, creates an array if the next segment is an index, and an object otherwise. Returns
/// whether the value was stored.
fn put(holder: &mut Value, model: Option<&Value>, at: &[Arc<str>], value: Value) -> bool {
    let Some((segment, rest)) = at.split_first() else { return false };
    let (slot, is_new) = match holder {
        Value::Object(object) => {
            let is_new = !object.contains_key(&**segment);
            (Some(object.entry(&**segment).or_insert(Value::Null)), is_new)
        }
        Value::Array(array) => {
            let index = path::index(segment);
            let is_new = index == Some(array.len());
            array.extend(is_new.then_some(Value::Null));
            (index.and_then(|index| array.get_mut(index)), is_new)
        }
        _ => (None, false),
    };
    let (Some(slot), model) = (slot, model.and_then(|model| path::step(model, segment))) else { return false };
    let Some(next) = rest.first() else {
        *slot = if is_new { value } else { std::mem::take(slot) };
        return is_new;
    };
    if is_new {
        let is_list = match model {
            Some(Value::Array(_)) => true,
            Some(Value::Object(_)) => false,
            _ => path::index(next).is_some(),
        };
        *slot = if is_list { Value::Array(Vec::new()) } else { Map::new().into() };
    }
    // An empty object or list counts as a member. Putting a value into it would lose that member.
    let is_empty = slot.as_object().is_some_and(Map::is_empty) || slot.as_array().is_some_and(Vec::is_empty);
    (is_new || !is_empty) && put(slot, model, rest, value)
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/import/field_map.rs"]
mod tests;
