//! Read-only connections, lent out one read at a time. Readers never wait for the writer: WAL gives each a snapshot.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::store::StoreError;

#[derive(Debug)]
pub struct Readers {
    idle: Arc<Mutex<Vec<Connection>>>,
    permits: Semaphore,
}

impl Readers {
    pub fn new(connections: Vec<Connection>) -> Self {
        let permits = Semaphore::new(connections.len());
        Self { idle: Arc::new(Mutex::new(connections)), permits }
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
        let _permit = self.permits.acquire().await.map_err(closed)?;
        let idle = self.idle.clone();
        let work = move || {
            let connection = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(connection) = connection else {
                return Err(StoreError::Failed("no read connection is left".to_owned()));
            };
            // A panic in `read` would lose the connection, and the pool would run dry.
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| in_snapshot(&connection, read)));
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            outcome.unwrap_or_else(|_| Err(StoreError::Failed("a read panicked".to_owned())))
        };
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|e| Err(StoreError::Failed(e.to_string())))
    }
}

fn in_snapshot<T, E: Into<StoreError>>(
    connection: &Connection,
    read: impl FnOnce(&Connection) -> Result<T, E>,
) -> Result<T, StoreError> {
    let snapshot = connection.unchecked_transaction()?;
    read(&snapshot).map_err(Into::into)
}
