//! The audit log. The entries about a change are stored in the same transaction as the change.

use super::{Store, StoreError};
use crate::domain::audit::{AuditActor, AuditEntry, of_events};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPosition, Page, PageRequest};
use crate::domain::time::Timestamp;

/// Actor and time of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub actor: AuditActor,
    pub at: Timestamp,
}

/// Reports of a change: events for listeners, and entries for the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reports {
    pub(super) events: Vec<EventKind>,
    pub(super) audit: Vec<AuditEntry>,
}

impl Reports {
    /// Creates the reports of a change to `investigation`: `events`, and the audit entries derived from these events.
    pub fn of(stamp: Stamp, investigation: ObjectId, events: Vec<EventKind>) -> Self {
        let audit = of_events(stamp.actor, investigation, stamp.at, &events);
        Self { events, audit }
    }

    /// Creates the reports of a visit: events, but no audit entries. The audit log contains only what users decided.
    pub(super) fn events(events: Vec<EventKind>) -> Self {
        Self { events, audit: Vec::new() }
    }
}

impl Store {
    /// Returns a page of the audit log, newest entries first. If `of` is given, returns only the entries about the
    /// investigation `of`.
    pub async fn audit(
        &self,
        of: Option<ObjectId>,
        wanted: PageRequest<AuditPosition>,
    ) -> Result<Page<AuditEntry, AuditPosition>, StoreError> {
        ask!(self, audit(of, wanted))
    }

    /// Stores audit entries of another store under the same numbers. Skips an entry whose number is already used.
    pub async fn put_audit(&self, entries: Vec<(AuditPosition, AuditEntry)>) -> Result<(), StoreError> {
        ask!(self, put_audit(entries))
    }
}
