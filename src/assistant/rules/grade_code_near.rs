//! Reports a grade whose curriculum has codes of a neighboring grade, which may be on purpose.

use super::document::{Document, RuleError};
use super::grade_code::{FIELDS, code_at};
use super::rule::{Level, Rule, RuleFinding};

pub const RULE: Rule = Rule {
    id: "grade_code_near",
    sentence: "The grade is one of those that the codes of the curriculum are for.",
    fields: FIELDS,
    level: Level::Hint,
    has_fix: false,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    Ok(Vec::from_iter(code_at(document, |distance| distance == 1)))
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/grade_code_near.rs"]
mod tests;
