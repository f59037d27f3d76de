//! The audit log: each change stores its entries in its own transaction.

use super::{Store, StoreError};
use crate::domain::audit::{AuditActor, AuditEntry, of_events};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPlace, Page, PageRequest};
use crate::domain::time::Timestamp;

/// Who makes a change, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Who makes it.
    pub actor: AuditActor,
    /// When.
    pub at: Timestamp,
}

/// What a change reports: events for listeners, and entries for the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reports {
    pub(super) events: Vec<EventKind>,
    pub(super) audit: Vec<AuditEntry>,
}

impl Reports {
    /// Returns what a change of an investigation with these events reports.
    pub fn of(stamp: Stamp, investigation: ObjectId, events: Vec<EventKind>) -> Self {
        let audit = of_events(stamp.actor, investigation, stamp.at, &events);
        Self { events, audit }
    }

    /// Returns reports that the audit log leaves out, because nobody decided on the change.
    pub(super) fn events(events: Vec<EventKind>) -> Self {
        Self { events, audit: Vec::new() }
    }
}

impl Store {
    /// Returns a page of the audit log, newest entries first; of one investigation if one is given.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn audit(
        &self,
        of: Option<ObjectId>,
        wanted: PageRequest<AuditPlace>,
    ) -> Result<Page<AuditEntry, AuditPlace>, StoreError> {
        ask!(self, audit(of, wanted))
    }
}
