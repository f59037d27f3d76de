//! Events, stored in the transaction of their change, and sorted by the number of this transaction. Readers get an
//! event only after all transactions with lower numbers have ended. Otherwise a reader could continue after an event,
//! and miss an event of a transaction that has a lower number but ends later.

use tokio_postgres::Row;

use super::connect::Connection;
use super::{Postgres, failure, rows};
use crate::domain::event::{self, Event, EventId, EventKind};
use crate::domain::time::Timestamp;
use crate::store::events::{ExpiredEvents, MAX_CHECKED};
use crate::store::row::to_json;
use crate::store::{OpenError, StoreError};

const AFTER: &str = "SELECT e.transaction, e.n, e.at, e.investigation, e.revision, e.what FROM event e
     WHERE (e.transaction, e.n) > ($1, $2) AND e.transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     ORDER BY e.transaction, e.n LIMIT $3";

const NEWEST: &str = "SELECT e.transaction, e.n, e.at FROM event e
     WHERE e.transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
     ORDER BY e.transaction DESC, e.n DESC LIMIT 1";

const OLDEST: &str = "SELECT e.transaction, e.n, e.at FROM event e
     WHERE e.transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
         AND e.at <= $1
     ORDER BY e.transaction, e.n LIMIT $2";

/// Deletes the events before the event (`$1`, `$2`). Stops before the first event that must still be delivered to an
/// endpoint in `$3`, or to an endpoint for which any copy of the service had the lease in the last `$4` milliseconds.
const FORGET: &str = "WITH configured AS (
     SELECT w.endpoint, w.after_transaction, w.after_n FROM webhook w
     WHERE w.endpoint = ANY($3) OR w.held_until > now() - $4 * interval '1 millisecond'),
 wanted AS (
     SELECT c.after_transaction AS transaction, c.after_n + 1 AS n FROM configured c
     UNION ALL SELECT r.transaction, r.n FROM webhook_retry r JOIN configured USING (endpoint)
     ORDER BY transaction, n LIMIT 1)
 DELETE FROM event e WHERE (e.transaction, e.n) < ($1, $2)
     AND NOT EXISTS (SELECT 1 FROM wanted w WHERE (e.transaction, e.n) >= (w.transaction, w.n))";

impl Postgres {
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        let (transaction, number) = position(after)?;
        let found = self.ask(AFTER, &[&transaction, &number, &i64::from(limit)]).await?;
        found.rows.iter().map(read).collect()
    }

    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        self.ask(NEWEST, &[]).await?.rows.first().map(id).transpose()
    }

    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        let (transaction, number) = position(id)?;
        let sql = "SELECT 1 FROM event WHERE transaction = $1 AND n = $2 AND at = $3";
        Ok(!self.ask(sql, &[&transaction, &number, &id.at.0]).await?.rows.is_empty())
    }

    pub async fn forget_events(&self, outdated: ExpiredEvents) -> Result<(), StoreError> {
        let ExpiredEvents { before, now, endpoints } = outdated;
        let oldest = self.ask(OLDEST, &[&now.0, &i64::from(MAX_CHECKED)]).await?;
        let oldest = oldest.rows.iter().map(id).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = event::first_to_keep(&oldest, before) else { return Ok(()) };
        let (transaction, number) = position(first)?;
        let kept = now.0.saturating_sub(before.0) as f64;
        self.change(FORGET, &[&transaction, &number, &endpoints, &kept]).await.map(drop)
    }
}

/// Adapts a database that was restored on another server. Its events may have transaction numbers that this server has
/// not reached yet. Nobody would receive these events, and endpoints that already received them would get no new
/// events. So this function sets these transaction numbers to 0, in the events and in the progress of deliveries.
pub async fn take_over(connection: &Connection) -> Result<(), OpenError> {
    let next = "pg_snapshot_xmax(pg_current_snapshot())::text::bigint";
    let sql = format!(
        "BEGIN; UPDATE event SET transaction = 0 WHERE transaction >= {next};
         UPDATE webhook SET after_transaction = 0 WHERE after_transaction >= {next};
         UPDATE webhook_retry SET transaction = 0 WHERE transaction >= {next}; COMMIT"
    );
    let failed = |e| OpenError(format!("cannot read the events of the database: {}", failure::words(&e)));
    connection.client().batch_execute(&sql).await.map_err(failed)
}

/// Converts events to the stored JSON.
pub fn to_rows(events: &[EventKind]) -> Result<Vec<String>, StoreError> {
    events.iter().map(to_json).collect()
}

/// Returns the position of an event in the order of events: its transaction number and its event number.
pub fn position(id: EventId) -> Result<(i64, i64), StoreError> {
    Ok((rows::signed(id.transaction)?, rows::signed(id.number)?))
}

/// Reads an event id from the first three columns: transaction, number and time.
pub fn id(row: &Row) -> Result<EventId, StoreError> {
    Ok(EventId { transaction: rows::whole(row, 0)?, number: rows::whole(row, 1)?, at: Timestamp(rows::get(row, 2)?) })
}

/// Reads an event from the first six columns: transaction, number, time, investigation, revision and kind.
pub fn read(row: &Row) -> Result<Event, StoreError> {
    Ok(Event {
        id: id(row)?,
        investigation_id: rows::parsed(row, 3)?,
        revision: rows::whole(row, 4)?,
        what: rows::json(row, 5)?,
    })
}
