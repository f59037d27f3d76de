//! Ids of events. The order of the ids is the order of the events.

use std::fmt;
use std::str::FromStr;

use super::time::Timestamp;

/// Id of an event, and its position in the order of events. It is written as `evt_` and the three fields in
/// hexadecimal: `evt_0_2a_19ac3c5d800`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// Number of the transaction that stored the event; 0 in stores without concurrent write transactions.
    pub transaction: u64,
    /// Number of the event, which is unique within a store.
    pub number: u64,
    /// Time of the event. It distinguishes events with the same number in different or restored stores.
    pub at: Timestamp,
}

impl EventId {
    /// Position before the first event.
    pub const BEGINNING: EventId = EventId { transaction: 0, number: 0, at: Timestamp(0) };
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "evt_{:x}_{:x}_{:x}", self.transaction, self.number, self.at.0)
    }
}

/// The error for a text that is not an event id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the id of an event, as it was received")]
pub struct EventIdError;

impl FromStr for EventId {
    type Err = EventIdError;

    fn from_str(text: &str) -> Result<Self, EventIdError> {
        let mut parts = text.strip_prefix("evt_").ok_or(EventIdError)?.split('_');
        let mut part = || {
            let digits = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let number = digits.and_then(|digits| i64::from_str_radix(digits, 16).ok());
            number.ok_or(EventIdError)
        };
        let id = Self { transaction: part()?.unsigned_abs(), number: part()?.unsigned_abs(), at: Timestamp(part()?) };
        if parts.next().is_some() { Err(EventIdError) } else { Ok(id) }
    }
}

/// Returns the first event to keep when events from before the time `over` are deleted: the newest of them. It is kept,
/// because a listener has missed no events if the last one that it has read is still stored. Returns `None` if there is
/// nothing to delete. `oldest` contains the oldest stored events, in order.
pub fn first_to_keep(oldest: &[EventId], over: Timestamp) -> Option<EventId> {
    let old = oldest.iter().take_while(|event| event.at < over);
    old.skip(1).last().copied()
}
