//! Reads the JSON object in a model's answer and validates it against a schema. Ignores text around the object, such as
//! a code fence.

use serde_json::Value;
use serde_json::value::RawValue;

use super::failure::ModelFailure;
use super::question::{MAX_FAULTS, Unusable, beginning};
use crate::domain::json;
use crate::domain::json_schema::JsonSchema;

/// Marker for the end of the model's reasoning. Some endpoints include the reasoning in the answer.
const THOUGHT: &str = "</think>";

/// Maximum number of opening braces that are tried as the start of a JSON object.
const MAX_BRACES: usize = 200;

/// Maximum number of items in a list at the top level of a model's answer.
pub const MAX_ITEMS: usize = 500;

pub struct Reader(JsonSchema);

impl Reader {
    pub fn of(schema: &Value) -> Result<Self, ModelFailure> {
        JsonSchema::compile(schema).map(Self).map_err(ModelFailure::Internal)
    }

    /// Returns the JSON object in `text`.
    ///
    /// # Errors
    /// [`Unusable`] if the text does not contain exactly one object, or if the object does not match the schema. Its
    /// faults are sentences for the model.
    pub fn read(&self, text: &str) -> Result<Value, Unusable> {
        let read = self.find_object(text);
        let read = match text.rsplit_once(THOUGHT) {
            // The answer itself may quote the marker, so the text before the marker is skipped only if the whole text
            // is unusable.
            Some((_, after)) if read.is_err() => self.find_object(after),
            _ => read,
        };
        read.map_err(|faults| Unusable { answer: text.to_owned(), faults })
    }

    fn find_object(&self, text: &str) -> Result<Value, Vec<String>> {
        let objects = objects(text);
        let [object] = objects.as_slice() else {
            return Err(vec![not_one(text, objects.len())]);
        };
        let value = json::parse(object.as_bytes())
            .map_err(|refusal| vec![format!("The value at \"{}\" {}.", refusal.path, refusal.problem)])?;
        if let Some(fault) = too_long(&value) {
            return Err(vec![fault]);
        }
        let faults = self.0.faults(&value, MAX_FAULTS);
        if faults.is_empty() { Ok(value) } else { Err(faults) }
    }
}

/// Returns a sentence for the model that says why a text does not contain exactly one JSON object.
fn not_one(text: &str, objects: usize) -> String {
    let start = text.find('{').and_then(|start| text.get(start..)).unwrap_or_default();
    match serde_json::from_str::<&RawValue>(start) {
        Err(error) if error.is_eof() && !start.is_empty() => "It breaks off before the JSON object ends.".to_owned(),
        Err(error) if error.is_syntax() && !start.is_empty() && objects == 0 => {
            format!("It is not valid JSON: {error}.")
        }
        _ => format!("It holds {objects} JSON objects, not one."),
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

fn objects(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    for _ in 0..MAX_BRACES {
        let Some(from_brace) = rest.find('{').and_then(|start| rest.get(start..)) else { break };
        let object = serde_json::Deserializer::from_str(from_brace).into_iter::<&RawValue>().next();
        let length = match object {
            Some(Ok(object)) => {
                found.push(object.get());
                object.get().len()
            }
            _ => 1,
        };
        rest = from_brace.get(length..).unwrap_or_default();
    }
    found
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/answer.rs"]
mod tests;
