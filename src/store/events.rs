//! Reads and deletes events. `reports.rs` inserts them, in the transaction of their change.

use super::dialect::{Dialect, MAX_DELETED};
use super::readable::Table;
use super::sql::{Row, Statement};
use super::{Store, StoreError};
use crate::domain::event::{self, Event, EventId};
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

pub(super) const TABLE: Table = Table { name: "event", key: &["n"] };

/// Conditions for deleting events.
#[derive(Debug, Clone)]
pub struct ExpiredEvents {
    /// Events older than this time have expired. Events are deleted in the order in which they were stored.
    pub before: Timestamp,
    /// The current time. An event with a later time was stored while a clock was ahead. It is deleted together with the
    /// next event that has expired.
    pub now: Timestamp,
    /// Names of webhook endpoints. An event is not deleted while it must still be delivered to one of them.
    pub endpoints: Vec<String>,
}

/// The id of an event, and the investigation that it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventPosition {
    pub id: EventId,
    pub investigation_id: ObjectId,
}

impl Store {
    /// Returns up to `limit` events after the event `after`, oldest first: those of one investigation, or all events. A
    /// caller that continues with the last returned event as `after` misses no event and gets no event twice.
    pub async fn events_after(
        &self,
        after: EventId,
        investigation: Option<ObjectId>,
        limit: u32,
    ) -> Result<Vec<Event>, StoreError> {
        let dialect = self.dialect();
        let columns = "e.xact, e.n, e.at, e.investigation, e.revision, e.what";
        let events = match investigation {
            None => events_after(dialect, columns, "true", after),
            Some(id) => {
                events_after(dialect, columns, "e.investigation = $investigation", after).with("investigation", id)
            }
        };
        self.listed(TABLE, events, limit, read).await
    }

    /// Like [`Self::events_after`], but returns only ids and investigations, not what happened.
    pub async fn event_positions_after(&self, after: EventId, limit: u32) -> Result<Vec<EventPosition>, StoreError> {
        let events = events_after(self.dialect(), "e.xact, e.n, e.at, e.investigation", "true", after);
        self.listed(TABLE, events, limit, position).await
    }

    /// Returns the id of the newest event that [`Self::events_after`] can return now; `None` if there are no events.
    pub async fn newest_event(&self) -> Result<Option<EventId>, StoreError> {
        Ok(self.listed(TABLE, newest(self.dialect()), 1, id).await?.pop())
    }

    /// Returns whether the event `id` is stored. If so, all later events are stored, too.
    pub async fn has_event(&self, id: EventId) -> Result<bool, StoreError> {
        let EventId { transaction, number, at } = id;
        let event = Statement::new("SELECT e.n FROM event e WHERE e.xact = $xact AND e.n = $n AND e.at = $at");
        let event = event.with("xact", transaction).with("n", number).with("at", at);
        Ok(!self.get(event).await?.is_empty())
    }

    /// Returns whether all events after `last` are stored, except for expired ones: whether `last` is stored or has
    /// expired. The oldest events expire first. So if an event older than `last` is stored, `last` has not expired.
    pub async fn has_events_since(&self, last: EventId) -> Result<bool, StoreError> {
        if last == EventId::BEGINNING || self.has_event(last).await? {
            return Ok(true);
        }
        let oldest = Statement::new(format!(
            "SELECT e.xact, e.n, e.at FROM event e ORDER BY {} LIMIT $limit",
            self.dialect().event_order("")
        ));
        let oldest = self.listed(TABLE, oldest, 1, id).await?;
        Ok(oldest.first().is_some_and(|oldest| (oldest.transaction, oldest.number) > (last.transaction, last.number)))
    }

    /// Deletes some of the expired events, oldest first. [`first_to_keep`](crate::domain::event::first_to_keep) decides
    /// how many. Returns whether there may be more.
    pub async fn forget_events(&self, outdated: ExpiredEvents) -> Result<bool, StoreError> {
        let ExpiredEvents { before, now, endpoints } = outdated;
        let dialect = self.dialect();
        let oldest = Statement::new(format!(
            "SELECT e.xact, e.n, e.at FROM event e WHERE {} AND e.at <= $now ORDER BY {} LIMIT $limit",
            dialect.is_visible(),
            dialect.event_order("")
        ));
        let oldest = self.listed(TABLE, oldest.with("now", now), MAX_DELETED, id).await?;
        let Some(first) = event::first_to_keep(&oldest, before) else { return Ok(false) };
        // Events stay while they must be delivered to one of the endpoints, or to an endpoint for which another copy of
        // the service has a lease that is valid or ended only recently.
        let delete = dialect.delete_first(
            "event",
            dialect.event_key(),
            &format!(
                "{} AND NOT EXISTS (SELECT 1 FROM wanted w WHERE (w.xact, w.n) <= (e.xact, e.n))",
                dialect.event_is("<")
            ),
            &dialect.event_order(""),
        );
        let queued = "FROM webhook_delivery d WHERE d.endpoint = c.endpoint";
        let delete = Statement::new(format!(
            "WITH configured AS (
                 SELECT w.endpoint, w.after_xact, w.after_n FROM webhook w WHERE {} OR NOT ({})),
             wanted AS (
                 SELECT c.after_xact AS xact, c.after_n + 1 AS n FROM configured c
                 UNION ALL SELECT (SELECT d.xact {queued} ORDER BY d.xact, d.n LIMIT 1),
                     (SELECT d.n {queued} ORDER BY d.xact, d.n LIMIT 1)
                 FROM configured c WHERE EXISTS (SELECT 1 {queued})
                 ORDER BY xact, n LIMIT 1)
             {delete}",
            dialect.any_of("w.endpoint", "endpoints"),
            dialect.lease_ended()
        ));
        let delete = delete
            .with("endpoints", endpoints)
            .with("ago", now.0.saturating_sub(before.0))
            .with("xact", first.transaction)
            .with("n", first.number);
        self.write_if("forget_events", vec![delete]).await?;
        // If the oldest event is still stored, no event could be deleted, so there is nothing more to do now.
        Ok(!self.has_event(oldest[0]).await?)
    }
}

/// Returns the statement that reads up to `$limit` visible events after the event `after`, oldest first.
fn events_after(dialect: Dialect, columns: &str, condition: &str, after: EventId) -> Statement {
    let events = Statement::new(format!(
        "SELECT {columns} FROM event e WHERE {condition} AND {} AND {} ORDER BY {} LIMIT $limit",
        dialect.event_is(">"),
        dialect.is_visible(),
        dialect.event_order("")
    ));
    events.with("xact", after.transaction).with("n", after.number)
}

/// Returns the statement that reads the ids of the newest `$limit` visible events. The function [`id`] reads its rows.
pub(super) fn newest(dialect: Dialect) -> Statement {
    Statement::new(format!(
        "SELECT e.xact, e.n, e.at FROM event e WHERE {} ORDER BY {} LIMIT $limit",
        dialect.is_visible(),
        dialect.event_order("DESC")
    ))
}

pub(super) fn id(row: &Row) -> Result<EventId, StoreError> {
    Ok(EventId { transaction: row.count("xact")?, number: row.count("n")?, at: row.time("at")? })
}

fn position(row: &Row) -> Result<EventPosition, StoreError> {
    Ok(EventPosition { id: id(row)?, investigation_id: row.parsed("investigation")? })
}

pub(super) fn read(row: &Row) -> Result<Event, StoreError> {
    Ok(Event {
        id: id(row)?,
        investigation_id: row.parsed("investigation")?,
        revision: row.count("revision")?,
        what: row.json("what")?,
    })
}
