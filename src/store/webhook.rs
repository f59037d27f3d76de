//! Stored progress of webhook deliveries. A lease is the right of one copy of the service to deliver to an endpoint.

use super::readable::{Table, or_named, readable};
use super::sql::{Row, Rows, Statement};
use super::{Store, StoreError, events};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

pub(super) const ENDPOINTS: Table = Table { name: "webhook", key: &["endpoint"] };

pub(super) const DELIVERIES: Table = Table { name: "webhook_delivery", key: &["endpoint", "n"] };

/// Time after which an unrenewed lease (the right to deliver to an endpoint) expires, in milliseconds. Longer than a
/// delivery attempt.
pub const LEASE: u64 = 30_000;

/// Maximum wait before a retry, in milliseconds: two days. A retry that is due even later was scheduled while the clock
/// was ahead, so it is treated as due now.
pub const LONGEST_WAIT: i64 = 2 * 24 * 3600 * 1000;

/// Query for queued events.
const QUEUED: &str = "SELECT d.endpoint, d.xact, d.n, d.at, e.investigation, e.revision, e.what, d.attempts
     FROM webhook_delivery d LEFT JOIN event e ON e.xact = d.xact AND e.n = d.n AND e.at = d.at";

/// An event that is queued for an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedDelivery {
    pub id: EventId,
    /// The event; `None` if it was deleted, or cannot be read.
    pub event: Option<Event>,
    pub attempts: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub endpoint: String,
    pub event: EventId,
    /// Number of attempts so far, and time of the next attempt; `None` if there will be no next attempt.
    pub retry: Option<(u32, Timestamp)>,
}

impl Store {
    /// Acquires or renews the lease of an endpoint for `holder`, a copy of the service. Returns the last event that was
    /// queued for the endpoint. A new endpoint has none, so the newest event is returned, and only later events will be
    /// sent. Returns `None` if another copy has the lease.
    pub async fn lease_endpoint(&self, endpoint: String, holder: String) -> Result<Option<EventId>, StoreError> {
        let dialect = self.dialect();
        let known = Statement::new(format!(
            "SELECT w.endpoint, w.after_xact AS xact, w.after_n AS n, w.after_at AS at,
                 (w.holder IS NULL OR w.holder = $holder OR {}) AS is_free, w.holder
             FROM webhook w WHERE w.endpoint = $endpoint {}",
            dialect.lease_ended(),
            dialect.lock("w")
        ));
        let known = known.with("endpoint", &endpoint).with("holder", &holder).with("ago", 0_u64);
        let renew = Statement::new(format!(
            "UPDATE webhook SET holder = $holder, held_until = {} WHERE endpoint = $endpoint",
            dialect.lease_end()
        ));
        let renew = renew.with("endpoint", &endpoint).with("holder", &holder).with("lease", LEASE);
        let begin = Statement::new(format!(
            "INSERT INTO webhook (endpoint, after_xact, after_n, after_at, holder, held_until)
             VALUES ($endpoint, $xact, $n, $at, $holder, {}) ON CONFLICT (endpoint) DO NOTHING",
            dialect.lease_end()
        ));
        let begin = begin.with("endpoint", &endpoint).with("holder", &holder).with("lease", LEASE).expect(1);
        let decide = move |found: &[Rows]| {
            if let Some(known) = found[0].first() {
                if !known.flag("is_free")? {
                    return Ok((Vec::new(), None));
                }
                // If the stored id of the last queued event cannot be read, all stored events are sent again, because
                // each must be sent at least once.
                let stored = or_named(ENDPOINTS, known, events::id(known))?;
                let queued = stored.unwrap_or(EventId::BEGINNING);
                let mut statements = if stored.is_none() { vec![advance(&endpoint, queued)] } else { Vec::new() };
                // Without other copies, the lease never ends.
                let is_ours = known.optional_text("holder")? == Some(holder.as_str());
                if !is_ours || dialect.is_shared() {
                    statements.push(renew.clone());
                }
                return Ok((statements, Some(queued)));
            }
            let newest = found[1].first().map(events::id).transpose()?.unwrap_or(EventId::BEGINNING);
            Ok((vec![after(begin.clone(), newest)], Some(newest)))
        };
        self.write("lease_endpoint", vec![known, events::newest(dialect).with("limit", 1_u64)], decide).await
    }

    /// Releases the lease of an endpoint if `holder` has it, so that another copy can deliver.
    pub async fn release_endpoint(&self, endpoint: String, holder: String) -> Result<(), StoreError> {
        let release =
            Statement::new("UPDATE webhook SET holder = NULL WHERE endpoint = $endpoint AND holder = $holder");
        let release = release.with("endpoint", endpoint).with("holder", holder);
        self.write_if("release_endpoint", vec![release]).await.map(drop)
    }

