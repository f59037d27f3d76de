//! What was found to contradict itself: two or more fields that cannot all be true, and why.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::path::FieldPath;

/// Words of the document that show the conflict.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The exact path of the value, dotted: `steps.2.text`.
    pub field_path: String,
    /// What stands there, verbatim, or the part of it that matters.
    pub quote: String,
}

/// One contradiction, or one hint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The top-level content field where it was found.
    pub field_name: String,
    /// The top-level fields on the other side; the same field for a conflict within it.
    pub conflicts_with: Vec<String>,
    /// A sentence for the author.
    pub reason: String,
    /// The places in the document that cannot all be true.
    pub evidence: Vec<Evidence>,
    /// What would mend it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// What found it: `rule:<id>`, `text:<detector>`, `model:<name>`.
    pub source: String,
}

/// A finder, the sides and the places: findings before and after an edit with the same subject are the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Subject<'f> {
    source: &'f str,
    field_name: &'f str,
    conflicts_with: &'f [String],
    places: Vec<&'f str>,
}

impl Finding {
    /// Whether `field` is one of the sides.
    pub fn touches(&self, field: &str) -> bool {
        self.field_name == field || self.conflicts_with.iter().any(|other| other == field)
    }

    /// Whether both are the same finding, before and after an edit. A model chooses its places anew each time,
    /// so of its findings the fields are compared.
    pub fn is_about_the_same_as(&self, other: &Finding) -> bool {
        let by_model = self.source.starts_with("model:") && self.source == other.source;
        self.subject() == other.subject() || by_model && self.pairs().eq(other.pairs())
    }

    /// The pairs of fields that it says cannot both be true, whichever side each was named on.
    fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        self.conflicts_with.iter().map(|other| {
            let (one, other) = (self.field_name.clone(), other.clone());
            if one <= other { (one, other) } else { (other, one) }
        })
    }

    /// Whether both show the same places, in whatever order.
    pub fn same_places(&self, other: &Self) -> bool {
        let shows =
            |finding: &Self, place: &Evidence| finding.evidence.iter().any(|e| e.field_path == place.field_path);
        self.evidence.len() == other.evidence.len() && self.evidence.iter().all(|place| shows(other, place))
    }

    /// What the finding is about, whatever the words.
    pub fn subject(&self) -> Subject<'_> {
        let places = self.evidence.iter().map(|evidence| evidence.field_path.as_str()).collect();
        Subject { source: &self.source, field_name: &self.field_name, conflicts_with: &self.conflicts_with, places }
    }
}

impl Evidence {
    /// Evidence at `path` with the words `quote`.
    pub fn new(path: &FieldPath, quote: impl Into<String>) -> Self {
        Self { field_path: path.to_string(), quote: quote.into() }
    }
}

/// Everything that was found in one content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Sure enough to count: they decide the status.
    pub contradictions: Vec<Finding>,
    /// Not sure enough to count: shown, and nothing more.
    pub hints: Vec<Finding>,
}

impl Findings {
    /// One list of both. These stay and come first; of the `others` those are left out that name a pair of fields
    /// which these name already: no pair is told twice.
    #[must_use]
    pub fn joined(mut self, others: Findings) -> Self {
        let known: HashSet<(String, String)> = self.contradictions.iter().flat_map(Finding::pairs).collect();
        let hinted: HashSet<(String, String)> = self.hints.iter().flat_map(Finding::pairs).collect();
        let is_new = |finding: &Finding| finding.pairs().any(|pair| !known.contains(&pair));
        self.contradictions.extend(others.contradictions.into_iter().filter(is_new));
        let is_new = |finding: &Finding| finding.pairs().any(|p| !known.contains(&p) && !hinted.contains(&p));
        self.hints.extend(others.hints.into_iter().filter(is_new));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(source: &str, field: &str, other: &str) -> Finding {
        Finding {
            field_name: field.into(),
            conflicts_with: vec![other.into()],
            reason: String::new(),
            evidence: Vec::new(),
            suggestion: None,
            source: source.into(),
        }
    }

    #[test]
    fn what_a_model_finds_is_added_where_the_rules_name_another_pair_of_fields() {
        let rules = Findings {
            contradictions: vec![finding("rule:r", "steps", "durationMinutes")],
            hints: vec![finding("rule:h", "title", "grade")],
        };
        let model = Findings {
            contradictions: vec![
                finding("model:m", "durationMinutes", "steps"),
                finding("model:m", "steps", "steps"),
                finding("model:m", "grade", "title"),
            ],
            hints: vec![
                finding("model:m", "steps", "durationMinutes"),
                finding("model:m", "title", "grade"),
                finding("model:m", "safety", "steps"),
            ],
        };
        let joined = rules.joined(model);
        let shown = |found: &[Finding]| -> Vec<String> {
            found.iter().map(|f| format!("{} {} {}", f.source, f.field_name, f.conflicts_with.join(" "))).collect()
        };
        assert_eq!(
            shown(&joined.contradictions),
            ["rule:r steps durationMinutes", "model:m steps steps", "model:m grade title"]
        );
        assert_eq!(shown(&joined.hints), ["rule:h title grade", "model:m safety steps"]);
    }
}
