//! Events, in the order in which they are told: what is told of a change is stored with it.

use super::{Store, StoreError};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

/// At a time at most so many events that are over are looked at, so that letting go of them holds up nobody.
pub const LOOKED_AT: u32 = 128;

/// Which events may go.
#[derive(Debug, Clone)]
pub struct Outdated {
    /// Events from before this may go, if those before them may.
    pub before: Timestamp,
    /// What time it is. An event of a later time was stored while a clock was ahead: it goes with its neighbours.
    pub now: Timestamp,
    /// The names of endpoints of webhooks: what these are still to be sent stays.
    pub endpoints: Vec<String>,
}

impl Store {
    /// The events that come after this one, in their order, at most `limit`. Whoever reads on after the last of them misses none
    /// and reads none twice.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        ask!(self, events_after(after, limit))
    }

    /// The last event that [`Self::events_after`] would give.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        ask!(self, newest_event())
    }

    /// Whether this event is kept here, so that nothing is missing of what comes after it.
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        ask!(self, has_event(id))
    }

    /// Lets go of some events, see [`first_to_keep`](crate::domain::event::first_to_keep).
    ///
    /// # Errors
    /// [`StoreError`]
    pub async fn forget_events(&self, outdated: Outdated) -> Result<(), StoreError> {
        ask!(self, forget_events(outdated))
    }
}
