//! Connections of the pool in use.

use std::time::Duration;

use deadpool::managed::Object;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::connect::{Connection, Connector};

/// Values for the placeholders of a statement.
pub type Values<'v> = [&'v (dyn ToSql + Sync)];

/// How long a statement whose caller left may go on before it is cancelled.
const DRAIN: Duration = Duration::from_millis(250);

/// A pooled connection in use. If this value is dropped without [`Session::keep`], for example because the caller
/// disconnected, the connection goes back to the pool if its statement ends soon. Otherwise, and in a transaction, the
/// statement is cancelled and the connection is closed.
pub struct Session {
    connection: Option<Object<Connector>>,
    in_transaction: bool,
}

impl Session {
    /// Wraps a connection that was taken from the pool.
    pub fn of(connection: Object<Connector>) -> Self {
        Self { connection: Some(connection), in_transaction: false }
    }

    /// Wraps a connection for a transaction.
    pub fn in_transaction(connection: Object<Connector>) -> Self {
        Self { connection: Some(connection), in_transaction: true }
    }

    /// Runs a statement and returns its rows.
    pub async fn send(&self, sql: &str, values: &Values<'_>) -> Result<Vec<Row>, tokio_postgres::Error> {
        let Some(connection) = self.connection.as_deref() else { return Ok(Vec::new()) };
        let connection: &Connection = connection;
        let statement = connection.prepared(sql).await?;
        connection.client().query(&statement, values).await
    }

    /// Runs statements without parameters, and ignores the returned rows.
    pub async fn run(&self, sql: &str) -> Result<(), tokio_postgres::Error> {
        let Some(connection) = self.connection.as_deref() else { return Ok(()) };
        let connection: &Connection = connection;
        connection.client().batch_execute(sql).await
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
            Ok(runtime) if !self.in_transaction => {
                runtime.spawn(async move {
                    // The answer to this comes after the one to the running statement.
                    if !matches!(timeout(DRAIN, connection.client().batch_execute("")).await, Ok(Ok(()))) {
                        Object::take(connection).cancel();
                    }
                });
            }
            _ => Object::take(connection).cancel(),
        }
    }
}
