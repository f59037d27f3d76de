//! Deletes an investigation: moves it to the trash, or deletes it permanently.
//!
//! Both are small writes, regardless of how much data belongs to the investigation. Only the row of the investigation
//! and the row of its chat are deleted. Nothing else can be reached without them. The [sweeper](super::sweep) deletes
//! the rest.

use super::expiry_clock::not_long_before;
use super::sql::{Rows, Statement, list};
use super::sweep::{Removed, remove_from_trash};
use super::trash_item::TrashItem;
use super::{Deleted, Reports, Stamp, Store, StoreError, groups, investigations};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;

impl Store {
    /// Deletes an investigation and everything that belongs to it. If `revision` is given, deletes the investigation
    /// only if it still has this revision.
    pub async fn delete(&self, id: ObjectId, revision: Option<u64>, stamp: Stamp) -> Result<Deleted, StoreError> {
        let removal = vec![Removed::Body.note("SELECT i.body FROM investigation i WHERE i.id = $id").with("id", id)];
        self.take_out(id, revision, removal, true, stamp).await
    }

    /// Moves an investigation to the trash, if it still has the revision of `investigation`. Its chat is deleted.
    /// Replaces an investigation with the same id in the trash.
    pub async fn discard(&self, investigation: &Investigation, stamp: Stamp) -> Result<Deleted, StoreError> {
        let item = TrashItem::of(investigation, stamp.at, stamp.actor.user);
        let (id, revision) = (investigation.id, investigation.revision);
        let replaced = remove_from_trash("t.id = $id", self.dialect()).map(|statement| statement.with("id", id));
        let removal = replaced.into_iter().chain([copy_to_trash(&item, &not_long_before("deleted_at"))]).collect();
        self.take_out(id, Some(revision), removal, false, stamp).await
    }

    /// Deletes the row of an investigation and its chat. `removal` contains the statements for all its other data.
    async fn take_out(
        &self,
        id: ObjectId,
        revision: Option<u64>,
        removal: Vec<Statement>,
        permanently: bool,
        stamp: Stamp,
    ) -> Result<Deleted, StoreError> {
        let dialect = self.dialect();
        let chats = "SELECT c.id FROM chat c JOIN investigation i ON i.body = c.body WHERE i.id = $id";
        let reads = vec![investigations::lock(id, dialect), Statement::new(chats).with("id", id)];
        self.write("delete", reads, move |rows: &[Rows]| {
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), Deleted::Unknown)) };
            let stored = found.count("revision")?;
            if revision.is_some_and(|expected| expected != stored) {
                return Ok((Vec::new(), Deleted::Conflict));
            }
            let mut statements = delete_chat(id);
            statements.extend(removal.iter().cloned());
            statements.push(delete_row(id));
            statements.extend(groups::left(dialect, id, found.text("group_key")?));
            let reports = Reports::of(stamp, id, vec![EventKind::Deleted { permanently }]);
            statements.extend(reports.statements(id, Some(stored), stamp.at)?);
            Ok((statements, Deleted::Done { chats: rows[1].len() as u64 }))
        })
        .await
    }
}

fn delete_chat(id: ObjectId) -> Vec<Statement> {
    let note = "SELECT c.n FROM investigation i JOIN chat c ON c.body = i.body WHERE i.id = $id";
    let delete = "DELETE FROM chat WHERE body = (SELECT i.body FROM investigation i WHERE i.id = $id)";
    [Removed::Chat.note(note), Statement::new(delete)].map(|statement| statement.with("id", id)).into()
}

/// Returns the statement that copies the row of an investigation to the trash. `deleted_at` is the SQL expression for
/// the time of the deletion, such as `$deleted_at`.
pub(super) fn copy_to_trash(item: &TrashItem, deleted_at: &str) -> Statement {
    let TrashItem { investigation_id, title, author: _, deleted_at: at, deleted_by } = item;
    let columns = investigations::all_columns();
    let insert = Statement::new(format!(
        "INSERT INTO trash (body, {}, shown_title, deleted_at, deleted_by)
         SELECT i.body, {}, $shown_title, {deleted_at}, $deleted_by FROM investigation i WHERE i.id = $id",
        columns.join(", "),
        list("i", &columns)
    ));
    insert
        .with("id", *investigation_id)
        .with("shown_title", title.as_deref())
        .with("deleted_at", *at)
        .with("deleted_by", *deleted_by)
}

pub(super) fn delete_row(id: ObjectId) -> Statement {
    Statement::new("DELETE FROM investigation WHERE id = $id").with("id", id)
}
