//! Circuit breakers of the language model: one for all calls, and one for the calls of each caller. The model may fail
//! only for the lessons of one caller, for example because they are too long. So failures first pause only the calls of
//! that caller. Once the calls of several callers have been paused, all calls are paused.

use std::time::Duration;

use super::backoff::{FAILURES, PAUSES};
use crate::admission::Actor;
use crate::breaker::{self, Breaker};
use crate::cache::LruCache;

/// Maximum memory for the breakers of callers, in bytes. It is enough for several hundred callers.
const CALLERS_BYTES: u64 = 256 * 1024;

pub struct Circuits {
    of_all: Breaker,
    of_callers: LruCache<Actor, Breaker>,
}

/// Permit for one call. Dropping an unused permit records neither success nor failure.
pub struct CallPermit {
    of_all: breaker::Permit,
    own: breaker::Permit,
}

impl Circuits {
    pub fn new() -> Self {
        let of_callers = LruCache::new(CALLERS_BYTES, |_: &Actor, _: &Breaker| size_of::<Breaker>());
        Self { of_all: Breaker::new(PAUSES), of_callers }
    }

    /// Returns a permit for a call; `None` while all calls or the calls of this caller are paused. `now` is a value of
    /// `Clock::uptime`.
    pub fn permit(&self, caller: Actor, now: Duration) -> Option<CallPermit> {
        let own = self.of_callers.get(&caller).unwrap_or_else(|| {
            let own = Breaker::new(PAUSES);
            self.of_callers.insert(caller, own.clone());
            own
        });
        Some(CallPermit { own: own.permit(now)?, of_all: self.of_all.permit(now)? })
    }
}

impl CallPermit {
    /// Records that the model works.
    pub fn succeeded(self) {
        self.of_all.succeeded();
        self.own.succeeded();
    }

    /// Records that the model did not answer. After several failures in a row, the calls of this caller are paused. The
    /// first pause of a caller counts as one failure for all callers. Returns true if a pause starts.
    pub fn failed(self, now: Duration) -> bool {
        // After an outage, the first call is a trial for all callers. A failure of such a trial does not prolong the
        // pause of all callers, because the cause may be the caller's lessons.
        let counts_for_all = !self.own.is_trial() && !self.of_all.is_trial();
        let is_paused = self.own.failed(now, FAILURES, None).is_some();
        if is_paused && counts_for_all {
            self.of_all.failed(now, FAILURES, None);
        }
        is_paused
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/circuits.rs"]
mod tests;
