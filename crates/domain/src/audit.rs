//! The audit log: who did what, and to which record. It never contains content that a user wrote.

use serde::{Deserialize, Serialize};

use super::event::{Cause, EventKind, LinkName};
use super::id::ObjectId;
use super::permission::{Principal, Role};
use super::person::{Person, PersonStatus};
use super::status::Status;
use super::time::Timestamp;

/// Who did something: a user, possibly with an API key, or an unknown actor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditActor {
    /// The user; omitted if unknown, for example if the service itself acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<ObjectId>,
    /// The API key that was used; omitted if none was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ObjectId>,
}

/// An entry of the audit log. It is stored as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When the action happened.
    pub at: Timestamp,
    /// Who did the action.
    pub actor: AuditActor,
    /// The investigation; omitted for commands of operators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub investigation_id: Option<ObjectId>,
    /// What was done.
    #[serde(flatten)]
    pub action: AuditAction,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all_fields = "camelCase")]
pub enum AuditAction {
    /// An investigation was created, from scratch or as a clone.
    #[serde(rename = "investigation.created")]
    Created {
        /// The investigation that the new one was cloned from; omitted if the new one is not a clone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cloned_from: Option<ObjectId>,
    },
    /// An earlier version was restored.
    #[serde(rename = "investigation.version_restored")]
    VersionRestored {
        /// The new version that the restore created.
        version: u64,
    },
    /// The status changed.
    #[serde(rename = "investigation.status_changed")]
    StatusChanged {
        /// The status before the change.
        from: Status,
        /// The status after the change.
        to: Status,
    },
    /// An update set the author of an investigation without one: `metadata.author`, or else the user who made the
    /// update.
    #[serde(rename = "investigation.author_set")]
    AuthorSet {
        /// The new author.
        author: ObjectId,
    },
    /// The list of editors changed.
    #[serde(rename = "investigation.editors_changed")]
    EditorsChanged {
        /// The editors after the change.
        editors: Vec<ObjectId>,
    },
    /// A picture was removed from the content and from all versions.
    #[serde(rename = "investigation.picture_removed")]
    PictureRemoved {
        /// Id of the picture.
        picture_id: String,
    },
    /// An investigation was deleted.
    #[serde(rename = "investigation.deleted")]
    Deleted {
        /// Whether the deletion is permanent. Otherwise the investigation is in the trash.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        permanently: bool,
    },
    /// A deleted investigation was restored.
    #[serde(rename = "investigation.undeleted")]
    Undeleted,
    /// An investigation in the trash was permanently deleted.
    #[serde(rename = "investigation.purged")]
    Purged,
    /// A link was created.
    #[serde(rename = "link.created")]
    LinkCreated(LinkName),
    /// A link was changed.
    #[serde(rename = "link.changed")]
    LinkChanged {
        /// The link.
        #[serde(flatten)]
        link: LinkName,
        /// Names of the changed properties of the link, such as `maxVisits`.
        fields: Vec<String>,
    },
    /// A user closed a link: the user archived or deleted the link, or set an expiry time or a visit limit that was
    /// already reached.
    #[serde(rename = "link.closed")]
    LinkClosed(LinkName),
    /// An operator had a token made.
    #[serde(rename = "token")]
    TokenMade {
        /// The user whom the token names.
        user: ObjectId,
        /// The highest role that its bearer can have; omitted if the token names none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<Role>,
        /// When the token expires.
        expires_at: Timestamp,
    },
    /// An operator exported the store.
    #[serde(rename = "export")]
    Exported {
        /// Whether the export contains password hashes.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        with_passwords: bool,
    },
    /// An operator backed up the store.
    #[serde(rename = "backup")]
    BackedUp,
    /// An operator imported a file.
    #[serde(rename = "import")]
    Imported {
        /// Number of imported investigations.
        investigations: u64,
        /// Number of imported investigations in the trash.
        trashed: u64,
        /// Number of imported people.
        people: u64,
        /// Number of imported API keys.
        api_keys: u64,
    },
    /// A person was invited.
    #[serde(rename = "person.invited")]
    PersonInvited {
        /// Id of the person.
        person_id: ObjectId,
        /// The role that was set; omitted if none was set.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        role: Option<Role>,
    },
    /// A sign-in link was made for a person.
    #[serde(rename = "person.link_made")]
    PersonLinkMade {
        /// Id of the person.
        person_id: ObjectId,
    },
    /// A person was erased.
    #[serde(rename = "person.erased")]
    PersonErased {
        /// Id of the person.
        person_id: ObjectId,
        /// The person who became the author of what this person wrote; omitted if nothing was reassigned.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reassigned_to: Option<ObjectId>,
    },
    /// What a person wrote was reassigned to another person.
    #[serde(rename = "person.reassigned")]
    PersonReassigned {
        /// Id of the person who was the author before.
        person_id: ObjectId,
        /// Id of the person who is the author now.
        reassigned_to: ObjectId,
    },
    /// An operator exported all data that is stored about a person.
    #[serde(rename = "person.exported")]
    PersonExported {
        /// Id of the person.
        person_id: ObjectId,
    },
    /// Somebody entered a wrong password for a person, or a disabled or erased person signed in with the provider.
    #[serde(rename = "person.sign_in_failed")]
    PersonSignInFailed {
        /// Id of the person.
        person_id: ObjectId,
    },
    /// A person signed in.
    #[serde(rename = "person.signed_in")]
    PersonSignedIn {
        /// Id of the person.
        person_id: ObjectId,
        /// How the person signed in: `link`, `password` or `provider`.
        by: String,
    },
    /// Somebody changed a person in the directory.
    #[serde(rename = "person.changed")]
    PersonChanged {
        /// Id of the person.
        person_id: ObjectId,
        /// Names of the changed properties, such as `role`.
        fields: Vec<String>,
        /// The role and the status before the change, each only if it changed; omitted if neither changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<AccessState>,
        /// The role and the status after the change, each only if it changed; omitted if neither changed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<AccessState>,
    },
    /// An API key was added.
    #[serde(rename = "api_key.added")]
    KeyAdded {
        /// Id of the key.
        key_id: ObjectId,
    },
    /// An API key was revoked.
    #[serde(rename = "api_key.revoked")]
    KeyRevoked {
        /// Id of the key.
        key_id: ObjectId,
    },
}

