//! Selects the rules for a schema, and runs them.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::{Value, json};

use super::built_in::BUILT_IN;
use super::document::{Document, RuleError};
use super::edit::Fix;
use super::rule::{Level, Rule, RuleFinding};
use crate::domain::content::Content;
use crate::domain::finding::{Finding, source_of_rule};
use crate::domain::schema::{Schema, SchemaError};

/// Maximum length of a reason or suggestion, in characters.
const MAX_SENTENCE: usize = 1000;

/// Maximum number of findings of one rule that are shown, so that no document can fill a response.
const MAX_SHOWN: usize = 50;

#[derive(Debug)]
pub struct Rules(Vec<Rule>);

#[derive(Debug)]
pub struct CheckedFinding {
    pub finding: Finding,
    pub fixes: Vec<Fix>,
}

#[derive(Debug, Default)]
pub struct Checked {
    pub contradictions: Vec<CheckedFinding>,
    /// Uncertain findings, which do not affect the status.
    pub hints: Vec<CheckedFinding>,
    pub failed: Vec<&'static str>,
}

impl Rules {
    /// Returns the built-in rules whose fields are in a schema, without those in `x-rules-off`.
    ///
    /// # Errors
    /// [`SchemaError`] if the schema turns off a rule that does not exist, or defines rules itself.
    pub fn of(schema: &Schema) -> Result<Self, SchemaError> {
        let refused = |place: &str, reason: String| SchemaError::invalid(place, reason);
        if schema.document().get("x-rules").is_some() {
            let reason = "a schema cannot have rules of its own; remove x-rules, and list built-in rules that should \
                          not run in x-rules-off";
            return Err(refused("/x-rules", reason.to_owned()));
        }
        let off = match schema.document().get("x-rules-off") {
            None => &Vec::new(),
            Some(Value::Array(ids)) => ids,
            Some(_) => return Err(refused("/x-rules-off", "must be an array of rule ids".to_owned())),
        };
        for (index, id) in off.iter().enumerate() {
            if !BUILT_IN.iter().any(|rule| id == rule.id) {
                let known = BUILT_IN.map(|rule| rule.id).join(", ");
                return Err(refused(
                    &format!("/x-rules-off/{index}"),
                    format!("{id} is not a rule; the rules are {known}"),
                ));
            }
        }
        let properties = schema.document().get("properties").unwrap_or(&Value::Null);
        let runs =
            |rule: &Rule| !off.iter().any(|id| id == rule.id) && rule.fields.iter().all(|it| it.is_in(properties));
        Ok(Self(BUILT_IN.into_iter().filter(runs).collect()))
    }

    pub fn listed(&self) -> Value {
        let listed = |rule: &Rule| {
            let fields: Vec<_> = rule.fields.iter().map(|field| field.name).collect();
            let level = if rule.level == Level::Hint { "hint" } else { "contradiction" };
            let mut listed = json!({"id": rule.id, "description": rule.sentence, "level": level, "fields": fields, "hasFix": rule.has_fix});
            if !rule.patterns.is_empty() {
                let plain = |text: &str| text.split_whitespace().collect::<String>();
                listed["patterns"] =
                    rule.patterns.iter().map(|it| (it.name.to_owned(), Value::from(plain(it.text)))).collect();
            }
            listed
        };
        self.0.iter().map(listed).collect()
    }

    /// Returns the number of rules that compare a top-level field.
    pub fn reading(&self, field: &str) -> usize {
        self.0.iter().filter(|rule| rule.fields.iter().any(|it| it.name == field)).count()
    }

    /// Runs the rules on a document. A rule that fails does not stop the others.
    pub fn check(&self, content: &Content) -> Checked {
        let document = Document::new(content);
        let mut checked = Checked::default();
        for rule in &self.0 {
            let found = catch_unwind(AssertUnwindSafe(|| (rule.find)(&document)));
            match found.unwrap_or_else(|_| Err(RuleError("it panicked".to_owned()))) {
                Ok(found) => {
                    let list = match rule.level {
                        Level::Contradiction => &mut checked.contradictions,
                        Level::Hint => &mut checked.hints,
                    };
                    list.extend(distinct(rule, found));
                }
                Err(error) => {
                    tracing::warn!(rule.id, %error, "a consistency rule failed for this content");
                    checked.failed.push(rule.id);
                }
            }
        }
        checked
    }
}

impl From<Vec<Rule>> for Rules {
    fn from(rules: Vec<Rule>) -> Self {
        Self(rules)
    }
}

/// Names the rule in its findings. Equal quotes in one text give equal findings, which become one finding with a fix
/// for each occurrence.
fn distinct(rule: &Rule, found: Vec<RuleFinding>) -> Vec<CheckedFinding> {
    let mut distinct: Vec<CheckedFinding> = Vec::new();
    let mut places: HashMap<Finding, usize> = HashMap::new();
    for RuleFinding { stated_in, evidence, reason, suggestion, fixes } in found {
        let fields = || rule.fields.iter().map(|field| field.name.to_owned());
        let others: Vec<_> = fields().skip(usize::from(stated_in.is_none() && rule.fields.len() > 1)).collect();
        let sentence = |text: String| text.chars().take(MAX_SENTENCE).collect();
        let finding = Finding {
            field_name: stated_in.or_else(|| fields().next()).unwrap_or_default(),
            conflicts_with: others,
            reason: sentence(reason),
            evidence,
            also_at: Vec::new(),
            suggestion: suggestion.map(sentence),
            source: source_of_rule(rule.id),
        };
        match places.get(&finding).and_then(|index| distinct.get_mut(*index)) {
            Some(known) => known.fixes.extend(fixes),
            None => {
                places.insert(finding.clone(), distinct.len());
                distinct.push(CheckedFinding { finding, fixes });
            }
        }
    }
    distinct
}

/// Returns the findings to show: the first 50 of each rule.
pub fn shown(found: Vec<CheckedFinding>) -> Vec<Finding> {
    let mut shown: Vec<Finding> = Vec::new();
    let mut of_one_rule = 0;
    for CheckedFinding { finding, .. } in found {
        let is_same_rule = shown.last().is_some_and(|last| last.source == finding.source);
        of_one_rule = if is_same_rule { of_one_rule + 1 } else { 1 };
        if of_one_rule <= MAX_SHOWN {
            shown.push(finding);
        }
    }
    shown
}
