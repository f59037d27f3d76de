//! Cached findings of language models.

use super::readable::Table;
use super::row::to_json;
use super::sql::{Row, Statement};
use super::{Obstacle, Store, StoreError};
use crate::domain::finding::Findings;

/// Maximum number of entries in the cache of language-model findings, which saves a second call for equal content. If
/// there are more, the oldest entries are deleted.
pub const MAX_DETECTIONS: i64 = 100_000;

pub(super) const TABLE: Table = Table { name: "detection", key: &["n"] };

impl Store {
    /// Returns the findings of a language model that are cached under `key`. The key is a hash of everything that the
    /// findings depend on, such as the content and the model.
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        let find = Statement::new("SELECT d.findings FROM detection d WHERE d.key = $key").with("key", key);
        self.get(find).await?.first().map(read).transpose()
    }

    /// Caches the findings of a language model under `key`, unless a readable entry with this key exists. Deletes the
    /// oldest entries beyond [`MAX_DETECTIONS`].
    pub async fn keep_detection(&self, key: String, findings: Findings) -> Result<(), StoreError> {
        match self.detection(key.clone()).await {
            Ok(None) | Err(StoreError::Hindered { hindrance: Obstacle::Damaged, .. }) => {}
            kept => return kept.map(drop),
        }
        let put = Statement::new(
            "INSERT INTO detection (key, findings) VALUES ($key, $findings)
             ON CONFLICT (key) DO UPDATE SET findings = excluded.findings",
        );
        // Numbers may have gaps, so fewer entries than the maximum may remain.
        let is_surplus = "e.n <= (SELECT max(d.n) FROM detection d) - CAST($max AS BIGINT)";
        let delete = Statement::new(self.dialect().delete_first("detection", &["n"], is_surplus, "e.n"));
        let put = put.with("key", key).with("findings", to_json(&findings)?);
        self.write_if("keep_detection", vec![put, delete.with("max", MAX_DETECTIONS)]).await.map(drop)
    }
}

pub(super) fn read(row: &Row) -> Result<Findings, StoreError> {
    row.json("findings")
}
