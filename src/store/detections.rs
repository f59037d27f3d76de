//! Cached findings of language models. They quote the content, so they belong to the investigation for which the model
//! was asked, and are deleted with it. Other investigations with the same content find them as well.

use super::readable::Table;
use super::row::to_json;
use super::sql::{Row, Statement};
use super::{FixableError, Store, StoreError, investigations};
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;

/// Maximum number of entries in the cache of language-model findings, which saves a second call for equal content. If
/// there are more, the oldest entries are deleted.
pub const MAX_DETECTIONS: i64 = 100_000;

pub(super) const TABLE: Table = Table { name: "detection", key: &["n"] };

impl Store {
    /// Returns the findings of a language model that are cached under `key` for any investigation. The key is a hash of
    /// everything that the findings depend on, such as the content and the model.
    pub async fn detection(&self, key: String) -> Result<Option<Findings>, StoreError> {
        let find = Statement::new("SELECT d.findings FROM detection d WHERE d.key = $key ORDER BY d.n LIMIT 1")
            .with("key", key);
        self.get(find).await?.first().map(read).transpose()
    }

    /// Caches the findings of a language model under `key` for the investigation `id`, unless a readable entry with
    /// this key exists, or the investigation is gone. Deletes the oldest entries beyond [`MAX_DETECTIONS`].
    pub async fn keep_detection(&self, id: ObjectId, key: String, findings: Findings) -> Result<(), StoreError> {
        match self.detection(key.clone()).await {
            Ok(None) | Err(StoreError::Fixable { kind: FixableError::Damaged, .. }) => {}
            kept => return kept.map(drop),
        }
        let dialect = self.dialect();
        // The sweeper deletes what a deleted investigation has, so nothing may be added during a deletion.
        let lock = investigations::lock(id, dialect).expect(1);
        // A damaged entry is deleted, even if it belongs to another investigation.
        let replaced = Statement::new("DELETE FROM detection WHERE key = $key").with("key", &key);
        let columns = vec![("key", key.into()), ("findings", to_json(&findings)?.into())];
        let put = Statement::insert_for(id, "detection", columns);
        // Entries are deleted by their numbers `n`. Some numbers are unused, so fewer entries than the maximum may
        // remain.
        let is_surplus = "e.n <= (SELECT max(d.n) FROM detection d) - CAST($max AS BIGINT)";
        let delete = Statement::new(dialect.delete_first("detection", &["n"], is_surplus, "e.n"));
        let statements = vec![lock, replaced, put, delete.with("max", MAX_DETECTIONS)];
        self.write_if("keep_detection", statements).await.map(drop)
    }
}

pub(super) fn read(row: &Row) -> Result<Findings, StoreError> {
    row.json("findings")
}
