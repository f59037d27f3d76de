//! A model's proposals: to resolve contradictions, to regenerate fields, or to answer a message.
//!
//! A proposal consists of edits and a message. It is applied to a copy; the caller judges the result.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::edits::{self, Edit, MAX_EDITS};
use super::failure::ModelFailure;
use super::leaves::Leaves;
use super::question::{Question, beginning};
use super::wire::Form;
use super::{Model, Proposal};
use crate::domain::chat::{ChatEntry, INVESTIGATION_PROVIDED};
use crate::domain::content::Content;
use crate::domain::finding::Finding;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

const RESOLVE: &str = include_str!("prompts/resolve.md");
const REGENERATE: &str = include_str!("prompts/regenerate.md");
const CONVERSE: &str = include_str!("prompts/converse.md");

/// Maximum bytes of the conversation that are sent; older entries are left out.
const MAX_CHAT: usize = 16_000;

/// Maximum bytes of one chat entry.
const MAX_TURN: usize = 4_000;

/// Maximum bytes of a person's message.
const MAX_REQUEST: usize = 16 * 1024;

/// Maximum number of findings in one question.
pub const MAX_FINDINGS: usize = 30;

/// Maximum number of reasons why earlier proposals were refused, and maximum bytes of each.
const MAX_REFUSED: (usize, usize) = (10, 1_000);

/// Maximum bytes of the model's message.
const MAX_MESSAGE: usize = 8_000;

/// Maximum bytes of a content schema that is sent; a larger one is only checked afterwards.
const MAX_SCHEMA: usize = 30_000;

/// A proposal as the model tells it.
#[derive(Deserialize)]
struct Answer {
    edits: Vec<Edit>,
    message: String,
}

/// Edits that should resolve contradictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolution {
    /// The edits of all contradictions.
    pub edits: Vec<Edit>,
    /// The model's message to the person.
    pub message: String,
}

impl Resolution {
    /// The edits for the contradiction at this position in the question. An edit that names no contradiction applies
    /// to every one it can affect.
    pub fn edits_for(&self, position: usize, finding: &Finding) -> Vec<&Edit> {
        let name = number(position);
        let may = |edit: &Edit| FieldPath::parse(&edit.path).field().is_some_and(|field| finding.touches(field));
        let is_for = |edit: &&Edit| edit.findings.contains(&name) || edit.findings.is_empty() && may(edit);
        self.edits.iter().filter(is_for).collect()
    }
}

/// The number of a contradiction in a question.
fn number(position: usize) -> String {
    format!("C{}", position + 1)
}

impl Model {
    /// See [`Model::resolve`]; within the deadline.
    pub(super) async fn propose_resolution(
        &self,
        content: &Content,
        schema: &Schema,
        (findings, field): (&[Finding], &str),
        refused: &[String],
        deadline: Instant,
    ) -> Result<Resolution, ModelFailure> {
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
        let Answer { edits, message } = self.proposed((RESOLVE, data), schema, refused, deadline).await?;
        Ok(Resolution { edits, message })
    }

    /// See [`Model::regenerate`]; within the deadline.
    pub(super) async fn propose_others(
        &self,
        content: &Content,
        schema: &Schema,
        (field, chat): (&str, &[ChatEntry]),
        refused: &[String],
        deadline: Instant,
    ) -> Result<Proposal, ModelFailure> {
        let mut data: Vec<Value> = Leaves::of(content, schema)?.lines().collect();
        data.extend(conversation(chat));
        data.push(json!({ "keep": field }));
        let may = |name: &str| if name == field { Err("names the field that must stay as it is") } else { Ok(()) };
        self.propose(content, schema, (REGENERATE, data), refused, may, deadline).await
    }

    /// See [`Model::converse`]; within the deadline.
    pub(super) async fn answer(
        &self,
        content: &Content,
        schema: &Schema,
        (chat, said): (&[ChatEntry], &str),
        refused: &[String],
        deadline: Instant,
    ) -> Result<Proposal, ModelFailure> {
        if said.len() > MAX_REQUEST {
            return Err(ModelFailure::TooLarge);
        }
        let mut data: Vec<Value> = Leaves::of(content, schema)?.lines().collect();
        data.extend(conversation(chat));
        data.push(json!({ "request": said }));
        self.propose(content, schema, (CONVERSE, data), refused, |_| Ok(()), deadline).await
    }

    async fn propose(
        &self,
        content: &Content,
        schema: &Schema,
        (task, data): (&'static str, Vec<Value>),
        refused: &[String],
        may: impl Fn(&str) -> Result<(), &'static str>,
        deadline: Instant,
    ) -> Result<Proposal, ModelFailure> {
        let Answer { edits, message } = self.proposed((task, data), schema, refused, deadline).await?;
        let content = edits::apply(content, schema, &edits, may).map_err(ModelFailure::NotAllowed)?;
        Ok(Proposal { content, message })
    }

    async fn proposed(
        &self,
        (task, mut data): (&'static str, Vec<Value>),
        schema: &Schema,
        refused: &[String],
        deadline: Instant,
    ) -> Result<Answer, ModelFailure> {
        let (most, longest) = MAX_REFUSED;
        let latest = refused.iter().skip(refused.len().saturating_sub(most));
        // Inserted before the last line, which names the subject.
        let last = data.pop();
        data.extend(latest.map(|reason| json!({ "refused": beginning(reason, longest) })));
        data.extend(last);
        let answer = self.ask(&question(task, data, schema), deadline).await?;
        // The schema was validated, so this should parse; otherwise the answer is unreadable.
        let Answer { edits, message } = serde_json::from_value(answer).map_err(|_| ModelFailure::Unreadable)?;
        Ok(Answer { edits, message: beginning(message.trim(), MAX_MESSAGE).to_owned() })
    }
}

fn question(task: &'static str, data: Vec<Value>, schema: &Schema) -> Question {
    let value = json!({ "type": ["string", "number", "boolean", "object", "array", "null"] });
    let mut edit = json!({
        "type": "object",
        "properties": { "path": { "type": "string" }, "value": value },
        "required": ["path", "value"],
        "additionalProperties": false
    });
    if task == RESOLVE {
        edit["properties"]["for"] = json!({ "type": "array", "items": { "type": "string" } });
        edit["required"] = json!(["path", "value", "for"]);
    }
    let wanted = json!({
        "type": "object",
        "properties": { "edits": { "type": "array", "items": edit }, "message": { "type": "string" } },
        "required": ["edits", "message"],
        "additionalProperties": false
    });
    // The answer is validated more strictly than requested: many schema keywords break endpoints that compile a
    // grammar.
    let mut taken = wanted.clone();
    taken["properties"]["edits"]["maxItems"] = json!(MAX_EDITS);
    taken["properties"]["message"]["pattern"] = json!("\\S");
    // The place of an edit shows which contradiction it is for.
    taken["properties"]["edits"]["items"]["required"] = json!(["path", "value"]);
    // A value may be of any type, which strict endpoints do not support.
    let form = Form { name: "proposal", schema: wanted, strict: false };
    Question { task, data, form, schema: taken, content_schema: content_schema(schema) }
}

/// The operator's schema without the rules, which a model cannot run.
fn content_schema(schema: &Schema) -> Option<String> {
    let mut schema = schema.document().as_object().cloned()?;
    schema.shift_remove("x-rules");
    let text = Value::Object(schema).to_string();
    (text.len() <= MAX_SCHEMA).then_some(text)
}

/// The latest turns of the conversation that fit, oldest first.
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
