//! What was found to contradict itself: two or more fields that cannot all be true, and why.

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
