//! Asks a model for findings in a document, in groups such as `time` and `safety`, and checks each finding against the
//! document.
//!
//! A finding is accepted only if its quotes occur verbatim in the values of the document that the finding names. A
//! finding that the model is not sure of becomes a hint.

use std::collections::HashMap;

use aws_lc_rs::digest::{Context, SHA256};
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::Model;
use super::error::ModelError;
use super::leaves::{Leaf, Leaves};
use super::question::{ABOUT_DATA, Question, object};
use super::tally;
use super::wire::AnswerSchema;
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding, Findings, source_of_model};
use crate::domain::hex;
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;
use crate::domain::text::beginning;

const DETECT: &str = include_str!("prompts/detect.md");

/// Names of the groups of findings in the answer.
const GROUPS: [&str; 8] =
    ["time", "people_and_materials", "quantities", "variables", "order", "safety", "prediction", "level_and_topic"];

/// Maximum number of findings in one document.
const MAX_FINDINGS: usize = 50;

/// Maximum number of further paths with the same mistake that are listed with one finding.
const MAX_ALSO_AT: usize = 20;

/// Maximum length of a reason or suggestion, in bytes.
const MAX_SENTENCE: usize = 1_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatedFinding {
    path_a: String,
    quote_a: String,
    path_b: String,
    /// Quote at `path_b`. `None` if `path_b` is a list in which something is missing, so that there is nothing to
    /// quote.
    quote_b: Option<String>,
    reason: String,
    sure: bool,
    suggestion: Option<String>,
    also_at: Vec<String>,
}

struct CheckedFinding {
    finding: Finding,
    /// True if the model is sure; otherwise the finding is a hint.
    sure: bool,
}

impl Model {
    /// Returns the model's findings in `content`. Findings that the model is not sure of are hints. Each finding has
    /// the source `model:<name>`, and either two verbatim quotes, or one quote and a list in which something is
    /// missing.
    ///
    /// # Errors
    /// [`ModelError`]. The model's findings are then unknown.
    pub async fn detect(&self, content: &Content, schema: &Schema) -> Result<Findings, ModelError> {
        let leaves = Leaves::of(content, schema)?;
        if leaves.is_empty() {
            return Ok(Findings::default());
        }
        let found = self.one_pass(&leaves).await?;
        let (sure, doubted): (Vec<CheckedFinding>, Vec<CheckedFinding>) =
            self.distinct(found).into_iter().partition(|checked| checked.sure);
        let findings = |checked: Vec<CheckedFinding>| checked.into_iter().map(|checked| checked.finding).collect();
        Ok(Findings { contradictions: findings(sure), hints: findings(doubted), ..Findings::default() })
    }

    /// Returns the cache key of findings: the SHA-256 hash of content, schema, prompts and model, in hexadecimal.
    pub fn key(&self, content: &Content, schema: &Schema) -> String {
        let mut context = Context::new(&SHA256);
        let content = Value::Object(content.clone()).to_string();
        let schema = schema.document().to_string();
        for part in [content.as_str(), &schema, &instructions(), self.name()] {
            // The length of each part comes first, so that different lists of parts have different hashes.
            context.update(&part.len().to_be_bytes());
            context.update(part.as_bytes());
        }
        hex::digits(context.finish().as_ref())
    }

    async fn one_pass(&self, leaves: &Leaves) -> Result<Vec<CheckedFinding>, ModelError> {
        let mut answer: HashMap<String, Vec<StatedFinding>> = self.ask(&question(leaves)).await?;
        let mut found = Vec::new();
        for stated in GROUPS.iter().filter_map(|group| answer.remove(*group)).flatten() {
            match self.check(stated, leaves) {
                Ok(checked) => found.push(checked),
                Err(reason) => tally::dropped(self.name(), reason),
            }
        }
        Ok(found)
    }

    /// Returns up to [`MAX_FINDINGS`] findings without duplicates. Findings that the model is sure of come first.
    fn distinct(&self, mut found: Vec<CheckedFinding>) -> Vec<CheckedFinding> {
        found.sort_by_key(|checked| !checked.sure);
        let mut distinct: Vec<CheckedFinding> = Vec::new();
        for checked in found {
            let is_same = |known: &Finding, found: &Finding| known.covers(found) && found.covers(known);
            if distinct.iter().any(|known| is_same(&known.finding, &checked.finding)) {
                continue;
            }
            if distinct.len() == MAX_FINDINGS {
                tally::dropped(self.name(), "too_many");
            } else {
                distinct.push(checked);
            }
        }
        distinct
    }

