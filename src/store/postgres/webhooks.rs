//! Progress of webhook deliveries. At any time, only one copy of the service has the lease of an endpoint, and only
//! this copy can store progress. The clock of the database server decides when a lease expires.

use tokio_postgres::Row;

use super::{Postgres, events, rows};
use crate::domain::event::EventId;
use crate::domain::time::Timestamp;
use crate::store::StoreError;
use crate::store::webhook::{Delivery, DueDelivery, LEASE_SECONDS, LONGEST_WAIT};

/// Acquires or renews the lease of an endpoint. Deliveries to a new endpoint start after the newest visible event.
const LEASE: &str = "INSERT INTO webhook AS w (endpoint, after_transaction, after_n, after_at, holder, held_until)
     SELECT $1, coalesce(e.transaction, 0), coalesce(e.n, 0), coalesce(e.at, 0), $2, now() + $3 * interval '1 second'
     FROM (SELECT 1) AS one LEFT JOIN (
         SELECT e.transaction, e.n, e.at FROM event e
         WHERE e.transaction < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
         ORDER BY e.transaction DESC, e.n DESC LIMIT 1) AS e ON true
     ON CONFLICT (endpoint) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
         WHERE w.holder IS NULL OR w.holder = $2 OR w.held_until < now()
     RETURNING after_transaction, after_n, after_at";

const SETTLE: &str = "WITH held AS (
     UPDATE webhook SET held_until = now() + $6 * interval '1 second',
         after_transaction = CASE WHEN (after_transaction, after_n) < ($3, $4) THEN $3 ELSE after_transaction END,
         after_at = CASE WHEN (after_transaction, after_n) < ($3, $4) THEN $5 ELSE after_at END,
         after_n = CASE WHEN (after_transaction, after_n) < ($3, $4) THEN $4 ELSE after_n END
     WHERE endpoint = $1 AND holder = $2 RETURNING endpoint),
 done AS (
     DELETE FROM webhook_retry r USING held
     WHERE r.endpoint = held.endpoint AND r.transaction = $3 AND r.n = $4 AND $7::int IS NULL),
 again AS (
     INSERT INTO webhook_retry (endpoint, transaction, n, at, attempts, due)
     SELECT endpoint, $3, $4, $5, $7, $8::bigint FROM held WHERE $7 IS NOT NULL
     ON CONFLICT (endpoint, transaction, n) DO UPDATE SET attempts = excluded.attempts, due = excluded.due)
 SELECT 1 FROM held";

impl Postgres {
    pub async fn lease_endpoint(&self, endpoint: String, holder: String) -> Result<Option<EventId>, StoreError> {
        let held = self.change(LEASE, &[&endpoint, &holder, &LEASE_SECONDS]).await?;
        held.rows.first().map(events::id).transpose()
    }

    pub async fn release_endpoint(&self, endpoint: String, holder: String) -> Result<(), StoreError> {
        let sql = "UPDATE webhook SET holder = NULL WHERE endpoint = $1 AND holder = $2";
        self.change(sql, &[&endpoint, &holder]).await.map(drop)
    }

    pub async fn due_deliveries(
        &self,
        endpoint: String,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        let sql = "SELECT r.transaction, r.n, r.at, e.investigation, e.revision, e.what, r.attempts
             FROM webhook_retry r LEFT JOIN event e ON e.transaction = r.transaction AND e.n = r.n
             WHERE r.endpoint = $1 AND (r.due <= $2 OR r.due - $4 > $2) ORDER BY r.due LIMIT $3";
        self.ask(sql, &[&endpoint, &now.0, &i64::from(limit), &LONGEST_WAIT]).await?.rows.iter().map(waiting).collect()
    }

    pub async fn settle_delivery(&self, delivery: Delivery, holder: String) -> Result<bool, StoreError> {
        let Delivery { endpoint, event, retry } = delivery;
        let (transaction, number) = events::position(event)?;
        let attempts = retry.map(|(attempts, _)| i32::try_from(attempts).unwrap_or(i32::MAX));
        let due = retry.map(|(_, due)| due.0);
        let noted = self
            .change(SETTLE, &[&endpoint, &holder, &transaction, &number, &event.at.0, &LEASE_SECONDS, &attempts, &due])
            .await?;
        Ok(!noted.rows.is_empty())
    }
}

fn waiting(row: &Row) -> Result<DueDelivery, StoreError> {
    let gone = rows::get::<Option<&str>>(row, 3)?.is_none();
    let event = if gone { None } else { Some(events::read(row)?) };
    let attempts = rows::get::<i32>(row, 6)?;
    Ok(DueDelivery { id: events::id(row)?, event, attempts: u32::try_from(attempts).unwrap_or_default() })
}
