//! A circuit breaker: after several failures in a row the endpoint gets a pause, so that callers do not wait in vain.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Number of failures in a row that starts a pause.
const FAILURES: u32 = 5;

/// Length of a pause. Then one call is let through, and its result decides.
pub const REST: Duration = Duration::from_secs(30);

/// Counts failures in a row.
#[derive(Default)]
pub struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    resting_until: Option<Instant>,
    probing: bool,
}

/// Permit for one call. Dropping it unused says nothing about the endpoint.
pub struct Leave<'b> {
    breaker: &'b Breaker,
    probe: bool,
}

impl Breaker {
    /// A permit for a call; `None` during a pause.
    pub fn leave(&self) -> Option<Leave<'_>> {
        let mut state = self.state();
        let probe = match state.resting_until {
            None => false,
            Some(until) if state.probing || Instant::now() < until => return None,
            Some(_) => true,
        };
        state.probing |= probe;
        Some(Leave { breaker: self, probe })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Leave<'_> {
    /// The endpoint answered, whatever it said.
    pub fn well(self) {
        *self.breaker.state() = State::default();
        is_resting(false);
    }

    /// The endpoint failed or reported that it is unavailable.
    pub fn unwell(self) {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        // A call from before the rest that fails late does not make it longer.
        if self.probe || (state.failures >= FAILURES && state.resting_until.is_none()) {
            state.resting_until = Some(Instant::now() + REST);
            is_resting(true);
        }
    }
}

fn is_resting(resting: bool) {
    metrics::gauge!("fieldbook_model_circuit_open").set(f64::from(u8::from(resting)));
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if self.probe {
            self.breaker.state().probing = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fail(breaker: &Breaker, times: u32) {
        for _ in 0..times {
            breaker.leave().expect("leave").unwell();
        }
    }

    #[tokio::test(start_paused = true)]
    async fn five_failures_in_a_row_bring_a_rest_and_then_one_call_decides() {
        let breaker = Breaker::default();
        fail(&breaker, 4);
        breaker.leave().expect("leave").well();
        fail(&breaker, 5);
        assert!(breaker.leave().is_none());
        tokio::time::advance(REST).await;
        let probe = breaker.leave().expect("one is let through");
        assert!(breaker.leave().is_none(), "and no second one beside it");
        probe.unwell();
        assert!(breaker.leave().is_none());
        tokio::time::advance(REST).await;
        breaker.leave().expect("leave").well();
        fail(&breaker, 4);
        assert!(breaker.leave().is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_is_given_up_leaves_the_next_one_to_decide() {
        let breaker = Breaker::default();
        fail(&breaker, 5);
        tokio::time::advance(REST).await;
        drop(breaker.leave().expect("leave"));
        breaker.leave().expect("leave").well();
        assert!(breaker.leave().is_some());
    }
}
