//! The trash: deleted investigations that can be restored. One row of the table `trash` contains all data of one such
//! investigation. So queries of other tables need not exclude deleted investigations.
//!
//! The row contains an export of the investigation, so that a later version of the program can read it, too. A restore
//! computes derived data, such as search words, again.

use std::io::{BufReader, BufWriter, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};

use super::chat_row::ChatRows;
use super::engine::{Limit, WriteKind};
use super::jsonl::Entry;
use super::readable::Table;
use super::row::to_json;
use super::sql::{Columns, Row, Rows, Statement, list};
use super::{Deleted, InvestigationSnapshot, Reports, Stamp, Store, StoreError, delete, investigations, links};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::page::{Page, PageRequest, TrashPosition};
use crate::domain::time::Timestamp;

/// Maximum size of an investigation that can be moved to the trash: its [`Store::weight`] in bytes. A deletion or
/// restore needs memory for the whole investigation.
pub const MAX_TRASH_WEIGHT: u64 = 64 * 1024 * 1024;

/// Maximum number of expired rows that one cleanup deletes, so that a cleanup never blocks other work for long.
pub const MAX_EMPTIED: usize = 16;

const TABLE: Table = Table { name: "trash", key: &["id"] };

const COLUMNS: [&str; 4] = ["item", "revision", "links", "packed"];

/// Maximum length of a title in the trash, in characters.
const MAX_TITLE: usize = 200;

/// An investigation to be moved to the trash, without its links. The transaction that deletes the investigation reads
/// the links, because visits may change the links until then.
#[derive(Debug)]
pub struct Discarded {
    pub(super) item: TrashItem,
    pub(super) stamp: Stamp,
    /// Revision of the investigation when it was read.
    pub(super) revision: u64,
    /// Number of chat entries when the investigation was read.
    pub(super) entries: u64,
    pub(super) compressed_export: Vec<u8>,
}

/// A deleted investigation, as the list of the trash shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrashItem {
    pub investigation_id: ObjectId,
    /// The first 200 characters of the title; null if the investigation has no title or its title is not a text.
    pub title: Option<String>,
    pub author: Option<ObjectId>,
    /// When the investigation was deleted.
    pub deleted_at: Timestamp,
    /// The user who deleted the investigation; null if unknown.
    pub deleted_by: Option<ObjectId>,
}

/// A row of the trash.
#[derive(Debug)]
pub struct Trashed {
    pub item: TrashItem,
    pub(super) revision: u64,
    /// The links with their visits, as JSON.
    pub(super) links: String,
    pub(super) compressed_export: Vec<u8>,
}

/// An investigation read from a row of the trash, ready to be stored again.
#[derive(Debug)]
pub struct Restored {
    pub(super) whole: InvestigationSnapshot,
    pub(super) chat_rows: ChatRows,
    /// Last revision of the investigation and time of its deletion. With the id, they identify the row of the trash.
    pub(super) deleted: (u64, Timestamp),
}

/// Result of a restore from the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undeleted {
    /// The investigation was stored and synced to disk.
    Done {
        /// The links, as `key/subLink`, that were not restored because other links now have the same addresses.
        links_left_out: Vec<String>,
    },
    /// An investigation with this id exists already.
    Exists,
    /// The row is no longer in the trash.
    NotInTrash,
}

impl TrashItem {
    fn of(investigation: &Investigation, deleted_at: Timestamp, deleted_by: Option<ObjectId>) -> Self {
        let title = investigation.content.get("title").and_then(|title| title.as_str());
        Self {
            investigation_id: investigation.id,
            title: title.map(|title| title.chars().take(MAX_TITLE).collect()),
            author: investigation.author,
            deleted_at,
            deleted_by,
        }
    }

    pub(super) fn position(&self) -> TrashPosition {
        TrashPosition { deleted_at: self.deleted_at, id: self.investigation_id }
    }
}

