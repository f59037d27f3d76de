//! Cached findings of language models. The cache key is computed from everything that the findings depend on.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, rows};
use crate::domain::finding::Findings;
use crate::store::row::to_json;
use crate::store::{Detection, MAX_DETECTIONS, StoreError};

impl Sqlite {
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        self.readers
            .look_up(|connection| {
                connection
                    .prepare_cached("SELECT findings FROM detection WHERE key = ?1")?
                    .query_row([key], |row| rows::json(row, 0))
                    .optional()
            })
            .await
    }

    pub async fn keep_detection(&self, key: String, findings: Findings) -> Result<(), StoreError> {
        let findings = to_json(&findings)?;
        self.writer
            .write(move |connection| {
                let kept = connection
                    .prepare_cached("SELECT findings FROM detection WHERE key = ?1")?
                    .query_row([&key], |row| rows::json::<Findings>(row, 0));
                if kept.is_ok() {
                    return Ok(());
                }
                put(connection, &key, &findings)?;
                Ok(())
            })
            .await
    }

    pub async fn detections_after(&self, number: i64, limit: u32) -> Result<Vec<Detection>, StoreError> {
        self.heavy.read_without_deadline(move |connection| after(connection, number, limit)).await
    }

    pub async fn detections_of(&self, keys: Vec<String>) -> Result<HashMap<String, String>, StoreError> {
        self.heavy
            .read_without_deadline(move |connection| {
                let mut statement = connection.prepare_cached("SELECT findings FROM detection WHERE key = ?1")?;
                let mut known = HashMap::new();
                for key in keys {
                    if let Some(findings) = statement.query_row([&key], |row| row.get(0)).optional()? {
                        known.insert(key, findings);
                    }
                }
                Ok::<_, rusqlite::Error>(known)
            })
            .await
    }

    pub async fn put_detections(&self, detections: Vec<Detection>) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                for Detection { number: _, key, findings } in &detections {
                    put(connection, key, findings)?;
                }
                Ok(())
            })
            .await
    }
}

/// Returns up to `limit` cache entries with numbers greater than `number`, oldest first.
pub(super) fn after(connection: &Connection, number: i64, limit: u32) -> Result<Vec<Detection>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT n, key, findings FROM detection WHERE n > ?1 ORDER BY n LIMIT ?2")?
        .query_map(params![number, limit], |row| {
            Ok(Detection { number: row.get(0)?, key: row.get(1)?, findings: row.get(2)? })
        })?
        .collect()
}

fn put(connection: &Connection, key: &str, findings: &str) -> Result<(), rusqlite::Error> {
    let number = connection
        .prepare_cached(
            "INSERT INTO detection (key, findings) VALUES (?1, ?2)
             ON CONFLICT (key) DO UPDATE SET findings = excluded.findings RETURNING n",
        )?
        .query_row([key, findings], |row| row.get::<_, i64>(0))?;
    // Only this statement deletes rows, and always the oldest. So the numbers have no gaps, and a row is beyond the
    // maximum if its number is lower than the highest by at least the maximum.
    connection.prepare_cached("DELETE FROM detection WHERE n <= ?1")?.execute(params![number - MAX_DETECTIONS])?;
    Ok(())
}
