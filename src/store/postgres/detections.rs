//! Cached findings of language models. The cache key is computed from everything that the findings depend on.

use std::collections::HashMap;

use tokio_postgres::Row;

use super::{Postgres, rows};
use crate::domain::finding::Findings;
use crate::store::row::to_json;
use crate::store::{Detection, MAX_DETECTIONS, StoreError};

/// Query for up to `$2` entries with numbers greater than `$1`, oldest first. [`read`] reads a row of the result.
pub const AFTER: &str = "SELECT n, key, findings FROM detection WHERE n > $1 ORDER BY n LIMIT $2";

/// Reads a row of [`AFTER`].
pub fn read(row: &Row) -> Result<Detection, StoreError> {
    Ok(Detection { number: rows::get(row, 0)?, key: rows::get(row, 1)?, findings: rows::get(row, 2)? })
}

impl Postgres {
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        let found = self.ask("SELECT findings FROM detection WHERE key = $1", &[&key]).await?;
        found.rows.first().map(|row| rows::json(row, 0)).transpose()
    }

    pub async fn keep_detection(&self, key: String, findings: Findings) -> Result<(), StoreError> {
        let findings = to_json(&findings)?;
        let kept = self.ask("SELECT findings FROM detection WHERE key = $1", &[&key]).await?;
        if kept.rows.first().is_some_and(|row| rows::json::<Findings>(row, 0).is_ok()) {
            return Ok(());
        }
        self.put_detections(vec![Detection { number: 0, key, findings }]).await
    }

    pub async fn detections_after(&self, number: i64, limit: u32) -> Result<Vec<Detection>, StoreError> {
        let found = self.ask(AFTER, &[&number, &i64::from(limit)]).await?;
        found.rows.iter().map(read).collect()
    }

    pub async fn detections_of(&self, keys: Vec<String>) -> Result<HashMap<String, String>, StoreError> {
        let found = self.ask("SELECT key, findings FROM detection WHERE key = ANY($1)", &[&keys]).await?;
        found.rows.iter().map(|row| Ok((rows::get(row, 0)?, rows::get(row, 1)?))).collect()
    }

    pub async fn put_detections(&self, detections: Vec<Detection>) -> Result<(), StoreError> {
        let keys: Vec<&str> = detections.iter().map(|detection| detection.key.as_str()).collect();
        let findings: Vec<&str> = detections.iter().map(|detection| detection.findings.as_str()).collect();
        let stored = self
            .change(
                "INSERT INTO detection (key, findings)
                 SELECT d.key, d.findings FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS d (key, findings, place)
                 ORDER BY d.place
                 ON CONFLICT (key) DO UPDATE SET findings = excluded.findings RETURNING n",
                &[&keys, &findings],
            )
            .await?;
        let mut newest = None;
        for row in &stored.rows {
            newest = newest.max(Some(rows::get::<i64>(row, 0)?));
        }
        let Some(newest) = newest else { return Ok(()) };
        // Failed inserts and replaced entries leave gaps in the numbers, so fewer entries than the maximum may remain.
        self.change("DELETE FROM detection WHERE n <= $1", &[&(newest - MAX_DETECTIONS)]).await.map(drop)
    }
}
