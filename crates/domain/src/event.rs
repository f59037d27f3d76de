//! Events, which tell listeners what changed.
//!
//! An event is small. It contains names of fields, but no content that people wrote. Listeners read the investigation
//! to get the content.

use super::change;
use super::content::Content;
use super::dismissal::Dismissal;
pub use super::event_id::{EventId, EventIdError, first_to_keep};
use super::finding::Findings;
use super::history::{Kind, Step};
use super::id::ObjectId;
use super::investigation::Investigation;
use super::status::Status;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Serialize, Serializer};
use strum::{IntoStaticStr, VariantNames};

/// Maximum total size of the changed field names in one event, in bytes. If names are omitted, `more` is true.
const MAX_FIELDS: usize = 256;

/// Something that happened to an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Id of the event. The id contains the time of the event.
    pub id: EventId,
    /// The investigation.
    pub investigation_id: ObjectId,
    /// The revision of the investigation after the event; for a deleted investigation, its last revision.
    pub revision: u64,
    /// What happened.
    pub what: EventKind,
}

impl Serialize for Event {
    /// Serializes the event as clients receive it: the members that every event has, and then those of its type.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Event { id, investigation_id, revision, what } = self;
        let stored = serde_json::to_value(what).map_err(S::Error::custom)?;
        let mut event = serializer.serialize_map(None)?;
        event.serialize_entry("id", &id.to_string())?;
        event.serialize_entry("type", what.name())?;
        event.serialize_entry("at", &id.at)?;
        event.serialize_entry("investigationId", investigation_id)?;
        event.serialize_entry("revision", revision)?;
        // Leaves out the stored type, such as `created`, because clients get the type `investigation.created` instead.
        for (name, value) in stored.as_object().into_iter().flatten().filter(|(name, _)| *name != "type") {
            event.serialize_entry(name, value)?;
        }
        event.end()
    }
}

/// What happened. It is stored as JSON, with a short type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantNames)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum EventKind {
    /// The investigation was created.
    #[strum(serialize = "investigation.created")]
    Created {
        /// The investigation that the new one was cloned from; `None` if the new one is not a clone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cloned_from: Option<ObjectId>,
    },
    /// The content changed.
    #[strum(serialize = "investigation.updated")]
    Updated {
        /// The cause of the change.
        by: Cause,
        /// The version after the change.
        version: u64,
        /// Names of changed top-level fields. If `more` is true, these are only the names that fit into the event.
        #[serde(rename = "changedFields")]
        fields: Vec<String>,
        /// Whether `fields` is incomplete, because not all names fit into the event.
        #[serde(rename = "moreFields", default, skip_serializing_if = "std::ops::Not::not")]
        more: bool,
    },
    /// The status changed.
    #[strum(serialize = "investigation.status_changed")]
    StatusChanged {
        /// The status before the change.
        from: Status,
        /// The status after the change.
        to: Status,
    },
    /// The change introduced contradictions.
    #[strum(serialize = "investigation.contradictions_found")]
    ContradictionsFound {
        /// Number of new contradictions.
        count: usize,
        /// Number of contradictions after the change.
        total: usize,
    },
    /// A finding was dismissed.
    #[strum(serialize = "investigation.finding_dismissed")]
    FindingDismissed {
        /// Id of the new dismissal.
        dismissal_id: ObjectId,
    },
    /// A dismissal was removed, either by an author or to make room for a new one.
    #[strum(serialize = "investigation.dismissal_removed")]
    DismissalRemoved {
        /// Id of the removed dismissal.
        dismissal_id: ObjectId,
    },
    /// A pending check by the language model has ended, successfully or not.
    #[strum(serialize = "investigation.contradictions")]
    Contradictions {
        /// Number of contradictions after the change.
        total: usize,
        /// Number of hints after the change.
        hints: usize,
        /// Whether a rule or the language model failed.
        incomplete: bool,
    },
    /// A version got another name, or lost its name.
    #[strum(serialize = "investigation.version_named")]
    VersionNamed {
        /// The version.
        version: u64,
    },
    /// An update set the author of an investigation without one: `metadata.author`, or else the user who made the
    /// update.
    #[strum(serialize = "investigation.author_set")]
    AuthorSet {
        /// The new author.
        author: ObjectId,
    },
    /// The list of editors changed.
    #[strum(serialize = "investigation.editors_changed")]
    EditorsChanged {
        /// The editors after the change.
        editors: Vec<ObjectId>,
    },
    /// A picture was removed from the content and from all versions.
    #[strum(serialize = "investigation.picture_removed")]
    PictureRemoved {
        /// Id of the picture.
        picture_id: String,
    },
    /// The investigation was deleted.
    #[strum(serialize = "investigation.deleted")]
    Deleted {
        /// Whether the deletion is permanent. Otherwise the investigation is in the trash.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        permanently: bool,
    },
    /// The investigation was restored after it had been deleted.
    #[strum(serialize = "investigation.undeleted")]
    Undeleted,
    /// A link to the investigation was created.
    #[strum(serialize = "link.created")]
    LinkCreated(LinkName),
    /// A link was changed.
    #[strum(serialize = "link.changed")]
    LinkChanged {
        /// Names of the changed properties of the link, such as `maxVisits`.
        #[serde(rename = "changedFields")]
        fields: Vec<String>,
        /// The link.
        #[serde(flatten)]
        link: LinkName,
    },
    /// A link was closed: it was archived or deleted, it reached its visit limit, or it got a visit limit or an expiry
    /// time that was already reached.
    #[strum(serialize = "link.closed")]
    LinkClosed(LinkName),
    /// Number of visits of a link on one day. The event is created at the first visit on a later day.
    #[strum(serialize = "link.visits")]
    LinkVisits {
        /// Number of visits on that day.
        count: u64,
        /// The link.
        #[serde(flatten)]
        link: LinkName,
        /// The day in UTC, `YYYY-MM-DD`.
        day: String,
    },
}

