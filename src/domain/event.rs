//! What is told of a change to those who listen: which events come of it, and their form.
//!
//! An event is small and holds nothing that people wrote but names of fields: who wants to know more reads the investigation.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::change;
use super::content::Content;
use super::dismissal::Dismissal;
use super::finding::Findings;
use super::history::{Kind, Step};
use super::id::ObjectId;
use super::investigation::Investigation;
use super::status::Status;
use super::time::Timestamp;

/// Names of changed fields take at most so many bytes in an event; the rest is told as being more.
const MAX_FIELDS: usize = 256;

/// Names an event, and says what comes before it. Written as `evt_`, and its parts in hexadecimal, parted by `_`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// The transaction that stored it, where several may be under way at once; else 0.
    pub transaction: u64,
    /// Its number, of which a store gives each once.
    pub number: u64,
    /// When: so that the event of another store, or of one that was put back, is not taken for this one.
    pub at: Timestamp,
}

impl EventId {
    /// Comes before every event.
    pub const BEGINNING: EventId = EventId { transaction: 0, number: 0, at: Timestamp(0) };
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "evt_{:x}_{:x}_{:x}", self.transaction, self.number, self.at.0)
    }
}

/// A text that is no identifier of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the id of an event, as it was received")]
pub struct NotAnEventId;

impl FromStr for EventId {
    type Err = NotAnEventId;

    fn from_str(text: &str) -> Result<Self, NotAnEventId> {
        let mut parts = text.strip_prefix("evt_").ok_or(NotAnEventId)?.split('_');
        let mut part = || {
            let digits = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let number = digits.and_then(|digits| i64::from_str_radix(digits, 16).ok());
            number.ok_or(NotAnEventId)
        };
        let id = Self { transaction: part()?.unsigned_abs(), number: part()?.unsigned_abs(), at: Timestamp(part()?) };
        if parts.next().is_some() { Err(NotAnEventId) } else { Ok(id) }
    }
}

/// Something that happened to an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Its name and its time.
    pub id: EventId,
    /// The investigation.
    pub investigation_id: ObjectId,
    /// The revision that it has since then; of one that was deleted, its last.
    pub revision: u64,
    /// What happened.
    pub what: What,
}

/// What happened. Its JSON is what stores keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum What {
    /// It was created.
    Created {
        /// As a copy of this one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cloned_from: Option<ObjectId>,
    },
    /// Its content became another.
    Updated {
        /// By what.
        by: Cause,
        /// The version that it stands at now.
        version: u64,
        /// The top-level fields that are another now, or the first of them.
        fields: Vec<String>,
        /// Whether there are more of them.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// Its status became another.
    StatusChanged {
        /// What it was.
        from: Status,
        /// What it is.
        to: Status,
    },
    /// Contradictions were found that were not there before.
    ContradictionsFound {
        /// How many were not there before.
        count: usize,
        /// How many there are now.
        total: usize,
    },
    /// Processing that was pending is applied, whether it found something, nothing, or failed.
    Contradictions {
        /// How many contradictions there are now.
        total: usize,
        /// How many hints there are now.
        hints: usize,
        /// Whether a rule or the language model failed.
        incomplete: bool,
    },
    /// A finding was dismissed.
    FindingDismissed {
        /// By which dismissal.
        dismissal_id: ObjectId,
    },
    /// A dismissal was taken back, or made room for a newer one.
    DismissalRemoved {
        /// Which one.
        dismissal_id: ObjectId,
    },
    /// It was deleted.
    Deleted,
}

/// What makes content another.
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
    /// An earlier version was made the content again.
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

    /// What a step is caused by; `None` for one that changes no content.
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

impl What {
    /// The type of the event, as it is told.
    pub const fn name(&self) -> &'static str {
        match self {
            What::Created { .. } => "investigation.created",
            What::Updated { .. } => "investigation.updated",
            What::StatusChanged { .. } => "investigation.status_changed",
            What::ContradictionsFound { .. } => "investigation.contradictions_found",
            What::FindingDismissed { .. } => "investigation.finding_dismissed",
            What::DismissalRemoved { .. } => "investigation.dismissal_removed",
            What::Contradictions { .. } => "investigation.contradictions",
            What::Deleted => "investigation.deleted",
        }
    }
}

/// What comes of an investigation that is created.
pub fn of_creation(new: &Investigation) -> Vec<What> {
    let created = What::Created { cloned_from: new.cloned_from };
    std::iter::once(created).chain(found(&Findings::default(), &new.findings)).collect()
}

