//! Read-only connections, lent out one read at a time. Readers never wait for the writer: WAL gives each a snapshot.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

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
        let closed = |_| StoreError::Failed("the store is closed".to_owned());
        let _place = self.places.try_acquire().map_err(|_| StoreError::Busy)?;
        let permit = self.permits.clone().acquire_owned().await.map_err(closed)?;
        let idle = self.idle.clone();
        let work = move || {
            let connection = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(connection) = connection else {
                return Err(StoreError::Failed("no read connection is left".to_owned()));
            };
            // A panic in `read` would lose the connection, and the pool would run dry.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| in_snapshot(&connection, read)));
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            // Held until the connection is back, even where nobody waits for the answer any more.
            drop(permit);
            outcome.unwrap_or_else(|_| Err(StoreError::Failed("a read panicked".to_owned())))
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|e| Err(StoreError::Failed(e.to_string())))
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

fn in_snapshot<T, E: Into<StoreError>>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, StoreError> {
    let snapshot = connection.unchecked_transaction()?;
    read(&snapshot).map_err(Into::into)
}
