//! Unit tests of `src/assistant/rules/passes.rs`.

use serde_json::{Value, json};

use crate::assistant::rules::{Check, Rules};
use crate::domain::content::Content;
use crate::domain::schema::{BUILT_IN, Schema};

fn lesson() -> Content {
    let lesson = json!({
        "title": "Ramps", "durationMinutes": 50, "groupSize": 3, "grade": 5, "curriculum": "NGSS 5-PS1-2",
        "materials": [{"name": "marbles", "quantity": 2}],
        "steps": [{"text": "Work in groups of three.", "minutes": 20}, {"text": "Repeat step 1.", "minutes": 20}],
    });
    lesson.as_object().expect("an object").clone()
}

/// Returns the ids of the rules that must run when `field` of the lesson becomes `value`.
fn run_again_after(field: &str, value: Value) -> Vec<String> {
    let rules = Rules::of(&Schema::parse(BUILT_IN).expect("the built-in schema")).expect("the built-in rules");
    let mut lesson = lesson();
    let checked = rules.check(&lesson, Check::Shown);
    assert!(checked.found.is_empty() && checked.hints.is_empty(), "{checked:?}");
    lesson.insert(field.to_owned(), value);
    let hashes = rules.passes.hashes(&lesson, &rules.facts.read(&lesson));
    let must_run = |hash: &Option<u64>| hash.is_none_or(|hash| rules.passes.get(hash).is_none());
    let run = rules.rules.iter().zip(&hashes).filter(|(_, hash)| must_run(hash));
    run.map(|(rule, _)| rule.id.clone()).collect()
}

#[test]
fn an_edit_runs_the_rules_that_read_its_field_or_the_facts_in_it() {
    for (field, value, rules) in [
        ("phenomenon", json!("A marble rolls."), vec![]),
        ("phenomenon", json!("Our 40-minute lesson is short."), vec!["lesson_length"]),
        ("phenomenon", json!("Take 5 marbles."), vec!["material_amount"]),
        ("title", json!("Ramps for Grade 5"), vec!["grade_name"]),
        ("title", json!("Work in groups of four"), vec!["group_size"]),
        ("groupSize", json!(4), vec!["group_size"]),
        ("durationMinutes", json!(45), vec!["duration_sum", "lesson_length"]),
        ("materials", json!([{"name": "rulers", "quantity": 2}]), vec![]),
    ] {
        assert_eq!(run_again_after(field, value.clone()), rules, "{field}: {value}");
    }
}
