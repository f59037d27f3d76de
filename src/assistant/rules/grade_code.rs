//! Compares the grade with the codes of standards in the curriculum.

use serde_json::Value;

use super::document::{Document, RuleError};
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding};
use crate::assistant::facts::grade::{self, Grades};
use crate::assistant::facts::standard_code;

pub const FIELDS: &[Field] =
    &[Field { name: "grade", kind: FieldKind::TextOrNumber }, Field { name: "curriculum", kind: FieldKind::Text }];

pub const RULE: Rule = Rule {
    id: "grade_code",
    sentence: "The grade is close to the grades of the curriculum's codes. Neighbouring grades share standards.",
    fields: FIELDS,
    level: Level::Contradiction,
    has_fix: false,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    Ok(Vec::from_iter(code_at(document, |distance| distance > 1)))
}

/// Compares the grade with the codes in the curriculum. `is_wrong` gets the distance, in grades, between the grade and
/// the nearest code. Returns a finding if `is_wrong` returns true.
pub fn code_at(document: &Document<'_>, is_wrong: impl Fn(i64) -> bool) -> Option<RuleFinding> {
    let codes = document.facts_in(&["curriculum"], standard_code::read);
    let first = codes.first()?;
    let grade = document.value("grade")?;
    let grades = grades_of(grade)?;
    let between = |code: &Grades| (code.low - grades.high).max(grades.low - code.high).max(0);
    let distance = codes.iter().map(|code| between(&code.value)).min()?;
    is_wrong(distance).then(|| RuleFinding {
        evidence: ["grade", "curriculum"].iter().filter_map(|field| document.quoted_field(field)).collect(),
        reason: format!("\"{}\" is not for grade \"{}\".", first.quote, words_of(grade)),
        suggestion: Some("Correct the grade, or name the code for this grade.".to_owned()),
        ..RuleFinding::default()
    })
}

/// Returns the range of grades in a grade field, which is a text or a number.
pub fn grades_of(grade: &Value) -> Option<Grades> {
    match grade {
        Value::String(text) => grade::of_field(text),
        Value::Number(number) => grade::of_field(&super::rule::whole(number)?.to_string()),
        _ => None,
    }
}

pub fn words_of(grade: &Value) -> String {
    match grade {
        Value::String(text) => text.clone(),
        Value::Number(number) => super::rule::written(number),
        other => other.to_string(),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/grade_code.rs"]
mod tests;
