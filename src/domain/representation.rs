//! How an investigation, its versions and its field history look in responses and in the chat.

use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::change::Change;
use super::history::{FieldChange, VersionRecord};
use super::id::ObjectId;
use super::investigation::Investigation;

/// An author as responses show it: names are null where nobody knows them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, ToSchema)]
pub struct Profile {
    /// The author's id; null where there is no author.
    #[schema(value_type = Option<String>)]
    pub id: Option<ObjectId>,
    /// The name.
    pub name: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// The address of a picture.
    pub avatar: Option<String>,
}

impl Profile {
    /// The profile of an author of whom nothing but the id is known.
    pub fn bare(id: Option<ObjectId>) -> Self {
        Self { id, ..Self::default() }
    }
}

/// The investigation as one JSON object: `_id`, then the content in the author's order, then what the service keeps.
pub fn investigation(investigation: &Investigation, author: &Profile) -> Value {
    // Destructured, so that a new field must be shown here or passed over on purpose.
    let Investigation {
        id,
        status,
        author: _,
        metadata_author,
        last_change_with_ai,
        findings,
        version,
        latest_version: _,
        revision,
        cloned_from,
        created_at,
        updated_at,
        content,
    } = investigation;
    let mut object = Map::with_capacity(content.len() + 12);
    object.insert("_id".into(), json!(id));
    object.extend(content.iter().map(|(field, value)| (field.clone(), value.clone())));
    let kept = [
        ("status", json!(status.name())),
        ("author", json!(author)),
        ("metadata", json!({ "author": metadata_author })),
        ("lastChangeWithAI", json!(last_change_with_ai)),
        ("contradictions", json!(findings.contradictions)),
        ("hints", json!(findings.hints)),
        ("version", json!(version)),
        ("revision", json!(revision)),
        ("clonedFrom", json!(cloned_from)),
        ("createdAt", json!(created_at)),
        ("updatedAt", json!(updated_at)),
    ];
    object.extend(kept.map(|(field, value)| (field.to_owned(), value)));
    Value::Object(object)
}

/// What a version record says of itself in responses.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordView {
    /// Its number.
    version: u64,
    /// What made it: `update`, `resolve`, `regenerate`, `converse` or `restore`.
    kind: &'static str,
    /// When.
    at: String,
    /// Who, where that is known.
    #[schema(value_type = Option<String>)]
    by: Option<ObjectId>,
    /// Whether the assistant made it.
    #[serde(rename = "withAI")]
    with_ai: bool,
    /// Whether the content now stands without it.
    undone: bool,
}

/// A version record in responses.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionView {
    #[serde(flatten)]
    record: RecordView,
    /// What changed, leaf by leaf.
    changes: Vec<ChangeView>,
}

/// One changed leaf in responses.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangeView {
    /// Where, dotted.
    field_path: String,
    /// The value before; left out where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Value>,
    /// The value after; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Value>,
}

/// An entry of a field's history in responses.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldHistoryView {
    #[serde(flatten)]
    record: RecordView,
    /// The value before; left out where there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Value>,
    /// The value after; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Value>,
}

impl RecordView {
    /// The view of a record, and its changes.
    fn of(record: VersionRecord) -> (Self, Vec<Change>) {
        let VersionRecord { version, parent: _, kind, at, by, with_ai, undone, changes } = record;
        (Self { version, kind: kind.name(), at: at.to_string(), by, with_ai, undone }, changes)
    }
}

impl From<VersionRecord> for VersionView {
    fn from(record: VersionRecord) -> Self {
        let (record, changes) = RecordView::of(record);
        let changes = changes.into_iter().map(|Change { path, before, after, position: _ }| ChangeView {
            field_path: path.to_string(),
            before,
            after,
        });
        Self { record, changes: changes.collect() }
    }
}

impl From<(VersionRecord, FieldChange)> for FieldHistoryView {
    fn from((record, FieldChange { before, after }): (VersionRecord, FieldChange)) -> Self {
        Self { record: RecordView::of(record).0, before, after }
    }
}
