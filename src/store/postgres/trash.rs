//! The trash. The transaction that deletes an investigation first locks the investigation and its links, and then reads
//! the links. A concurrent visit waits until the transaction ends, and then finds no link. So no counted visit is lost.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::{Postgres, audit, events, investigations, rows, snapshot};
use crate::domain::event::EventKind;
use crate::domain::id::ObjectId;
use crate::domain::page::{Page, PageRequest, TrashPosition};
use crate::domain::time::Timestamp;
use crate::store::row::to_json;
use crate::store::trash::MAX_EMPTIED;
use crate::store::{Deleted, Discarded, Reports, Restored, Stamp, StoreError, TrashItem, Trashed, Undeleted};

const WRITE: &str = "ISOLATION LEVEL READ COMMITTED READ WRITE";

const WEIGHT: &str = "SELECT (4 * octet_length(content)::bigint
         + coalesce((SELECT 4 * sum(octet_length(changes)) FROM version_record WHERE investigation = i.id), 0)
         + coalesce((SELECT sum(octet_length(content)) FROM content_copy WHERE investigation = i.id), 0)
         + coalesce((SELECT sum(octet_length(e.entry) + coalesce(s.length, 0)) FROM chat_entry e
             LEFT JOIN chat_snapshot s ON s.investigation = e.investigation AND s.digest = e.snapshot WHERE e.investigation = i.id), 0)
         + (SELECT 1024 * count(*) FROM link WHERE investigation = i.id)
         + (SELECT 64 * count(*) FROM link l JOIN link_day d ON d.key = l.key AND d.sub_link = l.sub_link
             WHERE l.investigation = i.id))::bigint
     FROM investigation i WHERE i.id = $1";

/// Statement that locks an investigation. The next statement sees all changes that were committed before the lock.
const LOCK: &str = "SELECT 1 FROM investigation WHERE id = $1 FOR UPDATE";

const LOCK_LINKS: &str = "SELECT 1 FROM link WHERE investigation = $1 ORDER BY key, sub_link FOR UPDATE";

const FOUND: &str = "SELECT i.revision, (SELECT count(*) FROM chat c WHERE c.investigation = i.id),
         coalesce((SELECT c.entries FROM chat c WHERE c.investigation = i.id), 0)
     FROM investigation i WHERE i.id = $1";

const PUT: &str = "INSERT INTO trash (id, author, deleted_at, revision, item, links, packed)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING RETURNING 1";

const KEEP: &str = "INSERT INTO trash (id, author, deleted_at, revision, item, links, packed)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (id) DO UPDATE SET author = excluded.author, deleted_at = excluded.deleted_at,
         revision = excluded.revision, item = excluded.item, links = excluded.links, packed = excluded.packed";

const PAGE: &str = "SELECT item FROM trash
     WHERE ($1::text IS NULL OR author = $1) AND deleted_at > $2 AND (deleted_at, id) < ($3, $4)
     ORDER BY deleted_at DESC, id DESC LIMIT $5";

const REPORT: &str = "WITH audited AS (INSERT INTO audit (investigation, entry) SELECT $2::text, unnest($5::text[]))
     INSERT INTO event (at, investigation, revision, what) SELECT $1::bigint, $2::text, $3::bigint, unnest($4::text[])";

/// Query for an investigation in the trash. [`read`] reads its row.
pub const FIND: &str = "SELECT item, revision, links, packed FROM trash WHERE id = $1 AND deleted_at > $2";

const EMPTY: &str = "DELETE FROM trash WHERE id IN (
     SELECT id FROM trash WHERE deleted_at < $1 ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING 1";

impl Postgres {
    pub async fn weight(&self, id: ObjectId) -> Result<Option<u64>, StoreError> {
        let id = id.to_string();
        let found = self.heavy.read(async { self.heavy.ask(WEIGHT, &[&id]).await }).await?;
        found.rows.first().map(|row| rows::whole(row, 0)).transpose()
    }

