//! The history of an investigation: a tree of version records. The current line is the path from version 0 to the
//! current version.
//!
//! Each record names its parent, the version that the change was based on. Undo goes back to the parent, and redo goes
//! to the newest child of the current version. A change after an undo starts a new branch. Undone records are never
//! deleted. A record is `undone` if and only if it is not on the current line.

use serde::Serialize;
use serde_json::Value;

use super::change::{self, Change, ChangeError};
use super::content::{self, Content};
use super::investigation::Investigation;
use super::named::Named;
use super::path::FieldPath;
use super::record::STATUS;
pub use super::record::{Act, Kind, MAX_NAME, Step, VersionRecord, name_fault, read_name};
use super::status::Status;

/// Returns the step for a change of the content to `content`: a new record, or [`Step::Stay`] if nothing changed.
pub fn record(investigation: &Investigation, content: &Content, act: Act) -> Step {
    record_with_status(investigation, content, investigation.status, act)
}

/// Works like [`record`]. Also records a change to `status`, if the old or the new status is one that a person sets.
pub fn record_with_status(investigation: &Investigation, content: &Content, status: Status, act: Act) -> Step {
    let before = &investigation.content;
    let mut changes = if change::same_order(before, content) {
        change::diff_objects(before, content)
    } else {
        change::diff_objects(before, &in_order_of(before, content))
    };
    let old = investigation.status;
    if old != status && (old.is_set_by_hand() || status.is_set_by_hand()) {
        let (before, after) = (Some(old.name().into()), Some(status.name().into()));
        changes.push(Change { path: FieldPath::root().child(STATUS), before, after, position: None });
    }
    if changes.is_empty() {
        return Step::Stay;
    }
    Step::Record(VersionRecord {
        version: investigation.latest_version + 1,
        parent: investigation.version,
        kind: act.kind,
        at: act.at,
        by: act.by,
        with_ai: act.with_ai(),
        undone: false,
        changes,
        name: None,
    })
}

/// Returns `content` with its fields in the order of `current`, so that a different order of fields is not recorded as
/// a change. Fields that `current` does not have keep their positions.
pub fn in_order_of(current: &Content, content: &Content) -> Content {
    let mut kept = current.keys().filter(|field| content.contains_key(*field));
    content
        .iter()
        .filter_map(|(field, value)| {
            if !current.contains_key(field) {
                return Some((field.clone(), value.clone()));
            }
            let next = kept.next()?;
            content.get(next).map(|value| (next.clone(), value.clone()))
        })
        .collect()
}

/// Reverts the changes of a record.
pub fn undo(content: Content, record: &VersionRecord) -> Result<Content, ChangeError> {
    object(change::revert(Value::Object(content), &record.content_changes()?)?)
}

/// Applies the changes of a record.
pub fn redo(content: Content, record: &VersionRecord) -> Result<Content, ChangeError> {
    object(change::apply(Value::Object(content), &record.content_changes()?)?)
}

fn object(value: Value) -> Result<Content, ChangeError> {
    match value {
        Value::Object(content) => Ok(content),
        _ => Err(ChangeError(FieldPath::root())),
    }
}

/// A value before and after the changes of one version record.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldChange {
    /// Value before the change; `None` if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// Value after the change; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

impl FieldChange {
    /// Returns the approximate total size of `before` and `after` as JSON, in bytes.
    pub fn bytes(&self) -> usize {
        [&self.before, &self.after].into_iter().flatten().map(content::bytes_of).sum()
    }

    /// Returns this change; `None` if the values before and after are equal.
    pub fn if_any(self) -> Option<Self> {
        let unchanged = match (&self.before, &self.after) {
            (Some(before), Some(after)) => change::same(before, after),
            (before, after) => before.is_none() && after.is_none(),
        };
        (!unchanged).then_some(self)
    }
}

/// Selects entries of a history, which is listed newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryRange {
    /// Only versions with a number below this are listed.
    pub before: u64,
    /// Maximum number of entries.
    pub limit: u32,
}

impl HistoryRange {
    /// Returns the range of the newest entries.
    pub fn newest(limit: u32) -> Self {
        Self { before: i64::MAX as u64, limit }
    }
}
