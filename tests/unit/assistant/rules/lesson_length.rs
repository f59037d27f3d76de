//! Unit tests of `src/assistant/rules/lesson_length.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn text_that_names_another_lesson_length_is_reported() {
    let lessons = [
        json!({"objectives": ["Plan a fair test in our 40-minute lesson."]}),
        json!({"phenomenon": "It fits an hour-long class."}),
        json!({"safety": ["Our lesson lasts one hour."]}),
        json!({"durationMinutes": 60.5, "title": "The whole 60-minute lesson"}),
    ];
    finds(RULE, 1, &lessons);
}

#[test]
fn text_that_names_no_other_lesson_length_is_not_reported() {
    let lessons = [
        json!({"objectives": ["Plan a fair test in our 45-minute lesson."]}),
        json!({"durationMinutes": 45.0, "title": "Our 45-minute lesson"}),
        json!({"durationMinutes": null, "title": "Our 40-minute lesson"}),
        json!({"phenomenon": "Watch the 10-minute video."}),
        json!({"phenomenon": "Two 40-minute lessons"}),
        json!({"phenomenon": "After 20 minutes of the lesson, look again."}),
    ];
    finds(RULE, 0, &lessons);
}
