//! Read-only connections, lent out one read at a time. Readers never wait for the writer: WAL gives each a snapshot.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::store::StoreError;

/// So many reads may be under way or wait. Beyond them callers are sent away at once.
const PLACES: usize = 1024;

#[derive(Debug)]
pub struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    permits: Arc<Semaphore>,
    places: Semaphore,
    size: usize,
}

impl Readers {
    pub fn new(connections: Vec<Connection>) -> Self {
        let permits = Arc::new(Semaphore::new(connections.len()));
        let size = connections.len();
        Self { size, places: Semaphore::new(PLACES), idle: Arc::new(Mutex::new(connections)), permits }
    }

    /// Runs `read` in one snapshot of the store, on a thread that may block.
    pub async fn read<T, E>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        E: Into<StoreError> + Send + 'static,
    {
        let (_place, lent) = (self.place()?, self.lend().await?);
        // A panic in `read` ends its thread's work and gives the connection back.
        tokio::task::spawn_blocking(move || lent.use_for(|connection| in_snapshot(connection, read)))
            .await
            .unwrap_or_else(|_| Err(StoreError::Failed("a read panicked".to_owned())))
    }

    /// Runs `read` here and now: for what looks up single rows, which takes less than the way to another thread.
    /// Each statement sees a snapshot of its own.
    pub async fn look_up<T, E>(&self, read: impl FnOnce(&Connection) -> Result<T, E>) -> Result<T, StoreError>
    where
        E: Into<StoreError>,
    {
        let (_place, lent) = (self.place()?, self.lend().await?);
        lent.use_for(|connection| read(connection).map_err(Into::into))
    }

    fn place(&self) -> Result<SemaphorePermit<'_>, StoreError> {
        self.places.try_acquire().map_err(|_| StoreError::Busy)
    }

    async fn lend(&self) -> Result<Lent, StoreError> {
        let closed = |_| StoreError::Failed("the store is closed".to_owned());
        let permit = self.permits.clone().acquire_owned().await.map_err(closed)?;
        let connection = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Ok(Lent { connection, idle: self.idle.clone(), _permit: permit })
    }

    /// Closes the connections, once what is being read has been read.
    pub async fn close(&self) {
        let all = u32::try_from(self.size).unwrap_or(u32::MAX);
        if let Ok(_permits) = self.permits.acquire_many(all).await {
            self.permits.close();
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

/// A connection that goes back when this is dropped, also where a read panics or nobody waits for its answer any more.
struct Lent {
    connection: Option<Connection>,
    idle: Arc<Mutex<Vec<Connection>>>,
    _permit: OwnedSemaphorePermit,
}

impl Lent {
    fn use_for<T>(&self, read: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        match &self.connection {
            Some(connection) => read(connection),
            None => Err(StoreError::Failed("no read connection is left".to_owned())),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(self.connection.take());
    }
}

fn in_snapshot<T, E: Into<StoreError>>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, StoreError> {
    let snapshot = connection.unchecked_transaction()?;
    read(&snapshot).map_err(Into::into)
}
