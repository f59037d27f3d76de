//! Adapts a database that was restored on another server.

use super::connect::Connection;
use super::error;
use crate::store::OpenError;

/// Sets transaction numbers that this server has not reached yet to 0, in the events and in the progress of deliveries.
/// Otherwise nobody would receive these events, and endpoints that already received them would get no new events.
pub async fn events(connection: &Connection) -> Result<(), OpenError> {
    let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
    let sql = format!(
        "BEGIN; UPDATE event SET xact = 0 WHERE xact >= {next};
         UPDATE webhook SET after_xact = 0 WHERE after_xact >= {next};
         UPDATE webhook_retry SET xact = 0 WHERE xact >= {next}; COMMIT"
    );
    let failed = |e| OpenError(format!("cannot read the events of the database: {}", error::words(&e)));
    connection.client().batch_execute(&sql).await.map_err(failed)
}
