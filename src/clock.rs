//! Source of time. All code gets the time from a [`Clock`], so that tests can control it.

use std::sync::LazyLock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::domain::time::Timestamp;

#[cfg(feature = "simulation")]
#[path = "../tests/simulation/seams/clock.rs"]
mod manual;

#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    #[cfg(feature = "simulation")]
    Set(manual::Times),
}

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            #[cfg(feature = "simulation")]
            Source::Set(times) => Timestamp(times.borrow().now),
            Source::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
        }
    }

    /// Returns the time since a fixed moment in the past, for measuring waits and ages. This time never runs backwards,
    /// even if the machine's clock is set back.
    pub fn uptime(&self) -> Duration {
        match &self.0 {
            #[cfg(feature = "simulation")]
            Source::Set(times) => Duration::from_millis(u64::try_from(times.borrow().uptime).unwrap_or_default()),
            Source::System => BEGIN.elapsed(),
        }
    }

    /// Waits for the duration `wait`. With a manual clock, waits until the clock has been advanced by this duration.
    pub async fn sleep(&self, wait: Duration) {
        match &self.0 {
            #[cfg(feature = "simulation")]
            Source::Set(times) => {
                let until = Timestamp(times.borrow().uptime).later_by(wait);
                // This cannot fail, because the sender lives as long as `self`.
                let _ = times.subscribe().wait_for(|times| times.uptime >= until.0).await;
            }
            Source::System => tokio::time::sleep(wait).await,
        }
    }
}

/// If the machine's clock moves against the uptime by more than this number of milliseconds, it has jumped.
const JUMP: i64 = 60_000;

/// A clock that decides when stored data expires. It advances like [`Clock::uptime`], even if the machine's clock jumps
/// ahead. If the machine's clock is set back to an earlier time than this clock shows, this clock is set back, too.
#[derive(Debug, Default)]
pub struct SteadyClock {
    /// Smallest difference between a recorded time and the uptime at that moment, in milliseconds; `None` before the
    /// first recording.
    least: Option<i64>,
    /// Difference between the machine's clock and the uptime at the last observation, in milliseconds; `None` before
    /// the first observation.
    last: Option<i64>,
}

impl SteadyClock {
    /// Records the time `at` from another source, such as the time of an event. This clock then shows at most `at`,
    /// plus the time that passes after this call.
    pub fn note(&mut self, at: Timestamp, clock: &Clock) {
        let ahead = ahead(at, clock);
        self.least = Some(self.least.map_or(ahead, |least| least.min(ahead)));
    }

    /// Records the time of the machine's clock. Returns by how many milliseconds the machine's clock has jumped since
    /// the last call; `None` if it has not jumped by more than a minute.
    pub fn observe(&mut self, clock: &Clock) -> Option<i64> {
        let now = clock.now();
        self.note(now, clock);
        let ahead = ahead(now, clock);
        let jump = self.last.replace(ahead).map(|last| ahead.saturating_sub(last));
        jump.filter(|jump| jump.saturating_abs() > JUMP)
    }

    /// Returns the time that this steady clock shows; `None` if no time was recorded yet. `clock` gives the uptime.
    pub fn now(&self, clock: &Clock) -> Option<Timestamp> {
        self.least.map(|least| Timestamp(least).later_by(clock.uptime()))
    }
}

fn ahead(at: Timestamp, clock: &Clock) -> i64 {
    at.0.saturating_sub(i64::try_from(clock.uptime().as_millis()).unwrap_or(i64::MAX))
}

/// Moment at which [`Clock::uptime`] of the machine's clock is zero.
static BEGIN: LazyLock<Stopwatch> = LazyLock::new(Stopwatch::start);

/// Measures a duration for logs and metrics. Decisions use [`Clock::uptime`], because tests can control it.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "a measurement, never a value that is kept")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
#[path = "../tests/unit/clock.rs"]
mod tests;
