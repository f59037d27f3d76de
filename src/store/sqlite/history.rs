//! The history of an investigation: its records, the content at a version, the history of a field.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Sqlite, investigations, rows};
use crate::domain::content::Content;
use crate::domain::history::{self, FieldChange, FieldWalk, Stretch, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::page::Room;
use crate::domain::path::FieldPath;
use crate::store::StoreError;

impl Sqlite {
    /// The version record with this number.
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.version = ?2").await
    }

    /// The newest record that was made on this version.
    pub async fn newest_child(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.parent = ?2 ORDER BY r.version DESC LIMIT 1").await
    }

    async fn one_record(&self, id: ObjectId, version: u64, which: &str) -> Result<Option<VersionRecord>, StoreError> {
        let sql = format!(
            "SELECT {} FROM investigation i JOIN version_record r ON r.investigation = i.n WHERE i.id = ?1 AND {which}",
            rows::RECORD
        );
        self.readers
            .read(move |connection| {
                connection.prepare_cached(&sql)?.query_row(params![id.to_string(), version], rows::record).optional()
            })
            .await
    }

    /// Version records, newest first; `None` for an unknown investigation.
    pub async fn versions(&self, id: ObjectId, wanted: Stretch) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        self.readers
            .read(move |connection| {
                let Some(n) = rows::number_of(connection, id)? else { return Ok(None) };
                let mut statement = connection.prepare_cached(&format!(
                    "SELECT {}, octet_length(r.changes) FROM version_record r
                     WHERE r.investigation = ?1 AND r.version < ?2 ORDER BY r.version DESC LIMIT ?3",
                    rows::RECORD
                ))?;
                let mut found = statement.query(params![n, wanted.before, wanted.limit])?;
                let (mut records, mut room) = (Vec::new(), Room::of_rows());
                while let Some(row) = found.next()?
                    && room.takes(row.get(8)?)
                {
                    records.push(rows::record(row)?);
                }
                Ok::<_, rusqlite::Error>(Some(records))
            })
            .await
    }

    /// The content as it stood at a version.
    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        self.readers
            .read(move |connection| -> Result<_, StoreError> {
                let Some(investigation) = investigations::load(connection, id)? else { return Ok(None) };
                let Some(n) = rows::number_of(connection, id)? else { return Ok(None) };
                if version == investigation.version {
                    return Ok(Some(Some(investigation.content)));
                }
                rebuild(connection, n, version).map(Some)
            })
            .await
    }

    /// The records that changed the value at `path`, newest first; `None` for an unknown investigation.
    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        wanted: Stretch,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        self.readers
            .read(move |connection| -> Result<_, StoreError> {
                let Some(investigation) = investigations::load(connection, id)? else { return Ok(None) };
                let Some(n) = rows::number_of(connection, id)? else { return Ok(None) };
                let field = path.field().unwrap_or_default().to_owned();
                // The walk begins at the newest version of the line that may be given.
                let content = if wanted.before > investigation.version {
                    investigation.content
                } else {
                    let newest = connection
                        .prepare_cached(
                            "SELECT coalesce(max(version), 0) FROM version_record
                             WHERE investigation = ?1 AND version < ?2 AND undone = 0",
                        )?
                        .query_row(params![n, wanted.before], |row| row.get(0))?;
                    rebuild(connection, n, newest)?.unwrap_or_default()
                };
                let mut walk = FieldWalk::new(path, &content);
                let (mut entries, mut room) = (Vec::new(), Room::of_rows());
                let mut statement = connection.prepare_cached(&format!(
                    "SELECT {} FROM version_field f
                     JOIN version_record r ON r.investigation = f.investigation AND r.version = f.version
                     WHERE f.investigation = ?1 AND f.field = ?2 AND f.version < ?3 ORDER BY f.version DESC",
                    rows::RECORD
                ))?;
                let mut records = statement.query(params![n, field, wanted.before])?;
                while entries.len() < wanted.limit as usize
                    && let Some(row) = records.next()?
                {
                    let record = rows::record(row)?;
                    let content =
                        if walk.needs_content(&record) { rebuild(connection, n, record.version)? } else { None };
                    if let Some(change) = walk.step(&record, content)? {
                        if !room.takes(change.text_length()) {
                            break;
                        }
                        entries.push((record, change));
                    }
                }
                Ok(Some(entries))
            })
            .await
    }
}

/// The content at a version: the nearest full copy on its line, and the records from there.
fn rebuild(connection: &Connection, n: i64, version: u64) -> Result<Option<Content>, StoreError> {
    let mut copy =
        connection.prepare_cached("SELECT content FROM content_copy WHERE investigation = ?1 AND version = ?2")?;
    let mut record = connection.prepare_cached(&format!(
        "SELECT {} FROM version_record r WHERE r.investigation = ?1 AND r.version = ?2",
        rows::RECORD
    ))?;
    let mut line = Vec::new();
    let mut at = version;
    let start = loop {
        if let Some(content) = copy.query_row(params![n, at], |row| rows::content(row, 0)).optional()? {
            break content;
        }
        let Some(found) = record.query_row(params![n, at], rows::record).optional()? else { return Ok(None) };
        at = found.parent;
        line.push(found);
    };
    let rebuilt = line.iter().rev().try_fold(start, |content, record| history::redo(&content, record));
    Ok(Some(rebuilt?))
}
