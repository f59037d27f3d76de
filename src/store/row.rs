//! The database row of an investigation. It is computed before the transaction begins, and is the same on every
//! backend.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::StoreError;
use crate::domain::change::ChangeError;
use crate::domain::dismissal::Dismissal;
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::list::SortBy;
use crate::domain::search;
use crate::domain::sort_keys::{self, SortKeys};

/// Number of version records after which the next full copy of the content is stored. Rebuilding a version applies
/// fewer records than this number. Because full copies are rare, small edits of a large document take little space on
/// average.
pub const RECORDS_PER_COPY: i32 = 128;

#[derive(Debug, Clone, PartialEq)]
pub struct InvestigationRow {
    pub investigation: Arc<Investigation>,
    pub keys: SortKeys,
    /// Curriculum without surrounding white space, for filters; `None` if the content has none.
    pub curriculum: Option<String>,
    /// Grade without surrounding white space, for filters; `None` if the content has none.
    pub grade: Option<String>,
    /// Title in a form that ignores case and accents, for filters; `None` if the content has none.
    pub title: Option<String>,
    /// Findings, dismissals and editors of the investigation, as JSON.
    pub findings: String,
    pub content: String,
    /// Search words, each once, separated by spaces.
    pub words: String,
}

impl InvestigationRow {
    /// Creates the row of an investigation, including its sort keys and search words.
    pub fn of(investigation: impl Into<Arc<Investigation>>) -> Result<Self, StoreError> {
        let investigation = investigation.into();
        let Investigation { content, findings, dismissals, editors, .. } = &*investigation;
        Ok(Self {
            keys: SortKeys::of(content),
            curriculum: sort_keys::text_of(content, "curriculum").map(Cow::into_owned),
            grade: sort_keys::text_of(content, "grade").map(Cow::into_owned),
            title: sort_keys::text_of(content, "title").map(|title| search::fold(&title)),
            findings: to_json(&FindingsColumn { findings, dismissals, editors })?,
            content: to_json(content)?,
            words: search::index_words(content),
            investigation,
        })
    }
}

/// The JSON object in the column `findings`.
#[derive(Serialize)]
struct FindingsColumn<'i> {
    #[serde(flatten)]
    findings: &'i Findings,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    dismissals: &'i [Dismissal],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    editors: &'i [ObjectId],
}

/// The column `findings`, as it is read.
#[derive(Deserialize)]
pub struct StoredFindings<L> {
    pub contradictions: L,
    pub hints: L,
    #[serde(default)]
    pub incomplete: bool,
    #[serde(default)]
    pub pending: bool,
    /// Dismissals, oldest first.
    #[serde(default)]
    pub dismissals: Vec<Dismissal>,
    /// Editors, in the order in which the author named them.
    #[serde(default)]
    pub editors: Vec<ObjectId>,
}

/// Returns the column by which a list is sorted, such as `i.title_key`. In queries, `i` is the table `investigation`.
pub fn column(sort_by: SortBy) -> &'static str {
    match sort_by {
        SortBy::CreatedAt => "i.created_at",
        SortBy::UpdatedAt => "i.updated_at",
        SortBy::Title => "i.title_key",
        SortBy::Grade => "i.grade_key",
        SortBy::Curriculum => "i.curriculum_key",
        SortBy::Status => "i.status",
    }
}

pub fn to_json(value: &impl Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Failed(error.to_string()))
}

impl From<ChangeError> for StoreError {
    /// Converts the error that the changes of a version record do not match the content, which means that the store is
    /// damaged.
    fn from(error: ChangeError) -> Self {
        StoreError::damaged(&error)
    }
}
