//! What a model finds in a document: asked for by group, checked against the document, each contradiction judged alone.
//!
//! A finding counts only with two quotes that stand verbatim in the leaves named; anything else is dropped and counted.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tracing::Instrument;

use super::failure::ModelFailure;
use super::leaves::{Leaf, Leaves};
use super::question::{ABOUT_DATA, Question, beginning};
use super::wire::Form;
use super::{Model, tally};
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding, Findings};
use crate::domain::schema::Schema;
use crate::traces;

/// What the model is told to do.
const DETECT: &str = include_str!("prompts/detect.md");
/// What it is told to do with one contradiction.
const JUDGE: &str = include_str!("prompts/judge.md");

/// The groups in which findings are asked for.
const GROUPS: [&str; 8] =
    ["time", "people_and_materials", "quantities", "variables", "order", "safety", "prediction", "level_and_topic"];

/// So many contradictions are judged; the others stay hints.
const MAX_JUDGED: usize = 20;

/// So many findings are shown in all.
const MAX_FINDINGS: usize = 50;

/// The longest sentence that is shown of a model, in bytes.
const MAX_SENTENCE: usize = 1_000;

/// A finding as the model tells it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    path_a: String,
    quote_a: String,
    path_b: String,
    quote_b: String,
    could_both_hold: bool,
    reason: String,
    suggestion: Option<String>,
}

/// A finding whose quotes were looked up.
struct Checked {
    finding: Finding,
    /// What the judge sees.
    sides: Vec<Value>,
    sure: bool,
}

/// What the judge says.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Contradiction,
    Compatible,
    Unsure,
}

impl Model {
    /// See [`Model::detect`]; within the deadline.
    pub(super) async fn find(
        &self,
        content: &Content,
        schema: &Schema,
        deadline: Instant,
    ) -> Result<Findings, ModelFailure> {
        let leaves = Leaves::of(content, schema)?;
        if leaves.is_empty() {
            return Ok(Findings::default());
        }
        let answer = self.ask(&question(&leaves), deadline).await?;
        let checked = self.check(answer, &leaves)?;
        let verdicts = self.judge_all(&checked, deadline).await?;
        let mut findings = Findings::default();
        for (checked, verdict) in checked.into_iter().zip(verdicts) {
            match verdict {
                Verdict::Contradiction => findings.contradictions.push(checked.finding),
                Verdict::Unsure => findings.hints.push(checked.finding),
                Verdict::Compatible => tally::dropped(self.name(), "judged_compatible"),
            }
        }
        Ok(findings)
    }

    /// The findings that hold to the document, each pair of places once, contradictions first.
    fn check(&self, answer: Value, leaves: &Leaves) -> Result<Vec<Checked>, ModelFailure> {
        let mut checked: Vec<Checked> = Vec::new();
        for group in GROUPS {
            let told = answer.get(group).cloned().unwrap_or_default();
            // The schema was held to, so that this reads; if not, it is an answer that cannot be read.
            let told: Vec<Told> = serde_json::from_value(told).map_err(|_| ModelFailure::Unreadable)?;
            for told in told {
                match self.look_up(told, leaves) {
                    Ok(finding) => checked.push(finding),
                    Err(reason) => tally::dropped(self.name(), reason),
                }
            }
        }
        checked.sort_by_key(|checked| !checked.sure);
        let mut pairs = HashSet::new();
        checked.retain(|Checked { finding, .. }| {
            let mut pair: Vec<String> = finding.evidence.iter().map(|side| side.field_path.clone()).collect();
            pair.sort();
            pairs.insert(pair)
        });
        for _ in MAX_FINDINGS..checked.len() {
            tally::dropped(self.name(), "too_many");
        }
        checked.truncate(MAX_FINDINGS);
        Ok(checked)
    }

