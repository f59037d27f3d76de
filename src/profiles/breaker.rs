//! A circuit breaker: after failures the profile service gets a pause, so that callers do not wait in vain.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::domain::time::Timestamp;

/// Length of the first pause; it doubles after each further failed call.
pub const PAUSE: Duration = Duration::from_secs(2);

/// No rest is longer.
pub const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Counts failures in a row.
#[derive(Default)]
pub struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    rests: u32,
    /// Start and end of the pause. If the clock is set back, the pause is over.
    resting: Option<Range<Timestamp>>,
    probing: bool,
}

/// Permit for one call. Dropping it unused says nothing about the service.
pub struct Permit {
    breaker: Arc<Breaker>,
    probe: bool,
}

impl Breaker {
    /// A permit for a call; `None` during a pause. After the pause one call is let through, and its result decides.
    pub fn permit(self: &Arc<Self>, now: Timestamp) -> Option<Permit> {
        let mut state = self.state();
        let probe = match &state.resting {
            None => false,
            Some(rest) if state.probing || rest.contains(&now) => return None,
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
    /// Records that the service responded, with any content.
    pub fn succeeded(self) {
        *self.breaker.state() = State::default();
    }

    /// The call failed; `enough` such failures in a row start a pause, whose length is returned.
    pub fn failed(self, enough: u32, now: Timestamp) -> Option<Duration> {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        // A call from before the rest that fails late does not make it longer.
        if !self.probe && (state.failures < enough || state.resting.is_some()) {
            return None;
        }
        let rest = (PAUSE * 2_u32.saturating_pow(state.rests.min(8))).min(MAX_PAUSE);
        state.rests = state.rests.saturating_add(1);
        let milliseconds = i64::try_from(rest.as_millis()).unwrap_or(i64::MAX);
        state.resting = Some(now..Timestamp(now.0.saturating_add(milliseconds)));
        Some(rest)
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
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp(seconds * 1000)
    }

    fn fail(breaker: &Arc<Breaker>, enough: u32, seconds: i64) -> Option<u64> {
        let rest = breaker.permit(at(seconds)).expect("a permit").failed(enough, at(seconds));
        rest.map(|rest| rest.as_secs())
    }

    #[test]
    fn enough_failures_in_a_row_bring_a_rest_and_then_one_call_decides() {
        let breaker = Arc::new(Breaker::default());
        assert_eq!((fail(&breaker, 2, 0), fail(&breaker, 2, 0)), (None, Some(2)));
        assert!(breaker.permit(at(1)).is_none());
        let probe = breaker.permit(at(2)).expect("one is let through");
        assert!(breaker.permit(at(2)).is_none(), "and no second one beside it");
        probe.succeeded();
        assert_eq!(fail(&breaker, 2, 3), None, "earlier ones are forgotten");
        assert!(breaker.permit(at(3)).is_some());
    }

    #[test]
    fn rests_grow_up_to_half_a_minute_and_are_short_again_once_it_went_well() {
        let breaker = Arc::new(Breaker::default());
        let rests: Vec<_> = (0..7).map(|n| fail(&breaker, 1, n * 100).expect("a rest")).collect();
        assert_eq!(rests, [2, 4, 8, 16, 30, 30, 30]);
        breaker.permit(at(1000)).expect("a permit").succeeded();
        assert_eq!(fail(&breaker, 1, 1001), Some(2));
    }

    #[test]
    fn a_call_that_is_given_up_leaves_the_next_one_to_decide() {
        let breaker = Arc::new(Breaker::default());
        assert_eq!(fail(&breaker, 1, 0), Some(2));
        drop(breaker.permit(at(2)).expect("a permit"));
        breaker.permit(at(2)).expect("a permit").succeeded();
        assert!(breaker.permit(at(2)).is_some());
    }

    #[test]
    fn a_call_from_before_the_rest_that_fails_late_does_not_make_it_longer() {
        let breaker = Arc::new(Breaker::default());
        let early = breaker.permit(at(0)).expect("a permit");
        assert_eq!(fail(&breaker, 1, 0), Some(2));
        assert_eq!(early.failed(1, at(1)), None);
        assert!(breaker.permit(at(2)).is_some());
    }

    #[test]
    fn a_clock_that_is_put_back_ends_the_rest() {
        let breaker = Arc::new(Breaker::default());
        assert_eq!(fail(&breaker, 1, 1000), Some(2));
        assert!(breaker.permit(at(10)).is_some());
    }
}
