//! Cached findings of language models. The cache key is computed from everything that the findings depend on.

use super::{Postgres, rows};
use crate::domain::finding::Findings;
use crate::store::row::to_json;
use crate::store::{MAX_DETECTIONS, StoreError};

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
        let stored = self
            .change(
                "INSERT INTO detection (key, findings) VALUES ($1, $2)
                 ON CONFLICT (key) DO UPDATE SET findings = excluded.findings RETURNING n",
                &[&key, &findings],
            )
            .await?;
        let Some(row) = stored.rows.first() else { return Ok(()) };
        let oldest = rows::get::<i64>(row, 0)? - MAX_DETECTIONS;
        // Failed inserts and replaced entries leave gaps in the numbers, so fewer entries than the maximum may remain.
        self.change("DELETE FROM detection WHERE n <= $1", &[&oldest]).await.map(drop)
    }
}
