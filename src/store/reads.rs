//! Every read ends: at its deadline, when nobody waits for its answer any more, or when the store closes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::time::Instant;

use super::StoreError;
use crate::domain::list::{Filter, ListQuery};

/// How long a read may take.
pub const LIMIT: Duration = Duration::from_secs(5);

/// How many heavy reads the service lets run at once: histories, versions and lists with a filter. They have connections of
/// their own, so that the others never wait for them.
pub const HEAVY: u32 = 4;

/// Whether a list reads far more than it shows.
pub fn is_heavy(query: &ListQuery) -> bool {
    query.filter != Filter::default()
}

/// Says when a read must end. The read asks again and again.
#[derive(Debug)]
pub struct Watch {
    until: Option<Instant>,
    closing: Arc<AtomicBool>,
    abandoned: AtomicBool,
    done: AtomicBool,
}

impl Watch {
    /// A read that begins now. It ends early when `closing` becomes true.
    pub fn new(limit: Option<Duration>, closing: Arc<AtomicBool>) -> Arc<Self> {
        let until = limit.map(|limit| Instant::now() + limit);
        Arc::new(Self { until, closing, abandoned: AtomicBool::new(false), done: AtomicBool::new(false) })
    }

    /// Why the read must end now.
    ///
    /// # Errors
    /// [`StoreError::Closing`], [`StoreError::Deadline`], or any other where nobody waits.
    pub fn check(&self) -> Result<(), StoreError> {
        if self.abandoned.load(Ordering::Relaxed) {
            Err(StoreError::Failed("nobody waits for the read".to_owned()))
        } else if self.closing.load(Ordering::Relaxed) {
            Err(StoreError::Closing)
        } else if self.until.is_some_and(|until| Instant::now() > until) {
            Err(StoreError::Deadline)
        } else {
            Ok(())
        }
    }

    /// Whether the statement under way must stop.
    pub fn interrupts(&self) -> bool {
        !self.done.load(Ordering::Relaxed) && self.check().is_err()
    }

    /// The read is over: what follows is not interrupted.
    pub fn done(&self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Whoever waits for a read. Dropped before the answer came, it stops the read.
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

    /// The answer came. Counts why the read was stopped, if it was.
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
