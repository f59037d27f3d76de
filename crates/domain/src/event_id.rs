//! Ids of events. An id is also the event's position in the order of events.

use std::fmt;
use std::str::FromStr;

use super::time::Timestamp;

/// Identifies an event and its position in the order of events. Its text form is `evt_` and the three parts in
/// hexadecimal, separated by `_`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    /// Transaction that stored the event, for stores with concurrent transactions; otherwise 0.
    pub transaction: u64,
    /// Number of the event, unique within a store.
    pub number: u64,
    /// Time of the event. Distinguishes events with the same number in different or restored stores.
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

/// The text is not an event id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be the id of an event, as it was received")]
pub struct NotAnEventId;

impl FromStr for EventId {
    type Err = NotAnEventId;

    fn from_str(text: &str) -> Result<Self, NotAnEventId> {
        let mut parts = text.strip_prefix("evt_").ok_or(NotAnEventId)?.split('_');
        let mut part = || {
            let digits = parts.next().filter(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let number = digits.and_then(|digits| i64::from_str_radix(digits, 16).ok());
            number.ok_or(NotAnEventId)
        };
        let id = Self { transaction: part()?.unsigned_abs(), number: part()?.unsigned_abs(), at: Timestamp(part()?) };
        if parts.next().is_some() { Err(NotAnEventId) } else { Ok(id) }
    }
}

/// Returns the first event to keep, given the `oldest` stored events in order; all events before it may be deleted. It
/// is the last event older than `over`, which is kept so that a listener that has seen it is known to have missed
/// nothing. `None` if nothing may be deleted.
pub fn first_to_keep(oldest: &[EventId], over: Timestamp) -> Option<EventId> {
    let old = oldest.iter().take_while(|event| event.at < over);
    old.skip(1).last().copied()
}
