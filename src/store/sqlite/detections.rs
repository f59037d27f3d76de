//! Cached findings of language models. The cache key is computed from everything that the findings depend on.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, rows};
use crate::domain::finding::Findings;
use crate::store::row::to_json;
use crate::store::{MAX_DETECTIONS, StoreError};

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
