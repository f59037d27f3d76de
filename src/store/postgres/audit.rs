//! Reads the audit log, and stores entries from another store. New entries are stored together with their change.

use super::{Postgres, rows};
use crate::domain::audit::AuditEntry;
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPosition, Page, PageRequest};
use crate::store::StoreError;
use crate::store::row::to_json;

const PAGE: &str = "SELECT n, entry FROM audit
     WHERE ($1::text IS NULL OR investigation = $1) AND n < $2 ORDER BY n DESC LIMIT $3";

/// Statement that stores entries under the given numbers. New entries later get numbers greater than these.
const PUT: &str = "WITH put AS (
     INSERT INTO audit (n, investigation, entry)
     SELECT a.n, a.investigation, a.entry
     FROM unnest($1::bigint[], $2::text[], $3::text[]) AS a (n, investigation, entry)
     ON CONFLICT (n) DO NOTHING)
 SELECT setval(numbers.of, newest.n)
     FROM (SELECT pg_get_serial_sequence('audit', 'n')::regclass AS of) AS numbers,
         (SELECT max(n) AS n FROM unnest($1::bigint[]) AS n) AS newest
     WHERE newest.n > coalesce(pg_sequence_last_value(numbers.of), 0)";

impl Postgres {
    pub async fn audit(
        &self,
        of: Option<ObjectId>,
        wanted: PageRequest<AuditPosition>,
    ) -> Result<Page<AuditEntry, AuditPosition>, StoreError> {
        let before = wanted.after.map_or(i64::MAX, |place| place.number);
        let found = self.ask(PAGE, &[&rows::text(of), &before, &(i64::from(wanted.limit) + 1)]).await?;
        let entry = |row| Ok((AuditPosition { number: rows::get(row, 0)? }, rows::json(row, 1)?));
        let entries = found.rows.iter().map(entry).collect::<Result<Vec<_>, StoreError>>()?;
        Ok(Page::up_to(entries, wanted.limit))
    }

    pub async fn put_audit(&self, entries: Vec<(AuditPosition, AuditEntry)>) -> Result<(), StoreError> {
        let numbers: Vec<i64> = entries.iter().map(|(place, _)| place.number).collect();
        let (investigations, entries): (Vec<_>, Vec<_>) =
            entries.into_iter().map(|(_, entry)| (rows::text(entry.investigation_id), entry)).unzip();
        self.change(PUT, &[&numbers, &investigations, &to_rows(&entries)?]).await.map(drop)
    }
}

/// Converts audit entries to the stored JSON.
pub fn to_rows(entries: &[AuditEntry]) -> Result<Vec<String>, StoreError> {
    entries.iter().map(to_json).collect()
}
