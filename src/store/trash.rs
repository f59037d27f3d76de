//! The trash: deleted investigations that can be restored. Their rows are in the table `trash`, so queries of other
//! tables need not exclude them. Records that belong to them stay in their tables, but cannot be reached.

use super::addresses::Owners;
use super::delete::{copy_to_trash, delete_row};
use super::dialect::Dialect;
use super::engine::WriteKind;
use super::investigations::COLUMNS;
use super::readable::Table;
use super::sql::{Row, Rows, Statement, list};
use super::sweep::remove_from_trash;
use super::trash_item::TrashItem;
use super::{Reports, Stamp, Store, StoreError, WholeInvestigation, chats, groups, investigations, links};
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::page::{Page, PageRequest, TrashPosition};
use crate::domain::time::Timestamp;

const TABLE: Table = Table { name: "trash", key: &["id"] };

/// An investigation in the trash, as it was before the deletion. Its revision and deletion time distinguish it from
/// later trash entries with the same id.
#[derive(Debug, Clone)]
pub struct Discarded {
    pub investigation: Investigation,
    pub deleted_at: Timestamp,
}

/// An investigation in the trash, with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trashed {
    pub whole: WholeInvestigation,
    pub deleted_at: Timestamp,
    pub deleted_by: Option<ObjectId>,
    /// Addresses of its links that other links have taken, such as `class-5b/radishes`.
    pub displaced: Vec<String>,
}

/// Result of a restore from the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undeleted {
    /// The investigation can be reached again.
    Done {
        /// The links, as `key/subLink`, that were deleted because other links got their addresses.
        links_left_out: Vec<String>,
    },
    /// An investigation with this id exists already.
    Exists,
    /// The investigation is no longer in the trash.
    NotInTrash,
}

impl Discarded {
    /// Returns the investigation as it is after a restore: at the next revision, so that its entity tag changes.
    pub fn restored(&self) -> Investigation {
        Investigation { revision: self.investigation.revision + 1, ..self.investigation.clone() }
    }

    /// The condition that the row `t` of the trash is this one.
    const IS_THIS: &str = "t.id = $id AND t.revision = $revision AND t.deleted_at = $deleted_at";

    fn with(&self, statement: Statement) -> Statement {
        let Self { investigation, deleted_at } = self;
        let statement = statement.with("id", investigation.id).with("revision", investigation.revision);
        statement.with("deleted_at", *deleted_at)
    }

    /// Returns the query that locks the row in the trash.
    fn lock(&self, dialect: Dialect) -> Statement {
        let sql = format!("SELECT t.group_key, t.curriculum FROM trash t WHERE {}", Self::IS_THIS);
        self.with(Statement::new(sql).then(&dialect.lock("t")))
    }
}

impl Store {
    /// Returns a page of the investigations that were deleted after `since`, last deleted first. If `of` is given,
    /// returns only the investigations of the author `of`.
    pub async fn trash(
        &self,
        of: Option<ObjectId>,
        since: Timestamp,
        wanted: PageRequest<TrashPosition>,
    ) -> Result<Page<TrashItem, TrashPosition>, StoreError> {
        let of_author = if of.is_some() { "t.author = $author AND" } else { "" };
        let (deleted_at, id) =
            wanted.after.map_or((i64::MAX, String::new()), |after| (after.deleted_at.0, after.id.to_string()));
        let page = Statement::new(format!(
            "SELECT t.id, t.shown_title, t.author, t.deleted_at, t.deleted_by FROM trash t
             WHERE {of_author} t.deleted_at > $since AND (t.deleted_at, t.id) < ($deleted_at, $id)
             ORDER BY t.deleted_at DESC, t.id DESC LIMIT $limit"
        ));
        let page = page.with("author", of).with("since", since).with("deleted_at", deleted_at).with("id", id);
        let entry = |row: &Row| TrashItem::read(row).map(|item| (item.position(), item));
        Ok(Page::up_to(self.listed(TABLE, page, wanted.limit + 1, entry).await?, wanted.limit))
    }

    /// Returns an investigation from the trash; `None` if the investigation is not there, or was deleted at `since` or
    /// earlier.
    pub async fn discarded(&self, id: ObjectId, since: Timestamp) -> Result<Option<Discarded>, StoreError> {
        let sql = format!(
            "SELECT {}, t.deleted_at FROM trash t WHERE t.id = $id AND t.deleted_at > $since",
            list("t", &COLUMNS)
        );
        let rows = self.get(Statement::new(sql).with("id", id).with("since", since)).await?;
        let discarded = |row: &Row| {
            Ok(Discarded { investigation: investigations::read(row)?, deleted_at: row.time("deleted_at")? })
        };
        rows.first().map(discarded).transpose()
    }