    /// Checks a finding against the document. The error is the reason for rejecting the finding, such as `wrong_quote`.
    fn check(&self, stated: StatedFinding, leaves: &Leaves) -> Result<CheckedFinding, &'static str> {
        let StatedFinding { path_a, quote_a, path_b, quote_b, reason, sure, suggestion, also_at } = stated;
        let one = quoted(leaves, &path_a, &quote_a)?;
        let other = match quote_b.filter(|quote| !quote.trim().is_empty()) {
            Some(quote) => quoted(leaves, &path_b, &quote)?,
            None => Evidence::missing(&leaves.list(&path_b).ok_or("wrong_path")?),
        };
        if other.quote.is_some() && one.overlaps(&other) {
            return Err("same_quote_twice");
        }
        if reason.trim().is_empty() {
            return Err("no_reason");
        }
        let field = |side: &Evidence| FieldPath::parse(&side.field_path).field().unwrap_or_default().to_owned();
        let (field_name, conflicts_with) = (field(&one), vec![field(&other)]);
        let evidence = vec![one, other];
        let mut also: Vec<String> = Vec::new();
        for path in also_at.iter().filter_map(|name| leaves.named(name)).map(|leaf| leaf.path.to_string()) {
            if also.len() < MAX_ALSO_AT && !also.contains(&path) && evidence.iter().all(|side| side.field_path != path)
            {
                also.push(path);
            }
        }
        let sentence = |text: &str| beginning(text.trim(), MAX_SENTENCE).to_owned();
        let suggestion = suggestion.map(|text| sentence(&text)).filter(|text| !text.is_empty());
        let source = source_of_model(self.name());
        let reason = sentence(&reason);
        Ok(CheckedFinding {
            finding: Finding { field_name, conflicts_with, reason, evidence, also_at: also, suggestion, source },
            sure,
        })
    }
}

/// Returns the quote as evidence, or a reason if the quote is not in the named leaf or list.
fn quoted(leaves: &Leaves, name: &str, quote: &str) -> Result<Evidence, &'static str> {
    let quote = quote.trim();
    if leaves.named(name).is_none() && leaves.list(name).is_none() {
        return Err("wrong_path");
    }
    let leaf: Option<&Leaf> = if quote.is_empty() { None } else { leaves.quoted(name, quote) };
    leaf.map(|leaf| Evidence::new(&leaf.path, quote)).ok_or("wrong_quote")
}

/// Returns the part of a question for findings that is the same for every document. A change of this part makes cached
/// findings invalid.
pub fn instructions() -> String {
    let names = json!({ "type": "string" });
    [DETECT, ABOUT_DATA, &findings_schema(names).to_string()].concat()
}

fn question(leaves: &Leaves) -> Question {
    let answer = AnswerSchema { name: "findings", schema: findings_schema(leaves.names_schema()), strict: true };
    // An unknown name makes only its own finding invalid, not the whole answer. So the answer's schema accepts any
    // string.
    let schema = findings_schema(json!({ "type": "string" }));
    Question { task: DETECT, data: leaves.lines().collect(), answer, schema, content_schema: None }
}

/// Returns the JSON Schema of an answer with findings. `name` is the JSON Schema for the name of a leaf or list.
fn findings_schema(name: Value) -> Value {
    let (path, text) = (json!({ "$ref": "#/$defs/path" }), json!({ "type": "string" }));
    let text_or_null = json!({ "type": ["string", "null"] });
    let finding = object([
        ("pathA", path.clone()),
        ("quoteA", text.clone()),
        ("pathB", path.clone()),
        ("quoteB", text_or_null.clone()),
        ("reading", text.clone()),
        ("reason", text),
        ("sure", json!({ "type": "boolean" })),
        ("suggestion", text_or_null),
        ("alsoAt", json!({ "type": "array", "items": path })),
    ]);
    let list = || json!({ "type": "array", "items": { "$ref": "#/$defs/finding" } });
    let mut schema = object(GROUPS.map(|group| (group, list())));
    schema["$defs"] = json!({ "path": name, "finding": finding });
    schema
}