impl Discarded {
    /// Exports and compresses an investigation for the trash. This takes CPU time.
    pub fn of(whole: InvestigationSnapshot, stamp: Stamp) -> Result<Self, StoreError> {
        Ok(Self {
            item: TrashItem::of(&whole.row.investigation, stamp.at, stamp.actor.user),
            stamp,
            revision: whole.revision(),
            entries: whole.chat.as_ref().map_or(0, |chat| chat.history.len() as u64),
            compressed_export: compressed(whole)?,
        })
    }
}

fn compressed(whole: InvestigationSnapshot) -> Result<Vec<u8>, StoreError> {
    let failed = |error: std::io::Error| StoreError::Failed(error.to_string());
    let mut writer = BufWriter::new(ZlibEncoder::new(Vec::new(), Compression::fast()));
    serde_json::to_writer(&mut writer, &Entry::without_links(whole)).map_err(|e| failed(e.into()))?;
    writer.flush().map_err(failed)?;
    let encoder = writer.into_inner().map_err(|error| failed(error.into_error()))?;
    encoder.finish().map_err(failed)
}

impl Trashed {
    /// Creates the row of an investigation that another store has in its trash. This takes CPU time.
    pub fn of(
        whole: InvestigationSnapshot,
        deleted_at: Timestamp,
        deleted_by: Option<ObjectId>,
    ) -> Result<Self, StoreError> {
        Ok(Self {
            item: TrashItem::of(&whole.row.investigation, deleted_at, deleted_by),
            revision: whole.revision(),
            links: to_json(&whole.links)?,
            compressed_export: compressed(whole)?,
        })
    }

    /// Decompresses the investigation. This takes CPU time.
    pub fn entry(&self) -> Result<Entry, StoreError> {
        let unpacked = BufReader::new(ZlibDecoder::new(self.compressed_export.as_slice()));
        let entry: Entry = serde_json::from_reader(unpacked).map_err(|error| StoreError::damaged(&error))?;
        entry.with_links(&self.links)
    }

    /// Decompresses the investigation, and computes its derived data. Increases the revision by one, so that the entity
    /// tag changes. This takes CPU time.
    pub fn restored(self) -> Result<Restored, StoreError> {
        let mut whole = self.entry()?.whole().map_err(|fault| StoreError::damaged(&fault))?;
        Arc::make_mut(&mut whole.row.investigation).revision += 1;
        Ok(Restored { chat_rows: whole.chat_rows()?, whole, deleted: (self.revision, self.item.deleted_at) })
    }
}

impl Restored {
    pub fn investigation(&self) -> &Arc<Investigation> {
        &self.whole.row.investigation
    }
}

