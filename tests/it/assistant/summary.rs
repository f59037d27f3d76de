//! Sentences that describe an edit.

use fieldbook::assistant::summary::message;
use fieldbook::domain::schema::{BUILT_IN, Schema};
use serde_json::{Value, json};

fn told(before: Value, after: Value) -> String {
    let schema = Schema::parse(BUILT_IN).expect("the built-in schema");
    let content = |value: Value| value.as_object().cloned().expect("an object");
    message(&schema, &content(before), &content(after), &[], &[])
}

#[test]
fn summary_has_a_sentence_with_the_form_labels_for_each_edit() {
    for (before, after, message) in [
        (json!({"durationMinutes": 30}), json!({"durationMinutes": 45}), "Changed Duration in minutes from 30 to 45."),
        (
            json!({"steps": [{"text": "Sow."}, {"text": "Wait", "minutes": 5}]}),
            json!({"steps": [{"text": "Sow!"}, {"text": "Wait", "minutes": 4}]}),
            "Changed Step 1 from \"Sow.\" to \"Sow!\" Changed Step 2, minutes from 5 to 4.",
        ),
        (json!({}), json!({"hypothesis": "It grows"}), "Added Hypothesis: \"It grows\"."),
        (json!({"groupSize": 3, "title": "t"}), json!({"title": "t"}), "Removed Group size: 3."),
        (json!({}), json!({"safety": ["No flame", "Gloves"]}), "Added Safety: \"No flame\"; \"Gloves\"."),
    ] {
        assert_eq!(told(before, after), message);
    }
}

#[test]
fn summary_describes_a_list_insertion_or_removal_as_one_edit() {
    let steps = |texts: &[&str]| json!({"steps": texts.iter().map(|text| json!({"text": text, "minutes": 5})).collect::<Vec<_>>()});
    let all = || steps(&["Sow", "Water", "Wait", "Look"]);
    for (before, after, message) in [
        (all(), steps(&["Sow", "Wait", "Look"]), "Removed Step 2: \"Water\", minutes 5."),
        (steps(&["Sow", "Wait", "Look"]), all(), "Added Step 2: \"Water\", minutes 5."),
        (
            all(),
            steps(&["Sow", "Water twice", "Look", "Draw"]),
            "Changed Step 2 from \"Water\" to \"Water twice\". Removed Step 3: \"Wait\", minutes 5. Added Step 4: \"Draw\", minutes 5.",
        ),
        (
            json!({"materials": [{"name": "Cup", "quantity": 3}]}),
            json!({"materials": [{"name": "Cup", "quantity": 3}, {"name": "Vinegar", "quantity": 20, "unit": "ml"}]}),
            "Added Material 2: \"Vinegar\", quantity 20, unit \"ml\".",
        ),
    ] {
        assert_eq!(told(before, after), message);
    }
}

#[test]
fn summary_shortens_long_values_and_counts_the_edits_that_it_leaves_out() {
    let list = |text: &str| json!({"safety": vec![text; 400], "title": text.repeat(400)});
    let message = told(list("a"), list("b"));
    assert!(message.ends_with("And 381 more changes in Safety, Title."), "{message}");
    let message = told(json!({"title": "a".repeat(400)}), json!({"title": "b"}));
    assert_eq!(message, format!("Changed Title from \"{}…\" to \"b\".", "a".repeat(300)));
}
