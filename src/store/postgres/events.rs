//! Events, stored with the change that they tell of. Shown are those of which every older transaction has ended: what comes
//! to light later is then of a younger one, so that nobody who reads in this order passes an event by.

use tokio_postgres::Row;

use super::connect::Connection;
use super::{Postgres, failure, rows};
use crate::domain::event::{self, Event, EventId, What};
use crate::domain::time::Timestamp;
use crate::store::events::LOOKED_AT;
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
     ORDER BY e.transaction, e.n LIMIT $1";

impl Postgres {
    /// The events that come after this one.
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        let (transaction, number) = place(after)?;
        let found = self.ask(AFTER, &[&transaction, &number, &i64::from(limit)]).await?;
        found.rows.iter().map(read).collect()
    }

    /// The last event that is shown.
    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        self.ask(NEWEST, &[]).await?.rows.first().map(id).transpose()
    }

    /// Whether this event is kept.
    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        let (transaction, number) = place(id)?;
        let sql = "SELECT 1 FROM event WHERE transaction = $1 AND n = $2 AND at = $3";
        Ok(!self.ask(sql, &[&transaction, &number, &id.at.0]).await?.rows.is_empty())
    }

    /// Lets go of some events that are over.
    pub async fn forget_events(&self, over: Timestamp) -> Result<(), StoreError> {
        let oldest = self.ask(OLDEST, &[&i64::from(LOOKED_AT)]).await?;
        let oldest = oldest.rows.iter().map(id).collect::<Result<Vec<_>, _>>()?;
        let Some(first) = event::first_to_keep(&oldest, over) else { return Ok(()) };
        let (transaction, number) = place(first)?;
        let sql = "DELETE FROM event WHERE (transaction, n) < ($1, $2)";
        self.change(sql, &[&transaction, &number]).await.map(drop)
    }
}

/// A database that was brought here from another server has events of transactions that this one has not come to: they
/// would come after all that happens from now on, and nothing would be shown for long. They are put before it, and with them how far
/// deliveries are.
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

/// What is told, as its rows hold it.
pub fn kept(events: &[What]) -> Result<Vec<String>, StoreError> {
    events.iter().map(to_json).collect()
}

/// Where an event stands.
pub fn place(id: EventId) -> Result<(i64, i64), StoreError> {
    Ok((rows::signed(id.transaction)?, rows::signed(id.number)?))
}

/// The name of an event, which the first three columns hold.
pub fn id(row: &Row) -> Result<EventId, StoreError> {
    Ok(EventId { transaction: rows::whole(row, 0)?, number: rows::whole(row, 1)?, at: Timestamp(rows::get(row, 2)?) })
}

/// An event, which the first six columns hold.
pub fn read(row: &Row) -> Result<Event, StoreError> {
    Ok(Event {
        id: id(row)?,
        investigation_id: rows::parsed(row, 3)?,
        revision: rows::whole(row, 4)?,
        what: rows::json(row, 5)?,
    })
}
