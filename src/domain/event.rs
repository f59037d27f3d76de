//! Events: what a change tells listeners, and in which form.
//!
//! An event is small. Of what people wrote it contains only names of fields; listeners read the investigation for the
//! rest.

use super::change;
use super::content::Content;
use super::dismissal::Dismissal;
pub use super::event_id::{EventId, NotAnEventId, first_to_keep};
use super::finding::Findings;
use super::history::{Kind, Step};
use super::id::ObjectId;
use super::investigation::Investigation;
use super::status::Status;
use super::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum bytes of changed field names in an event; further names are only counted as more.
const MAX_FIELDS: usize = 256;

/// Something that happened to an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Id of the event; contains its time.
    pub id: EventId,
    /// The investigation.
    pub investigation_id: ObjectId,
    /// The revision that it has since then; of one that was deleted, its last.
    pub revision: u64,
    /// What happened.
    pub what: EventKind,
}

/// What happened. Stores keep it as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// The investigation was created.
    Created {
        /// The investigation that it was copied from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cloned_from: Option<ObjectId>,
    },
    /// The content changed.
    Updated {
        /// The cause of the change.
        by: Cause,
        /// The current version.
        version: u64,
        /// The changed top-level fields, or the first of them.
        fields: Vec<String>,
        /// Whether more fields changed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// The status changed.
    StatusChanged {
        /// The status before.
        from: Status,
        /// The status now.
        to: Status,
    },
    /// Contradictions were found that were not there before.
    ContradictionsFound {
        /// Number of new contradictions.
        count: usize,
        /// Number of contradictions now.
        total: usize,
    },
    /// Processing that was pending is applied, whether it found something, nothing, or failed.
    Contradictions {
        /// Number of contradictions now.
        total: usize,
        /// Number of hints now.
        hints: usize,
        /// Whether a rule or the language model failed.
        incomplete: bool,
    },
    /// A finding was dismissed.
    FindingDismissed {
        /// Id of the new dismissal.
        dismissal_id: ObjectId,
    },
    /// A dismissal was removed, or replaced by a newer one.
    DismissalRemoved {
        /// Id of the removed dismissal.
        dismissal_id: ObjectId,
    },
    /// The investigation was deleted.
    Deleted,
}

/// Causes of a change of the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
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
    /// A change was undone.
    Undo,
    /// An undone change was done again.
    Redo,
}

impl Cause {
    /// The name in events.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Update => "update",
            Cause::Resolve => "resolve",
            Cause::Regenerate => "regenerate",
            Cause::Converse => "converse",
            Cause::Restore => "restore",
            Cause::Undo => "undo",
            Cause::Redo => "redo",
        }
    }

    /// The cause of a step; `None` if the step does not change the content.
    fn of(step: &Step) -> Option<Self> {
        Some(match step {
            Step::Stay => return None,
            Step::Undo { .. } => Cause::Undo,
            Step::Redo { .. } => Cause::Redo,
            Step::Record(record) => match record.kind {
                Kind::Update => Cause::Update,
                Kind::Resolve => Cause::Resolve,
                Kind::Regenerate => Cause::Regenerate,
                Kind::Converse => Cause::Converse,
                Kind::Restore => Cause::Restore,
            },
        })
    }
}

impl EventKind {
    /// The type of the event for clients.
    pub const fn name(&self) -> &'static str {
        match self {
            EventKind::Created { .. } => "investigation.created",
            EventKind::Updated { .. } => "investigation.updated",
            EventKind::StatusChanged { .. } => "investigation.status_changed",
            EventKind::ContradictionsFound { .. } => "investigation.contradictions_found",
            EventKind::FindingDismissed { .. } => "investigation.finding_dismissed",
            EventKind::DismissalRemoved { .. } => "investigation.dismissal_removed",
            EventKind::Contradictions { .. } => "investigation.contradictions",
            EventKind::Deleted => "investigation.deleted",
        }
    }
}

/// The events of a creation.
pub fn of_creation(new: &Investigation) -> Vec<EventKind> {
    let created = EventKind::Created { cloned_from: new.cloned_from };
    std::iter::once(created).chain(found(&Findings::default(), &new.findings)).collect()
}

/// The events of a change, in order.
pub fn of_change(before: &Investigation, step: &Step, after: &Investigation) -> Vec<EventKind> {
    let updated = Cause::of(step).and_then(|by| {
        let (fields, more) = changed_fields(&before.content, &after.content);
        // A change of the status alone has an event of its own.
        (more || !fields.is_empty()).then_some(EventKind::Updated { by, version: after.version, fields, more })
    });
    let moved =
        (before.status != after.status).then_some(EventKind::StatusChanged { from: before.status, to: after.status });
    let dismissed =
        beyond(&after.dismissals, &before.dismissals).map(|id| EventKind::FindingDismissed { dismissal_id: id });
    let removed =
        beyond(&before.dismissals, &after.dismissals).map(|id| EventKind::DismissalRemoved { dismissal_id: id });
    let found = found(&before.findings, &after.findings);
    let processed = processed(&before.findings, &after.findings);
    let found = found.into_iter().chain(processed);
    updated.into_iter().chain(dismissed).chain(removed).chain(moved).chain(found).collect()
}

