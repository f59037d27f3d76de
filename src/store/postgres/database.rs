//! The shared store, with the interface that the use cases need. It has two pools of connections.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::address::Address;
use super::connect::Connector;
use super::pool::Pool;
use super::{migrate, pooler, take_over};
use crate::admission::HEAVY;
use crate::ids::Ids;
use crate::store::sql::{Rows, Statement};
use crate::store::{OpenError, PoolUsage, StoreError};

/// Time limit of the readiness check.
const READY: Duration = Duration::from_secs(2);

#[derive(Debug)]
pub struct Postgres {
    pub(super) pool: Pool,
    /// Connections for heavy reads. The same pool as `pool` if there is only one connection.
    pub(super) heavy: Pool,
    pub(super) closing: watch::Sender<bool>,
    /// Generator of the marks of writes, see `store/write.rs`.
    pub(super) marks: Ids,
    /// Counts writes, to know when to delete old marks.
    pub(super) writes: AtomicU64,
}

impl Postgres {
    /// Connects to the store at `address` with up to `connections` connections. Runs missing migrations if `migrate` is
    /// true; otherwise fails if a migration is missing.
    pub async fn open(address: Address, connections: usize, migrate: bool) -> Result<Self, OpenError> {
        let connector = Connector::new(address.clone())?;
        let mut first = connector.connect_first().await.map_err(|error| OpenError(error.to_string()))?;
        pooler::refuse(&connector, &first).await?;
        if migrate {
            migrate::run(&mut first).await?
        } else {
            migrate::check(&first).await?
        }
        take_over::events(&first).await?;
        drop(first);
        let heavy_connections = heavy_part_of(connections);
        let pool = Pool::new(connector, connections - heavy_connections)?;
        let heavy = match heavy_connections {
            0 => pool.clone(),
            _ => Pool::new(Connector::new(address)?, heavy_connections)?,
        };
        Ok(Self { pool, heavy, closing: watch::Sender::new(false), marks: Ids::random(), writes: AtomicU64::default() })
    }

    /// Runs statements in one snapshot, on a connection for short operations.
    pub async fn read(&self, statements: &[Statement]) -> Result<Vec<Rows>, StoreError> {
        self.pool.read(self.pool.patience(), statements).await
    }

    pub async fn ready(&self) -> Result<(), StoreError> {
        let setting = Statement::new("SELECT current_setting('transaction_read_only') AS setting");
        let rows = self.pool.read(Instant::now() + READY, &[setting]).await?;
        match rows.first().and_then(|rows| rows.first()).map(|row| row.text("setting")) {
            Some(Ok("off")) => Ok(()),
            _ => Err(StoreError::Unavailable("the database is read-only".into())),
        }
    }

    pub fn usage(&self) -> (usize, [PoolUsage; 2]) {
        let (waiting, operations) = self.pool.usage("operations");
        (waiting, [operations, self.heavy.usage("heavy_reads").1])
    }

    pub fn stop_heavy_reads(&self) {
        self.closing.send_replace(true);
    }

    pub fn close(&self) {
        self.stop_heavy_reads();
        self.heavy.close();
        self.pool.close();
    }
}

/// Returns how many of `connections` connections are reserved for heavy reads: a quarter, but at least 1 and at most
/// [`HEAVY`]. Returns 0 if there is only one connection, which then serves all reads and writes.
fn heavy_part_of(connections: usize) -> usize {
    (connections / 4).clamp(usize::from(connections > 1), HEAVY as usize)
}
