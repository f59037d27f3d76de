//! What a language model found, by the key of everything that its answer hangs on.

use rusqlite::{OptionalExtension, params};

use super::{Sqlite, rows};
use crate::domain::finding::Findings;
use crate::store::row::to_json;
use crate::store::{MAX_DETECTIONS, StoreError};

impl Sqlite {
    /// What was found under this key.
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        self.readers
            .read(move |connection| {
                connection
                    .prepare_cached("SELECT findings FROM detection WHERE key = ?1")?
                    .query_row([key], |row| rows::json(row, 0))
                    .optional()
            })
            .await
    }

    /// Keeps what was found under this key; what is kept already stays, if it can be read. Beyond [`MAX_DETECTIONS`] the oldest go.
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
                let number = connection
                    .prepare_cached(
                        "INSERT INTO detection (key, findings) VALUES (?1, ?2)
                         ON CONFLICT (key) DO UPDATE SET findings = excluded.findings RETURNING n",
                    )?
                    .query_row([key, findings], |row| row.get::<_, i64>(0))?;
                // Nothing else is ever deleted, so that the numbers have no gaps and tell how many there are.
                connection
                    .prepare_cached("DELETE FROM detection WHERE n <= ?1")?
                    .execute(params![number - MAX_DETECTIONS])?;
                Ok(())
            })
            .await
    }
}