    /// If `holder` has the lease of the endpoint, queues all events up to `last`, and returns true. Otherwise returns
    /// false.
    pub async fn queue_deliveries(&self, endpoint: String, last: EventId, holder: String) -> Result<bool, StoreError> {
        let queue = Statement::new(format!(
            "INSERT INTO webhook_delivery (endpoint, xact, n, at, actor, attempts)
             SELECT $endpoint, e.xact, e.n, e.at, coalesce(e.actor, ''), 0 FROM event e WHERE {}
             ON CONFLICT (endpoint, xact, n) DO NOTHING",
            self.dialect().event_is_new()
        ));
        let queue = queue.with("xact", last.transaction).with("n", last.number);
        let advance = advance(&endpoint, last);
        let statements = vec![self.renew(&endpoint, &holder), queue.with("endpoint", endpoint), advance];
        self.write_if("queue_deliveries", statements).await
    }

    /// Finds the next user after the user `actor` who has events that wait for their first delivery to an endpoint.
    /// After the last user comes the first one again. Returns this user, if there is one, and up to `limit` of their
    /// events, oldest first. Events that cannot be read are left out.
    pub async fn next_deliveries(
        &self,
        endpoint: String,
        actor: String,
        limit: u32,
    ) -> Result<(Option<String>, Vec<QueuedDelivery>), StoreError> {
        let first = "SELECT min(f.actor) FROM webhook_delivery f WHERE f.endpoint = $endpoint AND f.due IS NULL";
        let next = format!("SELECT coalesce(({first} AND f.actor > $actor), ({first})) AS actor");
        let queued = format!(
            "{QUEUED} WHERE d.endpoint = $endpoint AND d.due IS NULL AND d.actor = ({next})
             ORDER BY d.xact, d.n LIMIT $limit"
        );
        let [next, queued] =
            [next, queued].map(|sql| Statement::new(sql).with("endpoint", &endpoint).with("actor", &actor));
        let (next, queued) = self.listed_of(Some(next), DELIVERIES, queued, limit, read).await?;
        let actor = next.first().map(|row| row.optional_text("actor")).transpose()?.flatten();
        Ok((actor.map(str::to_owned), queued))
    }

    /// Returns up to `limit` events whose delivery to an endpoint is due for a retry now, the longest overdue first.
    pub async fn due_deliveries(
        &self,
        endpoint: String,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<QueuedDelivery>, StoreError> {
        let due = Statement::new(format!(
            "{QUEUED} WHERE d.endpoint = $endpoint AND d.due IS NOT NULL AND (d.due <= $now OR d.due - $longest > $now)
             ORDER BY d.due LIMIT $limit"
        ));
        let due = due.with("endpoint", endpoint).with("now", now).with("longest", LONGEST_WAIT);
        self.listed(DELIVERIES, due, limit, read).await
    }

    /// If `holder` has the lease of the endpoint, stores the result of a delivery attempt and returns true. Otherwise
    /// returns false.
    pub async fn settle_delivery(&self, delivery: Delivery, holder: String) -> Result<bool, StoreError> {
        let Delivery { endpoint, event, retry } = delivery;
        let which = "endpoint = $endpoint AND xact = $xact AND n = $n";
        let result = match retry {
            None => Statement::new(format!("DELETE FROM webhook_delivery WHERE {which}")),
            Some((attempts, due)) => {
                Statement::update("webhook_delivery", vec![("attempts", attempts.into()), ("due", due.into())], which)
            }
        };
        let result = result.with("xact", event.transaction).with("n", event.number);
        let renew = self.renew(&endpoint, &holder);
        self.write_if("settle_delivery", vec![renew, result.with("endpoint", endpoint)]).await
    }

    /// Returns the statement that renews the lease of the endpoint. The write fails if `holder` does not have it.
    fn renew(&self, endpoint: &str, holder: &str) -> Statement {
        let renew = Statement::new(format!(
            "UPDATE webhook SET held_until = {} WHERE endpoint = $endpoint AND holder = $holder",
            self.dialect().lease_end()
        ));
        renew.with("endpoint", endpoint).with("holder", holder).with("lease", LEASE).expect(1)
    }
}

/// Returns the statement that stores that all events up to `last` are queued for the endpoint.
fn advance(endpoint: &str, last: EventId) -> Statement {
    let advance = "UPDATE webhook SET after_xact = $xact, after_n = $n, after_at = $at WHERE endpoint = $endpoint";
    after(Statement::new(advance), last).with("endpoint", endpoint)
}

fn after(statement: Statement, event: EventId) -> Statement {
    let EventId { transaction, number, at } = event;
    statement.with("xact", transaction).with("n", number).with("at", at)
}

fn read(row: &Row) -> Result<QueuedDelivery, StoreError> {
    let found = (!row.is_null("what")?).then_some(row);
    let event = readable(events::TABLE, found, events::read)?.pop();
    let attempts = u32::try_from(row.count("attempts")?).map_err(|_| row.wrong("attempts", "a count"))?;
    Ok(QueuedDelivery { id: events::id(row)?, event, attempts })
}
