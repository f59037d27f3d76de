//! Findings. A finding says that two or more fields, or parts of one field, cannot all be true, and why.

use serde::{Deserialize, Serialize};

use super::path::FieldPath;

/// Beginning of [`Finding::source`] for a model.
const MODEL: &str = "model:";

/// Evidence of a conflict: a value in the document with a quote, or a list or field in which something is missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The exact path of the value, with dots: `steps.2.text`.
    pub field_path: String,
    /// The relevant words of the value, verbatim. Omitted if `missing` is true.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// True if something that other evidence requires is missing in the list or field at this path, or if its total
    /// (such as a sum of minutes) differs from other evidence. In both cases, no single value can be quoted. Omitted if
    /// false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

/// A contradiction or a hint. A hint is less certain than a contradiction.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// One of the top-level fields that contradict each other.
    pub field_name: String,
    /// The top-level fields that `fieldName` conflicts with. For a conflict within one field, only `fieldName` itself.
    pub conflicts_with: Vec<String>,
    /// What the conflict is, as a sentence for the author.
    pub reason: String,
    /// The values in the document that cannot all be true.
    pub evidence: Vec<Evidence>,
    /// Paths of other values that repeat the mistake and must be changed as well. The fields of these values do not
    /// count as parts of the conflict. Omitted if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_at: Vec<String>,
    /// A suggested fix, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The rule or model that found the conflict: `rule:<id>` or `model:<name>`.
    pub source: String,
}

/// What a finding is about: its source, its fields and the paths of its evidence. A finding before an edit and a
/// finding after the edit are the same if their subjects are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Subject<'f> {
    source: &'f str,
    field_name: &'f str,
    conflicts_with: &'f [String],
    places: Vec<&'f str>,
}

/// Returns [`Finding::source`] for a rule.
pub fn source_of_rule(id: &str) -> String {
    format!("rule:{id}")
}

/// Returns [`Finding::source`] for a model.
pub fn source_of_model(name: &str) -> String {
    format!("{MODEL}{name}")
}

impl Finding {
    /// Returns whether a model found this, and not a rule.
    pub fn is_by_model(&self) -> bool {
        self.source.starts_with(MODEL)
    }

    /// Returns whether `field` is one of the fields that contradict each other.
    pub fn touches(&self, field: &str) -> bool {
        self.field_name == field || self.conflicts_with.iter().any(|other| other == field)
    }

    /// Returns the fields that contradict each other.
    pub fn sides(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.field_name).chain(&self.conflicts_with).map(String::as_str)
    }

    /// Returns whether this finding before an edit and `other` after the edit are the same. A model may cite different
    /// evidence each time, so findings of a model are compared by source and fields only.
    pub fn is_about_the_same_as(&self, other: &Finding) -> bool {
        self.subject() == other.subject() || self.is_by_model() && self.is_between_the_fields_of(other)
    }

    /// Returns whether this finding and `other` have the same source and say that the same fields contradict each
    /// other.
    pub fn is_between_the_fields_of(&self, other: &Finding) -> bool {
        self.source == other.source && self.pairs().eq(other.pairs())
    }

    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        pairs(&self.field_name, &self.conflicts_with)
    }

    /// Returns whether this finding makes `other` redundant. For each evidence of `other`, this finding must have
    /// evidence that overlaps with it. If the evidence of `other` says that something is missing in a list or field,
    /// evidence of this finding inside that list or field is enough. If `other` is about a single value, this finding
    /// must be about a single value, too.
    pub fn covers(&self, other: &Self) -> bool {
        let is_within_one =
            |it: &Self| it.evidence.windows(2).all(|two| matches!(two, [a, b] if a.field_path == b.field_path));
        let shows = |place: &Evidence| self.evidence.iter().any(|own| own.overlaps(place) || place.is_list_around(own));
        other.evidence.iter().all(shows) && (is_within_one(self) || !is_within_one(other))
    }

    /// Returns what this finding is about. The result does not depend on the wording of the finding.
    pub fn subject(&self) -> Subject<'_> {
        let places = self.evidence.iter().map(|evidence| evidence.field_path.as_str()).collect();
        Subject { source: &self.source, field_name: &self.field_name, conflicts_with: &self.conflicts_with, places }
    }
}

/// Pairs `field` with each of `others`. The two names of a pair are in alphabetical order.
pub(super) fn pairs<'f>(field: &'f str, others: &'f [String]) -> impl Iterator<Item = (&'f str, &'f str)> {
    others.iter().map(move |other| (field.min(other), field.max(other)))
}

impl Evidence {
    /// Creates evidence at `path` with the text `quote`.
    pub fn new(path: &FieldPath, quote: impl Into<String>) -> Self {
        Self { field_path: path.to_string(), quote: Some(quote.into()), missing: false }
    }

    /// Creates evidence that something is missing from the list or field at `path`, or that its total does not match.
    pub fn missing(path: &FieldPath) -> Self {
        Self { field_path: path.to_string(), quote: None, missing: true }
    }

    /// Returns whether the paths are equal and the quotes overlap: one quote contains the other, or both are missing.
    pub fn overlaps(&self, other: &Self) -> bool {
        let says_the_same = match (&self.quote, &other.quote) {
            (Some(one), Some(other)) => one.contains(other.as_str()) || other.contains(one.as_str()),
            (one, other) => one == other,
        };
        self.field_path == other.field_path && says_the_same
    }

    /// Returns whether this evidence says that something is missing in a list or field, and the path of `other` is the
    /// path of that list or field, or is inside it.
    fn is_list_around(&self, other: &Self) -> bool {
        self.missing && FieldPath::parse(&self.field_path).is_prefix_of(&FieldPath::parse(&other.field_path))
    }
}

/// The findings in the content of an investigation. `L` is the type of a list of findings: parsed, or stored JSON text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings<L = Vec<Finding>> {
    /// Findings that are certain enough to determine the status.
    pub contradictions: L,
    /// Findings that are less certain. They are shown, but do not affect the status.
    pub hints: L,
    /// Whether a rule or the language model failed, so that there may be more findings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// Whether the language model still has to read the content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
}

impl Findings {
    /// Returns whether detection is complete: every rule succeeded, and the language model, if there is one, has read
    /// the content.
    pub fn is_complete(&self) -> bool {
        !self.incomplete && !self.pending
    }

    /// If the findings are pending, marks them as incomplete instead: the language model will not read the content.
    #[must_use]
    pub fn marked_incomplete(self) -> Self {
        Self { incomplete: self.incomplete || self.pending, pending: false, ..self }
    }

    /// Adds the findings `others` of the language model that no existing finding covers. Clears `pending`.
    #[must_use]
    pub fn merged_with(mut self, others: Findings) -> Self {
        let is_new = |known: &[Finding], finding: &Finding| !known.iter().any(|known| known.covers(finding));
        let Findings { mut contradictions, mut hints, incomplete, .. } = others;
        contradictions.retain(|finding| is_new(&self.contradictions, finding));
        hints.retain(|finding| is_new(&self.contradictions, finding) && is_new(&self.hints, finding));
        self.contradictions.append(&mut contradictions);
        self.hints.append(&mut hints);
        self.incomplete |= incomplete;
        self.pending = false;
        self
    }
}
