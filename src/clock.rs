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

/// Maximum speed of an [`ExpiryClock`] that is behind the machine's clock, as a multiple of real time.
const CATCHING_UP: u32 = 4;

/// How far an [`ExpiryClock`] may be ahead of the machine's clock without being reset: a day.
const FAR_AHEAD: Duration = Duration::from_secs(24 * 3600);

/// Time for which an [`ExpiryClock`] may be far ahead before it is reset to the machine's clock: a week.
const PATIENCE: Duration = Duration::from_secs(7 * 24 * 3600);

/// A clock that decides when stored data expires. This expiry clock follows the machine's clock, but runs at most four
/// times as fast as real time, and it waits while the machine's clock is behind. So if the machine's clock is far ahead
/// by mistake for several days, nothing expires at once. After the service was stopped for several weeks, the expiry
/// clock catches up within days.
///
/// If the machine's clock stays far behind the expiry clock for a week without a restart of the service, the expiry
/// clock goes back to the time of the machine's clock. The reason is that the machine's clock was probably wrong before
/// that week, and correct during that week.
///
/// But perhaps the machine's clock was correct before that week, and wrong only during the week. Then the expiry clock
/// catches up once the machine's clock is correct again. Until it has caught up, older records expire late. Records
/// that were stored during the week are kept for at least a quarter of their lifetime, because the expiry clock runs
/// at most four times as fast as real time.
#[derive(Debug)]
pub struct ExpiryClock {
    shows: Timestamp,
    /// Uptime when this clock was last read.
    uptime: Duration,
    /// Uptime since which this clock has been far ahead of the machine's clock; `None` if it is not far ahead.
    far_ahead_since: Option<Duration>,
}

impl ExpiryClock {
    /// Continues at `left_at`, the time of this clock in an earlier process. If it is `None`, starts at the time of the
    /// machine's clock.
    pub fn continued(left_at: Option<Timestamp>, clock: &Clock) -> Self {
        Self { shows: left_at.unwrap_or_else(|| clock.now()), uptime: clock.uptime(), far_ahead_since: None }
    }

    pub fn now(&mut self, clock: &Clock) -> Timestamp {
        let (machine, uptime) = (clock.now(), clock.uptime());
        let most = self.shows.later_by(uptime.saturating_sub(self.uptime).saturating_mul(CATCHING_UP));
        self.uptime = uptime;
        self.shows = self.shows.max(machine.min(most));
        if self.shows.since(machine) <= FAR_AHEAD {
            self.far_ahead_since = None;
        } else if uptime.saturating_sub(*self.far_ahead_since.get_or_insert(uptime)) >= PATIENCE {
            self.shows = machine;
            self.far_ahead_since = None;
        }
        self.shows
    }
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
