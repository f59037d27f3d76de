//! Stored progress of webhook deliveries. A lease is the right of one copy of the service to deliver to an endpoint.

use super::readable::{Table, or_named, readable};
use super::sql::{Row, Rows, Statement};
use super::{Store, StoreError, events};
use crate::domain::event::{Event, EventId};
use crate::domain::time::Timestamp;

pub(super) const ENDPOINTS: Table = Table { name: "webhook", key: &["endpoint"] };

pub(super) const RETRIES: Table = Table { name: "webhook_retry", key: &["endpoint", "n"] };

/// Time after which an unrenewed lease (the right to deliver to an endpoint) expires, in milliseconds. Longer than a
/// delivery attempt.
pub const LEASE: u64 = 30_000;

/// Maximum wait before a retry, in milliseconds: two days. A retry that is due even later was scheduled while the clock
/// was ahead, so it is treated as due now.
pub const LONGEST_WAIT: i64 = 2 * 24 * 3600 * 1000;

/// An event whose delivery to an endpoint failed and is to be retried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueDelivery {
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
    /// Acquires or renews the lease of an endpoint for `holder`, a copy of the service. Returns the event after which
    /// deliveries continue: for a new endpoint, the newest event. Returns `None` if another copy has the lease.
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
                let is_ours = known.optional_text("holder")? == Some(holder.as_str());
                // If the position cannot be read, all stored events are sent again, because each must be sent at least
                // once.
                let after = or_named(ENDPOINTS, known, events::id(known))?.unwrap_or(EventId::BEGINNING);
                // Without other copies, the lease never ends.
                return Ok(match known.flag("is_free")? {
                    true if is_ours && !dialect.is_shared() => (Vec::new(), Some(after)),
                    true => (vec![renew.clone()], Some(after)),
                    false => (Vec::new(), None),
                });
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

    /// Returns up to `limit` events whose delivery to an endpoint is due for a retry now, the longest overdue first.
    pub async fn due_deliveries(
        &self,
        endpoint: String,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        let due = Statement::new(
            "SELECT r.endpoint, r.xact, r.n, r.at, e.investigation, e.revision, e.what, r.attempts
             FROM webhook_retry r LEFT JOIN event e ON e.xact = r.xact AND e.n = r.n AND e.at = r.at
             WHERE r.endpoint = $endpoint AND (r.due <= $now OR r.due - $longest > $now) ORDER BY r.due LIMIT $limit",
        );
        let due = due.with("endpoint", endpoint).with("now", now).with("longest", LONGEST_WAIT);
        self.listed(RETRIES, due, limit, read).await
    }

    /// If `holder` has the lease of the endpoint, stores the result of a delivery attempt and returns true. Otherwise
    /// returns false.
    pub async fn settle_delivery(&self, delivery: Delivery, holder: String) -> Result<bool, StoreError> {
        let Delivery { endpoint, event, retry } = delivery;
        let renew = Statement::new(format!(
            "UPDATE webhook SET held_until = {} WHERE endpoint = $endpoint AND holder = $holder",
            self.dialect().lease_end()
        ));
        let renew = renew.with("endpoint", &endpoint).with("holder", holder).with("lease", LEASE).expect(1);
        let advance = Statement::new(
            "UPDATE webhook SET after_xact = $xact, after_n = $n, after_at = $at
             WHERE endpoint = $endpoint AND (after_xact, after_n) < ($xact, $n)",
        );
        let advance = after(advance.with("endpoint", &endpoint), event);
        let retry = match retry {
            None => {
                let done = "DELETE FROM webhook_retry WHERE endpoint = $endpoint AND xact = $xact AND n = $n";
                Statement::new(done).with("xact", event.transaction).with("n", event.number)
            }
            Some((attempts, due)) => {
                let again = Statement::new(
                    "INSERT INTO webhook_retry (endpoint, xact, n, at, attempts, due)
                     VALUES ($endpoint, $xact, $n, $at, $attempts, $due)
                     ON CONFLICT (endpoint, xact, n) DO UPDATE SET attempts = excluded.attempts, due = excluded.due",
                );
                after(again, event).with("attempts", attempts).with("due", due)
            }
        };
        self.write_if("settle_delivery", vec![renew, advance, retry.with("endpoint", endpoint)]).await
    }
}

fn after(statement: Statement, event: EventId) -> Statement {
    let EventId { transaction, number, at } = event;
    statement.with("xact", transaction).with("n", number).with("at", at)
}

fn read(row: &Row) -> Result<DueDelivery, StoreError> {
    let found = (!row.is_null("what")?).then_some(row);
    let event = readable(events::TABLE, found, events::read)?.pop();
    let attempts = u32::try_from(row.integer("attempts")?).unwrap_or(u32::MAX);
    Ok(DueDelivery { id: events::id(row)?, event, attempts })
}
