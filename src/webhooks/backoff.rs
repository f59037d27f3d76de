//! Back-off: when a failed event is sent again, and when deliveries to a failing endpoint pause.

use std::time::Duration;

use crate::breaker::Pauses;

/// Waits before the retries of an event, in seconds. In total they last about three days, as Standard Webhooks
/// recommends.
const WAITS: [u64; 9] = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// Maximum wait that an endpoint can request. A longer wait is reduced to this maximum.
const MAX_WAIT: Duration = Duration::from_secs(24 * HOUR);

/// Number of consecutive failures after which a pause starts.
pub const FAILURES: u32 = 3;

pub const PAUSES: Pauses = Pauses { first: Duration::from_secs(5), longest: Duration::from_secs(5 * MINUTE) };

/// Returns the wait before an event is retried after `attempts` failed attempts; `None` if there are no more retries.
/// `jitter`, a random number, adds up to a fifth of the wait, so that retries do not coincide. `asked` is the minimum
/// wait that the endpoint requested; a longer wait than a day is reduced to a day.
pub fn wait(attempts: u32, jitter: u8, asked: Option<Duration>) -> Option<Duration> {
    let place = usize::try_from(attempts.checked_sub(1)?).ok()?;
    let wait = Duration::from_secs(*WAITS.get(place)?);
    let spread_out = wait + wait * u32::from(jitter) / (5 * 255);
    Some(spread_out.max(asked.unwrap_or_default().min(MAX_WAIT)))
}

#[cfg(test)]
#[path = "../../tests/unit/webhooks/backoff.rs"]
mod tests;
