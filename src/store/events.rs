//! Reads and deletes events. A change and its events are stored in one transaction.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// Maximum number of expired events examined per cleanup, so that a cleanup never blocks other work for long.
pub const MAX_CHECKED: u32 = 128;

/// Conditions for deleting events.
#[derive(Debug, Clone)]
pub struct ExpiredEvents {
    /// Events older than this time have expired. Events are deleted in the order in which they were stored.
    pub before: Timestamp,
    /// The current time. An event with a later time was stored while a clock was ahead. It is deleted together with the
    /// next event that has expired.
    pub now: Timestamp,
    /// Names of webhook endpoints. An event is not deleted while it must still be delivered to one of them.
    pub endpoints: Vec<String>,
}

impl Store {
    /// Returns up to `limit` events after the event `after`, oldest first. A caller that continues with the last
    /// returned event as `after` misses no event and gets no event twice.
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        ask!(self, events_after(after, limit))
    }

    /// Returns the id of the newest event that [`Self::events_after`] can return now; `None` if there are no events.
    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        ask!(self, newest_event())
    }

    /// Returns whether the event `id` is stored. If so, all later events are stored, too.
    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        ask!(self, has_event(id))
    }

    /// Deletes some of the expired events, oldest first. [`first_to_keep`](crate::domain::event::first_to_keep) decides
    /// how many.
    pub async fn forget_events(&self, outdated: ExpiredEvents) -> Result<(), StoreError> {
        ask!(self, forget_events(outdated))
    }
}