    /// Stores an investigation from the trash of another store, unless this store or its trash has an investigation
    /// with the same id. Returns whether it was stored.
    pub async fn put_trashed(&self, trashed: Trashed) -> Result<bool, StoreError> {
        let dialect = self.dialect();
        let Trashed { whole, deleted_at, deleted_by, displaced } = trashed;
        let id = whole.id();
        let item = TrashItem::of(&whole.row.investigation, deleted_at, deleted_by);
        let in_trash = Statement::new("SELECT t.id FROM trash t WHERE t.id = $id").with("id", id);
        let addresses = whole.addresses();
        let displace = addresses.displace_removed(dialect);
        let reads = vec![investigations::exists(id), in_trash, addresses.owners(dialect)];
        self.write_as(WriteKind::Long, "put_trashed", reads, move |rows: &[Rows]| {
            if !rows[0].is_empty() || !rows[1].is_empty() {
                return Ok((Vec::new(), false));
            }
            let owners = Owners::read(&rows[2])?;
            let displaced = [&displaced[..], &owners.live, &owners.in_trash].concat();
            let displace = (!owners.removed.is_empty()).then(|| displace.clone());
            // The row leaves its table at once, so a deferred statement would not find it.
            let stored = whole.statements(&displaced, dialect)?.into_iter().map(Statement::at_once);
            let mut statements: Vec<Statement> = displace.into_iter().chain(stored).collect();
            statements.push(copy_to_trash(&item, "$deleted_at"));
            statements.push(delete_row(id));
            Ok((statements, true))
        })
        .await
    }

    /// Restores an investigation from the trash, with the next revision and an empty chat with the id `chat`. Returns
    /// [`Undeleted::NotInTrash`] if the trash no longer has it in the state of `discarded`.
    pub async fn undelete(&self, discarded: Discarded, chat: ObjectId, stamp: Stamp) -> Result<Undeleted, StoreError> {
        let dialect = self.dialect();
        let Investigation { id, revision, .. } = discarded.investigation;
        // A write that displaces a link locks the row in the trash. So no link is displaced after this write has read
        // the displaced links.
        let reads = vec![investigations::exists(id), discarded.lock(dialect), links::displaced(id)];
        let reports = Reports::of(stamp, id, vec![EventKind::Undeleted]);
        let reports = reports.statements(id, Some(revision + 1), stamp.at)?;
        self.write("undelete", reads, move |rows: &[Rows]| {
            if !rows[0].is_empty() {
                return Ok((Vec::new(), Undeleted::Exists));
            }
            let Some(found) = rows[1].first() else { return Ok((Vec::new(), Undeleted::NotInTrash)) };
            let links_left_out = links::addresses(&rows[2])?;
            let (group_key, curriculum) = (found.text("group_key")?, found.optional_text("curriculum")?);
            let mut statements = move_back(id);
            statements.push(chats::insert(id, chat, 0));
            statements.push(groups::entered(dialect, id, group_key, curriculum));
            statements.extend(reports.iter().cloned());
            Ok((statements, Undeleted::Done { links_left_out }))
        })
        .await
    }

    /// Permanently deletes an investigation in the trash. Returns whether it was still in the trash.
    pub async fn purge(&self, discarded: Discarded, stamp: Stamp) -> Result<bool, StoreError> {
        let id = discarded.investigation.id;
        let Stamp { actor, at } = stamp;
        let entry = AuditEntry { at, actor, investigation_id: Some(id), action: AuditAction::Purged };
        // Creates no event, because listeners were already notified of the deletion.
        let reports = Reports { audit: vec![entry], ..Reports::default() }.statements(id, None, at)?;
        let purge = remove_from_trash(Discarded::IS_THIS, self.dialect());
        let purge = purge.map(|statement| discarded.with(statement).expect(1));
        self.write_if("purge", purge.into_iter().chain(reports).collect()).await
    }

    /// Permanently deletes the investigation that has been in the trash for longest, if it was deleted before `before`.
    /// Returns whether there may be more such investigations.
    pub async fn empty_trash(&self, before: Timestamp) -> Result<bool, StoreError> {
        let expired = Statement::new(
            "SELECT t.body FROM trash t WHERE t.deleted_at < $before ORDER BY t.deleted_at, t.id LIMIT 1",
        );
        let Some(row) = self.get(expired.with("before", before)).await?.pop() else { return Ok(false) };
        let body = row.integer("body")?;
        // If the investigation was restored and deleted again in the meantime, it has the same number and a later
        // deletion time.
        let purge = remove_from_trash("t.body = $body AND t.deleted_at < $before", self.dialect())
            .map(|statement| statement.with("body", body).with("before", before));
        self.write_if("empty_trash", purge.into()).await?;
        Ok(true)
    }
}

/// Returns the statements that move a row from the trash back to the investigations, with the next revision.
fn move_back(id: ObjectId) -> Vec<Statement> {
    let kept: Vec<&str> = investigations::all_columns().into_iter().filter(|column| *column != "revision").collect();
    let displaced = "DELETE FROM link WHERE body = (SELECT t.body FROM trash t WHERE t.id = $id) AND displaced";
    let insert = format!(
        "INSERT INTO investigation (body, revision, {}) SELECT t.body, t.revision + 1, {} FROM trash t WHERE t.id = $id",
        kept.join(", "),
        list("t", &kept)
    );
    let delete = Statement::new("DELETE FROM trash WHERE id = $id").expect(1);
    [Statement::new(displaced), Statement::new(insert), delete].map(|statement| statement.with("id", id)).into()
}
