//! Types for rules and for their findings.

use serde_json::{Number, Value};

use super::document::{Document, RuleError};
use super::edit::{Edit, Fix};
use crate::assistant::facts::Fact;
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// Name of the rule. Its findings have the source `rule:<id>`.
    pub id: &'static str,
    pub sentence: &'static str,
    /// Top-level fields that cannot all be true if the rule finds something. The rule also reads texts of any field.
    pub fields: &'static [Field],
    pub level: Level,
    /// True if the rule knows a fix for some of its findings.
    pub has_fix: bool,
    /// Patterns that clients need in order to count in the same way as the rule. White space in them has no meaning.
    pub patterns: &'static [NamedPattern],
    pub find: fn(&Document<'_>) -> Result<Vec<RuleFinding>, RuleError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Contradiction,
    /// Findings that are too uncertain to affect the status.
    Hint,
}

/// A case-insensitive regular expression, which is also valid in JavaScript.
#[derive(Debug, Clone, Copy)]
pub struct NamedPattern {
    pub name: &'static str,
    pub text: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub kind: FieldKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    Number,
    List,
    Object,
    Text,
    TextOrNumber,
}

impl Field {
    /// Returns true if the schema of a field allows values that the rule can read. A schema without `type` allows all.
    pub fn is_in(&self, properties: &Value) -> bool {
        let Some(property) = properties.get(self.name) else { return false };
        let types: &[&str] = match self.kind {
            FieldKind::Number => &["integer", "number"],
            FieldKind::List => &["array"],
            FieldKind::Object => &["object"],
            FieldKind::Text => &["string"],
            FieldKind::TextOrNumber => &["string", "integer", "number"],
        };
        match property.get("type") {
            Some(Value::String(one)) => types.contains(&one.as_str()),
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).any(|one| types.contains(&one)),
            _ => true,
        }
    }
}

#[derive(Debug, Default)]
pub struct RuleFinding {
    /// Field of the text that contradicts the fields of the rule; `None` if the fields of the rule contradict each
    /// other.
    pub stated_in: Option<String>,
    pub evidence: Vec<Evidence>,
    pub reason: String,
    pub suggestion: Option<String>,
    pub fixes: Vec<Fix>,
}

impl RuleFinding {
    /// Creates a finding about a statement in a text. Its first evidence is the statement.
    pub fn about<T>(fact: &Fact<T>, others: impl IntoIterator<Item = Evidence>) -> Self {
        let own = Evidence::new(&fact.path, fact.quote.as_str());
        let evidence = std::iter::once(own).chain(others).collect();
        Self { stated_in: fact.path.field().map(str::to_owned), evidence, ..Self::default() }
    }
}

impl Fix {
    pub fn of_field(field: &str, value: impl Into<Value>) -> Self {
        Self { path: FieldPath::root().child(field), edit: Edit::Replace(value.into()), guess: false }
    }

    /// Writes another number in a statement, in the style of the old one: "five" in place of "four".
    pub fn of_number<T>(fact: &Fact<T>, number: i64) -> Self {
        let text = crate::assistant::facts::number::written_like(&fact.written, number);
        Self { path: fact.path.clone(), edit: Edit::Splice { range: fact.number.clone(), text }, guess: false }
    }
}

/// Returns the number as a whole number, also if it is written as `45.0`.
pub fn whole(number: &Number) -> Option<i64> {
    let float = || number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < 9e15);
    number.as_i64().or_else(|| float().map(|value| value as i64))
}

/// Writes a number for a sentence: `45`, also for `45.0`.
pub fn written(number: &Number) -> String {
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}
