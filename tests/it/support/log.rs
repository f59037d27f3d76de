//! Log of one thread while a test runs.

use std::io;
use std::sync::{Arc, Mutex};

use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber};

#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

/// Captures everything that this thread logs until the guard is dropped.
pub fn captured() -> (Log, (Dispatch, DefaultGuard)) {
    // A thread without a subscriber may reach a log statement first. With a single dispatcher, tracing would then
    // cache that the statement is disabled. A second dispatcher prevents this.
    let second = Dispatch::new(NoSubscriber::new());
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    (log, (second, tracing::subscriber::set_default(subscriber)))
}

impl Log {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("unharmed")).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("unharmed").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
