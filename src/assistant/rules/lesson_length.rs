//! Compares the length of the lesson that texts state with the field for the duration.

use super::document::{Document, RuleError};
use super::edit::Fix;
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding, whole, written};
use crate::assistant::facts::lesson_length;

pub const RULE: Rule = Rule {
    id: "lesson_length",
    sentence: "A text that states how long the lesson is agrees with its duration.",
    fields: &[Field { name: "durationMinutes", kind: FieldKind::Number }],
    level: Level::Contradiction,
    has_fix: true,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let Some(duration) = document.number("durationMinutes")? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for fact in document.facts(&lesson_length::WORDS, lesson_length::read) {
        let minutes = fact.value.minutes;
        if duration.as_f64() == Some(minutes as f64) {
            continue;
        }
        let in_unit = whole(duration).filter(|it| fact.value.unit > 0 && it % fact.value.unit == 0);
        let in_text = in_unit.map(|it| Fix::of_number(&fact, it / fact.value.unit));
        let of_duration = Fix::of_field("durationMinutes", minutes);
        let duration = written(duration);
        found.push(RuleFinding {
            reason: format!("\"{}\" states {minutes} minutes, but the duration is {duration} minutes.", fact.quote),
            suggestion: Some(format!("Set the duration to {minutes} minutes, or change the text.")),
            fixes: std::iter::once(of_duration).chain(in_text).collect(),
            ..RuleFinding::about(&fact, document.quoted_field("durationMinutes"))
        });
    }
    Ok(found)
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/lesson_length.rs"]
mod tests;
