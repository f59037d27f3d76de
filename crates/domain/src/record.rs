//! Version records, which say who changed what, when and how, and the effect of a change on the history.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::change::{Change, ChangeError};
use super::id::ObjectId;
use super::schema::Violation;
use super::status::Status;
use super::time::Timestamp;

/// The kind of operation that created a version record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// A person changed fields.
    Update,
    /// A contradiction was resolved.
    Resolve,
    /// The assistant changed the other fields so that they fit one field.
    Regenerate,
    /// The assistant changed fields in conversation.
    Converse,
    /// An earlier version was restored.
    Restore,
}

/// One recorded change to an investigation: to its content, to a status that a person sets, or to both.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VersionRecord {
    /// Version number, counted from 1.
    pub version: u64,
    /// The version that the change is based on.
    pub parent: u64,
    /// The kind of operation.
    pub kind: Kind,
    /// Time of the change.
    pub at: Timestamp,
    /// The user who made the change, if known.
    pub by: Option<ObjectId>,
    /// Whether the assistant made the change.
    #[serde(rename = "withAI")]
    pub with_ai: bool,
    /// Whether this change is undone, so that the current content does not include it.
    pub undone: bool,
    /// The changes, leaf by leaf.
    pub changes: Vec<Change>,
    /// The name that a person gave to the version, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Name of the field under which a record stores a change of the status.
pub const STATUS: &str = "status";

impl VersionRecord {
    /// Returns the approximate size of the changed values as JSON, in bytes.
    pub fn bytes(&self) -> usize {
        self.changes.iter().map(Change::bytes).sum()
    }

    /// Returns the names of the changed top-level fields, each once.
    pub fn fields(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        self.changes.iter().filter_map(|change| change.path.field()).filter(|field| seen.insert(*field)).collect()
    }

    /// Returns the status before and after the change; `None` if the record does not change the status.
    ///
    /// # Errors
    /// [`ChangeError`] if the record names an unknown status.
    pub fn status(&self) -> Result<Option<(Status, Status)>, ChangeError> {
        let Some(change) = self.changes.iter().find(|change| change.path.field() == Some(STATUS)) else {
            return Ok(None);
        };
        let status = |value: &Option<Value>| value.as_ref()?.as_str()?.parse::<Status>().ok();
        match (change.path.segments().len(), status(&change.before), status(&change.after)) {
            (1, Some(before), Some(after)) => Ok(Some((before, after))),
            _ => Err(ChangeError(change.path.clone())),
        }
    }

    /// Returns the changes of the content, without the change of the status.
    pub(super) fn content_changes(&self) -> Result<Cow<'_, [Change]>, ChangeError> {
        let of_content = |change: &&Change| change.path.field() != Some(STATUS);
        Ok(match self.status()? {
            None => Cow::Borrowed(&self.changes),
            Some(_) => Cow::Owned(self.changes.iter().filter(of_content).cloned().collect()),
        })
    }
}

/// Maximum length of the name of a version, in characters.
pub const MAX_NAME: usize = 100;

/// Returns what is wrong with the name of a version, as a phrase that follows "name"; `None` if the name is valid.
pub fn name_fault(name: &str) -> Option<String> {
    let is_valid = name == name.trim() && (1..=MAX_NAME).contains(&name.chars().count());
    (!is_valid || name.contains(char::is_control))
        .then(|| format!("must have 1 to {MAX_NAME} characters in one line, without spaces around them"))
}

/// Reads the body of a request to name a version. Returns the trimmed name; `None` to remove the name.
pub fn read_name(body: &Map<String, Value>) -> Result<Option<String>, Vec<Violation>> {
    let unknown = body.keys().filter(|field| *field != "name");
    let mut violations: Vec<_> =
        unknown.map(|field| Violation::new(field, "is not a field of a version that can be changed")).collect();
    let name = match body.get("name") {
        Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.trim().to_owned()),
        _ => {
            violations.push(Violation::new("name", "must be given, as a string or null"));
            None
        }
    };
    violations.extend(name.as_deref().and_then(name_fault).map(|fault| Violation::new("name", fault)));
    if violations.is_empty() { Ok(name) } else { Err(violations) }
}

/// User, kind and time of a change.
#[derive(Debug, Clone, Copy)]
pub struct Act {
    /// The kind of change.
    pub kind: Kind,
    /// The user who makes the change, if known.
    pub by: Option<ObjectId>,
    /// Time of the change.
    pub at: Timestamp,
}

impl Act {
    /// Returns whether the assistant makes the change.
    pub fn with_ai(self) -> bool {
        matches!(self.kind, Kind::Resolve | Kind::Regenerate | Kind::Converse)
    }
}

/// Effect of a change on the history.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// The current version stays the same.
    Stay,
    /// Adds a record whose parent is the current version.
    Record(VersionRecord),
    /// Goes back to the parent of version `from`.
    Undo {
        /// Version of the record that is undone.
        from: u64,
        /// The version after the step.
        to: u64,
        /// Whether the assistant made the change that created the version `to`.
        with_ai: bool,
    },
    /// Goes forward to the version `to`, whose parent is the current version.
    Redo {
        /// Version of the record that is redone.
        to: u64,
        /// Whether the assistant made the change that is redone.
        with_ai: bool,
    },
    /// Names a version, or removes its name. The current version stays the same.
    Name {
        /// The version to name.
        version: u64,
        /// The new name, if any.
        name: Option<String>,
    },
}
