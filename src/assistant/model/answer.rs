//! Reads a model's answer. Text around the JSON object is ignored, such as a code fence; the object must match its
//! schema.

use jsonschema::{ValidationError, Validator};
use serde_json::Value;
use serde_json::value::RawValue;

use super::failure::ModelFailure;
use super::question::{MAX_FAULTS, Unusable, beginning};
use crate::domain::json;

/// Marker for the end of the model's reasoning. Some endpoints include the reasoning in the answer.
const THOUGHT: &str = "</think>";

/// Maximum number of opening braces that are tried as the start of a JSON object.
const MAX_BRACES: usize = 200;

/// Maximum length of a top-level list in a model's answer.
pub const MAX_ITEMS: usize = 500;

/// Reader of answers that must match a JSON Schema.
pub struct Reader(Validator);

impl Reader {
    /// Creates a reader of answers that match `schema`.
    ///
    /// # Errors
    /// [`ModelFailure::Internal`] if `schema` is not a valid JSON Schema.
    pub fn of(schema: &Value) -> Result<Self, ModelFailure> {
        let validator = jsonschema::draft202012::options().build(schema);
        validator.map(Self).map_err(|error| ModelFailure::Internal(error.masked().to_string()))
    }

    /// Returns the JSON object in `text`.
    ///
    /// # Errors
    /// Returns the faults, in words for the model, if there is not exactly one object or if the object does not match
    /// the schema.
    pub fn read(&self, text: &str) -> Result<Value, Unusable> {
        let read = self.find_object(text);
        let read = match text.rsplit_once(THOUGHT) {
            // The marker may also be quoted in the answer, so the text before the marker is skipped only if necessary.
            Some((_, after)) if read.is_err() => self.find_object(after),
            _ => read,
        };
        read.map_err(|faults| Unusable { answer: text.to_owned(), faults })
    }

    fn find_object(&self, text: &str) -> Result<Value, Vec<String>> {
        let objects = objects(text);
        let [object] = objects.as_slice() else {
            return Err(vec![format!("It holds {} JSON objects, not one.", objects.len())]);
        };
        let value = json::parse(object.as_bytes())
            .map_err(|refusal| vec![format!("The value at \"{}\" {}.", refusal.path, refusal.problem)])?;
        if let Some(fault) = too_long(&value) {
            return Err(vec![fault]);
        }
        // Values are masked, because they may be user text. At most [`MAX_FAULTS`] faults are formatted, because no
        // more are reported.
        let faults: Vec<String> = self.0.iter_errors(&value).take(MAX_FAULTS).map(|error| fault(&error)).collect();
        if faults.is_empty() { Ok(value) } else { Err(faults) }
    }
}

/// Returns a fault if a list is too long for any valid answer. Runs before the elements are validated.
fn too_long(answer: &Value) -> Option<String> {
    let lists = answer.as_object()?.iter();
    let mut lists = lists.filter_map(|(name, value)| Some((name, value.as_array()?.len())));
    let (name, length) = lists.find(|(_, length)| *length > MAX_ITEMS)?;
    Some(format!("at /{}: has {length} items, more than {MAX_ITEMS}", beginning(name, 40)))
}

fn fault(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().as_str();
    format!("at {}: {}", if place.is_empty() { "/" } else { place }, error.masked())
}

/// Returns the top-level JSON objects in a text.
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
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Value, Vec<String>> {
        let schema = json!({
            "properties": { "a": { "type": "integer" }, "list": { "items": { "type": "integer" } } }, "required": ["a"]
        });
        Reader::of(&schema).expect("a schema").read(text).map_err(|unusable| unusable.faults)
    }

    #[test]
    fn the_one_object_is_found_whatever_stands_around_it() {
        for text in [
            "{\"a\":1}",
            " \n{\"a\":1}\n",
            "```json\n{\"a\":1}\n```",
            "Here {it} is: {\"a\":1} – done {",
            "<think>maybe {\"a\":2}?</think>{\"a\":1}",
            "{\"a\":1,\"b\":\"</think>\"}",
        ] {
            assert_eq!(read(text).map(|value| value["a"].clone()), Ok(json!(1)), "{text}");
        }
    }

    #[test]
    fn what_is_not_one_object_of_the_form_is_refused_with_the_reasons() {
        for (text, fault) in [
            ("", "It holds 0 JSON objects, not one."),
            ("[1]", "It holds 0 JSON objects, not one."),
            ("{\"a\":", "It holds 0 JSON objects, not one."),
            ("{\"a\":1}{\"a\":2}", "It holds 2 JSON objects, not one."),
            ("{\"a\":1,\"a\":2}", "The value at \"\" has the key \"a\" twice."),
            ("{\"b\":1}", "at /: \"a\" is a required property"),
            ("{\"a\":\"secret\"}", "at /a: value is not of type \"integer\""),
        ] {
            assert_eq!(read(text), Err(vec![fault.to_owned()]), "{text}");
        }
        let many = |item: &str, times| format!("{{\"list\":[{}]}}", vec![item; times].join(","));
        let longer = "at /list: has 501 items, more than 500".to_owned();
        assert_eq!(read(&many("{}", 501)), Err(vec![longer]));
        assert_eq!(read(&many("{}", 500)).map_err(|faults| faults.len()), Err(MAX_FAULTS));
        let braces = "{".repeat(1_000_000);
        assert!(read(&braces).is_err());
    }
}
