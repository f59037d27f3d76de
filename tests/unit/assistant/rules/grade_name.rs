//! Unit tests of `src/assistant/rules/grade_name.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn title_or_objective_that_names_another_grade_is_reported() {
    let lessons = [
        json!({"title": "Seeds for Grade 7"}),
        json!({"title": "Year 8: seeds"}),
        json!({"objectives": ["All sixth graders plan a fair test."]}),
    ];
    finds(RULE, 1, &lessons);
}

#[test]
fn text_that_names_the_grade_of_the_lesson_or_of_another_class_is_not_reported() {
    let lessons = [
        json!({"title": "Seeds for Grade 4"}),
        json!({"grade": "3-5", "title": "Seeds for Grade 5"}),
        json!({"grade": "mixed", "title": "Seeds for Grade 7"}),
        json!({"objectives": ["Recall what was done in Grade 2."]}),
        json!({"phenomenon": "Grade 7 found this seed."}),
        json!({"title": "Eighty years old and still growing"}),
    ];
    finds(RULE, 0, &lessons);
}
