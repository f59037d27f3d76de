//! Asks a model for proposals: to resolve contradictions, to regenerate fields, or to answer a message.
//!
//! A proposal consists of edits and a message. Edits apply to a copy, and the caller decides whether to accept the
//! result.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::Model;
use super::edits::{self, Edit, MAX_EDITS};
use super::error::ModelError;
use super::leaves::Leaves;
use super::question::{Question, object};
use super::wire::AnswerSchema;
use crate::domain::chat::{ChatEntry, INVESTIGATION_PROVIDED};
use crate::domain::content::Content;
use crate::domain::finding::Finding;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;
use crate::domain::text::beginning;

const RESOLVE: &str = include_str!("prompts/resolve.md");
const REGENERATE: &str = include_str!("prompts/regenerate.md");
const CONVERSE: &str = include_str!("prompts/converse.md");

/// Maximum size of the conversation that is sent to the model, in bytes. Older entries are omitted.
const MAX_CHAT: usize = 16_000;

/// Maximum size, in bytes, of each chat message and each quote that is sent to the model. Longer ones are truncated.
const MAX_TURN: usize = 4_000;

/// Maximum size of the author's message, in bytes.
const MAX_REQUEST: usize = 16 * 1024;

/// Maximum number of findings in one question.
pub const MAX_FINDINGS: usize = 30;

/// Maximum number of reasons that are sent to the model. A reason says why an earlier proposal was refused.
const MAX_REFUSED: usize = 10;

/// Maximum size of one such reason, in bytes.
const MAX_REASON: usize = 1_000;

/// Maximum size of the model's message, in bytes.
const MAX_MESSAGE: usize = 8_000;

/// Maximum size of a content schema that is sent, in bytes. A larger schema is not sent, but the result is still
/// validated against it.
pub(super) const MAX_SCHEMA: usize = 30_000;

#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// Whole content after the edits, or the old content if nothing was edited.
    pub content: Content,
    pub message: String,
}

/// A model's answer whose edits are not applied yet.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ProposedEdits {
    pub edits: Vec<Edit>,
    pub message: String,
}

impl ProposedEdits {
    fn applied(
        self,
        content: &Content,
        schema: &Schema,
        may: impl Fn(&str) -> Result<(), &'static str>,
    ) -> Result<Proposal, ModelError> {
        let content = edits::apply(content, schema, &self.edits, may).map_err(ModelError::NotAllowed)?;
        Ok(Proposal { content, message: self.message })
    }

    /// Returns the edits for `finding`, which has the index `position` in the question. An edit that names no
    /// contradiction is for every contradiction that involves the edited field.
    pub fn edits_for(&self, position: usize, finding: &Finding) -> Vec<&Edit> {
        let name = number(position);
        let may = |edit: &Edit| FieldPath::parse(&edit.path).field().is_some_and(|field| finding.touches(field));
        let is_for = |edit: &&Edit| edit.findings.contains(&name) || edit.findings.is_empty() && may(edit);
        self.edits.iter().filter(is_for).collect()
    }
}

/// Returns the number of a contradiction in a question: `C1` for index 0.
fn number(position: usize) -> String {
    format!("C{}", position + 1)
}

impl Model {
    /// Returns edits that should resolve `findings`. `field` is the field that the author asked to resolve. Sends only
    /// the first [`MAX_FINDINGS`] findings. Applies no edit: the caller checks whether each edit helps. `refused` lists
    /// the reasons why earlier proposals were refused.
    pub async fn resolve(
        &self,
        content: &Content,
        schema: &Schema,
        findings: &[Finding],
        field: &str,
        refused: &[String],
    ) -> Result<ProposedEdits, ModelError> {
        let mut data: Vec<Value> = Leaves::of(content, schema)?.lines().collect();
        for (position, finding) in findings.iter().take(MAX_FINDINGS).enumerate() {
            let number = number(position);
            data.push(json!({ "contradiction": number, "reason": finding.reason }));
            data.extend(finding.evidence.iter().map(|side| match side.quote.as_deref() {
                Some(quote) => {
                    json!({ "contradiction": number, "path": side.field_path, "quote": beginning(quote, MAX_TURN) })
                }
                None => json!({ "contradiction": number, "path": side.field_path, "missing": true }),
            }));
            data.extend(finding.also_at.iter().map(|path| json!({ "contradiction": number, "alsoAt": path })));
        }
        let touched = |name: &str| findings.iter().any(|finding| finding.touches(name));
        let fields = content.keys().map(String::as_str).chain(findings.iter().flat_map(Finding::sides));
        let mut fields: Vec<&str> = fields.filter(|name| touched(name)).collect();
        let mut seen = HashSet::new();
        fields.retain(|name| seen.insert(*name));
        data.extend(fields.into_iter().map(|name| json!({ "mayEdit": name })));
        data.push(json!({ "named": field }));
        self.proposed(RESOLVE, data, schema, refused).await
    }

