//! Investigations, versions and field histories in the form in which responses and the chat contain them.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::change::Change;
use super::content::{self, Content};
use super::dismissal::Dismissal;
use super::finding::{Evidence, Finding};
use super::history::{FieldChange, VersionRecord};
use super::id::ObjectId;
use super::investigation::Investigation;
use super::list::ROW_FIELDS;
use super::named::Named;
use super::record::Kind;
use super::time::Timestamp;

/// An author in responses. Unknown parts are null.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Profile {
    /// The author's id; null if there is no author.
    pub id: Option<ObjectId>,
    /// The author's name.
    pub name: Option<String>,
    /// The author's e-mail address.
    pub email: Option<String>,
    /// The URL of a picture of the author.
    pub avatar: Option<String>,
}

impl Profile {
    /// Creates a profile with only the author's id.
    pub fn bare(id: Option<ObjectId>) -> Self {
        Self { id, ..Self::default() }
    }
}

/// An investigation and the profile of its author, which are serialized as one JSON object: `_id`, then the content
/// fields in the author's order, then the other system fields.
#[derive(Debug)]
pub struct Document<C: content::ContentFields = Content> {
    /// The investigation.
    pub investigation: Arc<Investigation<C>>,
    /// Profile of the author of the investigation.
    pub author: Profile,
}

impl<C: content::ContentFields> Serialize for Document<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.write(serializer, |_| true)
    }
}

/// A document in a list whose rows have only the fields in `fields` and in [`ROW_FIELDS`].
#[derive(Debug)]
pub struct DocumentRow<'d, C: content::ContentFields> {
    /// The whole document.
    pub document: &'d Document<C>,
    /// Names of the fields.
    pub fields: &'d BTreeSet<String>,
}

impl<C: content::ContentFields> Serialize for DocumentRow<'_, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.write(serializer, |name| self.fields.contains(name) || ROW_FIELDS.contains(&name))
    }
}

/// An object to which only the fields that `wanted` accepts are written.
struct Object<M, W> {
    map: M,
    wanted: W,
}

impl<M: SerializeMap, W: Fn(&str) -> bool> Object<M, W> {
    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<(), M::Error> {
        if (self.wanted)(name) { self.map.serialize_entry(name, value) } else { Ok(()) }
    }
}

/// The field `metadata`.
#[derive(Serialize)]
struct Metadata {
    author: Option<ObjectId>,
}

impl<C: content::ContentFields> Document<C> {
    /// Writes the fields that `wanted` accepts.
    fn write<S: Serializer>(&self, serializer: S, wanted: impl Fn(&str) -> bool) -> Result<S::Ok, S::Error> {
        // Destructured, so that the compiler reports a new field, which must be either serialized here or ignored
        // explicitly.
        let Investigation {
            id,
            status,
            author: _,
            editors,
            metadata_author,
            last_change_with_ai,
            findings,
            dismissals,
            version,
            latest_version: _,
            revision,
            cloned_from,
            created_at,
            updated_at,
            content,
        } = self.investigation.as_ref();
        let mut object = Object { map: serializer.serialize_map(None)?, wanted };
        object.field("_id", id)?;
        for (name, value) in content.fields() {
            object.field(name, value)?;
        }
        object.field("status", status.name())?;
        object.field("author", &self.author)?;
        if !editors.is_empty() {
            object.field("editors", editors)?;
        }
        object.field("metadata", &Metadata { author: *metadata_author })?;
        object.field("lastChangeWithAI", last_change_with_ai)?;
        object.field("contradictions", &findings.contradictions)?;
        object.field("hints", &findings.hints)?;
        let dismissed: Vec<_> = dismissals.iter().filter(|d| !d.dormant).map(DismissedView::from).collect();
        object.field("dismissed", &dismissed)?;
        for (flag, is_set) in
            [("contradictionsIncomplete", findings.incomplete), ("contradictionsPending", findings.pending)]
        {
            if is_set {
                object.field(flag, &true)?;
            }
        }
        object.field("version", version)?;
        object.field("revision", revision)?;
        object.field("clonedFrom", cloned_from)?;
        object.field("createdAt", created_at)?;
        object.field("updatedAt", updated_at)?;
        object.map.end()
    }
}

/// A dismissed finding in responses.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DismissedView<'d> {
    id: ObjectId,
    field_name: &'d str,
    conflicts_with: &'d [String],
    evidence: &'d [Evidence],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    also_at: &'d [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestion: Option<&'d str>,
    source: &'d str,
    finding_reason: &'d str,
    by: Option<ObjectId>,
    at: Timestamp,
    reason: Option<&'d str>,
}

impl<'d> From<&'d Dismissal> for DismissedView<'d> {
    fn from(dismissal: &'d Dismissal) -> Self {
        let Dismissal { id, finding, values: _, by, at, reason, dormant: _ } = dismissal;
        let Finding { field_name, conflicts_with, reason: finding_reason, evidence, also_at, suggestion, source } =
            finding;
        let suggestion = suggestion.as_deref();
        let (id, by, at, reason) = (*id, *by, *at, reason.as_deref());
        Self { id, field_name, conflicts_with, evidence, also_at, suggestion, source, finding_reason, by, at, reason }
    }
}

/// The fields that versions and entries of field histories have in common.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordView {
    version: u64,
    kind: Kind,
    at: Timestamp,
    by: Option<ObjectId>,
    #[serde(rename = "withAI")]
    with_ai: bool,
    undone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// A version record in responses.
#[derive(Debug, Serialize)]
pub struct VersionView {
    #[serde(flatten)]
    record: RecordView,
    changes: Vec<ChangeView>,
}

/// A changed leaf in responses.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeView {
    field_path: String,
    #[serde(flatten)]
    values: FieldChange,
}

/// An entry of a field's history in responses.
#[derive(Debug, Serialize)]
pub struct FieldHistoryView {
    #[serde(flatten)]
    record: RecordView,
    #[serde(flatten)]
    values: FieldChange,
}

impl RecordView {
    /// Returns the common fields of `record`, and its changes.
    fn of(record: VersionRecord) -> (Self, Vec<Change>) {
        let VersionRecord { version, parent: _, kind, at, by, with_ai, undone, changes, name } = record;
        (Self { version, kind, at, by, with_ai, undone, name }, changes)
    }
}

impl From<VersionRecord> for VersionView {
    fn from(record: VersionRecord) -> Self {
        let (record, changes) = RecordView::of(record);
        let changes = changes.into_iter().map(|change| {
            let Change { path, before, after, position: _ } = change;
            ChangeView { field_path: path.to_string(), values: FieldChange { before, after } }
        });
        Self { record, changes: changes.collect() }
    }
}

impl From<(VersionRecord, FieldChange)> for FieldHistoryView {
    fn from((record, values): (VersionRecord, FieldChange)) -> Self {
        Self { record: RecordView::of(record).0, values }
    }
}
