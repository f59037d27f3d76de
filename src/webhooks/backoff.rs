//! Back-off: when a failed event is sent again, and when a failing endpoint is paused. The functions are pure.

use std::time::Duration;

/// Waits before the retries of an event, in seconds. In total they last about three days, as Standard Webhooks
/// recommends.
const WAITS: [u64; 9] = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// Maximum wait that an endpoint can request. A longer wait is reduced to this maximum.
const MAX_WAIT: Duration = Duration::from_secs(24 * HOUR);

/// Number of consecutive failures after which a pause starts.
const FAILURES: u32 = 3;

/// Length of the first pause. Each further pause is twice as long, up to [`MAX_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(5);
const MAX_PAUSE: Duration = Duration::from_secs(5 * MINUTE);

/// Returns the wait before an event is retried after `attempts` failed attempts; `None` if there are no more retries.
/// `jitter`, a random number, adds up to a fifth of the wait, so that retries do not coincide. `asked` is the minimum
/// wait that the endpoint requested; a request for more than a day counts as a day.
pub fn wait(attempts: u32, jitter: u8, asked: Option<Duration>) -> Option<Duration> {
    let place = usize::try_from(attempts.checked_sub(1)?).ok()?;
    let wait = Duration::from_secs(*WAITS.get(place)?);
    let spread_out = wait + wait * u32::from(jitter) / (5 * 255);
    Some(spread_out.max(asked.unwrap_or_default().min(MAX_WAIT)))
}

/// How often deliveries to an endpoint have failed in a row, and until when they are paused.
#[derive(Debug, Default)]
pub struct Health {
    failures: u32,
    /// End of the pause, in terms of [`Clock::uptime`](crate::clock::Clock::uptime).
    paused_until: Duration,
}

impl Health {
    /// Returns whether deliveries to the endpoint are paused at the uptime `now`.
    pub fn is_paused(&self, now: Duration) -> bool {
        now < self.paused_until
    }

    /// Records a successful delivery, which ends the series of failures.
    pub fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// Records a failed delivery at the uptime `now`. Pauses the endpoint after three failures in a row, or immediately
    /// if the endpoint requested a wait (`asked`). No pause is longer than five minutes.
    pub fn failed(&mut self, now: Duration, asked: Option<Duration>) {
        self.failures = self.failures.saturating_add(1);
        let rest = match self.failures.checked_sub(FAILURES) {
            Some(more) => FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(more)),
            None => Duration::ZERO,
        };
        self.paused_until = now + rest.max(asked.unwrap_or_default()).min(MAX_PAUSE);
    }
}

#[cfg(test)]
#[path = "../../tests/unit/webhooks/backoff.rs"]
mod tests;
