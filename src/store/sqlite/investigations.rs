//! Creates, reads, changes and deletes investigations.

use std::sync::{Arc, LazyLock};

use rusqlite::{Connection, OptionalExtension, named_params, params};
use serde::de::DeserializeOwned;

use super::{Sqlite, chats, events, idempotent_answers, rows, search_index};
use crate::domain::audit::AuditActor;
use crate::domain::content::RawContent;
use crate::domain::event::{self, EventKind};
use crate::domain::history::{Step, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::store::row::{RECORDS_PER_COPY, Row, to_json};
use crate::store::{Committed, Created, Deleted, IdempotentAnswer, Prepared, Reports, Stamp, StoreError};

impl Sqlite {
    pub async fn create(
        &self,
        row: Row,
        chat: ObjectId,
        answer_for_repeats: Option<IdempotentAnswer>,
        actor: AuditActor,
    ) -> Result<Created, StoreError> {
        let new = &row.investigation;
        let reports = Reports::of(Stamp { actor, at: new.created_at }, new.id, event::of_creation(new));
        self.writer
            .write(move |connection| {
                if let Some(answer) = &answer_for_repeats {
                    if let Some(kept) = idempotent_answers::find_earlier(connection, answer)? {
                        return Ok(Created::KeyUsed(kept));
                    }
                    idempotent_answers::keep(connection, answer)?;
                }
                let n = insert(&row, connection)?;
                chats::insert(connection, n, chat)?;
                let Investigation { id, revision, created_at, .. } = &*row.investigation;
                events::record(connection, *id, *revision, *created_at, &reports)?;
                Ok(Created::Done)
            })
            .await
    }

    pub async fn load(&self, id: ObjectId) -> Result<Option<Investigation>, StoreError> {
        self.readers.look_up(|connection| load(connection, id)).await
    }

    pub async fn show(&self, id: ObjectId) -> Result<Option<Arc<Investigation<RawContent>>>, StoreError> {
        let found = self.readers.look_up(|connection| load(connection, id)).await?;
        Ok(found.map(Arc::new))
    }

    pub async fn commit(&self, commit: Prepared) -> Result<Committed, StoreError> {
        self.writer.write(move |connection| store_commit(connection, &commit)).await
    }

    pub async fn delete(&self, id: ObjectId, revision: Option<u64>, stamp: Stamp) -> Result<Deleted, StoreError> {
        self.writer
            .write(move |connection| {
                let found: Option<(i64, u64)> = connection
                    .prepare_cached("SELECT n, revision FROM investigation WHERE id = ?1")?
                    .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()?;
                let Some((n, stored)) = found else { return Ok(Deleted::Unknown) };
                if revision.is_some_and(|expected| expected != stored) {
                    return Ok(Deleted::Conflict);
                }
                let chats: u64 = connection
                    .prepare_cached("SELECT count(*) FROM chat WHERE investigation = ?1")?
                    .query_row([n], |row| row.get(0))?;
                remove(connection, n)?;
                events::record(connection, id, stored, stamp.at, &Reports::of(stamp, id, vec![EventKind::Deleted]))?;
                Ok(Deleted::Done { chats })
            })
            .await
    }
}

pub(super) fn load<C: DeserializeOwned>(
    connection: &Connection,
    id: ObjectId,
) -> Result<Option<Investigation<C>>, rusqlite::Error> {
    static SQL: LazyLock<String> =
        LazyLock::new(|| format!("SELECT {} FROM investigation i WHERE i.id = ?1", rows::INVESTIGATION));
    connection.prepare_cached(&SQL)?.query_row([id.to_string()], rows::investigation).optional()
}

/// Inserts `row` and its search words. Returns the row number of the investigation.
pub(super) fn insert(row: &Row, connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection
            .prepare_cached(
                "INSERT INTO investigation
                     (id, revision, status, author, metadata_author, last_change_with_ai, version, latest_version,
                      cloned_from, created_at, updated_at, group_key, curriculum_key, title_key, grade_key,
                      curriculum, grade, title, findings, content)
                 VALUES
                     (:id, :revision, :status, :author, :metadata_author, :last_change_with_ai, :version, :latest_version,
                      :cloned_from, :created_at, :updated_at, :group_key, :curriculum_key, :title_key, :grade_key,
                      :curriculum, :grade, :title, :findings, :content)",
            )?
            .execute(named_params! {
                ":id": row.investigation.id.to_string(),
                ":revision": row.investigation.revision,
                ":status": row.investigation.status.name(),
                ":author": rows::text(row.investigation.author),
                ":metadata_author": rows::text(row.investigation.metadata_author),
                ":last_change_with_ai": row.investigation.last_change_with_ai,
                ":version": row.investigation.version,
                ":latest_version": row.investigation.latest_version,
                ":cloned_from": rows::text(row.investigation.cloned_from),
                ":created_at": row.investigation.created_at.0,
                ":updated_at": row.investigation.updated_at.0,
                ":group_key": row.keys.group,
                ":curriculum_key": row.keys.curriculum,
                ":title_key": row.keys.title,
                ":grade_key": row.keys.grade,
                ":curriculum": row.curriculum,
                ":grade": row.grade,
                ":title": row.title,
                ":findings": row.findings,
                ":content": row.content,
            })?;
    let n = connection.last_insert_rowid();
    connection.prepare_cached("INSERT INTO search (rowid, words) VALUES (?1, ?2)")?.execute(params![n, row.words])?;
    Ok(n)
}

/// Deletes the row of an investigation, its search words, and everything that belongs to it.
pub(super) fn remove(connection: &Connection, n: i64) -> Result<(), rusqlite::Error> {
    // Version records, full copies, the chat, and links with their visit counts are deleted by cascade.
    connection.prepare_cached("DELETE FROM investigation WHERE n = ?1")?.execute([n])?;
    connection.prepare_cached("DELETE FROM search WHERE rowid = ?1")?.execute([n])?;
    search_index::dequeue(connection, n)?;
    Ok(())
}

/// Replaces the row with the number `n` if it still has the revision `base_revision`. Returns whether it was replaced.
fn replace(row: &Row, connection: &Connection, n: i64, base_revision: u64) -> Result<bool, rusqlite::Error> {
    let replaced = connection
            .prepare_cached(
                "UPDATE investigation SET
                     revision = :revision, status = :status, author = :author, metadata_author = :metadata_author,
                     last_change_with_ai = :last_change_with_ai, version = :version, latest_version = :latest_version,
                     updated_at = :updated_at, group_key = :group_key, curriculum_key = :curriculum_key,
                     title_key = :title_key, grade_key = :grade_key, curriculum = :curriculum, grade = :grade, title = :title,
                     findings = :findings, content = :content
                 WHERE n = :n AND revision = :base_revision",
            )?
            .execute(named_params! {
                ":n": n,
                ":base_revision": base_revision,
                ":revision": row.investigation.revision,
                ":status": row.investigation.status.name(),
                ":author": rows::text(row.investigation.author),
                ":metadata_author": rows::text(row.investigation.metadata_author),
                ":last_change_with_ai": row.investigation.last_change_with_ai,
                ":version": row.investigation.version,
                ":latest_version": row.investigation.latest_version,
                ":updated_at": row.investigation.updated_at.0,
                ":group_key": row.keys.group,
                ":curriculum_key": row.keys.curriculum,
                ":title_key": row.keys.title,
                ":grade_key": row.keys.grade,
                ":curriculum": row.curriculum,
                ":grade": row.grade,
                ":title": row.title,
                ":findings": row.findings,
                ":content": row.content,
            })?;
    Ok(replaced == 1)
}

fn store_commit(connection: &Connection, commit: &Prepared) -> Result<Committed, StoreError> {
    let Prepared { base_revision, row, changed, step, first_copy, chat_row, packed, reports, .. } = commit;
    let investigation = &row.investigation;
    let Some(n) = rows::number_of(connection, investigation.id)? else { return Ok(Committed::Conflict) };
    if !replace(row, connection, n, *base_revision)? {
        return Ok(Committed::Conflict);
    }
    if *changed {
        search_index::enqueue(connection, n, &row.words)?;
    }
    match step {
        Step::Stay => {}
        Step::Record(record) => {
            if let Some(content) = first_copy {
                copy_content(connection, n, 0, content)?;
            }
            insert_record(connection, n, record, &row.content)?;
        }
        Step::Undo { from, .. } => mark_undone(connection, n, *from, true)?,
        Step::Redo { to, .. } => mark_undone(connection, n, *to, false)?,
        Step::Name { version, name } => rename(connection, n, *version, name.as_deref())?,
    }
    if let Some(chat_row) = chat_row {
        chats::insert_entry(connection, n, chat_row, packed.as_deref())?;
    }
    events::record(connection, investigation.id, investigation.revision, investigation.updated_at, reports)?;
    Ok(Committed::Done)
}

fn insert_record(connection: &Connection, n: i64, record: &VersionRecord, content: &str) -> Result<(), StoreError> {
    let of_parent: Option<i32> = connection
        .prepare_cached("SELECT since_copy FROM version_record WHERE investigation = ?1 AND version = ?2")?
        .query_row(params![n, record.parent], |row| row.get(0))
        .optional()?;
    let since_copy = (of_parent.unwrap_or(0) + 1) % RECORDS_PER_COPY;
    store_record(connection, n, record, since_copy, &to_json(&record.changes)?, record.fields())?;
    if since_copy == 0 {
        copy_content(connection, n, record.version, content)?;
    }
    Ok(())
}

/// Stores a version record, and an index entry for each changed field. `changes` contains the record's changes as JSON.
pub(super) fn store_record<'f>(
    connection: &Connection,
    n: i64,
    record: &VersionRecord,
    since_copy: i32,
    changes: &str,
    fields: impl IntoIterator<Item = &'f str>,
) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached(
            "INSERT INTO version_record
                 (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes, name)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            n,
            record.version,
            record.parent,
            record.kind.name(),
            record.at.0,
            rows::text(record.by),
            record.with_ai,
            record.undone,
            since_copy,
            changes,
            record.name
        ])?;
    for field in fields {
        connection
            .prepare_cached("INSERT INTO version_field (investigation, field, version) VALUES (?1, ?2, ?3)")?
            .execute(params![n, field, record.version])?;
    }
    Ok(())
}

pub(super) fn copy_content(
    connection: &Connection,
    n: i64,
    version: u64,
    content: &str,
) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("INSERT INTO content_copy (investigation, version, content) VALUES (?1, ?2, ?3)")?
        .execute(params![n, version, content])?;
    Ok(())
}

fn mark_undone(connection: &Connection, n: i64, version: u64, undone: bool) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("UPDATE version_record SET undone = ?3 WHERE investigation = ?1 AND version = ?2")?
        .execute(params![n, version, undone])?;
    Ok(())
}

fn rename(connection: &Connection, n: i64, version: u64, name: Option<&str>) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("UPDATE version_record SET name = ?3 WHERE investigation = ?1 AND version = ?2")?
        .execute(params![n, version, name])?;
    Ok(())
}
