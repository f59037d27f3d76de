//! Reads the JSON object in a model's answer and validates it against a schema. Ignores other parts of the answer, such
//! as reasoning, a code fence, or a second copy of the same object.

use std::ops::Range;

use serde_json::Value;
use serde_json::value::RawValue;

use super::error::ModelError;
use super::question::{AnswerError, MAX_FAULTS};
use crate::domain::json;
use crate::domain::json_schema::JsonSchema;
use crate::domain::text::beginning;

/// Marks that models write at the end of their reasoning. Some endpoints leave the reasoning in the answer.
const REASONING_ENDS: [&str; 11] = [
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "</seed:think>",
    "◁/think▷",
    "[/THINK]",
    "<|END_THINKING|>",
    "<channel|>",
    "<|channel|>final",
    // An endpoint that removes special tokens leaves only this text of "<|start|>assistant<|channel|>final".
    "assistantfinal",
];

/// Maximum number of opening braces that are tried as the start of a JSON object in each section of an answer.
const MAX_BRACES: usize = 100;

/// Maximum number of sections into which an answer is split: at the last occurrences of the marks in
/// [`REASONING_ENDS`].
const SECTIONS: usize = 4;

/// Maximum number of items in a list at the top level of a model's answer.
pub const MAX_ITEMS: usize = 500;

pub struct Reader(JsonSchema);

impl Reader {
    pub fn of(schema: &Value) -> Result<Self, ModelError> {
        JsonSchema::compile(schema).map(Self).map_err(ModelError::Internal)
    }

    /// Returns the JSON object in `text`: of the objects after the reasoning, the last one that matches the schema.
    ///
    /// # Errors
    /// [`AnswerError`] if no object matches the schema, or if several different objects match. The error contains the
    /// faults as sentences for the model.
    pub fn read(&self, text: &str) -> Result<Value, AnswerError> {
        self.find_object(text).map_err(|faults| AnswerError { answer: text.to_owned(), faults })
    }

    fn find_object(&self, text: &str) -> Result<Value, Vec<String>> {
        let Scan { objects, broken } = Scan::of(text);
        let mut matching: Vec<Value> = Vec::new();
        let mut faults = vec!["It holds no JSON object.".to_owned()];
        for object in objects {
            match self.check(object) {
                Ok(value) => matching.push(value),
                Err(found) => faults = found,
            }
        }
        match (matching.pop(), broken) {
            (Some(last), _) if matching.iter().all(|other| *other == last) => Ok(last),
            (Some(_), _) => Err(vec![format!("It holds {} different JSON objects, not one.", matching.len() + 1)]),
            (None, Some(broken)) => Err(vec![broken]),
            (None, None) => Err(faults),
        }
    }

    fn check(&self, object: &str) -> Result<Value, Vec<String>> {
        let value = json::parse(object.as_bytes())
            .map_err(|error| vec![format!("The value at \"{}\" {}.", error.path, error.kind)])?;
        if let Some(fault) = too_long(&value) {
            return Err(vec![fault]);
        }
        let faults = self.0.faults(&value, MAX_FAULTS);
        if faults.is_empty() { Ok(value) } else { Err(faults) }
    }
}

/// Returns a fault if a top-level list is longer than [`MAX_ITEMS`]. Called before validation, so that no long list is
/// validated.
fn too_long(answer: &Value) -> Option<String> {
    let lists = answer.as_object()?.iter();
    let mut lists = lists.filter_map(|(name, value)| Some((name, value.as_array()?.len())));
    let (name, length) = lists.find(|(_, length)| *length > MAX_ITEMS)?;
    Some(format!("at /{}: has {length} items, more than {MAX_ITEMS}", beginning(name, 40)))
}

/// The contents of an answer after the model's reasoning.
struct Scan<'t> {
    objects: Vec<&'t str>,
    /// A sentence about the first object that is not valid JSON.
    broken: Option<String>,
}

impl<'t> Scan<'t> {
    fn of(text: &'t str) -> Self {
        let mut objects: Vec<Range<usize>> = Vec::new();
        let mut broken: Vec<(usize, String)> = Vec::new();
        let mut ends: Vec<usize> = reasoning_ends(text).collect();
        ends.sort_unstable();
        let mut left = [MAX_BRACES; SECTIONS];
        for start in starts(text) {
            if objects.last().is_some_and(|object| start < object.end) {
                continue;
            }
            // Each section has a separate number of attempts. So long reasoning does not use up the attempts for the
            // answer after it, even if the answer itself contains marks.
            let marks_behind = ends.iter().rev().take(SECTIONS - 1).filter(|end| **end > start).count();
            let Some(left) = left.get_mut(marks_behind).filter(|left| **left > 0) else { continue };
            *left -= 1;
            let from_brace = text.get(start..).unwrap_or_default();
            match serde_json::Deserializer::from_str(from_brace).into_iter::<&RawValue>().next() {
                Some(Ok(object)) => objects.push(start..start + object.get().len()),
                Some(Err(error)) if error.is_eof() => {
                    broken.push((start, "It breaks off before the JSON object ends.".to_owned()));
                }
                Some(Err(error)) => broken.push((start, format!("It is not valid JSON: {error}."))),
                None => {}
            }
        }
        // A mark inside an object is a part of the answer.
        let is_outside = |at: &usize| objects.iter().all(|object| !object.contains(at));
        let begin = ends.into_iter().rfind(is_outside).unwrap_or(0);
        Self {
            objects: objects.into_iter().filter(|object| object.start >= begin).filter_map(|it| text.get(it)).collect(),
            broken: broken.into_iter().find(|(start, _)| *start >= begin).map(|(_, sentence)| sentence),
        }
    }
}

/// Returns the positions of the marks at the end of reasoning.
fn reasoning_ends(text: &str) -> impl Iterator<Item = usize> {
    REASONING_ENDS.iter().flat_map(move |mark| text.match_indices(mark)).map(|(at, _)| at)
}

/// Returns the positions at which JSON objects may start: braces before a key or another brace. Reasoning may contain
/// many other braces.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let braces = text.match_indices('{').map(|(at, _)| at);
    braces.filter(|at| text.get(at + 1..).is_some_and(|rest| rest.trim_ascii_start().starts_with(['"', '\'', '}'])))
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/answer.rs"]
mod tests;
