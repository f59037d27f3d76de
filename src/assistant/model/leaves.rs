//! The leaves of a document as a model sees them: each with an id, its path, a label and its text.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::failure::ModelFailure;
use crate::domain::content::{Content, for_each_leaf};
use crate::domain::path::{FieldPath, index};
use crate::domain::schema::Schema;

/// So much of a document is sent to a model, in bytes of its leaves' texts, paths and labels.
const MAX_BYTES: usize = 60_000;

/// A schema has the model choose from the leaves only while there are no more than this many; larger ones are refused.
const MAX_CHOICES: usize = 250;

/// A string, a number or a boolean of the document.
pub struct Leaf {
    id: String,
    /// Where it stands.
    pub path: FieldPath,
    /// What the schema calls the place.
    pub label: String,
    /// What stands there, as text.
    pub text: String,
    /// Whether the schema names every key of the path, so that none is the word of an author.
    is_known: bool,
}

/// All leaves of a document, in reading order.
pub struct Leaves {
    all: Vec<Leaf>,
    by_path: HashMap<String, usize>,
}

impl Leaves {
    /// The leaves of `content`.
    ///
    /// # Errors
    /// [`ModelFailure::TooLarge`] where that is more than is sent to a model.
    pub fn of(content: &Content, schema: &Schema) -> Result<Self, ModelFailure> {
        let mut all: Vec<Leaf> = Vec::new();
        let mut bytes = 0_usize;
        for_each_leaf(content, &mut |path, value| {
            // Long keys are repeated in each path below them: beyond the limit nothing more is copied.
            bytes = bytes.saturating_add(path.segments().iter().map(|segment| segment.len()).sum());
            bytes = bytes.saturating_add(value.as_str().map_or(8, str::len) + 16);
            if bytes <= MAX_BYTES {
                let id = format!("L{}", all.len() + 1);
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let (label, is_known) = label(schema, path);
                all.push(Leaf { id, path: path.clone(), label, text, is_known });
            }
        });
        if bytes > MAX_BYTES {
            return Err(ModelFailure::TooLarge);
        }
        let by_path = all.iter().enumerate().map(|(position, leaf)| (leaf.path.to_string(), position)).collect();
        Ok(Self { all, by_path })
    }

    /// Whether there is nothing to speak of.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The leaf that a model names by its path or its id.
    pub fn named(&self, name: &str) -> Option<&Leaf> {
        let by_id = || self.all.iter().position(|leaf| leaf.id == name);
        self.by_path.get(name).copied().or_else(by_id).and_then(|position| self.all.get(position))
    }

    /// A line for each leaf.
    pub fn lines(&self) -> impl Iterator<Item = Value> {
        self.all
            .iter()
            .map(|leaf| json!({ "id": leaf.id, "path": leaf.path.to_string(), "label": leaf.label, "text": leaf.text }))
    }

    /// The schema of a leaf's name: the leaf's path, or its id where the path holds words of an author, which are
    /// never sent outside the fence. Any string where there are too many to choose from.
    pub fn names_schema(&self) -> Value {
        if self.all.len() > MAX_CHOICES {
            return json!({ "type": "string" });
        }
        let name = |leaf: &Leaf| if leaf.is_known { leaf.path.to_string() } else { leaf.id.clone() };
        json!({ "type": "string", "enum": self.all.iter().map(name).collect::<Vec<_>>() })
    }
}

/// What the schema calls the place, `Steps 3 > Text`, counted from 1 as people do; and whether it names every key.
fn label(schema: &Schema, path: &FieldPath) -> (String, bool) {
    let nothing = Value::Null;
    let mut is_known = true;
    let mut place = schema.document();
    let mut words: Vec<String> = Vec::new();
    for segment in path.segments() {
        if let Some(element) = index(segment)
            && !words.is_empty()
            && place.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty)
        {
            place = place.get("items").unwrap_or(&nothing);
            words.push((element + 1).to_string());
            continue;
        }
        let property = place.get("properties").and_then(|properties| properties.get(segment.as_ref()));
        is_known &= property.is_some();
        place = property.unwrap_or(&nothing);
        let title = place.get("title").and_then(Value::as_str);
        let title = title.map_or_else(|| segment.chars().take(40).collect(), str::to_owned);
        words.push(if words.is_empty() { title } else { format!("> {title}") });
    }
    (words.join(" "), is_known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::schema::BUILT_IN;

    #[test]
    fn a_place_is_called_what_the_schema_calls_it_and_counted_from_one() {
        let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
        let label = |path: &str| label(&schema, &FieldPath::parse(path)).0;
        assert_eq!(label("durationMinutes"), "Duration in minutes");
        assert_eq!(label("steps.2.text"), "Steps 3 > Text");
        assert_eq!(label("variables.controlled.0"), "Variables > Controlled variables 1");
        assert_eq!(label("own.0.thing"), "own 1 > thing");
    }
}
