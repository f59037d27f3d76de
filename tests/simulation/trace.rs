//! Record of a history, step by step: a digest, to compare runs of the same seed, and a text for people.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

/// Record of a history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Trace(Arc<Mutex<Written>>);

#[derive(Debug)]
struct Written {
    digest: DefaultHasher,
    now: Duration,
    /// Lines of the text; `None` if nobody reads it.
    lines: Option<Vec<String>>,
}

impl Trace {
    pub fn new(is_read: bool) -> Self {
        let lines = is_read.then(Vec::new);
        Self(Arc::new(Mutex::new(Written { digest: DefaultHasher::new(), now: Duration::ZERO, lines })))
    }

    /// Records that a task is polled.
    pub fn step(&self, now: Duration, task: u64) {
        let mut written = self.0.lock();
        written.now = now;
        (now, task).hash(&mut written.digest);
    }

    pub fn note(&self, line: impl FnOnce() -> String) {
        let mut written = self.0.lock();
        let line = line();
        line.hash(&mut written.digest);
        let now = written.now.as_secs_f64();
        if let Some(lines) = &mut written.lines {
            lines.push(format!("{now:9.3} s  {line}"));
        }
    }

    pub fn digest(&self) -> u64 {
        self.0.lock().digest.finish()
    }

    pub fn text(&self) -> String {
        let written = self.0.lock();
        written.lines.iter().flatten().map(|line| format!("{line}\n")).collect()
    }
}
