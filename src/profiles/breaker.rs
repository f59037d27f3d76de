//! A circuit breaker. After a given number of consecutive failures it allows no calls for a while, so that callers do
//! not wait for a response in vain.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::time::Timestamp;

/// Length of the first pause, during which no calls are allowed. Each further pause is twice as long, until a call
/// succeeds.
pub const PAUSE: Duration = Duration::from_secs(2);

/// Maximum length of a pause.
pub const MAX_PAUSE: Duration = Duration::from_secs(30);

/// A circuit breaker, which counts consecutive failures.
#[derive(Default)]
pub struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    pauses: u32,
    /// Start and end of the current pause. If the clock is set back to a time before the start, the pause ends.
    paused: Option<Range<Timestamp>>,
    probing: bool,
}

/// Permit for one call. Dropping an unused permit has no effect on the count of failures.
pub struct Permit {
    breaker: Arc<Breaker>,
    probe: bool,
}

impl Breaker {
    /// Returns a permit for a call; `None` during a pause or a trial call. The first call after a pause is a trial
    /// call. Its result decides whether calls are allowed again or a new pause begins.
    pub fn permit(self: &Arc<Self>, now: Timestamp) -> Option<Permit> {
        let mut state = self.state();
        let probe = match &state.paused {
            None => false,
            Some(pause) if state.probing || pause.contains(&now) => return None,
            Some(_) => true,
        };
        state.probing |= probe;
        Some(Permit { breaker: self.clone(), probe })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit {
    /// Records that the service responded, whatever the response contains.
    pub fn succeeded(self) {
        *self.breaker.state() = State::default();
    }

    /// Records that the call failed. Starts a pause and returns its length if this was a trial call, or if `enough`
    /// consecutive calls have failed and no pause is running.
    pub fn failed(self, enough: u32, now: Timestamp) -> Option<Duration> {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        // A call that began before the pause and fails during it does not extend the pause.
        if !self.probe && (state.failures < enough || state.paused.is_some()) {
            return None;
        }
        let pause = (PAUSE * 2_u32.saturating_pow(state.pauses.min(8))).min(MAX_PAUSE);
        state.pauses = state.pauses.saturating_add(1);
        let milliseconds = i64::try_from(pause.as_millis()).unwrap_or(i64::MAX);
        state.paused = Some(now..Timestamp(now.0.saturating_add(milliseconds)));
        Some(pause)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.probe {
            self.breaker.state().probing = false;
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/profiles/breaker.rs"]
mod tests;
