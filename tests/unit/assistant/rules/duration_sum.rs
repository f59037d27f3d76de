//! Unit tests of `src/assistant/rules/duration_sum.rs`: findings of the rule, and similar texts without a finding.

use serde_json::{Value, json};

use super::RULE;
use crate::assistant::rules::tests::{finds, reasons};

fn steps(steps: &[(&str, f64)]) -> Value {
    json!({"steps": steps.iter().map(|(text, minutes)| json!({"text": text, "minutes": minutes})).collect::<Vec<_>>()})
}

#[test]
fn steps_that_take_longer_than_the_lesson_are_reported() {
    let lessons = [
        json!({"durationMinutes": 39}),
        json!({"durationMinutes": 39.5}),
        steps(&[("Heat the water", 30.0), ("Measure it", 15.5)]),
        steps(&[("First lesson: plan it", 30.0), ("Second lesson: test it", 30.0)]),
    ];
    finds(RULE, 1, &lessons);
    let beside = steps(&[("Sow", 50.0), ("Leave it overnight", 900.0), ("Meanwhile, draw it", 20.0)]);
    let reason = "The steps take 50 minutes, but the lesson lasts 45. 2 steps do not count: they run in parallel or outside \
                  the lesson.";
    assert_eq!(reasons(RULE, &beside), [reason]);
}

#[test]
fn steps_that_fit_into_the_lesson_are_not_reported() {
    let lessons = [
        json!({}),
        json!({"durationMinutes": 40}),
        json!({"durationMinutes": null}),
        json!({"steps": []}),
        json!({"steps": ["Sow", {"text": "Water"}, {"minutes": "90"}]}),
        steps(&[("Sow", 40.0), ("Meanwhile, draw", 40.0)]),
        steps(&[("Sow", 40.0), ("Watch it for six weeks", 300.0)]),
        steps(&[("1.6", 15.6), ("2.7", 14.7), ("2.7", 14.7)]),
    ];
    finds(RULE, 0, &lessons);
}
