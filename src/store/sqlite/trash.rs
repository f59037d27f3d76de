//! The trash. The transaction that deletes an investigation also reads its links, so that no counted visit is lost.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, events, investigations, rows, snapshot};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::page::{Page, PageRequest, TrashPosition};
use crate::domain::time::Timestamp;
use crate::store::row::to_json;
use crate::store::trash::MAX_EMPTIED;
use crate::store::{Deleted, Discarded, Reports, Restored, Stamp, StoreError, TrashItem, Trashed, Undeleted};

const WEIGHT: &str = "SELECT 4 * octet_length(content)
         + coalesce((SELECT 4 * sum(octet_length(changes)) FROM version_record WHERE investigation = i.n), 0)
         + coalesce((SELECT sum(octet_length(content)) FROM content_copy WHERE investigation = i.n), 0)
         + coalesce((SELECT sum(octet_length(e.entry) + coalesce(s.length, 0)) FROM chat c
             JOIN chat_entry e ON e.chat = c.n LEFT JOIN chat_snapshot s ON s.chat = e.chat AND s.digest = e.snapshot WHERE c.investigation = i.n), 0)
         + (SELECT 1024 * count(*) FROM link WHERE investigation = i.n)
         + (SELECT 64 * count(*) FROM link l JOIN link_day d ON d.link = l.n WHERE l.investigation = i.n)
     FROM investigation i WHERE i.id = ?1";

impl Sqlite {
    pub async fn weight(&self, id: ObjectId) -> Result<Option<u64>, StoreError> {
        self.heavy
            .read(move |connection| {
                connection.prepare_cached(WEIGHT)?.query_row([id.to_string()], |row| row.get(0)).optional()
            })
            .await
    }

    pub async fn discard(&self, discarded: Discarded) -> Result<Deleted, StoreError> {
        self.writer
            .write(move |connection| {
                let (id, stamp) = (discarded.item.investigation_id, discarded.stamp);
                let found: Option<(i64, u64, u64, u64)> = connection
                    .prepare_cached(
                        "SELECT i.n, i.revision, (SELECT count(*) FROM chat WHERE investigation = i.n),
                             (SELECT count(*) FROM chat c JOIN chat_entry e ON e.chat = c.n WHERE c.investigation = i.n)
                         FROM investigation i WHERE i.id = ?1",
                    )?
                    .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
                    .optional()?;
                let Some((n, revision, chats, entries)) = found else { return Ok(Deleted::Unknown) };
                if (revision, entries) != (discarded.revision, discarded.entries) {
                    return Ok(Deleted::Conflict);
                }
                let Discarded { item, compressed_export, .. } = discarded;
                let links = to_json(&snapshot::visited_links(connection, n)?)?;
                insert(connection, &Trashed { item, revision, links, compressed_export }, "OR REPLACE")?;
                investigations::remove(connection, n)?;
                let reports = Reports::of(stamp, id, vec![EventKind::Deleted]);
                events::record(connection, id, revision, stamp.at, &reports)?;
                Ok(Deleted::Done { chats })
            })
            .await
    }

    pub async fn trash(
        &self,
        of: Option<ObjectId>,
        since: Timestamp,
        wanted: PageRequest<TrashPosition>,
    ) -> Result<Page<TrashItem, TrashPosition>, StoreError> {
        self.readers
            .read(move |connection| {
                let condition = if of.is_some() { "author = ?1" } else { "?1 IS NULL" };
                let (at, id) =
                    wanted.after.map_or((i64::MAX, String::new()), |place| (place.deleted_at.0, place.id.to_string()));
                let found = connection
                    .prepare_cached(&format!(
                        "SELECT item FROM trash WHERE {condition} AND deleted_at > ?2 AND (deleted_at, id) < (?3, ?4)
                         ORDER BY deleted_at DESC, id DESC LIMIT ?5"
                    ))?
                    .query_map(params![rows::text(of), since.0, at, id, i64::from(wanted.limit) + 1], |row| {
                        rows::json(row, 0).map(|item: TrashItem| (item.position(), item))
                    })?
                    .collect::<Result<Vec<_>, rusqlite::Error>>()?;
                Ok::<_, StoreError>(Page::up_to(found, wanted.limit))
            })
            .await
    }

    pub async fn trashed(&self, id: ObjectId, since: Timestamp) -> Result<Option<Trashed>, StoreError> {
        self.heavy.read(move |connection| find(connection, id, since)).await
    }

    pub async fn put_trashed(&self, trashed: Trashed) -> Result<bool, StoreError> {
        self.writer.write(move |connection| insert(connection, &trashed, "OR IGNORE")).await
    }

    pub async fn undelete(&self, restored: Restored, stamp: Stamp) -> Result<Undeleted, StoreError> {
        self.writer
            .write(move |connection| {
                let Restored { whole, chat_rows, deleted: (revision, deleted_at) } = &restored;
                let id = whole.id();
                if rows::number_of(connection, id)?.is_some() {
                    return Ok(Undeleted::Exists);
                }
                let taken = connection
                    .prepare_cached("DELETE FROM trash WHERE id = ?1 AND revision = ?2 AND deleted_at = ?3")?
                    .execute(params![id.to_string(), revision, deleted_at.0])?;
                if taken == 0 {
                    return Ok(Undeleted::NotInTrash);
                }
                let links_left_out = snapshot::put(connection, whole, chat_rows)?;
                let reports = Reports::of(stamp, id, vec![EventKind::Undeleted]);
                events::record(connection, id, whole.revision(), stamp.at, &reports)?;
                Ok(Undeleted::Done { links_left_out })
            })
            .await
    }

    pub async fn empty_trash(&self, before: Timestamp) -> Result<bool, StoreError> {
        let expired = self.readers.look_up(|connection| {
            connection.prepare_cached("SELECT 1 FROM trash WHERE deleted_at < ?1")?.exists([before.0])
        });
        if !expired.await? {
            return Ok(false);
        }
        self.writer
            .write(move |connection| {
                let deleted = connection
                    .prepare_cached(
                        "DELETE FROM trash WHERE id IN (
                             SELECT id FROM trash WHERE deleted_at < ?1 ORDER BY deleted_at LIMIT ?2)",
                    )?
                    .execute(params![before.0, MAX_EMPTIED])?;
                Ok(deleted == MAX_EMPTIED)
            })
            .await
    }
}

/// Returns an investigation from the trash, if it was deleted after `since`.
pub(super) fn find(
    connection: &Connection,
    id: ObjectId,
    since: Timestamp,
) -> Result<Option<Trashed>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT item, revision, links, packed FROM trash WHERE id = ?1 AND deleted_at > ?2")?
        .query_row(params![id.to_string(), since.0], |row| {
            Ok(Trashed {
                item: rows::json(row, 0)?,
                revision: row.get(1)?,
                links: row.get(2)?,
                compressed_export: row.get(3)?,
            })
        })
        .optional()
}

/// Inserts a row. `conflict` says what to do if the trash has a row with the same id. Returns whether the row was
/// inserted.
fn insert(connection: &Connection, trashed: &Trashed, conflict: &str) -> Result<bool, StoreError> {
    let Trashed { item, revision, links, compressed_export } = trashed;
    let inserted = connection
        .prepare_cached(&format!(
            "INSERT {conflict} INTO trash (id, author, deleted_at, revision, item, links, packed)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        ))?
        .execute(params![
            item.investigation_id.to_string(),
            rows::text(item.author),
            item.deleted_at.0,
            revision,
            to_json(item)?,
            links,
            compressed_export,
        ])?;
    Ok(inserted == 1)
}
