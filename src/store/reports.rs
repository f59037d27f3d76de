//! Events and audit entries of a change, as statements of its transaction.

use super::expiry_clock::not_long_before;
use super::row::to_json;
use super::sql::Statement;
use super::{Stamp, StoreError, audit};
use crate::domain::audit::{AuditEntry, of_events};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// Reports of a change: events for listeners, and entries for the audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reports {
    /// The user who made the change. Deliveries to webhooks take turns among users.
    pub(super) actor: Option<ObjectId>,
    pub(super) events: Vec<EventKind>,
    pub(super) audit: Vec<AuditEntry>,
}

impl Reports {
    /// Creates the reports of a change to `investigation`: `events`, and the audit entries derived from these events.
    pub fn of(stamp: Stamp, investigation: ObjectId, events: Vec<EventKind>) -> Self {
        let audit = of_events(stamp.actor, investigation, stamp.at, &events);
        Self { actor: stamp.actor.user, events, audit }
    }

    /// Creates the reports of a visit: events, but no audit entries. The audit log contains only what users decided.
    pub(super) fn events(events: Vec<EventKind>) -> Self {
        Self { events, ..Self::default() }
    }

    /// Returns the statements that store the reports of a change to `investigation` at the time `at`. If `revision` is
    /// given, the events get this revision. Otherwise they get the revision that the investigation has when the
    /// statement runs. If the investigation is deleted by then, no event is stored.
    pub(super) fn statements(
        &self,
        investigation: ObjectId,
        revision: Option<u64>,
        at: Timestamp,
    ) -> Result<Vec<Statement>, StoreError> {
        let mut statements = Vec::new();
        for entry in &self.audit {
            statements.push(audit::record(entry)?);
        }
        let time = not_long_before("at");
        for what in &self.events {
            let event = match revision {
                Some(revision) => Statement::new(format!(
                    "INSERT INTO event (at, investigation, revision, actor, what)
                     VALUES ({time}, $investigation, $revision, $actor, $what)"
                ))
                .with("revision", revision),
                None => Statement::new(format!(
                    "INSERT INTO event (at, investigation, revision, actor, what)
                     SELECT {time}, i.id, i.revision, $actor, $what FROM investigation i WHERE i.id = $investigation"
                )),
            };
            let event = event.with("at", at).with("investigation", investigation).with("actor", self.actor);
            statements.push(event.with("what", to_json(what)?));
        }
        Ok(statements)
    }
}