/// The properties that decide what a person may do. Only those that a change affects are set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AccessState {
    /// The role; omitted if it did not change, or if none was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// The role that the provider gave; omitted if it did not change, or if the provider gave none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_role: Option<Role>,
    /// The status; omitted if it did not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<PersonStatus>,
}

impl AccessState {
    /// Returns the properties in which `person` differs from `other`; `None` if they do not differ.
    fn of(person: &Person, other: &Person) -> Option<Self> {
        let state = Self {
            role: person.role.filter(|_| person.role != other.role),
            provider_role: person.provider_role.filter(|_| person.provider_role != other.provider_role),
            status: Some(person.status).filter(|status| *status != other.status),
        };
        let decides = |person: &Person| (person.role, person.provider_role, person.status);
        (decides(person) != decides(other)).then_some(state)
    }
}

impl From<Principal> for AuditActor {
    fn from(Principal { user, key, role: _ }: Principal) -> Self {
        Self { user, key }
    }
}

impl AuditAction {
    /// Returns the audit action for a change to a person. `fields` are the names of the changed members.
    pub fn person_changed(before: &Person, after: &Person, fields: Vec<String>) -> Self {
        let (from, to) = (AccessState::of(before, after), AccessState::of(after, before));
        Self::PersonChanged { person_id: after.id, fields, from, to }
    }

    /// Returns whether this is an operator command that concerns the store as a whole.
    pub fn is_command(&self) -> bool {
        matches!(self, Self::TokenMade { .. } | Self::Exported { .. } | Self::BackedUp | Self::Imported { .. })
    }
}

impl AuditEntry {
    /// Creates an entry about a command of an operator. No user is known on the command line.
    pub fn of_operator(at: Timestamp, action: AuditAction) -> Self {
        Self { at, actor: AuditActor::default(), investigation_id: None, action }
    }
}

/// Returns the audit action for an event; `None` if such events are not in the audit log.
fn of_event(event: &EventKind) -> Option<AuditAction> {
    Some(match event {
        EventKind::Created { cloned_from } => AuditAction::Created { cloned_from: *cloned_from },
        EventKind::Updated { by: Cause::Restore, version, .. } => AuditAction::VersionRestored { version: *version },
        EventKind::StatusChanged { from, to } => AuditAction::StatusChanged { from: *from, to: *to },
        EventKind::EditorsChanged { editors } => AuditAction::EditorsChanged { editors: editors.clone() },
        EventKind::AuthorSet { author } => AuditAction::AuthorSet { author: *author },
        EventKind::Deleted { permanently } => AuditAction::Deleted { permanently: *permanently },
        EventKind::PictureRemoved { picture_id } => AuditAction::PictureRemoved { picture_id: picture_id.clone() },
        EventKind::Undeleted => AuditAction::Undeleted,
        EventKind::LinkCreated(link) => AuditAction::LinkCreated(link.clone()),
        EventKind::LinkChanged { link, fields } => {
            AuditAction::LinkChanged { link: link.clone(), fields: fields.clone() }
        }
        EventKind::LinkClosed(link) => AuditAction::LinkClosed(link.clone()),
        EventKind::Updated { .. }
        | EventKind::ContradictionsFound { .. }
        | EventKind::Contradictions { .. }
        | EventKind::FindingDismissed { .. }
        | EventKind::DismissalRemoved { .. }
        | EventKind::VersionNamed { .. }
        | EventKind::LinkVisits { .. } => return None,
    })
}

/// Returns the audit entries for the events of one change.
pub fn of_events(actor: AuditActor, investigation: ObjectId, at: Timestamp, events: &[EventKind]) -> Vec<AuditEntry> {
    let entry = |action| AuditEntry { at, actor, investigation_id: Some(investigation), action };
    events.iter().filter_map(of_event).map(entry).collect()
}