/// The address of a link.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LinkName {
    /// The first part of the link's address.
    pub key: String,
    /// The second part of the link's address.
    pub sub_link: String,
}

/// Causes of a change to the content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
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
    /// A change was undone.
    Undo,
    /// An undone change was redone.
    Redo,
}

impl Cause {
    /// Returns the cause of a step in the history; `None` if the step cannot change the content.
    fn of(step: &Step) -> Option<Self> {
        Some(match step {
            Step::Stay | Step::Name { .. } => return None,
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
    /// Returns the type of the event as clients see it, such as `investigation.created`.
    pub fn name(&self) -> &'static str {
        self.into()
    }
}

/// Returns the events for a new investigation.
pub fn of_creation(new: &Investigation) -> Vec<EventKind> {
    let created = EventKind::Created { cloned_from: new.cloned_from };
    let editors = (!new.editors.is_empty()).then(|| EventKind::EditorsChanged { editors: new.editors.clone() });
    std::iter::once(created).chain(editors).chain(found(&Findings::default(), &new.findings)).collect()
}

/// Returns the events of a change to an investigation, in order.
pub fn of_change(before: &Investigation, step: &Step, after: &Investigation) -> Vec<EventKind> {
    let updated = Cause::of(step).and_then(|by| {
        let (fields, more) = changed_fields(&before.content, &after.content);
        // A record that changes only the status gets no `Updated` event, because there is a separate event for the
        // status.
        (more || !fields.is_empty()).then_some(EventKind::Updated { by, version: after.version, fields, more })
    });
    let moved =
        (before.status != after.status).then_some(EventKind::StatusChanged { from: before.status, to: after.status });
    let author = after.author.filter(|_| before.author.is_none()).map(|author| EventKind::AuthorSet { author });
    let editors =
        (before.editors != after.editors).then(|| EventKind::EditorsChanged { editors: after.editors.clone() });
    let dismissed = ids_missing_from(&after.dismissals, &before.dismissals)
        .map(|id| EventKind::FindingDismissed { dismissal_id: id });
    let removed = ids_missing_from(&before.dismissals, &after.dismissals)
        .map(|id| EventKind::DismissalRemoved { dismissal_id: id });
    let named = match step {
        Step::Name { version, .. } => Some(EventKind::VersionNamed { version: *version }),
        _ => None,
    };
    let found = found(&before.findings, &after.findings);
    let processed = processed(&before.findings, &after.findings);
    let found = found.into_iter().chain(processed);
    let owned = author.into_iter().chain(editors);
    updated.into_iter().chain(owned).chain(named).chain(dismissed).chain(removed).chain(moved).chain(found).collect()
}

/// Returns the ids of the dismissals in `these` that `others` does not contain.
fn ids_missing_from(these: &[Dismissal], others: &[Dismissal]) -> impl Iterator<Item = ObjectId> {
    these.iter().map(|dismissal| dismissal.id).filter(|id| !others.iter().any(|other| other.id == *id))
}

/// Returns the event for the end of a pending check by the language model; `None` if no pending check has ended.
fn processed(before: &Findings, after: &Findings) -> Option<EventKind> {
    let Findings { contradictions, hints, incomplete, pending } = after;
    let (total, hints, incomplete) = (contradictions.len(), hints.len(), *incomplete);
    (before.pending && !pending).then_some(EventKind::Contradictions { total, hints, incomplete })
}

/// Returns the event for new contradictions, if any. A contradiction is not new if only its wording has changed.
fn found(before: &Findings, after: &Findings) -> Option<EventKind> {
    let (old, now) = (&before.contradictions, &after.contradictions);
    let count = now.iter().filter(|new| !old.iter().any(|known| known.is_about_the_same_as(new))).count();
    (count > 0).then_some(EventKind::ContradictionsFound { count, total: now.len() })
}

/// Returns the names of the changed top-level fields that fit into an event, and whether names were left out.
fn changed_fields(before: &Content, after: &Content) -> (Vec<String>, bool) {
    let new = after.keys().filter(|field| !before.contains_key(*field));
    let differs = |field: &&String| match (before.get(*field), after.get(*field)) {
        (Some(before), Some(after)) => !change::same(before, after),
        _ => true,
    };
    let mut left = MAX_FIELDS;
    let (mut fields, mut more) = (Vec::new(), false);
    for field in before.keys().chain(new).filter(differs) {
        // Each name takes three more bytes as JSON: two quotes and a comma.
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
