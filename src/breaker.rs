//! A circuit breaker: stops calls to a failing service for a while, so that callers do not wait in vain.
//!
//! All times are values of `Clock::uptime`.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

/// Lengths of the pauses during which no calls are allowed.
#[derive(Debug, Clone, Copy)]
pub struct Pauses {
    /// Length of the first pause. Each further pause is twice as long, until a call succeeds.
    pub first: Duration,
    pub longest: Duration,
}

/// A circuit breaker for one service. All clones share their state.
#[derive(Clone)]
pub struct Breaker {
    pauses: Pauses,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    failures: u32,
    /// Number of pauses that consecutive failures have caused since the last success.
    pauses: u32,
    paused_until: Duration,
    has_trial: bool,
}

/// Permit for one call. Dropping an unused permit records neither success nor failure.
pub struct Permit {
    breaker: Breaker,
    is_trial: bool,
}

impl Breaker {
    pub fn new(pauses: Pauses) -> Self {
        Self { pauses, state: Arc::default() }
    }

    /// Returns a permit for a call; `None` during a pause or a trial call. After a pause that consecutive failures have
    /// caused, the first call is a trial call: its result decides whether calls are allowed again or a new pause
    /// begins.
    pub fn permit(&self, now: Duration) -> Option<Permit> {
        let mut state = self.state.lock();
        if state.has_trial || now < state.paused_until {
            return None;
        }
        state.has_trial = state.pauses > 0;
        Some(Permit { breaker: self.clone(), is_trial: state.has_trial })
    }

    /// Returns how long the current pause still lasts; `None` if there is none.
    pub fn pause(&self, now: Duration) -> Option<Duration> {
        self.state.lock().paused_until.checked_sub(now).filter(|rest| !rest.is_zero())
    }
}

impl Permit {
    pub fn is_trial(&self) -> bool {
        self.is_trial
    }

    /// Records that the service works, which ends the series of failures.
    pub fn succeeded(self) {
        *self.breaker.state.lock() = State::default();
    }

    /// Records that the call failed. A pause starts if this was a trial call, if this was the last of `enough`
    /// consecutive failures, or if the service `asked` for a pause. Returns the length of the pause; `None` if none
    /// starts.
    pub fn failed(self, now: Duration, enough: u32, asked: Option<Duration>) -> Option<Duration> {
        let Pauses { first, longest } = self.breaker.pauses;
        let mut state = self.breaker.state.lock();
        state.failures = state.failures.saturating_add(1);
        let mut pause = asked.unwrap_or_default();
        // A call that began before a pause and fails during it does not make the pause longer.
        if self.is_trial || (state.failures >= enough && state.pauses == 0) {
            pause = pause.max(first.saturating_mul(2_u32.saturating_pow(state.pauses)));
            state.pauses = state.pauses.saturating_add(1);
        }
        let pause = pause.min(longest);
        if pause.is_zero() {
            return None;
        }
        state.paused_until = now.saturating_add(pause);
        Some(pause)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if self.is_trial {
            self.breaker.state.lock().has_trial = false;
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/breaker.rs"]
mod tests;
