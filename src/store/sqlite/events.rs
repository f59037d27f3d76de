//! Events, stored in the transaction of their change. Only one thread writes, so event numbers are in commit order.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Sqlite, audit, rows};
use crate::domain::event::{self, Event, EventId};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::events::{ExpiredEvents, MAX_CHECKED};
use crate::store::row::to_json;
use crate::store::{Reports, StoreError};

/// Deletes the events with numbers below `?1`. Stops before the first event that must still be delivered to an endpoint
/// in `?2`.
const FORGET: &str = "WITH configured AS (SELECT value FROM json_each(?2))
     DELETE FROM event WHERE n < min(?1, coalesce((
         SELECT min(n) FROM (
             SELECT after_n + 1 AS n FROM webhook WHERE endpoint IN configured
             UNION ALL SELECT n FROM webhook_retry WHERE endpoint IN configured)), ?1))";

impl Sqlite {
    pub async fn events_after(&self, after: EventId, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.readers
            .look_up(|connection| {
                connection
                    .prepare_cached(
                        "SELECT n, at, investigation, revision, what FROM event WHERE n > ?1 ORDER BY n LIMIT ?2",
                    )?
                    .query_map(params![after.number, limit], read)?
                    .collect::<Result<_, rusqlite::Error>>()
            })
            .await
    }

    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        self.readers
            .look_up(|connection| {
                connection
                    .prepare_cached("SELECT n, at FROM event ORDER BY n DESC LIMIT 1")?
                    .query_row([], id)
                    .optional()
            })
            .await
    }

    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        let EventId { transaction, number, at } = id;
        self.readers
            .look_up(|connection| {
                connection.prepare_cached("SELECT 1 FROM event WHERE n = ?1 AND at = ?2 AND ?3 = 0")?.exists(params![
                    number,
                    at.0,
                    transaction
                ])
            })
            .await
    }

    pub async fn forget_events(&self, outdated: ExpiredEvents) -> Result<(), StoreError> {
        let ExpiredEvents { before, now, endpoints } = outdated;
        let oldest: Vec<EventId> = self
            .readers
            .look_up(|connection| {
                connection
                    .prepare_cached("SELECT n, at FROM event WHERE at <= ?1 ORDER BY n LIMIT ?2")?
                    .query_map(params![now.0, MAX_CHECKED], id)?
                    .collect::<Result<_, rusqlite::Error>>()
            })
            .await?;
        let Some(first) = event::first_to_keep(&oldest, before) else { return Ok(()) };
        let endpoints = to_json(&endpoints)?;
        self.writer
            .write(move |connection| {
                connection.prepare_cached(FORGET)?.execute(params![first.number, endpoints])?;
                Ok(())
            })
            .await
    }
}

/// Reads an event id from the first two columns: number and time.
pub(super) fn id(row: &Row<'_>) -> Result<EventId, rusqlite::Error> {
    Ok(EventId { transaction: 0, number: row.get(0)?, at: Timestamp(row.get(1)?) })
}

/// Reads an event from the first five columns: number, time, investigation, revision and kind.
pub(super) fn read(row: &Row<'_>) -> Result<Event, rusqlite::Error> {
    Ok(Event {
        id: id(row)?,
        investigation_id: rows::parsed(row, 2)?,
        revision: row.get(3)?,
        what: rows::json(row, 4)?,
    })
}

/// Stores the events and audit entries of a change to `investigation`. The events get the revision and time given here.
pub(super) fn record(
    connection: &Connection,
    investigation: ObjectId,
    revision: u64,
    at: Timestamp,
    reports: &Reports,
) -> Result<(), StoreError> {
    audit::record(connection, &reports.audit)?;
    for what in &reports.events {
        connection
            .prepare_cached("INSERT INTO event (at, investigation, revision, what) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![at.0, investigation.to_string(), revision, to_json(what)?])?;
    }
    Ok(())
}
