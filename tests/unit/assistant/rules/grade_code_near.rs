//! Unit tests of `src/assistant/rules/grade_code_near.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn standard_code_of_a_neighboring_grade_is_reported_as_a_hint() {
    finds(RULE, 1, &[json!({"curriculum": "NGSS 5-LS1-1"}), json!({"grade": "K-2", "curriculum": "NGSS 3-LS1-1"})]);
}

#[test]
fn standard_code_of_the_same_or_a_distant_grade_gives_no_hint() {
    let lessons = [
        json!({}),
        json!({"curriculum": "NGSS 5-LS1-1, 4-LS1-1"}),
        json!({"grade": "ages 9-12", "curriculum": "NGSS 5-LS1-1"}),
        json!({"curriculum": "NGSS HS-LS1-1"}),
    ];
    finds(RULE, 0, &lessons);
}
