//! Unit tests of `src/assistant/rules/group_size.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn text_that_names_another_group_size_is_reported() {
    let lessons = [
        json!({"safety": ["Work in groups of four."]}),
        json!({"safety": ["Work in pairs."]}),
        json!({"groupSize": 5, "safety": ["Get into your groups of 3 to 4."]}),
        json!({"groupSize": 1, "safety": ["Work in groups of three."]}),
    ];
    finds(RULE, 1, &lessons);
}

#[test]
fn text_that_names_the_same_group_size_or_a_part_of_a_group_is_not_reported() {
    let lessons = [
        json!({"safety": ["Work in groups of three."]}),
        json!({"safety": ["Get into your groups of 3 to 4."]}),
        json!({"groupSize": 4, "safety": ["Work in pairs."]}),
        json!({"groupSize": null, "safety": ["Work in pairs."]}),
        json!({"safety": ["Add a pair of gloves to each group of islands."]}),
    ];
    finds(RULE, 0, &lessons);
}
