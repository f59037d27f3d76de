//! Deletes an investigation, without the trash.

use super::dialect::Dialect;
use super::sql::{Rows, Statement};
use super::{Deleted, Reports, Stamp, Store, StoreError, groups, investigations};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;

impl Store {
    /// Deletes an investigation and everything that belongs to it. If `revision` is given, deletes the investigation
    /// only if it still has this revision.
    pub async fn delete(&self, id: ObjectId, revision: Option<u64>, stamp: Stamp) -> Result<Deleted, StoreError> {
        let dialect = self.dialect();
        let chats = "SELECT c.id FROM chat c JOIN investigation i ON i.body = c.body WHERE i.id = $id";
        let reads = vec![investigations::lock(id, dialect), Statement::new(chats).with("id", id)];
        self.write("delete", reads, move |rows: &[Rows]| {
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), Deleted::Unknown)) };
            let stored = found.count("revision")?;
            if revision.is_some_and(|expected| expected != stored) {
                return Ok((Vec::new(), Deleted::Conflict));
            }
            let statements = deletion(id, found.text("group_key")?, stored, stamp, dialect)?;
            Ok((statements, Deleted::Done { chats: rows[1].len() as u64 }))
        })
        .await
    }
}

/// Returns the statements that delete an investigation with the revision `revision`, and report the deletion.
pub(super) fn deletion(
    id: ObjectId,
    group_key: &str,
    revision: u64,
    stamp: Stamp,
    dialect: Dialect,
) -> Result<Vec<Statement>, StoreError> {
    let mut statements = Vec::from_iter(dialect.remove_from_index(&id.into()));
    // Version records, full copies, the chat, and links with their visit counts are deleted by cascade.
    statements.push(Statement::new("DELETE FROM investigation WHERE id = $id").with("id", id));
    statements.push(groups::counted(dialect, id, group_key, None, -1));
    let reports = Reports::of(stamp, id, vec![EventKind::Deleted]);
    statements.extend(reports.statements(id, Some(revision), stamp.at)?);
    Ok(statements)
}
