//! Rules of tests, in place of the built-in ones.

use fieldbook::assistant::rules::edit::{Edit, Fix};
use fieldbook::assistant::rules::{Document, Field, FieldKind, Level, Rule, RuleError, RuleFinding};
use fieldbook::domain::path::FieldPath;
use serde_json::{Value, json};

pub const A: Field = Field { name: "a", kind: FieldKind::Number };
pub const B: Field = Field { name: "b", kind: FieldKind::Number };

/// A rule that finds nothing.
pub const SILENT: Rule = Rule {
    id: "silent",
    sentence: "Everything is right.",
    fields: &[A],
    level: Level::Contradiction,
    has_fix: false,
    patterns: &[],
    find: |_| Ok(Vec::new()),
};

/// A rule that fails if `a` is not a number.
pub const FAILS: Rule = Rule { id: "fails", find: |document| document.number("a").map(|_| Vec::new()), ..SILENT };

pub const PANICS: Rule = Rule {
    id: "panics",
    find: |document| match document.value("list") {
        Some(_) => panic!("a rule of this test panics"),
        None => Ok(Vec::new()),
    },
    ..SILENT
};

/// A rule that compares `a` and `b`, and knows no fix.
pub const SAME: Rule = Rule { id: "same", fields: &[A, B], find: |document| differing(document, "a", "b"), ..SILENT };

/// Returns a finding if two fields differ.
pub fn differing(document: &Document<'_>, one: &str, other: &str) -> Result<Vec<RuleFinding>, RuleError> {
    match (document.value(one), document.value(other)) {
        (Some(a), Some(b)) if a != b => Ok(vec![found(&format!("{one} is not {other}."))]),
        _ => Ok(Vec::new()),
    }
}

pub fn found(reason: &str) -> RuleFinding {
    RuleFinding { reason: reason.to_owned(), ..RuleFinding::default() }
}

/// Returns a finding with this reason, and a fix that puts `value` in the place of a field.
pub fn fixable(reason: &str, field: &str, value: Value) -> RuleFinding {
    let fix = Fix { path: FieldPath::parse(field), edit: Edit::Replace(value), guess: false };
    RuleFinding { fixes: vec![fix], ..found(reason) }
}

pub fn value(document: &Document<'_>, field: &str) -> Value {
    document.value(field).cloned().unwrap_or(json!(null))
}
