//! The store on PostgreSQL, which several copies of the service may share. Nearly every operation is one statement on a
//! pooled connection. If the connection breaks, the statement is sent again, within a time limit.
//!
//! Every write contains a revision, an id or a mark (a stored random text) that shows whether an earlier attempt
//! succeeded. So a write whose answer was lost can be sent again: it is not stored twice, or reported as failed
//! although it was stored.

mod address;
mod address_error;
mod api_keys;
mod audit;
mod chats;
mod commit;
mod connect;
mod detections;
pub mod diagnostics;
mod dump;
mod engine;
mod events;
mod failure;
mod heavy_reads;
mod history;
mod idempotent_answers;
mod investigations;
mod links;
mod list;
mod migrate;
mod named;
mod password;
mod pooler;
mod presence;
mod rows;
mod session;
mod snapshot;
mod tls;
mod transaction;
mod trash;
mod visits;
mod webhooks;

use std::time::Duration;

use tokio_postgres::types::ToSql;

pub use address::Address;
pub use address_error::AddressError;

use super::{OpenError, PoolUsage, StoreError};

use connect::Connector;
use engine::{Answer, Engine, in_time};
use heavy_reads::HeavyReads;
use visits::Visits;

/// Time limit of the readiness check.
const READY: Duration = Duration::from_secs(2);

/// The store on PostgreSQL.
#[derive(Debug)]
pub struct Postgres {
    engine: Engine,
    heavy: HeavyReads,
    visits: Visits,
}

/// Returns the two statements of an update, for benchmarks: first the read, then the write. The parameters of the write
/// have names, such as `$revision`.
#[cfg(feature = "simulation")]
pub fn statements_of_an_update() -> [String; 2] {
    [investigations::reading(), commit::STATEMENT.to_owned()]
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
        events::take_over(&first).await?;
        drop(first);
        let heavy = heavy_reads::part_of(connections);
        let engine = Engine::new(connector, connections - heavy)?;
        let heavy = HeavyReads::new(Connector::new(address)?, heavy, &engine)?;
        Ok(Self { engine, heavy, visits: Visits::default() })
    }

    pub async fn ready(&self) -> Result<(), StoreError> {
        let answer = in_time(READY, self.ask("SHOW transaction_read_only", &[])).await?;
        match answer.rows.first().map(|row| rows::get::<&str>(row, 0)) {
            Some(Ok("off")) => Ok(()),
            _ => Err(StoreError::Unavailable("the database is read-only".into())),
        }
    }

    pub fn usage(&self) -> (usize, [PoolUsage; 2]) {
        let (waiting, operations) = self.engine.usage("operations");
        (waiting + self.visits.waiting(), [operations, self.heavy.engine().usage("heavy_reads").1])
    }

    pub async fn size(&self) -> Result<u64, StoreError> {
        let answer = self.ask("SELECT pg_database_size(current_database())", &[]).await?;
        let row = answer.rows.first().ok_or_else(|| StoreError::Failed("the size has no row".into()))?;
        rows::get::<i64>(row, 0).map(i64::unsigned_abs)
    }

    pub fn heavy_reads(&self) -> u32 {
        self.heavy.connections()
    }

    pub fn stop_heavy_reads(&self) {
        self.heavy.stop();
    }

    pub async fn close(&self) {
        self.heavy.stop();
        self.heavy.engine().close();
        self.visits.finished().await;
        self.engine.close();
    }

    /// Runs a read-only statement and returns its rows.
    async fn ask(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Answer, StoreError> {
        self.engine.ask(sql, values).await
    }

    /// Runs a write statement and returns its rows. The statement must be idempotent, because it may be sent more than
    /// once.
    async fn change(&self, sql: &str, values: &[&(dyn ToSql + Sync)]) -> Result<Answer, StoreError> {
        self.engine.change(sql, values).await
    }
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        StoreError::Failed(failure::words(&error))
    }
}
