//! Asks a model to sort a pasted text into fields. The caller keeps only values that the text contains.

use serde::Deserialize;
use serde_json::{Value, json};

use super::Model;
use super::failure::ModelFailure;
use super::propose::MAX_SCHEMA;
use super::question::{Question, object};
use super::wire::AnswerSchema;
use crate::domain::content::Content;
use crate::domain::schema::Schema;

const SPLIT: &str = include_str!("prompts/split.md");

/// Maximum size of a text that is sent to a model, in bytes plus 16 bytes per line.
const MAX_BYTES: usize = 60_000;

/// The model's proposal for sorting a pasted text into fields.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Split {
    pub content: Content,
    pub headings: Vec<String>,
}

impl Model {
    /// Asks the model to sort a pasted text into fields. The caller must check whether the text contains the values.
    pub async fn split(&self, text: &str, schema: &Schema) -> Result<Split, ModelFailure> {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let data: Vec<Value> = lines.map(|line| json!({ "line": line })).collect();
        if text.len() + 16 * data.len() > MAX_BYTES {
            return Err(ModelFailure::TextTooLarge);
        }
        let wanted = object([
            ("content", json!({ "type": "object" })),
            ("headings", json!({ "type": "array", "items": { "type": "string" } })),
        ]);
        // `content` is an object with any fields, which strict endpoints do not support.
        let answer = AnswerSchema { name: "split", schema: wanted.clone(), strict: false };
        let content_schema = Some(fields_only(schema.document()).to_string()).filter(|text| text.len() <= MAX_SCHEMA);
        let question = Question { task: SPLIT, data, answer, schema: wanted, content_schema };
        self.ask(&question).await
    }
}

/// Returns a schema without keywords that do not help to sort a text: `title`, `$schema`, and all that start with `x-`.
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
