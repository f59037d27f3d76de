//! Compares the amounts that steps use with the list of materials.

use super::document::{Document, RuleError};
use super::rule::{Field, FieldKind, Level, Rule, RuleFinding};
use crate::assistant::facts::amount::{self, ListedThings, says_for_whom};
use crate::domain::path::FieldPath;

/// An amount that is more than this many times the listed amount is assumed to be the sum for several groups.
const SEVERAL_GROUPS: f64 = 3.0;

pub const RULE: Rule = Rule {
    id: "material_amount",
    sentence: "No step uses more of a material than is listed under exactly that name and unit. Amounts with a \
               recipient in their sentence, and amounts far above the listed one, are totals for several groups and \
               do not count.",
    fields: &[Field { name: "materials", kind: FieldKind::List }],
    level: Level::Contradiction,
    has_fix: false,
    patterns: &[],
    find,
};

fn find(document: &Document<'_>) -> Result<Vec<RuleFinding>, RuleError> {
    let Some(materials) = document.list("materials")? else { return Ok(Vec::new()) };
    let things = ListedThings::read(materials);
    let mut found = Vec::new();
    let read = |text: &str| amount::read_if(text, |words| things.may_be_in(words));
    for fact in document.facts_in(&["steps"], read) {
        let Some(thing) = things.named_by(&fact.value) else { continue };
        let (used, listed) = (fact.value.number, thing.quantity);
        if used <= listed || used > SEVERAL_GROUPS * listed || document.sentence_of(&fact).is_some_and(says_for_whom) {
            continue;
        }
        let place = FieldPath::root().child("materials").child(thing.index.to_string()).child("quantity");
        found.push(RuleFinding {
            reason: format!("\"{}\" is more than the listed {listed}.", fact.quote),
            suggestion: Some("List as much as the step uses, or use less.".to_owned()),
            ..RuleFinding::about(&fact, document.quoted(&place))
        });
    }
    Ok(found)
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/material_amount.rs"]
mod tests;
