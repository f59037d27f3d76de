//! Unit tests of `src/assistant/rules/grade_code.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn grade_far_from_the_grades_of_the_standard_codes_is_reported() {
    let lessons = [
        json!({"curriculum": "NGSS MS-LS1-5"}),
        json!({"grade": "Year 9", "curriculum": "Key Stage 2"}),
        json!({"grade": 9.0, "curriculum": "SC.4.P.10.1 and 5-PS1-2"}),
    ];
    finds(RULE, 1, &lessons);
}

#[test]
fn grade_near_the_grade_of_a_standard_code_is_not_reported() {
    let lessons = [
        json!({}),
        json!({"curriculum": "NGSS 5-LS1-1"}),
        json!({"curriculum": "NGSS MS-LS1-5, 4-LS1-1"}),
        json!({"grade": "mixed", "curriculum": "NGSS HS-LS1-1"}),
        json!({"grade": null, "curriculum": "NGSS HS-LS1-1"}),
        json!({"curriculum": "Plants and light"}),
        json!({"curriculum": null}),
    ];
    finds(RULE, 0, &lessons);
}