/// The dismissals that only the first list has.
fn beyond(these: &[Dismissal], others: &[Dismissal]) -> impl Iterator<Item = ObjectId> {
    these.iter().map(|dismissal| dismissal.id).filter(|id| !others.iter().any(|other| other.id == *id))
}

/// Processing that was pending and is not any more.
fn processed(before: &Findings, after: &Findings) -> Option<EventKind> {
    let Findings { contradictions, hints, incomplete, pending } = after;
    let (total, hints, incomplete) = (contradictions.len(), hints.len(), *incomplete);
    (before.pending && !pending).then_some(EventKind::Contradictions { total, hints, incomplete })
}

/// The event for new contradictions, if any. A contradiction that is only worded differently is not new.
fn found(before: &Findings, after: &Findings) -> Option<EventKind> {
    let (old, now) = (&before.contradictions, &after.contradictions);
    let count = now.iter().filter(|new| !old.iter().any(|known| known.is_about_the_same_as(new))).count();
    (count > 0).then_some(EventKind::ContradictionsFound { count, total: now.len() })
}

/// The top-level fields that differ, as many as fit into an event, and whether there are more.
fn changed_fields(before: &Content, after: &Content) -> (Vec<String>, bool) {
    let new = after.keys().filter(|field| !before.contains_key(*field));
    let differs = |field: &&String| match (before.get(*field), after.get(*field)) {
        (Some(before), Some(after)) => !change::same(before, after),
        _ => true,
    };
    let mut left = MAX_FIELDS;
    let (mut fields, mut more) = (Vec::new(), false);
    for field in before.keys().chain(new).filter(differs) {
        // In JSON each name has two quotes and a comma.
        match left.checked_sub(field.len() + 3) {
            Some(rest) => {
                left = rest;
                fields.push(field.clone());
            }
            None => more = true,
        }
    }
    (fields, more)
}

/// An event for clients. Its type decides which fields follow the first five.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Event)]
pub struct EventView {
    /// Identifies the event; the same if it is sent again.
    id: String,
    /// `investigation.created`, `investigation.updated`, `investigation.status_changed`, `investigation.contradictions_found`,
    /// `investigation.contradictions`, `investigation.finding_dismissed`, `investigation.dismissal_removed` or `investigation.deleted`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The investigation that it happened to.
    #[schema(value_type = String)]
    investigation_id: ObjectId,
    /// The revision that the investigation has since then; of one that was deleted, its last.
    revision: u64,
    /// Created: the source, if it is a clone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    cloned_from: Option<ObjectId>,
    /// Updated: `update`, `resolve`, `regenerate`, `converse`, `restore`, `undo` or `redo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    /// Updated: the current version.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// Updated: the changed top-level fields, or the first of them if there are very many.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_fields: Option<Vec<String>>,
    /// Updated: true if more fields changed than are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_fields: Option<bool>,
    /// Status changed: the status before.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    /// Status changed: the status now.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    /// Contradictions found: how many that were not there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Contradictions found, and contradictions: the number of contradictions now.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Finding dismissed, dismissal removed: the dismissal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    dismissal_id: Option<ObjectId>,
    /// Contradictions: the number of hints now.
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<usize>,
    /// Contradictions: whether a rule or the language model failed, so that there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<bool>,
}

impl Event {
    /// The event for clients.
    pub fn told(&self) -> EventView {
        let Event { id, investigation_id, revision, what } = self;
        let mut told = EventView {
            id: id.to_string(),
            kind: what.name(),
            at: id.at,
            investigation_id: *investigation_id,
            revision: *revision,
            cloned_from: None,
            by: None,
            version: None,
            changed_fields: None,
            more_fields: None,
            from: None,
            to: None,
            count: None,
            total: None,
            dismissal_id: None,
            hints: None,
            incomplete: None,
        };
        match what {
            EventKind::Created { cloned_from } => told.cloned_from = *cloned_from,
            EventKind::Updated { by, version, fields, more } => {
                (told.by, told.version) = (Some(by.name()), Some(*version));
                (told.changed_fields, told.more_fields) = (Some(fields.clone()), more.then_some(true));
            }
            EventKind::StatusChanged { from, to } => (told.from, told.to) = (Some(from.name()), Some(to.name())),
            EventKind::ContradictionsFound { count, total } => (told.count, told.total) = (Some(*count), Some(*total)),
            EventKind::Contradictions { total, hints, incomplete } => {
                (told.total, told.hints, told.incomplete) = (Some(*total), Some(*hints), Some(*incomplete));
            }
            EventKind::FindingDismissed { dismissal_id } | EventKind::DismissalRemoved { dismissal_id } => {
                told.dismissal_id = Some(*dismissal_id);
            }
            EventKind::Deleted => {}
        }
        told
    }
}