/// What comes of a change, in the order in which it is told. Where nothing is to be told, nothing.
pub fn of_change(before: &Investigation, step: &Step, after: &Investigation) -> Vec<What> {
    let updated = Cause::of(step).and_then(|by| {
        let (fields, more) = changed_fields(&before.content, &after.content);
        // A change of the status alone has an event of its own.
        (more || !fields.is_empty()).then_some(What::Updated { by, version: after.version, fields, more })
    });
    let moved =
        (before.status != after.status).then_some(What::StatusChanged { from: before.status, to: after.status });
    let dismissed = beyond(&after.dismissals, &before.dismissals).map(|id| What::FindingDismissed { dismissal_id: id });
    let removed = beyond(&before.dismissals, &after.dismissals).map(|id| What::DismissalRemoved { dismissal_id: id });
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
fn processed(before: &Findings, after: &Findings) -> Option<What> {
    let Findings { contradictions, hints, incomplete, pending } = after;
    let (total, hints, incomplete) = (contradictions.len(), hints.len(), *incomplete);
    (before.pending && !pending).then_some(What::Contradictions { total, hints, incomplete })
}

/// Contradictions that were not there before. One that only has other words now is no news.
fn found(before: &Findings, after: &Findings) -> Option<What> {
    let (old, now) = (&before.contradictions, &after.contradictions);
    let count = now.iter().filter(|new| !old.iter().any(|known| known.is_about_the_same_as(new))).count();
    (count > 0).then_some(What::ContradictionsFound { count, total: now.len() })
}

/// The top-level fields that differ, as many as an event holds, and whether there are more.
fn changed_fields(before: &Content, after: &Content) -> (Vec<String>, bool) {
    let new = after.keys().filter(|field| !before.contains_key(*field));
    let differs = |field: &&String| match (before.get(*field), after.get(*field)) {
        (Some(before), Some(after)) => !change::same(before, after),
        _ => true,
    };
    let mut left = MAX_FIELDS;
    let (mut fields, mut more) = (Vec::new(), false);
    for field in before.keys().chain(new).filter(differs) {
        // As JSON it stands between quotes, with a comma.
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

/// Of the oldest events that are kept, in their order, the one up to which the others may go: all that is younger than
/// `over` stays, and the last one before, so that who has seen that one is known to have missed nothing.
pub fn first_to_keep(oldest: &[EventId], over: Timestamp) -> Option<EventId> {
    let old = oldest.iter().take_while(|event| event.at < over);
    old.skip(1).last().copied()
}

/// An event as it is told. Which fields it has beside the first five depends on its type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Event)]
pub struct Told {
    /// Names the event; the same whenever it is sent again.
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
    /// Created: the investigation that it was cloned from, where it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    cloned_from: Option<ObjectId>,
    /// Updated: `update`, `resolve`, `regenerate`, `converse`, `restore`, `undo` or `redo`.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    /// Updated: the version that the content stands at now.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// Updated: the top-level fields that are another now; where these are very many, the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    changed_fields: Option<Vec<String>>,
    /// Updated: true where more fields changed than are named.
    #[serde(skip_serializing_if = "Option::is_none")]
    more_fields: Option<bool>,
    /// Status changed: what it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<&'static str>,
    /// Status changed: what it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<&'static str>,
    /// Contradictions found: how many that were not there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Contradictions found, and contradictions: how many there are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    /// Finding dismissed, dismissal removed: the dismissal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    dismissal_id: Option<ObjectId>,
    /// Contradictions: how many hints there are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    hints: Option<usize>,
    /// Contradictions: whether a rule or the language model failed, so that there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<bool>,
}

impl Event {
    /// The event in the form in which it is told.
    pub fn told(&self) -> Told {
        let Event { id, investigation_id, revision, what } = self;
        let mut told = Told {
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
            What::Created { cloned_from } => told.cloned_from = *cloned_from,
            What::Updated { by, version, fields, more } => {
                (told.by, told.version) = (Some(by.name()), Some(*version));
                (told.changed_fields, told.more_fields) = (Some(fields.clone()), more.then_some(true));
            }
            What::StatusChanged { from, to } => (told.from, told.to) = (Some(from.name()), Some(to.name())),
            What::ContradictionsFound { count, total } => (told.count, told.total) = (Some(*count), Some(*total)),
            What::Contradictions { total, hints, incomplete } => {
                (told.total, told.hints, told.incomplete) = (Some(*total), Some(*hints), Some(*incomplete));
            }
            What::FindingDismissed { dismissal_id } | What::DismissalRemoved { dismissal_id } => {
                told.dismissal_id = Some(*dismissal_id);
            }
            What::Deleted => {}
        }
        told
    }
}
