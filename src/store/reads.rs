//! Limits every read: it ends at its deadline, when nobody waits for it any more, or when the store closes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::StoreError;
use crate::domain::list::{Filter, ListQuery};

/// Time limit of a read.
pub const LIMIT: Duration = Duration::from_secs(5);

/// Maximum number of concurrent heavy reads: histories, versions and filtered lists. They have their own connections,
/// so that other reads never wait for them.
pub const HEAVY: u32 = 4;

/// Returns whether a list reads far more than it shows.
pub fn is_heavy(query: &ListQuery) -> bool {
    query.filter != Filter::default()
}

/// Decides when a read must end. The read checks it regularly.
#[derive(Debug)]
pub struct Watch {
    until: Option<Instant>,
    closing: Arc<AtomicBool>,
    abandoned: AtomicBool,
    done: AtomicBool,
}

impl Watch {
    /// Returns a read that starts now. It ends early if `closing` becomes true.
    pub fn new(limit: Option<Duration>, closing: Arc<AtomicBool>) -> Arc<Self> {
        let until = limit.map(|limit| Instant::now() + limit);
        Arc::new(Self { until, closing, abandoned: AtomicBool::new(false), done: AtomicBool::new(false) })
    }

    /// Returns an error if the read must end.
    ///
    /// # Errors
    /// [`StoreError::Closing`], [`StoreError::Deadline`], or any other error if nobody waits.
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

    /// Returns whether the statement under way must stop.
    pub fn interrupts(&self) -> bool {
        !self.done.load(Ordering::Relaxed) && self.check().is_err()
    }

    /// Ends the read. What follows is not interrupted.
    pub fn done(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// The waiting caller of a read. Dropping it before the answer stops the read.
#[derive(Debug, Default)]
pub struct Waiting {
    watch: Option<Arc<Watch>>,
    answered: bool,
}

impl Waiting {
    /// Waits for this read.
    pub fn of(watch: Arc<Watch>) -> Self {
        Self { watch: Some(watch), answered: false }
    }

    /// Returns the answer arrived. Counts why the read was stopped, if it was.
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

impl Drop for Waiting {
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
