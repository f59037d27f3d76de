//! The built-in rules: the findings of each rule, and texts that are not contradictions.

use std::sync::LazyLock;

use fieldbook::assistant::Assistant;
use fieldbook::assistant::fix::{Meter, Scope};
use fieldbook::domain::finding::Finding;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use serde_json::{Value, json};

use crate::support::promises;

static PARTS: LazyLock<(Schema, Assistant)> = LazyLock::new(|| {
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    let assistant = Assistant::for_schema(&schema).expect("the built-in rules");
    (schema, assistant)
});

/// Returns a lesson without contradictions, with some fields changed.
fn lesson(changes: Value) -> Value {
    let mut lesson = json!({
        "title": "Which seeds grow fastest?", "grade": 4, "curriculum": "NGSS 4-LS1-1", "groupSize": 3,
        "durationMinutes": 45,
        "variables": {"independent": "Temperature of the water", "controlled": ["kind of seed"]},
        "materials": [{"name": "lemons", "quantity": 4}, {"name": "vinegar", "quantity": 50, "unit": "mL"}],
        "steps": [{"text": "Work in groups of three.", "minutes": 20}, {"text": "Repeat step 1.", "minutes": 20}],
    });
    for (field, value) in changes.as_object().expect("changes") {
        lesson[field.as_str()] = value.clone();
    }
    lesson
}

/// Returns `source: reason`, followed by the paths of the evidence, for each contradiction and hint.
fn found(lesson: &Value) -> Vec<String> {
    let (schema, assistant) = &*PARTS;
    let content = lesson.as_object().expect("an object");
    promises::hold_for(assistant, schema, content);
    let findings = assistant.detect(content);
    let told = |found: &Finding| {
        let paths: Vec<_> = found.evidence.iter().map(|evidence| evidence.field_path.as_str()).collect();
        format!("{}: {} {}", found.source.trim_start_matches("rule:"), found.reason, paths.join(", "))
    };
    let hints = findings.hints.iter().map(|hint| format!("hint {}", told(hint)));
    findings.contradictions.iter().map(told).chain(hints).collect()
}

#[test]
fn each_built_in_rule_reports_its_kind_of_contradiction() {
    for (changes, expected) in [
        (json!({}), ""),
        (
            json!({"durationMinutes": 30}),
            "duration_sum: The steps take 40 minutes, but the lesson lasts 30. durationMinutes, steps.0.minutes, steps.1.minutes",
        ),
        (
            json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 15}, {"text": "Draw it for six weeks", "minutes": 20}]}),
            "duration_sum: The steps take 15 minutes, but the lesson lasts 10. Step 2 does not count: it runs in parallel or outside the lesson. durationMinutes, steps.0.minutes",
        ),
        (
            json!({"objectives": ["Plan a fair test in our 60-minute lesson."]}),
            "lesson_length: \"our 60-minute lesson\" states 60 minutes, but the duration is 45 minutes. objectives.0, durationMinutes",
        ),
        (
            json!({"safety": ["Wash your hands after step 5."]}),
            "step_reference: \"step 5\" refers to step 5, but the steps go from 1 to 2. safety.0, steps.1.text",
        ),
        (
            json!({"groupSize": 4}),
            "group_size: \"Work in groups of three\" does not fit the group size of 4. steps.0.text, groupSize",
        ),
        (json!({"curriculum": "NGSS MS-LS1-5"}), "grade_code: \"MS-LS1\" is not for grade \"4\". grade, curriculum"),
        (
            json!({"curriculum": "NGSS 5-LS1-1"}),
            "hint grade_code_near: \"5-LS1\" is not for grade \"4\". grade, curriculum",
        ),
        (json!({"title": "Seeds for Grade 7"}), "grade_name: \"Grade 7\" does not fit the grade \"4\". title, grade"),
        (
            json!({"variables": {"independent": "Temperature of the water", "controlled": ["the temperature of the water"]}}),
            "same_variable: \"the temperature of the water\" is both the independent variable and a controlled one. variables.controlled.0, variables.independent",
        ),
        (
            json!({"steps": [{"text": "Squeeze six lemons into the dish."}]}),
            "material_amount: \"six lemons into the dish\" is more than the listed 4. steps.0.text, materials.0.quantity",
        ),
    ] {
        let expected: Vec<_> = expected.lines().map(str::to_owned).collect();
        assert_eq!(found(&lesson(changes.clone())), expected, "{changes}");
    }
}

#[test]
fn texts_that_only_seem_to_contradict_are_not_reported_by_the_rules() {
    for changes in [
        json!({"steps": [{"text": "Sow", "minutes": 40}, {"text": "Meanwhile, draw", "minutes": 40}]}),
        json!({"objectives": ["Watch the 10-minute video"], "safety": ["Follow step 9 of the handout."]}),
        json!({"groupSize": 4, "steps": [{"text": "Work in pairs."}]}),
        json!({"grade": "3-5", "title": "Seeds for Grade 5"}),
        json!({"grade": "ages 9-12", "curriculum": "NGSS 5-LS1-1"}),
        json!({"grade": "mixed", "curriculum": "NGSS HS-LS1-1"}),
        json!({"objectives": ["Recall what was done in Grade 2"]}),
        json!({"steps": [{"text": "Six lemon slices, and 60 mL of vinegar water"}]}),
        json!({"steps": [{"text": "The whole class needs 24 lemons."}]}),
        json!({"durationMinutes": null, "steps": null, "variables": null, "materials": null, "grade": null}),
    ] {
        assert_eq!(found(&lesson(changes.clone())), [""; 0], "{changes}");
    }
}

/// If a step refers to a step that does not exist, a language model may find out which one is meant. Without a model,
/// the rule proposes the nearest number.
#[test]
fn rule_fixes_a_reference_to_a_missing_step_only_without_a_language_model() {
    let (schema, assistant) = &*PARTS;
    let steps = json!([{"text": "Sow", "minutes": 40}, {"text": "Repeat step 4", "minutes": 40}]);
    let content = json!({"durationMinutes": 60, "steps": steps});
    let content = content.as_object().expect("a content");
    let scope = Scope { content, field: "steps", schema, dismissals: &[], meter: &Meter::default() };
    let beside_a_model = assistant.resolve_except(&[], &scope).expect("the minutes");
    assert_eq!(beside_a_model.content["steps"][0]["minutes"], 30);
    assert_eq!(
        (beside_a_model.content["steps"][1]["text"].as_str(), beside_a_model.left.len()),
        (Some("Repeat step 4"), 1)
    );
    let alone = assistant.resolve(&scope).expect("both");
    assert_eq!(
        (alone.content["steps"][1]["text"].as_str(), alone.left.len(), alone.fixed.len()),
        (Some("Repeat step 2"), 0, 2)
    );
}
