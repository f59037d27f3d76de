//! Reads and writes the audit log.

use rusqlite::{Connection, params};

use super::{Sqlite, rows};
use crate::domain::audit::AuditEntry;
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPosition, Page, PageRequest};
use crate::store::StoreError;
use crate::store::row::to_json;

impl Sqlite {
    pub async fn audit(
        &self,
        of: Option<ObjectId>,
        wanted: PageRequest<AuditPosition>,
    ) -> Result<Page<AuditEntry, AuditPosition>, StoreError> {
        self.readers
            .read(move |connection| {
                let condition = if of.is_some() { "investigation = ?1" } else { "?1 IS NULL" };
                let before = wanted.after.map_or(i64::MAX, |place| place.number);
                let found = connection
                    .prepare_cached(&format!(
                        "SELECT n, entry FROM audit WHERE {condition} AND n < ?2 ORDER BY n DESC LIMIT ?3"
                    ))?
                    .query_map(params![rows::text(of), before, i64::from(wanted.limit) + 1], |row| {
                        Ok((AuditPosition { number: row.get(0)? }, rows::json(row, 1)?))
                    })?
                    .collect::<Result<Vec<_>, rusqlite::Error>>()?;
                Ok::<_, StoreError>(Page::up_to(found, wanted.limit))
            })
            .await
    }

    pub async fn put_audit(&self, entries: Vec<(AuditPosition, AuditEntry)>) -> Result<(), StoreError> {
        self.writer
            .write(move |connection| {
                for (place, entry) in &entries {
                    connection
                        .prepare_cached(
                            "INSERT INTO audit (n, investigation, entry) VALUES (?1, ?2, ?3) ON CONFLICT (n) DO NOTHING",
                        )?
                        .execute(params![place.number, rows::text(entry.investigation_id), to_json(entry)?])?;
                }
                Ok(())
            })
            .await
    }
}

/// Stores new entries in the given order. Each gets the next number.
pub(super) fn record(connection: &Connection, entries: &[AuditEntry]) -> Result<(), StoreError> {
    for entry in entries {
        connection
            .prepare_cached("INSERT INTO audit (investigation, entry) VALUES (?1, ?2)")?
            .execute(params![rows::text(entry.investigation_id), to_json(entry)?])?;
    }
    Ok(())
}
