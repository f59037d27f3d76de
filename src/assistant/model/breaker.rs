//! A circuit breaker. After several consecutive failures, it refuses calls for a while, so that callers do not wait for
//! an endpoint that is down.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Number of consecutive failures that opens the circuit.
const FAILURES: u32 = 5;

/// Time for which the circuit stays open. Then one trial call is allowed. If it succeeds, the circuit closes; if it
/// fails, the circuit stays open for the same time again.
pub const PAUSE: Duration = Duration::from_secs(30);

/// Circuit breaker, which counts consecutive failures.
#[derive(Default)]
pub struct Breaker(Mutex<State>);

#[derive(Default)]
struct State {
    failures: u32,
    open_until: Option<Instant>,
    probing: bool,
}

/// Permit for one call. Dropping an unused permit records neither success nor failure.
pub struct Permit<'b> {
    breaker: &'b Breaker,
    probe: bool,
}

impl Breaker {
    /// Returns a permit for a call, or `None` while the circuit is open or a trial call is running.
    pub fn permit(&self) -> Option<Permit<'_>> {
        let mut state = self.state();
        let probe = match state.open_until {
            None => false,
            Some(until) if state.probing || Instant::now() < until => return None,
            Some(_) => true,
        };
        state.probing |= probe;
        Some(Permit { breaker: self, probe })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// Records a response, and closes the circuit. An error response that is no outage counts too, such as status 400.
    pub fn succeeded(self) {
        *self.breaker.state() = State::default();
        set_circuit_open(false);
    }

    /// Records that the endpoint failed or reported that it is unavailable.
    pub fn failed(self) {
        let mut state = self.breaker.state();
        state.failures = state.failures.saturating_add(1);
        // A call that started before the circuit opened, and failed later, does not keep the circuit open for longer.
        if self.probe || (state.failures >= FAILURES && state.open_until.is_none()) {
            state.open_until = Some(Instant::now() + PAUSE);
            set_circuit_open(true);
        }
    }
}

fn set_circuit_open(open: bool) {
    metrics::gauge!("fieldbook_model_circuit_open").set(f64::from(u8::from(open)));
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if self.probe {
            self.breaker.state().probing = false;
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/model/breaker.rs"]
mod tests;
