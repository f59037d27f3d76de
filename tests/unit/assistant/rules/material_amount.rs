//! Unit tests of `src/assistant/rules/material_amount.rs`: findings of the rule, and similar texts without a finding.

use serde_json::{Value, json};

use super::RULE;
use crate::assistant::rules::tests::finds;

fn step(text: &str) -> Value {
    json!({"steps": [{ "text": text }]})
}

#[test]
fn steps_that_use_more_material_than_is_listed_are_reported() {
    let lessons = [
        step("Squeeze six lemons into the dish."),
        step("Pour 60 millilitres of vinegar on the seeds."),
        step("Take 4 lemons. Take 5 lemons."),
        step("Take 6 lemons. The whole class watches."),
        step("Each group has a dish! Take 6 lemons. Wait."),
        step("Each group takes six lemons."),
        step("Give each pair six lemons."),
        step("Take 1.5 cups; boil six lemons for two minutes."),
    ];
    finds(RULE, 1, &lessons);
}

#[test]
fn numbers_that_only_look_like_material_amounts_are_not_reported() {
    let lessons = [
        step("Squeeze four lemons into the dish."),
        step("Six lemon slices, and 60 mL of vinegar water"),
        step("Use 60 cups of vinegar."),
        step("The whole class needs 24 lemons."),
        step("Sow. Squeeze six lemons for the whole class. Wait."),
        step("For two groups, take 60 mL of vinegar."),
        json!({"safety": ["Six lemons in the eye hurt."]}),
        json!({"materials": [{"name": "lemons"}, "lemons", {"name": " ", "quantity": 1}], "steps": [{"text": "Take 6 lemons."}]}),
    ];
    finds(RULE, 0, &lessons);
}