impl Store {
    /// Returns the approximate memory, in bytes, for an investigation with all its data; `None` if the investigation
    /// does not exist. For parsed JSON, assumes four times the size of its text.
    pub async fn weight(&self, id: ObjectId) -> Result<Option<u64>, StoreError> {
        let weight = Statement::new(
            "SELECT CAST(4 * CAST(octet_length(i.content) AS BIGINT)
                 + coalesce((SELECT 4 * sum(octet_length(r.changes)) FROM version_record r WHERE r.body = i.body), 0)
                 + coalesce((SELECT sum(octet_length(c.content)) FROM content_copy c WHERE c.body = i.body), 0)
                 + coalesce((SELECT sum(octet_length(e.entry) + coalesce(s.length, 0)) FROM chat_entry e
                     LEFT JOIN chat_snapshot s ON s.body = e.body AND s.digest = e.snapshot WHERE e.body = i.body), 0)
                 + (SELECT 1024 * count(*) FROM link l WHERE l.body = i.body)
                 + (SELECT 64 * count(*) FROM link l JOIN link_day d ON d.link = l.n WHERE l.body = i.body)
                 AS BIGINT) AS weight
             FROM investigation i WHERE i.id = $id",
        );
        let rows = self.heavy(weight.with("id", id)).await?;
        rows.first().map(|row| row.count("weight")).transpose()
    }

    /// Moves an investigation to the trash, with its current links and visits. Replaces a row of the trash with the
    /// same id. Does nothing if the investigation or its chat has changed since `discarded` was read.
    pub async fn discard(&self, discarded: Discarded) -> Result<Deleted, StoreError> {
        let dialect = self.dialect();
        let id = discarded.item.investigation_id;
        let chat = "SELECT c.entries FROM chat c JOIN investigation i ON i.body = c.body WHERE i.id = $id";
        // First locks the investigation and its links, and then reads what belongs to them. A concurrent visit waits
        // until the links are deleted. So no counted visit is lost.
        let reads = vec![
            investigations::lock(id, dialect),
            links::of(id).then(&dialect.lock("l")),
            links::days_of(id),
            Statement::new(chat).with("id", id),
        ];
        let Discarded { item, stamp, revision, entries, compressed_export } = discarded;
        let columns = columns(&item, revision, compressed_export)?;
        self.write_as(WriteKind::Long, "discard", reads, move |rows: &[Rows]| {
            let Some(found) = rows[0].first() else { return Ok((Vec::new(), Deleted::Unknown)) };
            let stored_entries = rows[3].first().map(|chat| chat.count("entries")).transpose()?;
            if (found.count("revision")?, stored_entries.unwrap_or(0)) != (revision, entries) {
                return Ok((Vec::new(), Deleted::Conflict));
            }
            let links = to_json(&links::visited(&rows[1], &rows[2])?)?;
            let mut statements = vec![insert(columns.clone(), links).then(
                "ON CONFLICT (id) DO UPDATE SET author = excluded.author, deleted_at = excluded.deleted_at,
                     revision = excluded.revision, item = excluded.item, links = excluded.links, packed = excluded.packed",
            )];
            statements.extend(delete::deletion(id, found.text("group_key")?, revision, stamp, dialect)?);
            Ok((statements, Deleted::Done { chats: rows[3].len() as u64 }))
        })
        .await
    }

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
            "SELECT t.id, t.item FROM trash t
             WHERE {of_author} t.deleted_at > $since AND (t.deleted_at, t.id) < ($deleted_at, $id)
             ORDER BY t.deleted_at DESC, t.id DESC LIMIT $limit"
        ));
        let page = page.with("author", of).with("since", since).with("deleted_at", deleted_at).with("id", id);
        let entry = |row: &Row| row.json("item").map(|item: TrashItem| (item.position(), item));
        Ok(Page::up_to(self.listed(TABLE, page, wanted.limit + 1, entry).await?, wanted.limit))
    }

    /// Returns an investigation from the trash; `None` if the investigation is not there, or was deleted at `since` or
    /// earlier.
    pub async fn trashed(&self, id: ObjectId, since: Timestamp) -> Result<Option<Trashed>, StoreError> {
        self.heavy(find(id, since)).await?.first().map(read).transpose()
    }

    /// Stores a row of another store's trash, unless the trash has a row with the same id. Returns whether the row was
    /// stored.
    pub async fn put_trashed(&self, trashed: Trashed) -> Result<bool, StoreError> {
        let Trashed { item, revision, links, compressed_export } = trashed;
        let insert = insert(columns(&item, revision, compressed_export)?, links);
        self.write_if("put_trashed", vec![insert.then("ON CONFLICT (id) DO NOTHING").expect(1)]).await
    }

    /// Stores an investigation from the trash with all its data, and removes it from the trash.
    pub async fn undelete(&self, restored: Restored, stamp: Stamp) -> Result<Undeleted, StoreError> {
        let dialect = self.dialect();
        let Restored { whole, chat_rows, deleted: (revision, deleted_at) } = restored;
        let id = whole.id();
        let this_row =
            |statement: Statement| statement.with("id", id).with("revision", revision).with("deleted_at", deleted_at);
        let known = "SELECT i.id FROM investigation i WHERE i.id = $id";
        let in_trash =
            "SELECT t.id FROM trash t WHERE t.id = $id AND t.revision = $revision AND t.deleted_at = $deleted_at";
        let reads = vec![
            Statement::new(known).with("id", id),
            this_row(Statement::new(in_trash)),
            links::taken(&whole.links, dialect),
        ];
        let delete = "DELETE FROM trash WHERE id = $id AND revision = $revision AND deleted_at = $deleted_at";
        let delete = this_row(Statement::new(delete)).expect(1);
        let all = whole.statements(&chat_rows, dialect, &[])?;
        let reports = Reports::of(stamp, id, vec![EventKind::Undeleted]);
        let reports = reports.statements(id, Some(whole.revision()), stamp.at)?;
        self.write_as(WriteKind::Long, "undelete", reads, move |rows: &[Rows]| {
            if !rows[0].is_empty() {
                return Ok((Vec::new(), Undeleted::Exists));
            }
            if rows[1].is_empty() {
                return Ok((Vec::new(), Undeleted::NotInTrash));
            }
            let taken = rows[2].iter().map(links::address).collect::<Result<Vec<_>, _>>()?;
            let addresses = whole.links.iter().map(|visited| visited.link.address());
            let links_left_out: Vec<String> = addresses.filter(|address| taken.contains(address)).collect();
            let insert = match links_left_out.as_slice() {
                [] => all.clone(),
                left_out => whole.statements(&chat_rows, dialect, left_out)?,
            };
            let statements = [std::slice::from_ref(&delete), &insert[..], &reports[..]].concat();
            Ok((statements, Undeleted::Done { links_left_out }))
        })
        .await
    }

    /// Deletes up to 16 rows of investigations that were moved to the trash before `before`, oldest first. Returns
    /// whether there may be more such rows. Because of the limit, other work is not blocked for long.
    pub async fn empty_trash(&self, before: Timestamp) -> Result<bool, StoreError> {
        let expired =
            Statement::new("SELECT t.id FROM trash t WHERE t.deleted_at < $before ORDER BY t.deleted_at LIMIT $limit");
        let expired = expired.with("before", before).with("limit", MAX_EMPTIED as u64);
        if self.get(expired.clone()).await?.is_empty() {
            return Ok(false);
        }
        let dialect = self.dialect();
        self.write("empty_trash", vec![expired.then(dialect.skip_locked())], move |rows: &[Rows]| {
            let ids = rows[0].iter().map(|row| row.text("id").map(str::to_owned)).collect::<Result<Vec<_>, _>>()?;
            let is_full = ids.len() == MAX_EMPTIED;
            let delete = Statement::new(format!("DELETE FROM trash WHERE {}", dialect.any_of("id", "ids")));
            Ok((vec![delete.with("ids", ids)], is_full))
        })
        .await
    }

    /// Runs one statement that reads much.
    async fn heavy(&self, statement: Statement) -> Result<Rows, StoreError> {
        let snapshot = self.begin(Limit::Heavy).await?;
        let rows = snapshot.get(statement).await?;
        snapshot.end();
        Ok(rows)
    }
}

