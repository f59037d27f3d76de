//! Logs and counts lookups. Tokens and texts of the service are never logged.

use std::time::Duration;

use super::error::ProfileError;

/// Counts a lookup that did not call the profile service: the result was cached, or the circuit breaker was open.
pub fn count_without_call(outcome: &'static str) {
    metrics::counter!("fieldbook_profile_lookups_total", "outcome" => outcome).increment(1);
}

pub fn answered(users: usize, took: Duration) {
    tracing::debug!(users, duration_ms = milliseconds(took), "asked the profile service");
    metrics::counter!("fieldbook_profile_lookups_total", "outcome" => "answered").increment(1);
    metrics::histogram!("fieldbook_profile_lookup_seconds").record(took.as_secs_f64());
    set_circuit_open(false);
}

/// Logs and counts a failed lookup. `rest` is the length of the pause that follows; `None` if no pause follows.
pub fn failed(error: &ProfileError, users: usize, took: Duration, rest: Option<Duration>) {
    let outcome = error.outcome();
    tracing::warn!(
        outcome,
        rpc.grpc.status = error.code.map(|code| format!("{code:?}")),
        cause = error.cause,
        users,
        duration_ms = milliseconds(took),
        rest_seconds = rest.map(|rest| rest.as_secs()),
        "the profile service did not return the authors"
    );
    metrics::counter!("fieldbook_profile_lookups_total", "outcome" => outcome).increment(1);
    metrics::histogram!("fieldbook_profile_lookup_seconds").record(took.as_secs_f64());
    if error.failures_before_pause().is_none() {
        set_circuit_open(false);
    } else if rest.is_some() {
        set_circuit_open(true);
    }
}

fn set_circuit_open(open: bool) {
    metrics::gauge!("fieldbook_profile_service_circuit_open").set(f64::from(u8::from(open)));
}

fn milliseconds(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}
