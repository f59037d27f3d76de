//! Helpers of the unit tests of the rules.

use serde_json::{Value, json};

use crate::assistant::rules::{Rule, Rules};

/// Returns the reasons of the findings of a rule in a lesson with some fields changed.
pub fn reasons(rule: Rule, changes: &Value) -> Vec<String> {
    let mut lesson = json!({
        "title": "Which seeds grow fastest?", "grade": 4, "curriculum": "NGSS 4-LS1-1", "groupSize": 3,
        "durationMinutes": 45,
        "variables": {"independent": "Temperature of the water", "controlled": ["kind of seed"]},
        "materials": [{"name": "lemons", "quantity": 4}, {"name": "vinegar", "quantity": 50, "unit": "mL"}],
        "steps": [{"text": "Sow the seeds.", "minutes": 20}, {"text": "Repeat step 1.", "minutes": 20}],
    });
    for (field, value) in changes.as_object().expect("an object") {
        lesson[field.as_str()] = value.clone();
    }
    let checked = Rules::from(vec![rule]).check(lesson.as_object().expect("an object"));
    assert_eq!(checked.failed, [""; 0]);
    checked.contradictions.into_iter().chain(checked.hints).map(|found| found.finding.reason).collect()
}

pub fn finds(rule: Rule, expected: usize, lessons: &[Value]) {
    for changes in lessons {
        let reasons = reasons(rule, changes);
        assert_eq!(reasons.len(), expected, "{changes}: {reasons:?}");
    }
}
