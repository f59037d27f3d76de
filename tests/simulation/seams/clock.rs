//! The manual clock, which takes the place of the machine's clock in tests.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use super::{Clock, Source};
use crate::domain::time::Timestamp;

pub type Times = Arc<watch::Sender<ManualTime>>;

#[derive(Debug, Clone, Copy)]
pub struct ManualTime {
    pub now: i64,
    pub uptime: i64,
}

impl Clock {
    /// Creates a manual clock, which shows `start` until it is advanced.
    pub fn set_to(start: Timestamp) -> Self {
        Self(Source::Set(Arc::new(watch::Sender::new(ManualTime { now: start.0, uptime: start.0 }))))
    }

    /// Advances a manual clock. Has no effect on the machine's clock.
    pub fn advance(&self, by: Duration) {
        if let Source::Set(times) = &self.0 {
            let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
            times.send_modify(|times| {
                times.now = times.now.saturating_add(by);
                times.uptime = times.uptime.saturating_add(by);
            });
        }
    }

    /// Moves the time of a manual clock by `by` milliseconds; a negative number moves the time back. The uptime does
    /// not change, just as if somebody had set a machine's clock.
    pub fn jump(&self, by: i64) {
        if let Source::Set(times) = &self.0 {
            times.send_modify(|times| times.now = times.now.saturating_add(by));
        }
    }
}
