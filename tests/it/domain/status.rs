//! The five statuses. The service computes three of them from the content. A person sets the other two, and the service
//! does not change them.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use fieldbook::domain::finding::Finding;
use fieldbook::domain::finding::Findings;
use fieldbook::domain::named::Named;
use fieldbook::domain::schema::Schema;
use fieldbook::domain::status::*;

fn findings() -> impl Strategy<Value = Findings> {
    (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(contradicts, hints, incomplete, pending)| {
            let finding = Finding {
                field_name: "a".into(),
                conflicts_with: vec!["b".into()],
                reason: "a is not b.".into(),
                evidence: Vec::new(),
                also_at: Vec::new(),
                suggestion: None,
                source: "rule:same".into(),
            };
            let of = |is_there: bool| if is_there { vec![finding.clone()] } else { Vec::new() };
            Findings { contradictions: of(contradicts), hints: of(hints), incomplete, pending }
        },
    )
}

proptest! {
    #[test]
    fn document_is_consistent_only_if_all_of_it_was_checked_and_nothing_was_found(
        before in select(Status::ALL.to_vec()), is_complete: bool, findings in findings(),
    ) {
        let schema = Schema::parse(r#"{"properties": {"a": {"x-complete": true}}}"#).expect("a schema");
        let content = json!({"a": if is_complete { "written" } else { " " }});
        let content = content.as_object().cloned().unwrap_or_default();
        let after = before.after_processing(&content, &findings, &schema);
        let expected = match (before, is_complete, findings.contradictions.len(), findings.is_complete()) {
            (Status::InDevelopment | Status::Published, ..) => before,
            (_, false, ..) => Status::DraftIncomplete,
            (_, true, 1.., _) => Status::DraftContradictoryComplete,
            (_, true, 0, true) => Status::DraftNonContradictoryComplete,
            (_, true, 0, false) => before,
        };
        prop_assert_eq!(after, expected);
        // The status after complete processing does not depend on an incomplete result in between.
        let known = Findings { incomplete: false, pending: false, ..findings };
        prop_assert_eq!(after.after_processing(&content, &known, &schema), before.after_processing(&content, &known, &schema));
    }

    #[test]
    fn person_can_set_only_two_statuses_and_the_others_are_computed(
        before in select(Status::ALL.to_vec()), wanted in select(Status::ALL.to_vec()),
    ) {
        prop_assert_eq!(before.with_requested(None), before);
        let start = before.with_requested(Some(wanted));
        prop_assert_eq!(start.is_set_by_hand(), wanted.is_set_by_hand());
        prop_assert!(start == before || start == wanted || start == Status::DraftIncomplete);
        let claims = start == Status::DraftNonContradictoryComplete;
        prop_assert!(!claims || before == Status::DraftNonContradictoryComplete);
    }
}
