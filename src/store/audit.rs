//! The audit log. The entries about a change are stored in the same transaction as the change.

use super::readable::Table;
use super::row::to_json;
use super::sql::{Columns, Row, Statement};
use super::{Store, StoreError};
use crate::domain::audit::{AuditAction, AuditActor, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPosition, Page, PageRequest};
use crate::domain::time::Timestamp;

const TABLE: Table = Table { name: "audit", key: &["n"] };

/// Actor and time of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub actor: AuditActor,
    pub at: Timestamp,
}

impl Stamp {
    /// Returns the audit entry about an action that concerns no investigation.
    pub fn entry(self, action: AuditAction) -> AuditEntry {
        AuditEntry { at: self.at, actor: self.actor, investigation_id: None, action }
    }
}

impl Store {
    /// Returns a page of the audit log, newest entries first. If `of` is given, returns only the entries about the
    /// investigation `of`.
    pub async fn audit(
        &self,
        of: Option<ObjectId>,
        wanted: PageRequest<AuditPosition>,
    ) -> Result<Page<AuditEntry, AuditPosition>, StoreError> {
        let condition = if of.is_some() { "a.investigation = $investigation AND" } else { "" };
        let mut page = Statement::new(format!(
            "SELECT a.n, a.entry FROM audit a WHERE {condition} a.n < $before ORDER BY a.n DESC LIMIT $limit"
        ));
        if let Some(of) = of {
            page = page.with("investigation", of);
        }
        let before = wanted.after.map_or(i64::MAX, |position| position.number);
        let entry = |row: &Row| Ok((AuditPosition { number: row.integer("n")? }, row.json("entry")?));
        let entries = self.listed(TABLE, page.with("before", before), wanted.limit + 1, entry).await?;
        Ok(Page::up_to(entries, wanted.limit))
    }

    /// Stores an entry about something that is not a change of an investigation, a link or an API key.
    pub async fn add_audit_entry(&self, entry: AuditEntry) -> Result<(), StoreError> {
        self.write_if("add_audit_entry", vec![record(&entry)?]).await.map(drop)
    }

    /// Deletes some of the entries that are older than `before`, oldest first. Returns whether there may be more of
    /// them.
    pub async fn forget_audit(&self, before: Timestamp) -> Result<bool, StoreError> {
        let expired = Statement::new("SELECT a.n FROM audit a WHERE a.at < $before ORDER BY a.at LIMIT 1");
        if self.get(expired.with("before", before)).await?.is_empty() {
            return Ok(false);
        }
        let forget = Statement::new(self.dialect().delete_first("audit", &["n"], "e.at < $before", "e.at"));
        let forget = forget.with("before", before);
        self.write_repeatable("forget_audit", vec![forget]).await?;
        Ok(true)
    }

    /// Stores audit entries of another store under the same numbers. Skips an entry whose number is already used. The
    /// entries `displaced` of this store have numbers that new entries need, so they get higher numbers.
    pub async fn put_audit(
        &self,
        entries: Vec<(AuditPosition, AuditEntry)>,
        displaced: Vec<(AuditPosition, AuditEntry)>,
    ) -> Result<(), StoreError> {
        let delete = |position: &AuditPosition| {
            Statement::new("DELETE FROM audit WHERE n = $n").with("n", position.number).expect(1)
        };
        let mut statements: Vec<Statement> = displaced.iter().map(|(position, _)| delete(position)).collect();
        for (position, entry) in &entries {
            let mut columns = columns(entry)?;
            columns.push(("n", position.number.into()));
            statements.push(Statement::insert("audit", columns).then("ON CONFLICT (n) DO NOTHING"));
        }
        statements.extend(self.dialect().count_on("audit"));
        for (_, entry) in &displaced {
            statements.push(record(entry)?);
        }
        self.write_if("put_audit", statements).await.map(drop)
    }
}

pub(super) fn record(entry: &AuditEntry) -> Result<Statement, StoreError> {
    Ok(Statement::insert("audit", columns(entry)?))
}

fn columns(entry: &AuditEntry) -> Result<Columns, StoreError> {
    Ok(vec![
        ("at", entry.at.into()),
        ("investigation", entry.investigation_id.into()),
        ("entry", to_json(entry)?.into()),
    ])
}