/// Returns the query for an investigation in the trash that was deleted after `since`. The function [`read`] reads its
/// row.
pub(super) fn find(id: ObjectId, since: Timestamp) -> Statement {
    let sql = format!("SELECT {} FROM trash t WHERE t.id = $id AND t.deleted_at > $since", list("t", &COLUMNS));
    Statement::new(sql).with("id", id).with("since", since)
}

pub(super) fn read(row: &Row) -> Result<Trashed, StoreError> {
    Ok(Trashed {
        item: row.json("item")?,
        revision: row.count("revision")?,
        links: row.text("links")?.to_owned(),
        compressed_export: row.bytes("packed")?.to_vec(),
    })
}

/// Returns all columns of a row except its links, which a deletion reads later than everything else.
fn columns(item: &TrashItem, revision: u64, compressed_export: Vec<u8>) -> Result<Columns, StoreError> {
    let TrashItem { investigation_id, title: _, author, deleted_at, deleted_by: _ } = item;
    Ok(vec![
        ("id", (*investigation_id).into()),
        ("author", (*author).into()),
        ("deleted_at", (*deleted_at).into()),
        ("revision", revision.into()),
        ("item", to_json(item)?.into()),
        ("packed", compressed_export.into()),
    ])
}

fn insert(mut columns: Columns, links: String) -> Statement {
    columns.push(("links", links.into()));
    Statement::insert("trash", columns)
}
