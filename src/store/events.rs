//! Reads and deletes events. A change and its events are stored in one transaction.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// Maximum number of expired events examined per cleanup, so that a cleanup never blocks other work for long.
pub const MAX_CHECKED: u32 = 128;

/// Conditions for deleting events.
#[derive(Debug, Clone)]
pub struct ExpiredEvents {
    /// An event older than this time may be deleted, but only together with all earlier events.
    pub before: Timestamp,
    /// The current time. An event with a later time was stored while a clock was ahead. The time of such an event is
    /// ignored, and the event is deleted together with the events stored before and after it.
    pub now: Timestamp,
    /// Names of webhook endpoints. An event is not deleted before it is delivered to all of them.
    pub endpoints: Vec<String>,
}

impl Store {
    /// Returns up to `limit` events that come after the event `after`, in order. A caller that continues after the last
    /// returned event misses no event and gets no event twice.
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        ask!(self, events_after(after, limit))
    }

    /// Returns the id of the newest event that [`Self::events_after`] can return now; `None` if there are no events.
    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        ask!(self, newest_event())
    }

    /// Returns whether the event `id` is stored. If it is, none of the later events has been deleted.
    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        ask!(self, has_event(id))
    }

    /// Deletes some of the expired events. [`first_to_keep`](crate::domain::event::first_to_keep) decides which events
    /// are kept.
    pub async fn forget_events(&self, outdated: ExpiredEvents) -> Result<(), StoreError> {
        ask!(self, forget_events(outdated))
    }
}
