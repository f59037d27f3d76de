//! Findings: two or more fields that cannot all be true, and the reason.

use fieldbook::domain::finding::*;
use fieldbook::domain::path::FieldPath;
use serde_json::json;

/// Creates a finding with these places and quotes. An empty quote means that something is missing there.
fn finding(source: &str, places: &[(&str, &str)]) -> Finding {
    let shown = |(path, quote): &(&str, &str)| match (FieldPath::parse(path), *quote) {
        (path, "") => Evidence::missing(&path),
        (path, quote) => Evidence::new(&path, quote),
    };
    let field = |place: usize| places[place].0.split('.').next().unwrap_or_default().to_owned();
    Finding {
        field_name: field(0),
        conflicts_with: vec![field(places.len() - 1)],
        reason: String::new(),
        evidence: places.iter().map(shown).collect(),
        also_at: Vec::new(),
        suggestion: None,
        source: source.into(),
    }
}

#[test]
fn model_finding_is_added_unless_a_rule_found_it_in_the_same_values() {
    let sum = finding("rule:sum", &[("durationMinutes", "5"), ("steps.0.minutes", "4"), ("steps.1.minutes", "3")]);
    let vinegar = finding("rule:amount", &[("steps.0.text", "30 ml of vinegar"), ("materials.2.quantity", "20")]);
    let within = finding("rule:within", &[("safety.0", "Taste it. Taste nothing.")]);
    for (places, is_added) in [
        ([("durationMinutes", "5"), ("steps.1.minutes", "3")], false),
        ([("steps.1.minutes", "3"), ("durationMinutes", "5")], false),
        ([("durationMinutes", "5"), ("steps", "")], false),
        ([("steps.0.text", "Take 30 ml of vinegar"), ("materials", "")], false),
        ([("safety.0", "Taste it"), ("safety.0", "Taste nothing")], false),
        ([("steps.0.text", "Take its temperature"), ("materials", "")], true),
        ([("durationMinutes", "5"), ("steps.1.text", "Wait 10 minutes")], true),
        ([("steps.0.text", "vinegar"), ("steps.1.text", "no vinegar")], true),
        ([("steps.0.text", "30 ml"), ("steps.0.text", "of vinegar")], true),
        ([("safety.0", "Taste it"), ("steps.0.text", "Taste nothing")], true),
    ] {
        let rules = || vec![sum.clone(), vinegar.clone(), within.clone()];
        let found = || vec![finding("model:m", &places)];
        let rules_first = Findings { contradictions: rules(), pending: true, ..Findings::default() };
        let joined =
            rules_first.merged_with(Findings { contradictions: found(), hints: found(), ..Findings::default() });
        let added = if is_added { 1 } else { 0 };
        assert_eq!((joined.contradictions.len(), joined.hints.len()), (3 + added, added), "{places:?}");
        // A hint of a rule does not exclude a contradiction of the model about the same values.
        let hints_first = Findings { hints: rules(), ..Findings::default() };
        let joined =
            hints_first.merged_with(Findings { contradictions: found(), hints: found(), ..Findings::default() });
        assert_eq!((joined.contradictions.len(), joined.hints.len()), (1, 3 + added), "{places:?}");
    }
}

#[test]
fn evidence_in_json_is_a_quote_or_says_that_something_is_missing() {
    let mut found = finding("model:m", &[("steps.0.text", "q"), ("materials", "")]);
    found.also_at.push("steps.3.text".to_owned());
    let written = serde_json::to_value(&found).expect("JSON");
    let evidence = json!([{"fieldPath": "steps.0.text", "quote": "q"}, {"fieldPath": "materials", "missing": true}]);
    assert_eq!((&written["evidence"], &written["alsoAt"]), (&evidence, &json!(["steps.3.text"])));
    assert_eq!(serde_json::from_value::<Finding>(written).expect("a finding"), found);
}

#[test]
fn finding_stored_by_an_older_program_version_is_read() {
    let stored = json!({
        "fieldName": "a", "conflictsWith": ["b"], "reason": "r", "source": "rule:r",
        "evidence": [{"fieldPath": "a", "quote": "1"}, {"fieldPath": "b", "quote": "2"}]
    });
    let read: Finding = serde_json::from_value(stored.clone()).expect("a finding");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), stored);
    assert_eq!(read.evidence.first().and_then(|place| place.quote.as_deref()), Some("1"));
}

#[test]
fn findings_store_only_flags_that_are_true_and_read_missing_flags_as_false() {
    let plain = r#"{"contradictions":[],"hints":[]}"#;
    assert_eq!(serde_json::to_string(&<Findings>::default()).expect("JSON"), plain);
    assert_eq!(serde_json::from_str::<Findings>(plain).expect("findings"), Findings::default());
    let flagged = Findings { incomplete: true, pending: true, ..Findings::default() };
    let text = serde_json::to_string(&flagged).expect("JSON");
    assert_eq!(serde_json::from_str::<Findings>(&text).expect("findings"), flagged);
}

#[test]
fn findings_are_complete_only_if_no_check_failed_or_is_pending() {
    for (incomplete, pending) in [(false, false), (false, true), (true, false), (true, true)] {
        let findings = Findings { incomplete, pending, ..Findings::default() };
        assert_eq!(findings.is_complete(), !incomplete && !pending, "{findings:?}");
        let unread = findings.clone().marked_incomplete();
        assert_eq!((unread.incomplete, unread.pending), (incomplete || pending, false), "{findings:?}");
        for of_model in [false, true] {
            let joined = findings.clone().merged_with(Findings { incomplete: of_model, ..Findings::default() });
            assert_eq!((joined.incomplete, joined.pending), (incomplete || of_model, false), "{findings:?}");
        }
    }
}
