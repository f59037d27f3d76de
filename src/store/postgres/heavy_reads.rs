//! Heavy reads, which have their own connections and a time limit. If the caller of a heavy read disconnects, the read
//! is cancelled on the server.

use tokio::sync::watch;
use tokio::time::timeout;

use super::connect::Connector;
use super::engine::{Answer, Engine};
use super::session::Values;
use crate::store::reads::{HEAVY, LIMIT, ReadGuard};
use crate::store::{OpenError, StoreError};

#[derive(Debug)]
pub struct HeavyReads {
    engine: Engine,
    connections: u32,
    closing: watch::Sender<bool>,
}

/// Returns how many of `connections` connections are reserved for heavy reads: a quarter, but at least 1 and at most
/// [`HEAVY`]. Returns 0 if there is only one connection, which then serves all reads and writes.
pub fn part_of(connections: usize) -> usize {
    (connections / 4).clamp(usize::from(connections > 1), HEAVY as usize)
}

impl HeavyReads {
    /// Creates a pool of `connections` connections. If `connections` is 0, uses the pool `shared`.
    pub fn new(connector: Connector, connections: usize, shared: &Engine) -> Result<Self, OpenError> {
        let engine = if connections == 0 { shared.clone() } else { Engine::new(connector, connections)? };
        let connections = u32::try_from(connections.max(1)).unwrap_or(HEAVY);
        Ok(Self { engine, connections, closing: watch::Sender::new(false) })
    }

    /// Returns the maximum number of concurrent statements.
    pub fn connections(&self) -> u32 {
        self.connections
    }

    /// Returns the engine that runs statements on these connections.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    pub async fn ask(&self, sql: &str, values: &Values<'_>) -> Result<Answer, StoreError> {
        self.engine.ask(sql, values).await
    }

    /// Runs a read with the time limit [`LIMIT`].
    pub async fn read<T>(&self, read: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let waiting = ReadGuard::default();
        let mut closing = self.closing.subscribe();
        let outcome = tokio::select! {
            biased;
            _ = closing.wait_for(|closing| *closing), if !self.engine.is_closed() => Err(StoreError::Closing),
            outcome = timeout(LIMIT, read) => outcome.unwrap_or_else(|_| Err(self.engine.timeout_error())),
        };
        waiting.answered(outcome)
    }

    /// Cancels all heavy reads. Later calls of [`Self::read`] fail.
    pub fn stop(&self) {
        self.closing.send_replace(true);
    }
}
