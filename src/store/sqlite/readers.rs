//! Pools of read-only connections. A connection serves one read at a time. Reads never wait for the writer, because in
//! WAL mode each read has its own snapshot.

use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::timeout;

use crate::store::reads::{LIMIT, ReadGuard, Watch};
use crate::store::{PoolUsage, StoreError};

/// Maximum number of running and waiting reads. Additional reads are rejected immediately.
const MAX_READS: usize = 1024;

/// Number of steps of SQLite's virtual machine between two checks of the deadline.
const STEPS: i32 = 1000;

/// Maximum wait for running reads when the store closes.
const STOP_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    connection_permits: Arc<Semaphore>,
    queue_places: Semaphore,
    size: usize,
    closing: Arc<AtomicBool>,
    /// Whether reads run on their caller's thread.
    #[cfg(feature = "simulation")]
    inline: bool,
}

/// A connection in use by a read.
pub struct Reading<'r> {
    connection: &'r Connection,
    watch: &'r Watch,
}

impl Reading<'_> {
    /// Checks whether the read may continue. SQLite itself does this check while a statement runs, but a loop over rows
    /// or statements must call this function.
    ///
    /// # Errors
    /// The reason why the read must end.
    pub fn check(&self) -> Result<(), StoreError> {
        self.watch.check()
    }
}

impl Deref for Reading<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Readers {
    pub fn new(connections: Vec<Connection>) -> Self {
        let connection_permits = Arc::new(Semaphore::new(connections.len()));
        let size = connections.len();
        let idle = Arc::new(Mutex::new(connections));
        Self {
            size,
            queue_places: Semaphore::new(MAX_READS),
            idle,
            connection_permits,
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

    /// Runs `read` on a blocking thread, in one snapshot of the store. The read ends at its deadline, or when this
    /// future is dropped. While the future waits for a connection, the read has not started.
    pub async fn read<T, E>(
        &self,
        read: impl FnOnce(&Reading<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        E: Into<StoreError> + Send + 'static,
    {
        self.read_within(Some(LIMIT), read).await
    }

    /// Works like [`Self::read`] but without a deadline, for commands that read the whole store.
    pub async fn read_without_deadline<T, E>(
        &self,
        read: impl FnOnce(&Reading<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        E: Into<StoreError> + Send + 'static,
    {
        self.read_within(None, read).await
    }

    async fn read_within<T, E>(
        &self,
        limit: Option<Duration>,
        read: impl FnOnce(&Reading<'_>) -> Result<T, E> + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        E: Into<StoreError> + Send + 'static,
    {
        let (_permit, mut lent) = (self.permit()?, self.borrow_connection().await?);
        let watch = Watch::new(limit, self.closing.clone());
        let waiting = ReadGuard::of(watch.clone());
        let work = move || {
            lent.use_for(&watch, |reading| {
                reading.check()?;
                let snapshot = reading.connection.unchecked_transaction()?;
                let outcome = read(reading).map_err(Into::into).map_err(|error| reading.check().err().unwrap_or(error));
                // From here on no statement is interrupted, so that the snapshot can be closed.
                watch.done();
                drop(snapshot);
                outcome
            })
        };
        #[cfg(feature = "simulation")]
        if self.inline {
            return waiting.answered(work());
        }
        // A panic in `read` ends only this task. The connection is returned to the pool anyway.
        let outcome = tokio::task::spawn_blocking(work).await;
        waiting.answered(outcome.unwrap_or_else(|_| Err(StoreError::Failed("a read panicked".to_owned()))))
    }

    /// Runs `read` on the calling thread: looking up a few rows takes less time than switching threads. Without a
    /// common snapshot, two statements of `read` may see different states of the store.
    pub async fn look_up<T, E>(&self, read: impl FnOnce(&Reading<'_>) -> Result<T, E>) -> Result<T, StoreError>
    where
        E: Into<StoreError>,
    {
        let (_permit, mut lent) = (self.permit()?, self.borrow_connection().await?);
        let watch = Watch::new(Some(LIMIT), self.closing.clone());
        let read = |reading: &Reading<'_>| {
            read(reading).map_err(Into::into).map_err(|error| reading.check().err().unwrap_or(error))
        };
        let outcome = lent.use_for(&watch, read);
        ReadGuard::of(watch).answered(outcome)
    }

    fn permit(&self) -> Result<SemaphorePermit<'_>, StoreError> {
        self.queue_places.try_acquire().map_err(|_| StoreError::Busy)
    }

    async fn borrow_connection(&self) -> Result<BorrowedConnection, StoreError> {
        let permit =
            timeout(LIMIT, self.connection_permits.clone().acquire_owned()).await.map_err(|_| StoreError::Busy)?;
        let permit = permit.map_err(|_| StoreError::Failed("the store is closed".to_owned()))?;
        let connection = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(BorrowedConnection { connection, idle: self.idle.clone(), closing: self.closing.clone(), _permit: permit })
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
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
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
    fn use_for<T>(
        &mut self,
        watch: &Arc<Watch>,
        read: impl FnOnce(&Reading<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let Some(connection) = &mut self.connection else {
            return Err(StoreError::Failed("no read connection is available".to_owned()));
        };
        let asked = watch.clone();
        connection.progress_handler(STEPS, Some(move || asked.interrupts()))?;
        read(&Reading { connection, watch })
    }
}

impl Drop for BorrowedConnection {
    fn drop(&mut self) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = self.connection.take().filter(|_| !self.closing.load(Ordering::Relaxed));
        idle.extend(connection);
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/store/sqlite/readers.rs"]
mod tests;
