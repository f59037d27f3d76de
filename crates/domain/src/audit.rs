//! The audit log: who did what to which record. It never contains what anybody wrote.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::event::{Cause, EventKind, LinkName};
use super::id::ObjectId;
use super::permission::Principal;
use super::status::Status;
use super::time::Timestamp;

/// Who did something: a user, perhaps with an API key, or nobody known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditActor {
    /// The user; left out if nobody is known, as when the service itself acts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub user: Option<ObjectId>,
    /// The API key that the user's program sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub key: Option<ObjectId>,
}

/// An entry of the audit log. Stores keep it as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// Who did it.
    pub actor: AuditActor,
    /// The investigation; `None` for API keys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub investigation_id: Option<ObjectId>,
    /// What was done.
    #[serde(flatten)]
    pub action: AuditAction,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "action")]
pub enum AuditAction {
    /// An investigation was created.
    #[serde(rename = "investigation.created")]
    Created {
        /// The investigation that it was cloned from.
        #[serde(default, rename = "clonedFrom", skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<String>)]
        cloned_from: Option<ObjectId>,
    },
    /// An earlier version was restored.
    #[serde(rename = "investigation.version_restored")]
    VersionRestored {
        /// The version that the restore made.
        version: u64,
    },
    /// The status changed.
    #[serde(rename = "investigation.status_changed")]
    StatusChanged {
        /// The status before.
        #[schema(value_type = String)]
        from: Status,
        /// The status now.
        #[schema(value_type = String)]
        to: Status,
    },
    /// The author named other editors.
    #[serde(rename = "investigation.editors_changed")]
    EditorsChanged {
        /// The editors now.
        #[schema(value_type = Vec<String>)]
        editors: Vec<ObjectId>,
    },
    /// An investigation was deleted.
    #[serde(rename = "investigation.deleted")]
    Deleted,
    /// A deleted investigation was restored.
    #[serde(rename = "investigation.undeleted")]
    Undeleted,
    /// A link was created.
    #[serde(rename = "link.created")]
    LinkCreated(LinkName),
    /// A link was changed.
    #[serde(rename = "link.changed")]
    LinkChanged {
        /// The link.
        #[serde(flatten)]
        link: LinkName,
        /// Names of the members that changed.
        fields: Vec<String>,
    },
    /// A link was archived or deleted.
    #[serde(rename = "link.closed")]
    LinkClosed(LinkName),
    /// An API key was added.
    #[serde(rename = "api_key.added")]
    KeyAdded {
        /// The key.
        #[serde(rename = "keyId")]
        #[schema(value_type = String)]
        key_id: ObjectId,
    },
    /// An API key was revoked.
    #[serde(rename = "api_key.revoked")]
    KeyRevoked {
        /// The key.
        #[serde(rename = "keyId")]
        #[schema(value_type = String)]
        key_id: ObjectId,
    },
}

impl From<Principal> for AuditActor {
    fn from(Principal { user, key, roles: _ }: Principal) -> Self {
        Self { user, key }
    }
}

impl AuditEntry {
    /// Returns an entry about an API key. An operator at the console did it.
    pub fn of_key(at: Timestamp, action: AuditAction) -> Self {
        Self { at, actor: AuditActor::default(), investigation_id: None, action }
    }
}

/// Returns the action that an event reports; `None` if the audit log leaves it out.
fn of_event(event: &EventKind) -> Option<AuditAction> {
    Some(match event {
        EventKind::Created { cloned_from } => AuditAction::Created { cloned_from: *cloned_from },
        EventKind::Updated { by: Cause::Restore, version, .. } => AuditAction::VersionRestored { version: *version },
        EventKind::StatusChanged { from, to } => AuditAction::StatusChanged { from: *from, to: *to },
        EventKind::EditorsChanged { editors } => AuditAction::EditorsChanged { editors: editors.clone() },
        EventKind::Deleted => AuditAction::Deleted,
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
        | EventKind::LinkVisits { .. } => return None,
    })
}

/// Returns the entries of the audit log for the events of one change.
pub fn of_events(actor: AuditActor, investigation: ObjectId, at: Timestamp, events: &[EventKind]) -> Vec<AuditEntry> {
    let entry = |action| AuditEntry { at, actor, investigation_id: Some(investigation), action };
    events.iter().filter_map(of_event).map(entry).collect()
}
