//! Unit tests of `src/assistant/rules/step_reference.rs`: findings of the rule, and similar texts without a finding.

use serde_json::json;

use super::RULE;
use crate::assistant::rules::tests::finds;

#[test]
fn reference_to_a_missing_step_is_reported() {
    let lessons = [
        json!({"safety": ["Wash your hands after step 3."]}),
        json!({"assessment": "Explain steps 1 and 7."}),
        json!({"assessment": "What happens in step 0?"}),
        json!({"steps": [{"text": "Sow it as in the fourth step."}]}),
    ];
    finds(RULE, 1, &lessons);
}

#[test]
fn reference_to_an_existing_step_or_a_step_of_another_document_is_not_reported() {
    let lessons = [
        json!({"safety": ["Wash your hands after step 2."]}),
        json!({"safety": ["Follow step 3 of the handout."]}),
        json!({"safety": ["Step 3 m back."]}),
        json!({"safety": ["See step 8."]}),
        json!({"steps": [], "safety": ["See step 3."]}),
    ];
    finds(RULE, 0, &lessons);
}
