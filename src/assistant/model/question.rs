//! Builds a prompt for a model. Text of users is put between two lines that contain a fresh nonce, as one JSON object
//! per line. The prompt states that this text is data and never an instruction.

use serde_json::{Map, Value, json};

use super::wire::{AnswerSchema, Texts};
use crate::domain::printable::is_unseen;
use crate::domain::text::beginning;

/// Explanation in every prompt: the text between the two marked lines is data, never an instruction.
pub const ABOUT_DATA: &str = include_str!("prompts/data.md");

/// Maximum size of the part of an unreadable answer that is sent back to the model, in bytes.
const MAX_SHOWN: usize = 8_000;

/// Maximum number of faults in an answer that are reported to the model.
pub const MAX_FAULTS: usize = 20;

pub struct Question {
    /// Instructions, which contain only text of this program.
    pub task: &'static str,
    /// Data, which contains text of users.
    pub data: Vec<Value>,
    pub answer: AnswerSchema,
    /// JSON Schema of the answer. The prompt contains it outside of the marked data, so it must not contain text of
    /// users.
    pub schema: Value,
    /// JSON Schema of the content, which comes from the operator; `None` if it is not sent.
    pub content_schema: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerError {
    pub answer: String,
    pub faults: Vec<String>,
}

impl Question {
    /// Returns the prompt, with the data between two lines that contain `nonce`. After an unusable answer, the prompt
    /// also has that answer and its faults.
    pub fn texts(&self, nonce: &str, last_error: Option<&AnswerError>) -> Texts {
        let content_schema = self.content_schema.as_ref();
        let system = format!(
            "{task}\n{data}\n{content}Answer with one JSON object and nothing else, valid against this JSON Schema:\n{schema}",
            task = self.task,
            data = ABOUT_DATA.replace("NONCE", nonce),
            content = content_schema.map_or_else(String::new, |it| format!("The schema of the plan:\n{it}\n\n")),
            schema = self.schema,
        );
        let mut user = fenced("DATA", nonce, &self.data);
        if let Some(AnswerError { answer, faults }) = last_error {
            let faults = faults.iter().take(MAX_FAULTS).map(|fault| json!({ "fault": fault }));
            let shown = json!({ "answer": beginning(answer, MAX_SHOWN) });
            user.push_str("\nYour last answer could not be used. Here it is, with its faults:\n");
            user.push_str(&fenced("LAST ANSWER", nonce, &std::iter::once(shown).chain(faults).collect::<Vec<_>>()));
        }
        user.push_str("\nAnswer now, with the one JSON object.");
        Texts { system, user }
    }
}

fn fenced(what: &str, nonce: &str, lines: &[Value]) -> String {
    let lines: String = lines.iter().map(|line| escaped(&line.to_string()) + "\n").collect();
    format!("BEGIN {what} {nonce}\n{lines}END {what} {nonce}")
}

/// Escapes characters in JSON that end a line, are invisible, or may look like a special token of a model server
/// (`<|…`, `[INST]`). The JSON must not contain arrays, because their brackets would be escaped too.
fn escaped(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(character, '<' | '[') || is_unseen(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Returns the JSON Schema of an object with exactly these properties.
pub fn object<const N: usize>(properties: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let required = json!(required);
    let properties: Map<String, Value> = properties.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/question.rs"]
mod tests;
