//! Connections of the pool in use.

use std::pin::Pin;
use std::time::Duration;

use deadpool::managed::Object;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::connect::{Connection, Connector};
use super::statements::{self, RunError, in_order};
use crate::store::StoreError;
use crate::store::sql::{Rows, Statement};

/// Time for which a statement may continue after its caller has disconnected. Then it is cancelled.
const DRAIN: Duration = Duration::from_millis(250);

/// Begins a transaction that only reads. All its statements see the same state of the store.
pub const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A pooled connection in use. It may be dropped without [`Session::keep`], for example because the caller
/// disconnected. Then the connection goes back to the pool if its statement and its transaction end soon. Otherwise,
/// the statement is cancelled and the connection is closed.
pub struct Session {
    connection: Option<Object<Connector>>,
    in_transaction: bool,
}

/// A part of a request to the server.
#[derive(Clone, Copy)]
pub enum Part<'p> {
    /// Text without parameters and without rows, such as `COMMIT`.
    Text(&'static str),
    Statement(&'p Statement),
}

/// A future that sends a part, and resolves to its rows.
type Sending<'s> = Pin<Box<dyn Future<Output = Result<Option<Rows>, RunError>> + Send + 's>>;

impl Session {
    /// Wraps a connection that was taken from the pool.
    pub fn of(connection: Object<Connector>) -> Self {
        Self { connection: Some(connection), in_transaction: false }
    }

    /// Marks the connection as being in a transaction. The transaction is ended if this value is dropped.
    pub fn in_transaction(mut self) -> Self {
        self.in_transaction = true;
        self
    }

    /// Sends all parts together, and returns the rows of each statement. After a failure, the server skips the other
    /// parts up to the end of the transaction.
    ///
    /// # Errors
    /// The first failure.
    pub async fn send(&self, parts: Vec<Part<'_>>) -> Result<Vec<Rows>, RunError> {
        let connection = self.connection()?;
        let mut prepared = Vec::new();
        for part in &parts {
            prepared.push(match part {
                Part::Text(_) => None,
                Part::Statement(statement) => Some((connection.prepared(&statement.sql).await?, *statement)),
            });
        }
        let mut sent: Vec<Sending<'_>> = Vec::new();
        for (part, prepared) in parts.iter().zip(&prepared) {
            match (part, prepared) {
                (Part::Text(text), _) => sent.push(Box::pin(async move {
                    connection.client().batch_execute(text).await?;
                    Ok(None)
                })),
                (_, Some((prepared, statement))) => {
                    let values = prepared.values(statement)?;
                    sent.push(Box::pin(async move {
                        statements::run(connection.client(), prepared, &values).await.map(Some)
                    }));
                }
                (_, None) => {}
            }
        }
        Ok(in_order(sent).await?.into_iter().flatten().collect())
    }

    fn connection(&self) -> Result<&Connection, StoreError> {
        self.connection.as_deref().ok_or_else(|| StoreError::Failed("the connection was given back".into()))
    }

    /// Gives the connection back to the pool.
    pub fn keep(mut self) {
        drop(self.connection.take());
    }

    /// Cancels the running statement and closes the connection.
    pub fn close(mut self) {
        if let Some(connection) = self.connection.take() {
            Object::take(connection).cancel();
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        match Handle::try_current() {
            Ok(runtime) => {
                let end = if self.in_transaction { "ROLLBACK" } else { "" };
                runtime.spawn(async move {
                    // The server executes `end` only after the running statement, so the answer to `end` means that
                    // both have ended.
                    if !matches!(timeout(DRAIN, connection.client().batch_execute(end)).await, Ok(Ok(()))) {
                        Object::take(connection).cancel();
                    }
                });
            }
            Err(_) => Object::take(connection).cancel(),
        }
    }
}
