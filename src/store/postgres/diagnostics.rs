//! Checks a store on PostgreSQL, which other processes may be using, without changing it.

use tokio::sync::watch;
use tokio_postgres::{Client, Error};

use super::address::Address;
use super::connect::Connector;
use super::pool::Pool;
use super::snapshot::Snapshot;
use super::{error, migrate, pooler};
use crate::domain::time::Timestamp;
use crate::store::diagnostics::{Diagnosis, FAILED_DELIVERIES, FailedDeliveries, Integrity, MigrationState};
use crate::store::engine::ReadKind;

/// Statements that need the same permissions as the service, but change no row.
const WRITES: &str = "BEGIN; \
    INSERT INTO investigation SELECT * FROM investigation WHERE false; \
    UPDATE investigation SET revision = revision WHERE false; \
    DELETE FROM investigation WHERE false; \
    ROLLBACK";

/// Query for the number of checksum failures, and the time of the last one. No row if the server computes no checksums.
const DAMAGE: &str = "SELECT checksum_failures, (extract(epoch FROM checksum_last_failure) * 1000)::bigint
     FROM pg_stat_database WHERE datname = current_database() AND checksum_failures IS NOT NULL";

/// Checks the store at this address.
///
/// # Errors
/// A sentence for the operator, for example if no server is writable.
pub async fn at(address: Address) -> Result<Diagnosis, String> {
    let connector = Connector::new(address).map_err(|e| e.to_string())?;
    let connection = connector.connect().await.map_err(|e| e.to_string())?;
    pooler::refuse(&connector, &connection).await.map_err(|e| e.to_string())?;
    let diagnosis = diagnose(connection.client()).await;
    diagnosis.map_err(|e| format!("cannot read the database: {}", error::words(&e)))
}

/// Returns a snapshot of the store at this address.
///
/// # Errors
/// A sentence for the operator.
pub fn snapshot(address: Address) -> Result<Snapshot, String> {
    let pool = Connector::new(address).and_then(|connector| Pool::new(connector, 1)).map_err(|e| e.to_string())?;
    Ok(Snapshot::new(ReadKind::Unlimited, pool, watch::Sender::new(false).subscribe()))
}

async fn diagnose(client: &Client) -> Result<Diagnosis, Error> {
    let (done, known) = (migrate::steps_done(client).await?, migrate::known_steps());
    let creates_tables = migrate::may_create_tables(client).await?;
    if done == 0 {
        return Ok(Diagnosis::missing(creates_tables));
    }
    // A store of an older version may lack this table.
    let failed_deliveries = client.query(FAILED_DELIVERIES, &[]).await.unwrap_or_default();
    let failed_deliveries =
        failed_deliveries.iter().map(|row| Ok(FailedDeliveries { endpoint: row.try_get(0)?, events: row.try_get(1)? }));
    Ok(Diagnosis {
        migrations: MigrationState::Steps { done, known },
        integrity: check_integrity(client).await,
        failed_deliveries: failed_deliveries.collect::<Result<_, Error>>()?,
        damaged_logs: Vec::new(),
        // An upgrade needs more permissions than the service does.
        writes: match creates_tables {
            Err(sentence) if done < known => Err(sentence),
            _ => client.batch_execute(WRITES).await.map_err(|e| format!("it refuses writes: {}", error::words(&e))),
        },
    })
}

async fn check_integrity(client: &Client) -> Integrity {
    // Older versions of PostgreSQL do not count checksum failures.
    let Ok(Some(row)) = client.query_opt(DAMAGE, &[]).await else { return Integrity::NotChecked };
    match (row.try_get::<_, i64>(0), row.try_get::<_, Option<i64>>(1)) {
        (Ok(0), _) => Integrity::Intact("the server has found no damaged page"),
        (Ok(times), Ok(last)) => {
            let last = last.map(|last| format!(", last at {}", Timestamp(last))).unwrap_or_default();
            Integrity::Broken {
                reason: format!("the server has found damaged pages ({times} times{last})"),
                remedy: "restore a backup or promote a standby; after the repair, reset the count with: SELECT pg_stat_reset()",
            }
        }
        _ => Integrity::NotChecked,
    }
}
