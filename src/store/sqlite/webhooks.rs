//! Progress of webhook deliveries. Only one service uses an embedded store, so no lease is needed.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{Sqlite, events};
use crate::domain::event::EventId;
use crate::domain::time::Timestamp;
use crate::store::StoreError;
use crate::store::webhook::{Delivery, DueDelivery, LONGEST_WAIT};

impl Sqlite {
    pub async fn lease_endpoint(&self, endpoint: String, _: String) -> Result<Option<EventId>, StoreError> {
        let known = self.readers.look_up(|connection| find(connection, &endpoint)).await?;
        if known.is_some() {
            return Ok(known);
        }
        self.writer
            .write(move |connection| {
                connection
                    .prepare_cached(
                        "INSERT INTO webhook (endpoint, after_n, after_at)
                         SELECT ?1, coalesce(max(n), 0), coalesce((SELECT at FROM event ORDER BY n DESC LIMIT 1), 0) FROM event WHERE true
                         ON CONFLICT (endpoint) DO NOTHING",
                    )?
                    .execute([&endpoint])?;
                Ok(find(connection, &endpoint)?)
            })
            .await
    }

    pub async fn release_endpoint(&self, _: String, _: String) -> Result<(), StoreError> {
        Ok(())
    }

    pub async fn due_deliveries(
        &self,
        endpoint: String,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<DueDelivery>, StoreError> {
        self.readers
            .look_up(|connection| {
                connection
                    .prepare_cached(
                        "SELECT r.n, r.at, e.investigation, e.revision, e.what, r.attempts
                         FROM webhook_retry r LEFT JOIN event e ON e.n = r.n AND e.at = r.at
                         WHERE r.endpoint = ?1 AND (r.due <= ?2 OR r.due - ?4 > ?2) ORDER BY r.due LIMIT ?3",
                    )?
                    .query_map(params![endpoint, now.0, limit, LONGEST_WAIT], waiting)?
                    .collect::<Result<_, rusqlite::Error>>()
            })
            .await
    }

    pub async fn settle_delivery(&self, delivery: Delivery, _: String) -> Result<bool, StoreError> {
        self.writer.write(move |connection| Ok(settle(connection, &delivery)?)).await
    }
}

fn find(connection: &Connection, endpoint: &str) -> Result<Option<EventId>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT after_n, after_at FROM webhook WHERE endpoint = ?1")?
        .query_row([endpoint], events::id)
        .optional()
}

fn waiting(row: &Row<'_>) -> Result<DueDelivery, rusqlite::Error> {
    let gone = row.get::<_, Option<String>>(2)?.is_none();
    let event = if gone { None } else { Some(events::read(row)?) };
    Ok(DueDelivery { id: events::id(row)?, event, attempts: row.get(5)? })
}

fn settle(connection: &Connection, delivery: &Delivery) -> Result<bool, rusqlite::Error> {
    let Delivery { endpoint, event, retry } = delivery;
    connection
        .prepare_cached("UPDATE webhook SET after_n = ?2, after_at = ?3 WHERE endpoint = ?1 AND after_n < ?2")?
        .execute(params![endpoint, event.number, event.at.0])?;
    match retry {
        None => connection
            .prepare_cached("DELETE FROM webhook_retry WHERE endpoint = ?1 AND n = ?2")?
            .execute(params![endpoint, event.number])?,
        Some((attempts, due)) => connection
            .prepare_cached(
                "INSERT INTO webhook_retry (endpoint, n, at, attempts, due) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (endpoint, n) DO UPDATE SET attempts = excluded.attempts, due = excluded.due",
            )?
            .execute(params![endpoint, event.number, event.at.0, attempts, due.0])?,
    };
    Ok(true)
}
