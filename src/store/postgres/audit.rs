//! Reads the audit log. Entries are written by the statements of the changes.

use super::{Postgres, rows};
use crate::domain::audit::AuditEntry;
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPlace, Page, PageRequest};
use crate::store::StoreError;
use crate::store::row::to_json;

const PAGE: &str = "SELECT n, entry FROM audit
     WHERE ($1::text IS NULL OR investigation = $1) AND n < $2 ORDER BY n DESC LIMIT $3";

impl Postgres {
    /// Returns a page of the audit log, newest entries first.
    pub async fn audit(
        &self,
        of: Option<ObjectId>,
        wanted: PageRequest<AuditPlace>,
    ) -> Result<Page<AuditEntry, AuditPlace>, StoreError> {
        let before = wanted.after.map_or(i64::MAX, |place| place.number);
        let found = self.ask(PAGE, &[&rows::text(of), &before, &(i64::from(wanted.limit) + 1)]).await?;
        let entry = |row| Ok((AuditPlace { number: rows::get(row, 0)? }, rows::json(row, 1)?));
        let entries = found.rows.iter().map(entry).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(Page::up_to(entries, wanted.limit))
    }
}

/// Converts audit entries to the stored JSON.
pub fn kept(entries: &[AuditEntry]) -> Result<Vec<String>, StoreError> {
    entries.iter().map(to_json).collect()
}
