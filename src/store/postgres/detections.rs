//! What a language model found, by the key of everything that its answer hangs on.

use super::{Postgres, rows};
use crate::domain::finding::Findings;
use crate::store::row::to_json;
use crate::store::{MAX_DETECTIONS, StoreError};

impl Postgres {
    /// What was found under this key.
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        let found = self.ask("SELECT findings FROM detection WHERE key = $1", &[&key]).await?;
        found.rows.first().map(|row| rows::json(row, 0)).transpose()
    }

    /// Keeps what was found under this key; what is kept already stays, if it can be read. Beyond [`MAX_DETECTIONS`] the oldest go.
    pub async fn keep_detection(&self, key: String, findings: Findings) -> Result<(), StoreError> {
        let findings = to_json(&findings)?;
        let kept = self.ask("SELECT findings FROM detection WHERE key = $1", &[&key]).await?;
        if kept.rows.first().is_some_and(|row| rows::json::<Findings>(row, 0).is_ok()) {
            return Ok(());
        }
        let stored = self
            .ask(
                "INSERT INTO detection (key, findings) VALUES ($1, $2)
                 ON CONFLICT (key) DO UPDATE SET findings = excluded.findings RETURNING n",
                &[&key, &findings],
            )
            .await?;
        let Some(row) = stored.rows.first() else { return Ok(()) };
        let last = rows::get::<i64>(row, 0)? - MAX_DETECTIONS;
        // Where an insert failed the numbers have a gap, so that a little fewer are kept.
        self.ask("DELETE FROM detection WHERE n <= $1", &[&last]).await.map(drop)
    }
}
