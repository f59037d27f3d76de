//! Findings: two or more fields that cannot all be true, and why.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::path::FieldPath;

/// A place in the document that shows the conflict: a quote, or the fact that something is missing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The exact path of the value, dotted: `steps.2.text`.
    pub field_path: String,
    /// The relevant words, verbatim. Omitted if something is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// True if no single value can be quoted: the list or field lacks what the other side needs, or its total differs.
    /// Otherwise omitted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
}

/// A contradiction or a hint.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Top-level field of the finding.
    pub field_name: String,
    /// The top-level fields on the other side; the same field for a conflict within it.
    pub conflicts_with: Vec<String>,
    /// A sentence for the author.
    pub reason: String,
    /// The places in the document that cannot all be true.
    pub evidence: Vec<Evidence>,
    /// Paths of other values that repeat the mistake and must change with it. They are not sides. Omitted if there are
    /// none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_at: Vec<String>,
    /// A suggested fix, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The rule or model that found it: `rule:<id>` or `model:<name>`.
    pub source: String,
}

/// What a finding is about: its source, sides and places. Findings before and after an edit are the same if their
/// subjects are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Subject<'f> {
    source: &'f str,
    field_name: &'f str,
    conflicts_with: &'f [String],
    places: Vec<&'f str>,
}

impl Finding {
    /// Returns whether `field` is one of the sides.
    pub fn touches(&self, field: &str) -> bool {
        self.field_name == field || self.conflicts_with.iter().any(|other| other == field)
    }

    /// Returns the fields of its sides.
    pub fn sides(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.field_name).chain(&self.conflicts_with).map(String::as_str)
    }

    /// Returns whether both are the same finding, before and after an edit. A model chooses its places anew each time,
    /// so its findings are compared by field.
    pub fn is_about_the_same_as(&self, other: &Finding) -> bool {
        self.subject() == other.subject() || self.source.starts_with("model:") && self.is_between_the_fields_of(other)
    }

    /// Returns whether both have one source and are between the same fields.
    pub fn is_between_the_fields_of(&self, other: &Finding) -> bool {
        self.source == other.source && self.pairs().eq(other.pairs())
    }

    /// Returns the pairs of fields that cannot both be true, whichever side each was named on.
    fn pairs(&self) -> impl Iterator<Item = (String, String)> {
        self.conflicts_with.iter().map(|other| {
            let (one, other) = (self.field_name.clone(), other.clone());
            if one <= other { (one, other) } else { (other, one) }
        })
    }

    /// Returns whether this shows everything that `other` shows, so that both say the same thing twice. A finding
    /// within one value is covered only by one about the same value alone.
    pub fn covers(&self, other: &Self) -> bool {
        let is_within_one =
            |it: &Self| it.evidence.windows(2).all(|two| matches!(two, [a, b] if a.field_path == b.field_path));
        let shows = |place: &Evidence| self.evidence.iter().any(|own| own.overlaps(place) || place.is_list_around(own));
        other.evidence.iter().all(shows) && (is_within_one(self) || !is_within_one(other))
    }

    /// Returns the subject of the finding, whatever its words.
    pub fn subject(&self) -> Subject<'_> {
        let places = self.evidence.iter().map(|evidence| evidence.field_path.as_str()).collect();
        Subject { source: &self.source, field_name: &self.field_name, conflicts_with: &self.conflicts_with, places }
    }
}

impl Evidence {
    /// Creates evidence at `path` with the text `quote`.
    pub fn new(path: &FieldPath, quote: impl Into<String>) -> Self {
        Self { field_path: path.to_string(), quote: Some(quote.into()), missing: false }
    }

    /// Creates evidence that something is missing from the list or field at `path`, or that its total differs.
    pub fn missing(path: &FieldPath) -> Self {
        Self { field_path: path.to_string(), quote: None, missing: true }
    }

    /// Returns whether both show the same words in the same place, or one shows more of them.
    pub fn overlaps(&self, other: &Self) -> bool {
        let says_the_same = match (&self.quote, &other.quote) {
            (Some(one), Some(other)) => one.contains(other.as_str()) || other.contains(one.as_str()),
            (one, other) => one == other,
        };
        self.field_path == other.field_path && says_the_same
    }

    /// Returns whether this says that something is missing from the list that contains the places of `other`.
    fn is_list_around(&self, other: &Self) -> bool {
        self.missing && FieldPath::parse(&self.field_path).is_prefix_of(&FieldPath::parse(&other.field_path))
    }
}

/// All findings in one content.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Sure enough to count: they decide the status.
    pub contradictions: Vec<Finding>,
    /// Not sure enough to count: shown, and nothing more.
    pub hints: Vec<Finding>,
    /// A rule or the language model failed: there may be more than was found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// The language model has not read the content yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pending: bool,
}

impl Findings {
    /// Returns whether detection is complete: every rule ran, and the language model, if there is one, has read the
    /// content.
    pub fn is_all(&self) -> bool {
        !self.incomplete && !self.pending
    }

    /// Returns the same findings when the language model will not read the content.
    #[must_use]
    pub fn unread(self) -> Self {
        Self { incomplete: self.incomplete || self.pending, pending: false, ..self }
    }

    /// Appends the language model's findings from `others`, except those that an existing finding already covers.
    #[must_use]
    pub fn joined(mut self, others: Findings) -> Self {
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
