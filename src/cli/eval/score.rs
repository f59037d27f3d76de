//! Compares findings with labels, and computes scores.

use std::collections::{BTreeMap, HashSet};

use super::labelled::Label;
use crate::domain::finding::Finding;

/// Counts over all documents that were added.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Score {
    /// True positives: findings that match a label.
    pub right: usize,
    /// False positives: findings that match no label.
    pub wrong: usize,
    pub kinds: BTreeMap<String, KindScore>,
    /// Number of documents without contradictions, including clean versions of labelled documents.
    pub clean: usize,
    /// Number of findings in documents without contradictions.
    pub false_alarms: usize,
}

/// Counts of one kind of contradiction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct KindScore {
    pub labels: usize,
    /// Number of labels that a finding matches.
    pub found: usize,
}

/// Findings in one document that match no label, and labels that match no finding.
#[derive(Debug, Clone, Default)]
pub struct Differences<'d> {
    pub wrong: Vec<&'d Finding>,
    pub missed: Vec<&'d Label>,
}

impl Score {
    /// Compares the findings in a document with its labels, and counts the result. A document without labels is clean.
    pub fn add<'d>(&mut self, findings: &'d [Finding], labels: &'d [Label]) -> Differences<'d> {
        let mut differences = Differences::default();
        let mut pairs_seen = HashSet::new();
        for finding in findings {
            let answers = labels.iter().any(|label| agrees(finding, label));
            // Several findings between the same fields are counted as one.
            if !pairs_seen.insert(fields(finding)) {
                continue;
            }
            if answers {
                self.right += 1;
            } else {
                self.wrong += 1;
                differences.wrong.push(finding);
            }
        }
        for label in labels {
            let kind = self.kinds.entry(label.kind.clone()).or_default();
            kind.labels += 1;
            if findings.iter().any(|finding| agrees(finding, label)) {
                kind.found += 1;
            } else {
                differences.missed.push(label);
            }
        }
        if labels.is_empty() {
            self.clean += 1;
            self.false_alarms += differences.wrong.len();
        }
        differences
    }

    /// Adds the findings in the clean version of a labelled document. These findings are counted only as false alarms.
    /// Returns the findings that were counted.
    pub fn add_clean_version<'d>(&mut self, findings: &'d [Finding]) -> Vec<&'d Finding> {
        let mut clean = Score::default();
        let wrong = clean.add(findings, &[]).wrong;
        self.clean += 1;
        self.false_alarms += wrong.len();
        wrong
    }

    pub fn labels(&self) -> usize {
        self.kinds.values().map(|kind| kind.labels).sum()
    }

    /// Returns the share of findings that match a label; 1 if there are no findings.
    pub fn precision(&self) -> f64 {
        share(self.right, self.right + self.wrong)
    }

    /// Returns the share of labels that were found; 1 if there are no labels.
    pub fn recall(&self) -> f64 {
        share(self.kinds.values().map(|kind| kind.found).sum(), self.labels())
    }

    /// Returns the harmonic mean of precision and recall; 0 if both are 0.
    pub fn f1(&self) -> f64 {
        let (precision, recall) = (self.precision(), self.recall());
        if precision + recall == 0.0 { 0.0 } else { 2.0 * precision * recall / (precision + recall) }
    }

    /// Returns the mean number of false alarms per clean document; 0 if there are no clean documents.
    pub fn alarms_per_clean(&self) -> f64 {
        if self.clean == 0 { 0.0 } else { self.false_alarms as f64 / self.clean as f64 }
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

fn fields(finding: &Finding) -> Vec<String> {
    let mut fields = finding.conflicts_with.clone();
    fields.push(finding.field_name.clone());
    fields.sort();
    fields
}

/// Returns whether a finding names the two top-level fields of a label (a contradiction that a person has marked).
fn agrees(finding: &Finding, label: &Label) -> bool {
    let stands = |a: &str, b: &str| finding.field_name == a && finding.conflicts_with.iter().any(|c| c == b);
    label.pairs().any(|[one, other]| match (one.field(), other.field()) {
        (Some(one), Some(other)) => stands(one, other) || stands(other, one),
        _ => false,
    })
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/eval/score.rs"]
mod tests;
