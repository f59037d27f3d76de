//! Compares the independent variable with the controlled ones.

use serde_json::Value;

use super::document::{Document, RuleError};
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding};
use crate::assistant::facts::MAX_FACTS;
use crate::domain::path::FieldPath;

pub const RULE: Rule = Rule {
    id: "same_variable",
    sentence: "The independent variable is not also a controlled variable.",
    fields: &[Field { name: "variables", kind: FieldKind::Object }],
    level: Level::Contradiction,
    has_fix: false,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let variables = document.value("variables");
    let member = |name: &str| variables.and_then(|variables| variables.get(name));
    let (Some(Value::String(independent)), Some(Value::Array(controlled))) =
        (member("independent"), member("controlled"))
    else {
        return Ok(Vec::new());
    };
    let path = FieldPath::root().child("variables");
    let changed = words(independent);
    let mut found = Vec::new();
    for (index, text) in controlled.iter().enumerate().take(MAX_FACTS) {
        let Value::String(text) = text else { continue };
        if changed.is_empty() || words(text) != changed {
            continue;
        }
        let places = [path.child("controlled").child(index.to_string()), path.child("independent")];
        found.push(RuleFinding {
            stated_in: Some("variables".to_owned()),
            evidence: places.iter().filter_map(|place| document.quoted(place)).collect(),
            reason: format!("\"{text}\" is both the independent variable and a controlled one."),
            suggestion: Some(
                "Remove it from the controlled variables, or name another independent variable.".to_owned(),
            ),
            ..RuleFinding::default()
        });
    }
    Ok(found)
}

/// Returns the words of a text in lower case, without articles at the start.
fn words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.skip_while(|word| matches!(*word, "the" | "a" | "an")).map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/same_variable.rs"]
mod tests;
