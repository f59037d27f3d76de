//! Events in their order. A change and its events are stored in one transaction.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// Maximum number of expired events examined per cleanup, so that a cleanup never blocks other work for long.
pub const MAX_CHECKED: u32 = 128;

/// Conditions for deleting events.
#[derive(Debug, Clone)]
pub struct ExpiredEvents {
    /// Events before this time may be deleted, if all events before them may be deleted, too.
    pub before: Timestamp,
    /// The current time. An event from the future was stored while a clock was ahead; it is treated like its
    /// neighbours.
    pub now: Timestamp,
    /// Names of webhook endpoints. Events that were not delivered to them are kept.
    pub endpoints: Vec<String>,
}

impl Store {
    /// Returns up to `limit` events after this one, in order. A caller that continues after the last returned event
    /// misses nothing and sees nothing twice.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        ask!(self, events_after(after, limit))
    }

    /// Returns the last event that [`Self::events_after`] would return now.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        ask!(self, newest_event())
    }

    /// Returns whether this event is stored. If it is, all later events are stored, too.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        ask!(self, has_event(id))
    }

    /// Deletes some expired events, see [`first_to_keep`](crate::domain::event::first_to_keep).
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn forget_events(&self, outdated: ExpiredEvents) -> Result<(), StoreError> {
        ask!(self, forget_events(outdated))
    }
}
