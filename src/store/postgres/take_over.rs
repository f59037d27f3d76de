//! Adapts a database that was restored on another server.

use super::connect::Connection;
use super::error;
use crate::store::OpenError;

/// Makes the events of the restored database visible to listeners and webhooks. Their transaction numbers come from the
/// old server. If this server has not reached a number yet, nobody would receive the event. If the progress of an
/// endpoint has such a number, the endpoint would get no new events. So such numbers are set to 0.
pub async fn events(connection: &Connection) -> Result<(), OpenError> {
    let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
    let sql = format!(
        "BEGIN; UPDATE event SET xact = 0 WHERE xact >= {next};
         UPDATE webhook SET after_xact = 0 WHERE after_xact >= {next};
         UPDATE webhook_delivery SET xact = 0 WHERE xact >= {next}; COMMIT"
    );
    let failed = |e| OpenError(format!("cannot read the events of the database: {}", error::words(&e)));
    connection.client().batch_execute(&sql).await.map_err(failed)
}
