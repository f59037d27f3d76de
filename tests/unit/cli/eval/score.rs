//! Unit tests of `src/cli/eval/score.rs`.

use super::*;
use crate::domain::finding::Evidence;
use crate::domain::path::FieldPath;

fn finding(one: &str, other: &str) -> Finding {
    let field = |path: &str| FieldPath::parse(path).field().unwrap_or_default().to_owned();
    let evidence = [one, other].map(|path| Evidence::new(&FieldPath::parse(path), "q")).to_vec();
    let (field_name, conflicts_with) = (field(one), vec![field(other)]);
    let (reason, also_at) = (String::new(), Vec::new());
    Finding { field_name, conflicts_with, reason, evidence, also_at, suggestion: None, source: "s".into() }
}

fn label(kind: &str, one: &str, other: &str) -> Label {
    Label { kind: kind.into(), fields: [one.into(), other.into()], alt: Vec::new() }
}

#[test]
fn eval_matches_findings_to_labels_by_their_pair_of_fields() {
    let labels = [label("a", "steps[1].text", "groupSize"), label("b", "safety[0]", "steps")];
    let findings = [finding("groupSize", "steps.2.text"), finding("title", "grade"), finding("steps.0", "safety.0")];
    let mut score = Score::default();
    let differences = score.add(&findings, &labels);
    assert_eq!((differences.wrong.len(), differences.missed.len()), (1, 0));
    assert_eq!((score.right, score.wrong, score.precision(), score.recall()), (2, 1, 2.0 / 3.0, 1.0));
}

#[test]
fn eval_counts_a_finding_in_a_clean_document_as_a_false_alarm() {
    let mut score = Score::default();
    score.add(&[], &[]);
    score.add_clean_version(&[finding("title", "grade"), finding("grade", "title")]);
    assert_eq!((score.clean, score.false_alarms, score.alarms_per_clean(), score.wrong), (2, 1, 0.5, 0));
}
