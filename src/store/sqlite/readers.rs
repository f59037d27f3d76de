//! Pools of read-only connections. A connection serves one read at a time. Reads never wait for the writer, because in
//! WAL mode each read has its own snapshot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::statements;
use crate::store::reads::{LIMIT, ReadGuard, Watch};
use crate::store::sql::{Rows, Statement};
use crate::store::{PoolUsage, StoreError};

/// Number of steps of SQLite's virtual machine between two checks of the deadline.
const STEPS: i32 = 1000;

/// Maximum wait for running reads when the store closes.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    connection_permits: Arc<Semaphore>,
    size: usize,
    closing: Arc<AtomicBool>,
    /// Whether reads run on their caller's thread.
    #[cfg(feature = "simulation")]
    inline: bool,
}

impl Readers {
    pub fn new(connections: Vec<Connection>) -> Self {
        Self {
            size: connections.len(),
            connection_permits: Arc::new(Semaphore::new(connections.len())),
            idle: Arc::new(Mutex::new(connections)),
            closing: Arc::default(),
            #[cfg(feature = "simulation")]
            inline: false,
        }
    }

    /// Returns the pool, changed to run each read on its caller's thread.
    #[cfg(feature = "simulation")]
    pub fn inline(self) -> Self {
        Self { inline: true, ..self }
    }

    /// Runs statements on the calling thread: looking up a few rows takes less time than switching threads.
    pub async fn look_up(&self, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
        let mut lent = self.borrow_connection().await?;
        let watch = Watch::new(Some(LIMIT), self.closing.clone());
        let outcome = lent.look_up(&watch, statements);
        ReadGuard::of(watch).answered(outcome)
    }

    /// Begins a snapshot of the store, in which several reads see the same state. `limit` is the time limit of all of
    /// them; `None` means no limit.
    pub async fn snapshot(&self, limit: Option<Duration>) -> Result<Snapshot, StoreError> {
        let lent = self.borrow_connection().await?;
        let watch = Watch::new(limit, self.closing.clone());
        let waiting = ReadGuard::of(watch.clone());
        Ok(Snapshot {
            open: Mutex::new(Some(Open { lent, waiting })),
            watch,
            #[cfg(feature = "simulation")]
            inline: self.inline,
        })
    }

    async fn borrow_connection(&self) -> Result<BorrowedConnection, StoreError> {
        let permit =
            timeout(LIMIT, self.connection_permits.clone().acquire_owned()).await.map_err(|_| StoreError::Busy)?;
        let permit = permit.map_err(|_| StoreError::Failed("the store is closed".to_owned()))?;
        let connection = self.idle.lock().pop();
        let (idle, closing) = (self.idle.clone(), self.closing.clone());
        Ok(BorrowedConnection { connection, idle, closing, _permit: permit })
    }

    pub fn usage(&self, pool: &'static str) -> PoolUsage {
        PoolUsage {
            pool,
            in_use: self.size.saturating_sub(self.connection_permits.available_permits()),
            max: self.size,
        }
    }

    /// Stops all reads. Reads that start later fail.
    pub fn stop(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    pub async fn close(&self) {
        self.stop();
        let all = u32::try_from(self.size).unwrap_or(u32::MAX);
        let returned = timeout(STOP_TIMEOUT, self.connection_permits.acquire_many(all)).await;
        self.connection_permits.close();
        drop(returned);
        self.idle.lock().clear();
    }
}

/// Several reads in one snapshot of the store. If it is dropped, a running read is stopped.
pub struct Snapshot {
    /// `None` while a read runs, and after a read that failed.
    open: Mutex<Option<Open>>,
    watch: Arc<Watch>,
    #[cfg(feature = "simulation")]
    inline: bool,
}

struct Open {
    lent: BorrowedConnection,
    waiting: ReadGuard,
}

impl Snapshot {
    pub async fn read(&self, statements: Vec<Statement>) -> Result<Vec<Rows>, StoreError> {
        self.run(move |connection| rows_of_all(connection, &statements)).await
    }

    /// Runs `read` on a blocking thread.
    pub async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Some(Open { mut lent, waiting }) = self.take() else {
            return Err(StoreError::Failed("an earlier read of the snapshot failed".to_owned()));
        };
        let watch = self.watch.clone();
        let work = move || {
            let outcome = lent.begin().and_then(|()| lent.use_for(&watch, read));
            (lent, outcome)
        };
        #[cfg(feature = "simulation")]
        let ran = if self.inline { Ok(work()) } else { tokio::task::spawn_blocking(work).await };
        #[cfg(not(feature = "simulation"))]
        let ran = tokio::task::spawn_blocking(work).await;
        match ran {
            Ok((lent, Ok(answer))) => {
                *self.open.lock() = Some(Open { lent, waiting });
                Ok(answer)
            }
            Ok((_, failed)) => waiting.answered(failed),
            // A panic in `read` ends only this task. The connection is returned to the pool anyway.
            Err(error) => waiting.answered(Err(StoreError::of_lost_read(&error))),
        }
    }

    /// Ends the snapshot after its last read.
    pub fn end(self) {
        if let Some(Open { waiting, .. }) = self.take() {
            // Marks the read as answered, so that the metrics do not count it as stopped.
            let _ = waiting.answered(Ok(()));
        }
    }

    fn take(&self) -> Option<Open> {
        self.open.lock().take()
    }
}

/// A borrowed connection. It is returned to the pool when this value is dropped, even if a read panics or is cancelled.
struct BorrowedConnection {
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    closing: Arc<AtomicBool>,
    _permit: OwnedSemaphorePermit,
}

impl BorrowedConnection {
    /// Begins a transaction, unless there is one.
    fn begin(&self) -> Result<(), StoreError> {
        let connection = self.connection.as_ref().ok_or_else(no_connection)?;
        if connection.is_autocommit() {
            connection.prepare_cached("BEGIN")?.execute([])?;
        }
        Ok(())
    }

    fn look_up(&mut self, watch: &Arc<Watch>, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
        // A single statement needs no transaction, because it has its own snapshot.
        if statements.len() > 1 {
            self.begin()?;
        }
        self.use_for(watch, |connection| rows_of_all(connection, statements))
    }

    fn use_for<T>(
        &mut self,
        watch: &Arc<Watch>,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        watch.check()?;
        let asked = watch.clone();
        let connection = self.connection.as_mut().ok_or_else(no_connection)?;
        connection.progress_handler(STEPS, Some(move || asked.check().is_err()))?;
        read(connection).map_err(|error| watch.check().err().unwrap_or(error))
    }
}

impl Drop for BorrowedConnection {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take().filter(|_| !self.closing.load(Ordering::Relaxed)) else {
            return;
        };
        // No statement is interrupted from here on, so that the transaction can end.
        let _ = connection.progress_handler(STEPS, None::<fn() -> bool>);
        if !connection.is_autocommit() && roll_back(&connection).is_err() {
            return;
        }
        self.idle.lock().push(connection);
    }
}

fn rows_of_all(connection: &Connection, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
    statements.iter().map(|statement| statements::rows_of(connection, statement)).collect()
}

fn roll_back(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.prepare_cached("ROLLBACK")?.execute([]).map(drop)
}

fn no_connection() -> StoreError {
    StoreError::Failed("no read connection is available".to_owned())
}

#[cfg(test)]
#[path = "../../../tests/unit/store/sqlite/readers.rs"]
mod tests;
