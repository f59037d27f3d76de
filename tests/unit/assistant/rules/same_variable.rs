//! Unit tests of `src/assistant/rules/same_variable.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn controlled_variable_equal_to_the_independent_variable_is_reported() {
    for controlled in ["the temperature of the water", "Temperature of the water!", "A  TEMPERATURE of-the water"] {
        let variables = json!({"independent": "Temperature of the water", "controlled": ["seed", controlled]});
        finds(RULE, 1, &[json!({ "variables": variables })]);
    }
}

#[test]
fn controlled_variable_that_differs_from_the_independent_variable_is_not_reported() {
    for variables in [
        json!({"independent": "Temperature of the water", "controlled": ["temperature of the air"]}),
        json!({"independent": "Temperature", "controlled": ["temperature of the water"]}),
        json!({"independent": "…", "controlled": ["!"]}),
        json!({"independent": "light", "controlled": "light"}),
        json!({"controlled": ["light"]}),
        json!("light"),
        json!(null),
    ] {
        finds(RULE, 0, &[json!({ "variables": variables })]);
    }
}
