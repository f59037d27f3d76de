//! Findings of a model in a document, requested by group and checked against the document.
//!
//! A finding counts only if its quotes are verbatim in the named leaves. A finding that the model doubts is a hint.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::failure::ModelFailure;
use super::leaves::{Leaf, Leaves};
use super::question::{ABOUT_DATA, Question, beginning};
use super::wire::Form;
use super::{Model, tally};
use crate::domain::content::Content;
use crate::domain::finding::{Evidence, Finding, Findings};
use crate::domain::path::FieldPath;
use crate::domain::schema::Schema;

/// The instructions.
const DETECT: &str = include_str!("prompts/detect.md");

/// Groups of findings in the answer.
const GROUPS: [&str; 8] =
    ["time", "people_and_materials", "quantities", "variables", "order", "safety", "prediction", "level_and_topic"];

/// Maximum number of findings.
const MAX_FINDINGS: usize = 50;

/// Maximum number of further places of one finding.
const MAX_ALSO_AT: usize = 20;

/// The longest sentence of a model that is shown, in bytes.
const MAX_SENTENCE: usize = 1_000;

/// A finding as the model states it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StatedFinding {
    path_a: String,
    quote_a: String,
    path_b: String,
    /// `None` if `path_b` is a list in which something is missing.
    quote_b: Option<String>,
    reason: String,
    sure: bool,
    suggestion: Option<String>,
    also_at: Vec<String>,
}

/// A finding that was verified against the document.
struct CheckedFinding {
    finding: Finding,
    /// Whether the model would have it count as a contradiction.
    sure: bool,
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
        let found = self.one_pass(&leaves, deadline).await?;
        let (sure, doubted): (Vec<CheckedFinding>, Vec<CheckedFinding>) =
            self.distinct(found).into_iter().partition(|checked| checked.sure);
        let findings = |checked: Vec<CheckedFinding>| checked.into_iter().map(|checked| checked.finding).collect();
        Ok(Findings { contradictions: findings(sure), hints: findings(doubted), ..Findings::default() })
    }

    /// The findings of one pass over these leaves that hold up.
    async fn one_pass(&self, leaves: &Leaves, deadline: Instant) -> Result<Vec<CheckedFinding>, ModelFailure> {
        let mut answer = self.ask(&question(leaves), deadline).await?;
        let mut found = Vec::new();
        for group in GROUPS {
            // The schema was validated, so this should parse; otherwise the answer is unreadable.
            let stated = answer.get_mut(group).map(Value::take).unwrap_or_default();
            let stated: Vec<StatedFinding> = serde_json::from_value(stated).map_err(|_| ModelFailure::Unreadable)?;
            for stated in stated {
                match self.check(stated, leaves) {
                    Ok(checked) => found.push(checked),
                    Err(reason) => tally::dropped(self.name(), reason),
                }
            }
        }
        Ok(found)
    }

    /// Findings without duplicates, surest first, up to the limit.
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

    /// The finding, if its quotes are where it says.
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
        let source = format!("model:{}", self.name());
        let reason = sentence(&reason);
        Ok(CheckedFinding {
            finding: Finding { field_name, conflicts_with, reason, evidence, also_at: also, suggestion, source },
            sure,
        })
    }
}

/// The quoted text, if it is where the model says.
fn quoted(leaves: &Leaves, name: &str, quote: &str) -> Result<Evidence, &'static str> {
    let quote = quote.trim();
    if leaves.named(name).is_none() && leaves.list(name).is_none() {
        return Err("wrong_path");
    }
    let leaf: Option<&Leaf> = if quote.is_empty() { None } else { leaves.quoted(name, quote) };
    leaf.map(|leaf| Evidence::new(&leaf.path, quote)).ok_or("wrong_quote")
}

/// All instructions to the model. If they change, cached findings are no longer valid.
pub fn instructions() -> String {
    let names = json!({ "type": "string" });
    [DETECT, ABOUT_DATA, &findings_schema(names).to_string()].concat()
}

fn question(leaves: &Leaves) -> Question {
    let form = Form { name: "findings", schema: findings_schema(leaves.names_schema()), strict: true };
    // An unknown name invalidates only its finding, so the answer's schema accepts any string.
    let schema = findings_schema(json!({ "type": "string" }));
    Question { task: DETECT, data: leaves.lines().collect(), form, schema, content_schema: None }
}

/// The form of the findings; `name` is the schema of the name of a leaf or list.
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

/// An object with exactly these properties.
fn object<const N: usize>(properties: [(&str, Value); N]) -> Value {
    let required: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let required = json!(required);
    let properties: Map<String, Value> = properties.into_iter().map(|(name, it)| (name.to_owned(), it)).collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
