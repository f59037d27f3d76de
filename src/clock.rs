//! Time comes in as a value: everything asks a [`Clock`], so that tests can say what time it is.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;

use crate::domain::time::Timestamp;

/// Where the time comes from.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    System,
    Set(Arc<watch::Sender<i64>>),
}

impl Clock {
    /// The clock of the machine.
    pub fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `start` until it is moved.
    pub fn set_to(start: Timestamp) -> Self {
        Self(Source::Set(Arc::new(watch::Sender::new(start.0))))
    }

    /// Moves a set clock on; the machine's own clock takes no notice.
    pub fn advance(&self, by: Duration) {
        if let Source::Set(now) = &self.0 {
            let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
            now.send_modify(|now| *now = now.saturating_add(by));
        }
    }

    /// What time it is.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::Set(now) => Timestamp(*now.borrow()),
            Source::System => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
        }
    }

    /// The time since some moment in the past; it never runs back, whoever sets the machine's clock. For waits and ages.
    pub fn uptime(&self) -> Duration {
        match &self.0 {
            Source::Set(now) => Duration::from_millis(u64::try_from(*now.borrow()).unwrap_or_default()),
            Source::System => BEGIN.elapsed(),
        }
    }

    /// Waits until this much time has passed; where the clock is set, until somebody has moved it so far.
    pub async fn sleep(&self, wait: Duration) {
        match &self.0 {
            Source::Set(now) => {
                let until = self.now().later_by(wait);
                // The sender lives as long as this does.
                let _ = now.subscribe().wait_for(|now| *now >= until.0).await;
            }
            Source::System => tokio::time::sleep(wait).await,
        }
    }
}

/// Where [`Clock::uptime`] begins on the machine's own clock.
static BEGIN: LazyLock<Stopwatch> = LazyLock::new(Stopwatch::start);

/// Measures how long something took, for logs only: no decision hangs on it.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts measuring.
    #[expect(clippy::disallowed_methods, reason = "a measurement, never a value that is kept")]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the start.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