    pub async fn discard(&self, discarded: Discarded) -> Result<Deleted, StoreError> {
        let (id, stamp) = (discarded.item.investigation_id, discarded.stamp);
        let (key, slot) = (id.to_string(), investigations::slot(id));
        let transaction = self.engine.begin(WRITE).await?;
        transaction.ask(LOCK, &[&key]).await?;
        let found = transaction.ask(FOUND, &[&key]).await?;
        let Some(row) = found.first() else { return Ok(Deleted::Unknown) };
        let chats = rows::whole(row, 1)?;
        if (rows::whole(row, 0)?, rows::whole(row, 2)?) != (discarded.revision, discarded.entries) {
            return Ok(Deleted::Conflict);
        }
        transaction.ask(LOCK_LINKS, &[&key]).await?;
        let links = to_json(&snapshot::read_links(&transaction, &key).await?)?;
        let Discarded { item, revision, compressed_export, .. } = discarded;
        let (author, revision, item) = (rows::text(item.author), rows::signed(revision)?, to_json(&item)?);
        transaction.ask(KEEP, &[&key, &author, &stamp.at.0, &revision, &item, &links, &compressed_export]).await?;
        let reports = Reports::of(stamp, id, vec![EventKind::Deleted]);
        let (event, audit) = (events::to_rows(&reports.events)?.pop(), audit::to_rows(&reports.audit)?);
        let values: [&(dyn ToSql + Sync); 6] = [&key, &Some(revision), &slot, &stamp.at.0, &event, &audit];
        transaction.ask(investigations::DELETE, &values).await?;
        if let Err(error) = transaction.commit().await {
            let kept = "SELECT 1 FROM trash WHERE id = $1 AND revision = $2 AND deleted_at = $3";
            let found = self.engine.look_up(kept, &[&key, &revision, &stamp.at.0]).await?;
            return if found.rows.is_empty() { Err(error) } else { Ok(Deleted::Done { chats }) };
        }
        Ok(Deleted::Done { chats })
    }

    pub async fn trash(
        &self,
        of: Option<ObjectId>,
        since: Timestamp,
        wanted: PageRequest<TrashPosition>,
    ) -> Result<Page<TrashItem, TrashPosition>, StoreError> {
        let (at, id) =
            wanted.after.map_or((i64::MAX, String::new()), |place| (place.deleted_at.0, place.id.to_string()));
        let found = self.ask(PAGE, &[&rows::text(of), &since.0, &at, &id, &(i64::from(wanted.limit) + 1)]).await?;
        let entries = found.rows.iter().map(|row| rows::json(row, 0).map(|item: TrashItem| (item.position(), item)));
        Ok(Page::up_to(entries.collect::<Result<_, _>>()?, wanted.limit))
    }

    pub async fn trashed(&self, id: ObjectId, since: Timestamp) -> Result<Option<Trashed>, StoreError> {
        let key = id.to_string();
        let found = self.heavy.read(async { self.heavy.ask(FIND, &[&key, &since.0]).await }).await?;
        found.rows.first().map(read).transpose()
    }

    pub async fn put_trashed(&self, trashed: Trashed) -> Result<bool, StoreError> {
        let Trashed { item, revision, links, compressed_export } = trashed;
        let (id, author, revision) =
            (item.investigation_id.to_string(), rows::text(item.author), rows::signed(revision)?);
        let values: [&(dyn ToSql + Sync); 7] =
            [&id, &author, &item.deleted_at.0, &revision, &to_json(&item)?, &links, &compressed_export];
        let stored = self.change(PUT, &values).await?;
        Ok(!stored.rows.is_empty() || stored.may_be_stored)
    }

    pub async fn undelete(&self, restored: Restored, stamp: Stamp) -> Result<Undeleted, StoreError> {
        let Restored { whole, chat_rows, deleted: (deleted, deleted_at) } = &restored;
        let (id, key) = (whole.id(), whole.id().to_string());
        let revision = rows::signed(whole.revision())?;
        let transaction = self.engine.begin(WRITE).await?;
        let sql = "DELETE FROM trash WHERE id = $1 AND revision = $2 AND deleted_at = $3 RETURNING 1";
        if transaction.ask(sql, &[&key, &rows::signed(*deleted)?, &deleted_at.0]).await?.is_empty() {
            return Ok(Undeleted::NotInTrash);
        }
        let Some(links_left_out) = snapshot::put(&transaction, whole, chat_rows).await? else {
            return Ok(Undeleted::Exists);
        };
        let reports = Reports::of(stamp, id, vec![EventKind::Undeleted]);
        let (events, audit) = (events::to_rows(&reports.events)?, audit::to_rows(&reports.audit)?);
        transaction.ask(REPORT, &[&stamp.at.0, &key, &revision, &events, &audit]).await?;
        if let Err(error) = transaction.commit().await {
            let stored = "SELECT 1 FROM investigation WHERE id = $1 AND revision >= $2";
            let found = self.engine.look_up(stored, &[&key, &revision]).await?;
            return if found.rows.is_empty() { Err(error) } else { Ok(Undeleted::Done { links_left_out }) };
        }
        Ok(Undeleted::Done { links_left_out })
    }

    pub async fn empty_trash(&self, before: Timestamp) -> Result<bool, StoreError> {
        let deleted = self.change(EMPTY, &[&before.0, &(MAX_EMPTIED as i64)]).await?;
        Ok(deleted.rows.len() == MAX_EMPTIED)
    }
}

pub fn read(row: &Row) -> Result<Trashed, StoreError> {
    Ok(Trashed {
        item: rows::json(row, 0)?,
        revision: rows::whole(row, 1)?,
        links: rows::get(row, 2)?,
        compressed_export: rows::get(row, 3)?,
    })
}
