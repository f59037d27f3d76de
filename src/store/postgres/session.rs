//! Connections of the pool in use.

use deadpool::managed::Object;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::connect::{Connection, Connector};

/// Values for the placeholders of a statement.
pub type Values<'v> = [&'v (dyn ToSql + Sync)];

/// A pooled connection in use. If this value is dropped without [`Session::keep`], for example because the caller
/// disconnected, the running statement is cancelled and the connection is closed.
pub struct Session(Option<Object<Connector>>);

impl Session {
    /// Wraps a connection that was taken from the pool.
    pub fn of(connection: Object<Connector>) -> Self {
        Self(Some(connection))
    }

    /// Runs a statement and returns its rows.
    pub async fn send(&self, sql: &str, values: &Values<'_>) -> Result<Vec<Row>, tokio_postgres::Error> {
        let Some(connection) = self.0.as_deref() else { return Ok(Vec::new()) };
        let connection: &Connection = connection;
        let statement = connection.prepared(sql).await?;
        connection.client().query(&statement, values).await
    }

    /// Runs statements without parameters, and ignores the returned rows.
    pub async fn run(&self, sql: &str) -> Result<(), tokio_postgres::Error> {
        let Some(connection) = self.0.as_deref() else { return Ok(()) };
        let connection: &Connection = connection;
        connection.client().batch_execute(sql).await
    }

    /// Gives the connection back to the pool.
    pub fn keep(mut self) {
        drop(self.0.take());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            Object::take(connection).cancel();
        }
    }
}
