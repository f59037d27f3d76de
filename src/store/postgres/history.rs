//! The history of an investigation: its records, the content at a version, the history of a field.

use super::engine::{PATIENCE, in_time};
use super::{Postgres, rows};
use crate::domain::content::Content;
use crate::domain::history::{self, FieldChange, FieldWalk, Stretch, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::page::{MAX_ANSWER, Room};
use crate::domain::path::FieldPath;
use crate::store::StoreError;

/// So many records are fetched at once.
const CHUNK: i64 = 200;

/// How often a history is read anew, because the investigation changed in the middle of it.
const TRIES: usize = 20;

impl Postgres {
    /// The version record with this number.
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.version = $2").await
    }

    /// The newest record that was made on this version.
    pub async fn newest_child(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.parent = $2 ORDER BY r.version DESC LIMIT 1").await
    }

    async fn one_record(&self, id: ObjectId, version: u64, which: &str) -> Result<Option<VersionRecord>, StoreError> {
        let Ok(version) = rows::signed(version) else { return Ok(None) };
        let sql = format!("SELECT {} FROM version_record r WHERE r.investigation = $1 AND {which}", rows::RECORD);
        let found = self.ask(&sql, &[&id.to_string(), &version]).await?;
        found.rows.first().map(rows::record).transpose()
    }

    /// Version records, newest first; `None` for an unknown investigation.
    pub async fn versions(&self, id: ObjectId, wanted: Stretch) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        // The records come up to a size, but one at least.
        let sql = format!(
            "SELECT {} FROM investigation i LEFT JOIN (
                 SELECT *, sum(octet_length(changes)) OVER newest AS upto, row_number() OVER newest AS place
                 FROM (SELECT * FROM version_record WHERE investigation = $1 AND version < $4
                       ORDER BY version DESC LIMIT $2) AS picked
                 WINDOW newest AS (ORDER BY version DESC)) r ON r.upto <= $3 OR r.place = 1
             WHERE i.id = $1 ORDER BY r.version DESC",
            rows::RECORD
        );
        let before = rows::signed(wanted.before).unwrap_or(i64::MAX);
        let limit = i64::from(wanted.limit);
        let found = self.ask(&sql, &[&id.to_string(), &limit, &(MAX_ANSWER as i64), &before]).await?;
        match found.rows.first() {
            None => Ok(None),
            Some(first) if rows::get::<Option<i64>>(first, 0)?.is_none() => Ok(Some(Vec::new())),
            Some(_) => found.rows.iter().map(rows::record).collect::<Result<_, _>>().map(Some),
        }
    }

    /// The content as it stood at a version.
    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        in_time(PATIENCE, async {
            let Some(investigation) = self.load(id).await? else { return Ok(None) };
            if version == investigation.version {
                return Ok(Some(Some(investigation.content)));
            }
            match self.rebuild(id, version).await? {
                // It may have been deleted between the two questions, and its versions with it.
                None if self.load(id).await?.is_none() => Ok(None),
                content => Ok(Some(content)),
            }
        })
        .await
    }

    /// The content at a version: the nearest full copy on its line, and the records from there.
    async fn rebuild(&self, id: ObjectId, version: u64) -> Result<Option<Content>, StoreError> {
        let Ok(version) = rows::signed(version) else { return Ok(None) };
        // The line ends at the version that has a copy, which the last row brings.
        let sql = format!(
            "WITH RECURSIVE line (version, depth) AS (
                 SELECT $2::bigint, 0
                 UNION ALL
                 SELECT r.parent, line.depth + 1 FROM line
                 JOIN version_record r ON r.investigation = $1 AND r.version = line.version
                 WHERE NOT EXISTS (SELECT 1 FROM content_copy c WHERE c.investigation = $1 AND c.version = line.version))
             SELECT {}, c.content FROM line
             LEFT JOIN version_record r ON r.investigation = $1 AND r.version = line.version
             LEFT JOIN content_copy c ON c.investigation = $1 AND c.version = line.version
             ORDER BY line.depth",
            rows::RECORD
        );
        let found = self.ask(&sql, &[&id.to_string(), &version]).await?;
        let Some((start, line)) = found.rows.split_last() else { return Ok(None) };
        if rows::get::<Option<&str>>(start, 8)?.is_none() {
            return Ok(None);
        }
        let mut content: Content = rows::json(start, 8)?;
        for row in line.iter().rev() {
            content = history::redo(&content, &rows::record(row)?)?;
        }
        Ok(Some(content))
    }

    /// The records that changed the value at `path`, newest first; `None` for an unknown investigation.
    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        wanted: Stretch,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        in_time(PATIENCE, async {
            for _ in 0..TRIES {
                match self.field_history_once(id, &path, wanted).await? {
                    Read::Whole(entries) => return Ok(entries),
                    Read::Overtaken => {}
                }
            }
            Err(StoreError::Busy)
        })
        .await
    }

    async fn field_history_once(&self, id: ObjectId, path: &FieldPath, wanted: Stretch) -> Result<Read, StoreError> {
        let Some(investigation) = self.load(id).await? else { return Ok(Read::Whole(None)) };
        let field = rows::field_key(path.field().unwrap_or_default());
        let (mut entries, mut room) = (Vec::new(), Room::of_rows());
        let mut below = rows::signed(wanted.before).unwrap_or(i64::MAX);
        // The walk begins at the newest version of the line that may be given.
        let content = if wanted.before > investigation.version {
            investigation.content
        } else {
            let sql = "SELECT coalesce(max(version), 0) FROM version_record
                       WHERE investigation = $1 AND version < $2 AND NOT undone";
            let newest = self.ask(sql, &[&id.to_string(), &below]).await?;
            let newest = newest.rows.first().map(|row| rows::whole(row, 0)).transpose()?.unwrap_or_default();
            self.rebuild(id, newest).await?.unwrap_or_default()
        };
        let mut walk = FieldWalk::new(path.clone(), &content);
        let sql = format!(
            "SELECT {}, i.revision FROM investigation i LEFT JOIN (
                 SELECT *, sum(octet_length(changes)) OVER newest AS upto, row_number() OVER newest AS place
                 FROM (
                     SELECT r.* FROM version_field f
                     JOIN version_record r ON r.investigation = f.investigation AND r.version = f.version
                     WHERE f.investigation = $1 AND f.field = $2 AND f.version < $3 ORDER BY f.version DESC LIMIT $4) AS picked
                 WINDOW newest AS (ORDER BY version DESC)) r ON r.upto <= $5 OR r.place = 1
             WHERE i.id = $1 ORDER BY r.version DESC",
            rows::RECORD
        );
        loop {
            let found = self.ask(&sql, &[&id.to_string(), &field, &below, &CHUNK, &(MAX_ANSWER as i64)]).await?;
            let Some(first) = found.rows.first() else { return Ok(Read::Whole(None)) };
            // An undo or a redo between two questions would turn the line.
            if rows::whole(first, 8)? != investigation.revision {
                return Ok(Read::Overtaken);
            }
            if rows::get::<Option<i64>>(first, 0)?.is_none() {
                return Ok(Read::Whole(Some(entries)));
            }
            for row in &found.rows {
                if entries.len() >= wanted.limit as usize {
                    return Ok(Read::Whole(Some(entries)));
                }
                let record = rows::record(row)?;
                below = rows::signed(record.version)?;
                let content = if walk.needs_content(&record) { self.rebuild(id, record.version).await? } else { None };
                if let Some(change) = walk.step(&record, content)? {
                    if !room.takes(change.text_length()) {
                        return Ok(Read::Whole(Some(entries)));
                    }
                    entries.push((record, change));
                }
            }
        }
    }
}

/// How the reading of a field's history ended.
enum Read {
    /// With what there is; `None` for an unknown investigation.
    Whole(Option<Vec<(VersionRecord, FieldChange)>>),
    /// Another change came in the middle.
    Overtaken,
}