    fn look_up(&self, told: Told, leaves: &Leaves) -> Result<Checked, &'static str> {
        let Told { path_a, quote_a, path_b, quote_b, could_both_hold, reason, suggestion } = told;
        let side = |path: &str, quote: &str| -> Result<Evidence, &'static str> {
            let Leaf { path, text, .. } = leaves.named(path).ok_or("wrong_path")?;
            let stands = !quote.trim().is_empty() && text.contains(quote);
            if stands { Ok(Evidence::new(path, quote)) } else { Err("wrong_quote") }
        };
        let evidence = vec![side(&path_a, &quote_a)?, side(&path_b, &quote_b)?];
        let field = |path: &str| leaves.named(path).and_then(|leaf| leaf.path.field()).map(str::to_owned);
        let (field_name, other) = (field(&path_a).ok_or("wrong_path")?, field(&path_b).ok_or("wrong_path")?);
        if evidence.first() == evidence.last() {
            return Err("same_quote_twice");
        }
        if reason.trim().is_empty() {
            return Err("no_reason");
        }
        let shown = |side: &str, path: &str, quote: &str| {
            let leaf = leaves.named(path);
            let (path, label) = leaf.map(|leaf| (leaf.path.to_string(), leaf.label.clone())).unwrap_or_default();
            json!({ "side": side, "path": path, "label": label, "quote": quote })
        };
        let sides = vec![shown("A", &path_a, &quote_a), shown("B", &path_b, &quote_b)];
        let sentence = |text: &str| beginning(text.trim(), MAX_SENTENCE).to_owned();
        let suggestion = suggestion.map(|text| sentence(&text)).filter(|text| !text.is_empty());
        let finding = Finding {
            field_name,
            conflicts_with: vec![other],
            reason: sentence(&reason),
            evidence,
            suggestion,
            source: format!("model:{}", self.name()),
        };
        Ok(Checked { finding, sides, sure: !could_both_hold })
    }

    /// A verdict for each finding, in order. Hints are not judged.
    async fn judge_all(&self, checked: &[Checked], deadline: Instant) -> Result<Vec<Verdict>, ModelFailure> {
        let mut judged = JoinSet::new();
        for (position, finding) in checked.iter().enumerate().filter(|(_, finding)| finding.sure).take(MAX_JUDGED) {
            let (model, question) = (self.clone(), judge_question(finding.sides.clone()));
            let asked = async move { (position, model.ask(&question, deadline).await) };
            judged.spawn(traces::carried(asked.in_current_span()));
        }
        let mut verdicts = vec![Verdict::Unsure; checked.len()];
        while let Some(done) = judged.join_next().await {
            let (position, answer) = done.map_err(|error| ModelFailure::Internal(error.to_string()))?;
            let verdict = answer?.get("verdict").cloned().unwrap_or_default();
            let verdict = serde_json::from_value(verdict).map_err(|_| ModelFailure::Unreadable)?;
            if let Some(slot) = verdicts.get_mut(position) {
                *slot = verdict;
            }
        }
        Ok(verdicts)
    }
}

/// Everything that the program itself tells the model: where that changes, earlier findings are no longer its.
pub fn instructions() -> String {
    let (any, judge) = (json!({ "type": "string" }), judge_question(Vec::new()));
    [DETECT, ABOUT_DATA, &findings_schema(any).to_string(), judge.task, &judge.schema.to_string()].concat()
}

fn question(leaves: &Leaves) -> Question {
    let form = Form { name: "findings", schema: findings_schema(leaves.names_schema()), strict: true };
    // A name that is none drops its finding, not the whole answer: so the answer is held to any string.
    let schema = findings_schema(json!({ "type": "string" }));
    Question { task: DETECT, data: leaves.lines().collect(), form, schema, content_schema: None }
}

/// The form of the findings; `name` is the schema of a leaf's name.
fn findings_schema(name: Value) -> Value {
    let text = json!({ "type": "string" });
    let finding = object([
        ("pathA", json!({ "$ref": "#/$defs/path" })),
        ("quoteA", text.clone()),
        ("pathB", json!({ "$ref": "#/$defs/path" })),
        ("quoteB", text.clone()),
        ("reading", text.clone()),
        ("couldBothHold", json!({ "type": "boolean" })),
        ("reason", text),
        ("suggestion", json!({ "type": ["string", "null"] })),
    ]);
    let list = || json!({ "type": "array", "items": { "$ref": "#/$defs/finding" } });
    let mut schema = object(GROUPS.map(|group| (group, list())));
    schema["$defs"] = json!({ "path": name, "finding": finding });
    schema
}

/// The form of a verdict.
fn judge_question(sides: Vec<Value>) -> Question {
    let verdict = json!({ "type": "string", "enum": ["contradiction", "compatible", "unsure"] });
    let schema = object([("reading", json!({ "type": "string" })), ("verdict", verdict)]);
    let form = Form { name: "verdict", schema: schema.clone(), strict: true };
    Question { task: JUDGE, data: sides, form, schema, content_schema: None }
}

/// An object with exactly these properties.
fn object<const N: usize>(properties: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let required = json!(required);
    let properties: Map<String, Value> = properties.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
