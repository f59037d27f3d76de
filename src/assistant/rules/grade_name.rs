//! Compares the school year in the title or an objective with the grade.

use std::cell::LazyCell;

use super::document::{Document, RuleError};
use super::grade_code::{grades_of, words_of};
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding};
use crate::assistant::facts::{Fact, grade};

pub const RULE: Rule = Rule {
    id: "grade_name",
    sentence: "A school year named in the title or an objective agrees with the grade.",
    fields: &[Field { name: "grade", kind: FieldKind::TextOrNumber }],
    level: Level::Contradiction,
    has_fix: false,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let Some(grade) = document.value("grade") else { return Ok(Vec::new()) };
    let grades = LazyCell::new(|| grades_of(grade));
    let names = document.facts_in(&["title", "objectives"], grade::read).into_iter().filter(is_of_the_class);
    let differs =
        |name: &Fact<grade::Grades>| grades.is_some_and(|it| name.value.low > it.high || it.low > name.value.high);
    let finding = |name: Fact<grade::Grades>| RuleFinding {
        reason: format!("\"{}\" does not fit the grade \"{}\".", name.quote, words_of(grade)),
        suggestion: Some("Correct the grade, or the text.".to_owned()),
        ..RuleFinding::about(&name, document.quoted_field("grade"))
    };
    Ok(names.filter(differs).map(finding).collect())
}

/// Returns true if a statement names the school year of the class, and not another one, as in "what was done in Grade
/// 2".
fn is_of_the_class(name: &Fact<grade::Grades>) -> bool {
    let words: &[&str] = match name.path.field() {
        Some("title") => &["", "for", "a", "an", "as"],
        _ => &["", "as", "all"],
    };
    words.contains(&name.before.as_str())
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/grade_name.rs"]
mod tests;