    /// Returns a proposal that changes other fields to agree with `field`, which stays the same. The model also gets
    /// the conversation `chat`. `refused` lists the reasons why earlier proposals were refused.
    pub async fn regenerate(
        &self,
        content: &Content,
        schema: &Schema,
        field: &str,
        chat: &[ChatEntry],
        refused: &[String],
    ) -> Result<Proposal, ModelError> {
        let mut data: Vec<Value> = Leaves::of(content, schema)?.lines().collect();
        data.extend(conversation(chat));
        data.push(json!({ "keep": field }));
        let may = |name: &str| if name == field { Err("names the field that must stay as it is") } else { Ok(()) };
        let answer = self.proposed(REGENERATE, data, schema, refused).await?;
        answer.applied(content, schema, may)
    }

    /// Returns the answer to the author's message `said`, and the content with the edits that the message requests.
    /// `chat` is the conversation before the message. `refused` lists the reasons why earlier proposals were refused.
    pub async fn converse(
        &self,
        content: &Content,
        schema: &Schema,
        chat: &[ChatEntry],
        said: &str,
        refused: &[String],
    ) -> Result<Proposal, ModelError> {
        if said.len() > MAX_REQUEST {
            return Err(ModelError::TooLarge);
        }
        let mut data: Vec<Value> = Leaves::of(content, schema)?.lines().collect();
        data.extend(conversation(chat));
        data.push(json!({ "request": said }));
        let answer = self.proposed(CONVERSE, data, schema, refused).await?;
        answer.applied(content, schema, |_| Ok(()))
    }

    async fn proposed(
        &self,
        task: &'static str,
        mut data: Vec<Value>,
        schema: &Schema,
        refused: &[String],
    ) -> Result<ProposedEdits, ModelError> {
        let latest = refused.iter().skip(refused.len().saturating_sub(MAX_REFUSED));
        // The reasons are inserted before the last line, which names the field or contains the author's message.
        let last = data.pop();
        data.extend(latest.map(|reason| json!({ "refused": beginning(reason, MAX_REASON) })));
        data.extend(last);
        let ProposedEdits { edits, message } = self.ask(&question(task, data, schema)).await?;
        Ok(ProposedEdits { edits, message: beginning(message.trim(), MAX_MESSAGE).to_owned() })
    }
}

fn question(task: &'static str, data: Vec<Value>, schema: &Schema) -> Question {
    let value = json!({ "type": ["string", "number", "boolean", "object", "array", "null"] });
    let mut edit = object([("path", json!({ "type": "string" })), ("value", value)]);
    if task == RESOLVE {
        edit["properties"]["for"] = json!({ "type": "array", "items": { "type": "string" } });
        edit["required"] = json!(["path", "value", "for"]);
    }
    let edits = json!({ "type": "array", "items": edit });
    let wanted = object([("edits", edits), ("message", json!({ "type": "string" }))]);
    // The answer is validated against a stricter schema than the one in the request, because endpoints that compile the
    // schema to a grammar fail on many keywords.
    let mut taken = wanted.clone();
    taken["properties"]["edits"]["maxItems"] = json!(MAX_EDITS);
    taken["properties"]["message"]["pattern"] = json!("\\S");
    // `for` is optional in the answer, because the path of an edit also shows which contradiction the edit is for.
    taken["properties"]["edits"]["items"]["required"] = json!(["path", "value"]);
    // A value can have any type, which strict endpoints do not support.
    let answer = AnswerSchema { name: "proposal", schema: wanted, strict: false };
    Question { task, data, answer, schema: taken, content_schema: content_schema(schema) }
}

/// Returns the operator's schema without the names of rules, because a model does not know the rules. Returns `None` if
/// the schema is too large.
fn content_schema(schema: &Schema) -> Option<String> {
    let mut schema = schema.document().as_object().cloned()?;
    schema.shift_remove("x-rules-off");
    let text = Value::Object(schema).to_string();
    (text.len() <= MAX_SCHEMA).then_some(text)
}

/// Returns the latest entries of the conversation that fit the limit, oldest first.
fn conversation(chat: &[ChatEntry]) -> Vec<Value> {
    let mut left = MAX_CHAT;
    let mut turns: Vec<Value> = Vec::new();
    for ChatEntry { user, assistant } in chat.iter().rev() {
        let answered = match assistant.content_for_llm.as_str() {
            "" | INVESTIGATION_PROVIDED => &assistant.content,
            text => text,
        };
        let (person, assistant) = (beginning(&user.content, MAX_TURN), beginning(answered, MAX_TURN));
        let Some(rest) = left.checked_sub(person.len() + assistant.len()) else { break };
        left = rest;
        turns.push(if person.is_empty() {
            json!({ "assistant": assistant })
        } else {
            json!({ "person": person, "assistant": assistant })
        });
    }
    turns.reverse();
    turns
}
