//! Limits of reads. A read ends at its deadline, when its caller has disconnected, or when the store closes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::StoreError;

/// Time limit of a read.
pub const LIMIT: Duration = Duration::from_secs(5);

/// Conditions under which a read must end. The running read checks them regularly.
#[derive(Debug)]
pub struct Watch {
    until: Option<Instant>,
    closing: Arc<AtomicBool>,
    abandoned: AtomicBool,
}

impl Watch {
    /// Starts the time limit `limit` of a read; `None` means no limit. The read also ends if `closing` becomes true.
    pub fn new(limit: Option<Duration>, closing: Arc<AtomicBool>) -> Arc<Self> {
        let until = limit.map(|limit| Instant::now() + limit);
        Arc::new(Self { until, closing, abandoned: AtomicBool::new(false) })
    }

    /// Returns an error if the read must end.
    ///
    /// # Errors
    /// [`StoreError::Closing`], [`StoreError::Deadline`], or [`StoreError::Failed`] if no caller is waiting for the
    /// result.
    pub fn check(&self) -> Result<(), StoreError> {
        if self.abandoned.load(Ordering::Relaxed) {
            Err(StoreError::Failed("nobody is waiting for the read".to_owned()))
        } else if self.closing.load(Ordering::Relaxed) {
            Err(StoreError::Closing)
        } else if self.until.is_some_and(|until| Instant::now() > until) {
            Err(StoreError::Deadline)
        } else {
            Ok(())
        }
    }
}

/// Guard that a caller holds while waiting for a read. If the guard is dropped before [`Self::answered`] is called, the
/// caller is gone: the metrics count an abandoned read, and `watch`, if any, stops the read.
#[derive(Debug, Default)]
pub struct ReadGuard {
    watch: Option<Arc<Watch>>,
    answered: bool,
}

impl ReadGuard {
    pub fn of(watch: Arc<Watch>) -> Self {
        Self { watch: Some(watch), answered: false }
    }

    /// Marks the read as answered, and returns `outcome`. If the read was stopped, counts the reason in the metrics.
    pub fn answered<T>(mut self, outcome: Result<T, StoreError>) -> Result<T, StoreError> {
        self.answered = true;
        match &outcome {
            Err(StoreError::Deadline) => stopped("deadline"),
            Err(StoreError::Closing) => stopped("closing"),
            _ => {}
        }
        outcome
    }
}

impl Drop for ReadGuard {
    fn drop(&mut self) {
        if !self.answered {
            self.watch.iter().for_each(|watch| watch.abandoned.store(true, Ordering::Relaxed));
            stopped("abandoned");
        }
    }
}

fn stopped(reason: &'static str) {
    metrics::counter!("fieldbook_reads_stopped_total", "reason" => reason).increment(1);
}
