//! Source of time. All code asks a [`Clock`], so that tests control the time.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::domain::time::Timestamp;

/// Source of time.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Set(Arc<watch::Sender<ManualTime>>),
}

/// The time of a manual clock, in milliseconds.
#[derive(Debug, Clone, Copy)]
struct ManualTime {
    now: i64,
    uptime: i64,
}

impl Clock {
    /// Returns the clock of the machine.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// Creates a manual clock that shows `start` until it is moved.
    pub fn set_to(start: Timestamp) -> Self {
        Self(Source::Set(Arc::new(watch::Sender::new(ManualTime { now: start.0, uptime: start.0 }))))
    }

    /// Advances a manual clock. Has no effect on the machine's own clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Set(times) = &self.0 {
            let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
            times.send_modify(|times| {
                times.now = times.now.saturating_add(by);
                times.uptime = times.uptime.saturating_add(by);
            });
        }
    }

    /// Sets a manual clock this many milliseconds ahead or back, as if somebody set a machine's clock: no time passes.
    pub fn jump(&self, by: i64) {
        if let Source::Set(times) = &self.0 {
            times.send_modify(|times| times.now = times.now.saturating_add(by));
        }
    }

    /// Returns the current time.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::Set(times) => Timestamp(times.borrow().now),
            Source::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
        }
    }

    /// Returns the time since a fixed moment in the past. It never runs backwards, even if the machine's clock is set.
    /// For waits and ages.
    pub fn uptime(&self) -> Duration {
        match &self.0 {
            Source::Set(times) => Duration::from_millis(u64::try_from(times.borrow().uptime).unwrap_or_default()),
            Source::System => BEGIN.elapsed(),
        }
    }

    /// Waits until this much time has passed; on a manual clock, until it has been moved that far.
    pub async fn sleep(&self, wait: Duration) {
        match &self.0 {
            Source::Set(times) => {
                let until = Timestamp(times.borrow().uptime).later_by(wait);
                // The sender lives as long as `self`.
                let _ = times.subscribe().wait_for(|times| times.uptime >= until.0).await;
            }
            Source::System => tokio::time::sleep(wait).await,
        }
    }
}

/// Smallest difference of the machine's clock, in milliseconds, that counts as a jump.
const JUMP: i64 = 60_000;

/// A time that advances like [`Clock::uptime`] and is never ahead of a noted time; for the age of data that expires. If
/// the machine's clock jumps ahead, this time ignores it; if it is set back, this time follows.
#[derive(Debug, Default)]
pub struct SteadyClock {
    /// Smallest observed difference between a noted time and the uptime, in milliseconds.
    least: Option<i64>,
    /// Difference between the machine's clock and the uptime at the last observation.
    last: Option<i64>,
}

impl SteadyClock {
    /// Notes a time from another source.
    pub fn note(&mut self, at: Timestamp, clock: &Clock) {
        let ahead = ahead(at, clock);
        self.least = Some(self.least.map_or(ahead, |least| least.min(ahead)));
    }

    /// Notes the machine's time; returns the milliseconds by which it jumped since the last observation.
    pub fn observe(&mut self, clock: &Clock) -> Option<i64> {
        let now = clock.now();
        self.note(now, clock);
        let ahead = ahead(now, clock);
        let jump = self.last.replace(ahead).map(|last| ahead.saturating_sub(last));
        jump.filter(|jump| jump.saturating_abs() > JUMP)
    }

    /// Returns a lower bound of the current time; `None` before anything was noted.
    pub fn now(&self, clock: &Clock) -> Option<Timestamp> {
        self.least.map(|least| Timestamp(least).later_by(clock.uptime()))
    }
}

fn ahead(at: Timestamp, clock: &Clock) -> i64 {
    at.0.saturating_sub(i64::try_from(clock.uptime().as_millis()).unwrap_or(i64::MAX))
}

/// When [`Clock::uptime`] starts on the machine's own clock.
static BEGIN: LazyLock<Stopwatch> = LazyLock::new(Stopwatch::start);

/// Measures a duration for the log. No decision depends on it.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts measuring.
    #[expect(clippy::disallowed_methods, reason = "a measurement, never a value that is kept")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
#[path = "../tests/unit/clock.rs"]
mod tests;
