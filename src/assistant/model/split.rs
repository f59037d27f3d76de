//! Asks a model which blocks of a document belong to which fields. The model names blocks, and writes no text.

use fieldbook_reader::{Block, Fields, Places};
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::Model;
use super::error::ModelError;
use super::propose::MAX_SCHEMA;
use super::question::{Question, object};
use super::wire::AnswerSchema;
use crate::domain::schema::Schema;

const SPLIT: &str = include_str!("prompts/split.md");

/// Maximum size of the blocks that are sent to a model, in bytes.
const MAX_BYTES: usize = 60_000;

#[derive(Debug, Deserialize)]
struct Answer {
    places: Vec<Place>,
    #[serde(default)]
    labels: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Place {
    field: String,
    blocks: Vec<String>,
}

impl Model {
    /// Returns which blocks belong to which field.
    pub async fn split(&self, blocks: &[Block], fields: &Fields, schema: &Schema) -> Result<Places, ModelError> {
        let data: Vec<Value> = blocks.iter().map(line).collect();
        if data.iter().map(|line| line.to_string().len()).sum::<usize>() > MAX_BYTES {
            return Err(ModelError::TextTooLarge);
        }
        let names: Vec<&str> = fields.names().collect();
        let place = object([
            ("field", json!({ "type": "string", "enum": names })),
            ("blocks", json!({ "type": "array", "items": { "type": "string" } })),
        ]);
        let ids = json!({ "type": "array", "items": { "type": "string" } });
        let wanted = object([("places", json!({ "type": "array", "items": place })), ("labels", ids)]);
        let answer = AnswerSchema { name: "split", schema: wanted.clone(), strict: true };
        let content_schema = Some(fields_only(schema.document()).to_string()).filter(|text| text.len() <= MAX_SCHEMA);
        // Also accepts an answer without the list `labels`, because models that ignore the schema may omit this list.
        let mut accepted = wanted;
        accepted["required"] = json!(["places"]);
        let question = Question { task: SPLIT, data, answer, schema: accepted, content_schema };
        let Answer { places, labels } = self.ask(&question).await?;
        Ok(Places::of(places.into_iter().map(|place| (place.field, place.blocks)), labels))
    }
}

/// Returns a block as a line of data.
fn line(block: &Block) -> Value {
    let mut line = json!({ "id": block.id, "kind": block.kind, "text": block.text });
    if block.level > 0 {
        line["level"] = block.level.into();
    }
    line
}

/// Returns a schema without the keywords that do not help a model to choose a field for a text: `title`, `$schema`, and
/// all that start with `x-`.
fn fields_only(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let is_needed = |(key, member): &(&String, &Value)| {
                !key.starts_with("x-") && *key != "$schema" && !(*key == "title" && member.is_string())
            };
            Value::Object(members.iter().filter(is_needed).map(|(key, it)| (key.clone(), fields_only(it))).collect())
        }
        Value::Array(elements) => elements.iter().map(fields_only).collect(),
        other => other.clone(),
    }
}
