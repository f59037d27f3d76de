//! Applies recorded changes to a value, or reverts them.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Change, ChangeError};
use crate::path::{self, FieldPath};

/// Applies `changes` to `value`.
pub fn apply(value: Value, changes: &[Change]) -> Result<Value, ChangeError> {
    let steps: Vec<Step<'_>> = changes.iter().map(|change| Step::of(change, &change.before, &change.after)).collect();
    take(value, &steps)
}

/// Reverts `changes`. `value` is the value after these changes.
pub fn revert(value: Value, changes: &[Change]) -> Result<Value, ChangeError> {
    let back = changes.iter().rev();
    let steps: Vec<Step<'_>> = back.map(|change| Step::of(change, &change.after, &change.before)).collect();
    take(value, &steps)
}

/// A change to make. For reverting, the values before and after the change are swapped.
struct Step<'c> {
    path: &'c FieldPath,
    exists_before: bool,
    /// Value after the step; `None` to remove the value.
    to: Option<&'c Value>,
    position: Option<usize>,
}

impl<'c> Step<'c> {
    fn of(change: &'c Change, from: &Option<Value>, to: &'c Option<Value>) -> Self {
        Self { path: &change.path, exists_before: from.is_some(), to: to.as_ref(), position: change.position }
    }

    fn holder(&self) -> &'c [Arc<str>] {
        self.path.segments().split_last().map_or(&[], |(_, holder)| holder)
    }

    fn key(&self) -> &'c str {
        self.path.segments().last().map_or("", |key| key)
    }

    /// Returns whether this step and `other` both remove members of one object or array, or both add members to one.
    fn can_group_with(&self, other: &Self) -> bool {
        let kind = |step: &Self| (step.exists_before, step.to.is_some());
        kind(self) == kind(other) && self.exists_before != self.to.is_some() && self.holder() == other.holder()
    }
}

/// Applies the steps in order. Consecutive steps that remove or add members of the same object or array are applied
/// together.
fn take(mut root: Value, steps: &[Step<'_>]) -> Result<Value, ChangeError> {
    let mut rest = steps;
    while let Some(first) = rest.first() {
        let together = if first.path.segments().is_empty() {
            1
        } else {
            rest.iter().take_while(|step| first.can_group_with(step)).count().max(1)
        };
        let (group, later) = rest.split_at(together);
        take_group(&mut root, group)?;
        rest = later;
    }
    Ok(root)
}

fn take_group(root: &mut Value, group: &[Step<'_>]) -> Result<(), ChangeError> {
    let Some(first) = group.first() else { return Ok(()) };
    let error = || ChangeError(first.path.clone());
    if first.path.segments().is_empty() {
        *root = first.to.cloned().ok_or_else(error)?;
        return Ok(());
    }
    let mut holder = root;
    for segment in first.holder() {
        holder = match holder {
            Value::Object(object) => object.get_mut(segment.as_ref()),
            Value::Array(array) => path::index(segment).and_then(|i| array.get_mut(i)),
            _ => None,
        }
        .ok_or_else(error)?;
    }
    match holder {
        Value::Object(object) => change_keys(object, group),
        Value::Array(array) => group.iter().try_for_each(|step| change_element(array, step)),
        _ => Err(error()),
    }
}

fn change_keys(object: &mut Map<String, Value>, group: &[Step<'_>]) -> Result<(), ChangeError> {
    if let Some(step) = group.iter().find(|step| object.contains_key(step.key()) != step.exists_before) {
        return Err(ChangeError(step.path.clone()));
    }
    match group {
        [Step { exists_before: true, to: Some(value), .. }] => {
            if let Some(slot) = object.get_mut(group[0].key()) {
                *slot = (*value).clone();
            }
        }
        [Step { to: None, .. }, ..] => {
            let gone: HashSet<&str> = group.iter().map(Step::key).collect();
            object.retain(|key, _| !gone.contains(key.as_str()));
        }
        _ => {
            let mut kept = std::mem::take(object).into_iter();
            for step in group {
                let missing = step.position.map_or(usize::MAX, |position| position.saturating_sub(object.len()));
                object.extend(kept.by_ref().take(missing));
                object.extend(step.to.map(|value| (step.key().to_owned(), value.clone())));
            }
            object.extend(kept);
        }
    }
    Ok(())
}

fn change_element(array: &mut Vec<Value>, step: &Step<'_>) -> Result<(), ChangeError> {
    let error = || ChangeError(step.path.clone());
    let index = path::index(step.key()).ok_or_else(error)?;
    match (step.exists_before, step.to) {
        (true, Some(value)) => *array.get_mut(index).ok_or_else(error)? = value.clone(),
        (true, None) if index + 1 == array.len() => drop(array.pop()),
        (false, Some(value)) if index == array.len() => array.push(value.clone()),
        _ => return Err(error()),
    }
    Ok(())
}
