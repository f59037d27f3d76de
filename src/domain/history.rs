//! The history of an investigation: a line of version records with side branches.
//!
//! A record knows its parent, the version it was made on. Undo goes to the parent; redo goes to the newest child of the
//! current version. A change after an undo starts a new branch; undone records are kept forever. A record is `undone`
//! exactly if it is not on the path from version 0 to the current version.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::change::{self, Change, Misfit};
use super::content::Content;
use super::id::ObjectId;
use super::investigation::Investigation;
use super::path::FieldPath;
use super::status::Status;
use super::time::Timestamp;

/// How a version record came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A person changed fields.
    Update,
    /// A contradiction was resolved.
    Resolve,
    /// Other fields were regenerated from one.
    Regenerate,
    /// The assistant changed fields in conversation.
    Converse,
    /// An earlier version was restored.
    Restore,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Update, Kind::Resolve, Kind::Regenerate, Kind::Converse, Kind::Restore];

    /// The name in responses and stores.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Update => "update",
            Kind::Resolve => "resolve",
            Kind::Regenerate => "regenerate",
            Kind::Converse => "converse",
            Kind::Restore => "restore",
        }
    }
}

/// One recorded change of an investigation's content, or of the status that a person set, or of both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionRecord {
    /// Its number: 1 for the first, then one more each.
    pub version: u64,
    /// The version that the change was made on.
    pub parent: u64,
    /// How it was made.
    pub kind: Kind,
    /// When.
    pub at: Timestamp,
    /// The user, if known.
    pub by: Option<ObjectId>,
    /// Whether the assistant made it.
    #[serde(rename = "withAI")]
    pub with_ai: bool,
    /// Whether the current content is without this change.
    pub undone: bool,
    /// The changes, leaf by leaf.
    pub changes: Vec<Change>,
}

impl VersionRecord {
    /// The names of the top-level fields that it changed, each once.
    pub fn fields(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        self.changes.iter().filter_map(|change| change.path.field()).filter(|field| seen.insert(*field)).collect()
    }
}

/// The field under which a record stores a change of the status, by the stored names of statuses.
pub const STATUS: &str = "status";

impl VersionRecord {
    /// The status before and after, if the record changed it.
    ///
    /// # Errors
    /// [`Misfit`] if the record names an unknown status.
    pub fn status(&self) -> Result<Option<(Status, Status)>, Misfit> {
        let Some(change) = self.changes.iter().find(|change| change.path.field() == Some(STATUS)) else {
            return Ok(None);
        };
        let status = |value: &Option<Value>| Status::from_stored(value.as_ref()?.as_str()?);
        match (change.path.segments().len(), status(&change.before), status(&change.after)) {
            (1, Some(before), Some(after)) => Ok(Some((before, after))),
            _ => Err(Misfit(change.path.clone())),
        }
    }

    /// The changes of the content, without the status.
    fn content_changes(&self) -> Result<Cow<'_, [Change]>, Misfit> {
        let of_content = |change: &&Change| change.path.field() != Some(STATUS);
        Ok(match self.status()? {
            None => Cow::Borrowed(&self.changes),
            Some(_) => Cow::Owned(self.changes.iter().filter(of_content).cloned().collect()),
        })
    }
}

/// A change for clients: statuses have their public names.
pub fn shown(change: &Change) -> FieldChange {
    let name = |value: &Option<Value>| match (value, change.path.field()) {
        (Some(Value::String(stored)), Some(STATUS)) => {
            Status::from_stored(stored).map(|status| Value::from(status.name()))
        }
        (value, _) => value.clone(),
    };
    FieldChange { before: name(&change.before), after: name(&change.after) }
}

/// Who changes an investigation, how and when.
#[derive(Debug, Clone, Copy)]
pub struct Act {
    /// The kind of change.
    pub kind: Kind,
    /// By whom.
    pub by: Option<ObjectId>,
    /// When.
    pub at: Timestamp,
}

impl Act {
    /// Whether the assistant makes the change.
    pub fn with_ai(self) -> bool {
        matches!(self.kind, Kind::Resolve | Kind::Regenerate | Kind::Converse)
    }
}

/// What a change does to the history.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing: the content stays at its version.
    Stay,
    /// Adds a record on top of the current version.
    Record(VersionRecord),
    /// Goes back to the parent of version `from`.
    Undo {
        /// The record that is undone.
        from: u64,
        /// The version after the step.
        to: u64,
        /// Whether the assistant made that version.
        with_ai: bool,
    },
    /// Forward to the record `to`.
    Redo {
        /// The record that is done again.
        to: u64,
        /// Whether the assistant made it.
        with_ai: bool,
    },
}

/// The step that records a change to `content`; [`Step::Stay`] if nothing differs.
pub fn record(investigation: &Investigation, content: &Content, act: Act) -> Step {
    record_with_status(investigation, content, investigation.status, act)
}

/// The same for a change that makes `status` of the status. One that is only computed is no change of the history: one of
/// the two was set by a person.
pub fn record_with_status(investigation: &Investigation, content: &Content, status: Status, act: Act) -> Step {
    let before = &investigation.content;
    let mut changes = if change::same_order(before, content) {
        change::diff_objects(before, content)
    } else {
        change::diff_objects(before, &in_order_of(before, content))
    };
    let old = investigation.status;
    if old != status && (old.is_set_by_hand() || status.is_set_by_hand()) {
        let (before, after) = (Some(old.stored().into()), Some(status.stored().into()));
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
    })
}

/// `content` with its top-level fields in the order of `current`, and new fields where they are: a different order of
/// top-level fields alone is not worth a record.
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

/// The content without the current record.
///
/// # Errors
/// [`Misfit`] if the record does not belong to this content.
pub fn undo(content: Content, record: &VersionRecord) -> Result<Content, Misfit> {
    object(change::revert(Value::Object(content), &record.content_changes()?)?)
}

/// The content with `record` on top.
///
/// # Errors
/// [`Misfit`] if the record does not belong to this content.
pub fn redo(content: Content, record: &VersionRecord) -> Result<Content, Misfit> {
    object(change::apply(Value::Object(content), &record.content_changes()?)?)
}

fn object(value: Value) -> Result<Content, Misfit> {
    match value {
        Value::Object(content) => Ok(content),
        _ => Err(Misfit(FieldPath::root())),
    }
}

/// What a record did to one field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldChange {
    /// The value before; `None` if there was none.
    pub before: Option<Value>,
    /// The value after; `None` if there was none.
    pub after: Option<Value>,
}

impl FieldChange {
    /// About how many bytes it takes as JSON.
    pub fn text_length(&self) -> usize {
        [&self.before, &self.after].into_iter().flatten().map(change::text_length).sum()
    }

    /// This, unless the value is the same before and after.
    pub fn if_any(self) -> Option<Self> {
        let unchanged = match (&self.before, &self.after) {
            (Some(before), Some(after)) => change::same(before, after),
            (before, after) => before.is_none() && after.is_none(),
        };
        (!unchanged).then_some(self)
    }
}

/// Which entries of a history are wanted, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// Only versions below this one.
    pub before: u64,
    /// Maximum number of entries.
    pub limit: u32,
}

impl Stretch {
    /// The newest.
    pub fn newest(limit: u32) -> Self {
        Self { before: i64::MAX as u64, limit }
    }
}
