//! Compares the size of groups that texts state with the field for the group size.

use super::document::{Document, RuleError};
use super::edit::Fix;
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding, whole, written};
use crate::assistant::facts::group_size::{self, GroupSize};

pub const RULE: Rule = Rule {
    id: "group_size",
    sentence: "A text that states how many pupils work together agrees with the group size.",
    fields: &[Field { name: "groupSize", kind: FieldKind::Number }],
    level: Level::Contradiction,
    has_fix: true,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let Some(number) = document.number("groupSize")? else { return Ok(Vec::new()) };
    let size = number.as_f64().unwrap_or_default();
    let mut found = Vec::new();
    for fact in document.facts(&group_size::WORDS, group_size::read) {
        let GroupSize { low, high } = fact.value;
        // A group of six can work in pairs or in threes, so a size that divides the group size is not a contradiction.
        if low as f64 <= size && size <= high as f64 || low > 1 && size % low as f64 == 0.0 {
            continue;
        }
        let is_one_number = !fact.written.is_empty() && low == high;
        let in_text = whole(number).filter(|_| is_one_number).map(|size| Fix::of_number(&fact, size));
        found.push(RuleFinding {
            reason: format!("\"{}\" does not fit the group size of {}.", fact.quote, written(number)),
            suggestion: Some(format!("Set the group size to {low}, or change the text.")),
            fixes: std::iter::once(Fix::of_field("groupSize", low)).chain(in_text).collect(),
            ..RuleFinding::about(&fact, document.quoted_field("groupSize"))
        });
    }
    Ok(found)
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/group_size.rs"]
mod tests;
