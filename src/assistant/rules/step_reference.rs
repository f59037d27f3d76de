//! Compares the numbers of steps that texts mention with the list of steps.

use super::document::{Document, RuleError};
use super::edit::Fix;
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding};
use crate::assistant::facts::step_reference;
use crate::domain::path::FieldPath;

/// A number that exceeds the number of steps by more than this refers to steps of something else.
const FAR: i64 = 5;

pub const RULE: Rule = Rule {
    id: "step_reference",
    sentence: "Every step number that a text refers to exists.",
    fields: &[Field { name: "steps", kind: FieldKind::List }],
    level: Level::Contradiction,
    has_fix: true,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let Some(steps) = document.list("steps")?.filter(|steps| !steps.is_empty()) else { return Ok(Vec::new()) };
    let count = steps.len() as i64;
    let last = FieldPath::root().child("steps").child((steps.len() - 1).to_string()).child("text");
    let mut found = Vec::new();
    for fact in document.facts(&step_reference::WORDS, step_reference::read) {
        let number = fact.value;
        if (1..=count).contains(&number) || number > count + FAR {
            continue;
        }
        let nearest = if number < 1 { 1 } else { count };
        found.push(RuleFinding {
            reason: format!("\"{}\" refers to step {number}, but the steps go from 1 to {count}.", fact.quote),
            suggestion: Some(format!("Refer to step {nearest}, or to the step that is meant.")),
            fixes: vec![Fix { guess: true, ..Fix::of_number(&fact, nearest) }],
            ..RuleFinding::about(&fact, document.quoted(&last))
        });
    }
    Ok(found)
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/step_reference.rs"]
mod tests;
