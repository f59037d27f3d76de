//! History of an investigation: version records, the content at a version, and the history of a field.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_postgres::types::ToSql;

use super::heavy_reads::HeavyReads;
use super::session::Values;
use super::{Postgres, rows};
use crate::domain::change::Change;
use crate::domain::content::{Content, RawContent};
use crate::domain::field_history::{Direction, FieldWalk, Line, RebuildPlan, ValueAt};
use crate::domain::history::{self, FieldChange, HistoryRange, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::page::{ByteBudget, MAX_ANSWER};
use crate::domain::path::FieldPath;
use crate::store::StoreError;

/// Maximum number of version records per query while the history of a field is read.
const CHUNK: i64 = 200;

/// Maximum number of version records per query while a value or content is rebuilt.
const RECORDS_PER_FETCH: usize = 16;

/// Query for the version `$2` and its ancestors, newest first. Ends at the first version that has a full copy, which
/// may be `$2` itself.
const LINE: &str = "WITH RECURSIVE line (version, depth) AS (
         SELECT $2::bigint, 0
         UNION ALL
         SELECT r.parent, line.depth + 1 FROM line
         JOIN version_record r ON r.investigation = $1 AND r.version = line.version
         WHERE NOT EXISTS (SELECT 1 FROM content_copy c WHERE c.investigation = $1 AND c.version = line.version))
     SELECT line.version, c.version IS NOT NULL FROM line
     LEFT JOIN content_copy c ON c.investigation = $1 AND c.version = line.version
     ORDER BY line.depth";

const CURRENT: &str = "SELECT content FROM investigation WHERE id = $1 AND version = $2";

const COPY: &str = "SELECT content FROM content_copy WHERE investigation = $1 AND version = $2";

/// Query for changes in the version records `$3`. Skips records that did not change the field with the index key `$2`.
const CHANGES: &str = "SELECT r.version, r.changes FROM version_field f
     JOIN version_record r ON r.investigation = f.investigation AND r.version = f.version
     WHERE f.investigation = $1 AND f.field = $2 AND f.version = ANY($3)";

/// Maximum number of attempts to read a field's history. An attempt fails if the investigation changes during the read.
const MAX_ATTEMPTS: usize = 20;

impl Postgres {
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.version = $2").await
    }

    pub async fn newest_child(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.parent = $2 ORDER BY r.version DESC LIMIT 1").await
    }

    async fn one_record(&self, id: ObjectId, version: u64, which: &str) -> Result<Option<VersionRecord>, StoreError> {
        let Ok(version) = rows::signed(version) else { return Ok(None) };
        let sql = format!("SELECT {} FROM version_record r WHERE r.investigation = $1 AND {which}", rows::RECORD);
        let found = self.ask(&sql, &[&id.to_string(), &version]).await?;
        found.rows.first().map(rows::record).transpose()
    }

    pub async fn versions(&self, id: ObjectId, wanted: HistoryRange) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        // Returns records up to the byte limit, but at least one record.
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
        let (id, limit, room) = (id.to_string(), i64::from(wanted.limit), MAX_ANSWER as i64);
        self.heavy
            .read(async {
                let found = self.heavy.ask(&sql, &[&id, &limit, &room, &before]).await?;
                match found.rows.first() {
                    None => Ok(None),
                    Some(first) if rows::get::<Option<i64>>(first, 0)?.is_none() => Ok(Some(Vec::new())),
                    Some(_) => found.rows.iter().map(rows::record).collect::<Result<_, _>>().map(Some),
                }
            })
            .await
    }

    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        let history = History { heavy: &self.heavy, id: id.to_string() };
        self.heavy
            .read(async {
                let Some(position) = history.current_position().await? else { return Ok(None) };
                if version == position.version
                    && let Some(content) = history.content(CURRENT, &[&rows::signed(version)?]).await?
                {
                    return Ok(Some(Some(content)));
                }
                match history.rebuild(version).await? {
                    // The investigation may have been deleted between the two queries.
                    None if history.current_position().await?.is_none() => Ok(None),
                    content => Ok(Some(content)),
                }
            })
            .await
    }

    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        wanted: HistoryRange,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        let history = History { heavy: &self.heavy, id: id.to_string() };
        self.heavy
            .read(async {
                for _ in 0..MAX_ATTEMPTS {
                    match history.of_field(&path, wanted).await? {
                        Read::Whole(entries) => return Ok(entries),
                        Read::Overtaken => {}
                    }
                }
                Err(StoreError::Busy)
            })
            .await
    }
}

struct History<'s> {
    heavy: &'s HeavyReads,
    id: String,
}

/// Current version and revision of an investigation.
struct Position {
    version: u64,
    revision: u64,
}

impl History<'_> {
    async fn current_position(&self) -> Result<Option<Position>, StoreError> {
        let sql = "SELECT version, revision FROM investigation WHERE id = $1";
        let found = self.heavy.ask(sql, &[&self.id]).await?;
        let position = |row| Ok(Position { version: rows::whole(row, 0)?, revision: rows::whole(row, 1)? });
        found.rows.first().map(position).transpose()
    }

    /// Returns the content that `sql` selects. The parameters of `sql` are the investigation's id, and then `values`.
    async fn content<C: DeserializeOwned>(&self, sql: &str, values: &Values<'_>) -> Result<Option<C>, StoreError> {
        let id: [&(dyn ToSql + Sync); 1] = [&self.id];
        let found = self.heavy.ask(sql, &[&id, values].concat()).await?;
        found.rows.first().map(|row| rows::json(row, 0)).transpose()
    }

    /// Returns `version` and its ancestors, back to the nearest one with a full copy; `None` if there is no full copy.
    async fn line(&self, version: u64) -> Result<Option<Line>, StoreError> {
        let Ok(version) = rows::signed(version) else { return Ok(None) };
        let found = self.heavy.ask(LINE, &[&self.id, &version]).await?;
        let Some((last, above)) = found.rows.split_last() else { return Ok(None) };
        if !rows::get::<bool>(last, 1)? {
            return Ok(None);
        }
        let versions = above.iter().map(|row| rows::whole(row, 0)).collect::<Result<_, _>>()?;
        Ok(Some(Line { versions, copy: rows::whole(last, 0)? }))
    }

    /// Rebuilds the content at `version` from the nearest full copy and the version records after that copy. Reads a
    /// few records per query. Returns `None` if a record or the copy is missing.
    async fn rebuild(&self, version: u64) -> Result<Option<Content>, StoreError> {
        let Some(line) = self.line(version).await? else { return Ok(None) };
        let Some(mut content) = self.content::<Content>(COPY, &[&rows::signed(line.copy)?]).await? else {
            return Ok(None);
        };
        let sql = format!(
            "SELECT {} FROM version_record r WHERE r.investigation = $1 AND r.version = ANY($2) ORDER BY r.version",
            rows::RECORD
        );
        let upwards: Vec<u64> = line.versions.into_iter().rev().collect();
        for few in upwards.chunks(RECORDS_PER_FETCH) {
            let few = few.iter().map(|version| rows::signed(*version)).collect::<Result<Vec<_>, _>>()?;
            let found = self.heavy.ask(&sql, &[&self.id, &few]).await?;
            if found.rows.len() < few.len() {
                return Ok(None);
            }
            for row in &found.rows {
                content = history::redo(content, &rows::record(row)?)?;
            }
        }
        Ok(Some(content))
    }

    fn field_of(&self, content: &RawContent, field: &str) -> Result<Option<Value>, StoreError> {
        let read = content.read(&[field]).map_err(|error| StoreError::damaged(&error))?;
        Ok(read.into_iter().next().map(|(_, value)| value))
    }

    /// Changes `value` to its state at `version`. Returns false if a required record or full copy is missing.
    async fn move_to(&self, value: &mut ValueAt, field: &str, version: u64) -> Result<bool, StoreError> {
        let steps = match value.records_back_to(version) {
            Some(back) => back.into_iter().map(|version| (version, Direction::Backward)).collect(),
            None => {
                let Some(line) = self.line(version).await? else { return Ok(false) };
                let RebuildPlan { copy, records } = value.plan_to(line);
                if let Some(copy) = copy {
                    let copied = self.content(COPY, &[&rows::signed(copy)?]).await?;
                    let Some(content) = copied else { return Ok(false) };
                    value.begin(self.field_of(&content, field)?);
                }
                records
            }
        };
        let key = rows::field_key(field);
        for few in steps.chunks(RECORDS_PER_FETCH) {
            let versions = few.iter().map(|(version, _)| rows::signed(*version)).collect::<Result<Vec<_>, _>>()?;
            let found = self.heavy.ask(CHANGES, &[&self.id, &key, &versions]).await?;
            let row = |row| Ok((rows::whole(row, 0)?, rows::json(row, 1)?));
            let mut changes = found.rows.iter().map(row).collect::<Result<HashMap<u64, Vec<Change>>, StoreError>>()?;
            for (version, direction) in few {
                // Records without an entry did not change the field.
                if let Some(changes) = changes.remove(version) {
                    value.take(changes, *direction)?;
                }
            }
        }
        Ok(true)
    }

    /// Returns the value at `path` in the newest version below `before` that is not undone. The outer `None` means that
    /// the investigation has changed in the meantime, and the inner `None` means that there is no value.
    async fn newest_value(
        &self,
        path: &FieldPath,
        position: &Position,
        before: u64,
    ) -> Result<Option<Option<Value>>, StoreError> {
        let field = path.field().unwrap_or_default();
        let mut value = ValueAt::new(path.clone());
        if before > position.version {
            let sql = "SELECT content FROM investigation WHERE id = $1";
            let Some(content) = self.content(sql, &[]).await? else { return Ok(None) };
            value.begin(self.field_of(&content, field)?);
        } else {
            let sql = "SELECT coalesce(max(version), 0) FROM version_record
                       WHERE investigation = $1 AND version < $2 AND NOT undone";
            let newest = self.heavy.ask(sql, &[&self.id, &rows::signed(before)?]).await?;
            let newest = newest.rows.first().map(|row| rows::whole(row, 0)).transpose()?.unwrap_or_default();
            if !self.move_to(&mut value, field, newest).await? {
                return Ok(None);
            }
        }
        Ok(Some(value.into_value()))
    }

    async fn of_field(&self, path: &FieldPath, wanted: HistoryRange) -> Result<Read, StoreError> {
        let Some(position) = self.current_position().await? else { return Ok(Read::Whole(None)) };
        let Some(newest) = self.newest_value(path, &position, wanted.before).await? else { return Ok(Read::Overtaken) };
        let field = path.field().unwrap_or_default();
        let key = rows::field_key(field);
        let (mut entries, mut room, mut read) = (Vec::new(), ByteBudget::of_rows(), ByteBudget::of_rows());
        let mut below = rows::signed(wanted.before).unwrap_or(i64::MAX);
        let mut walk = FieldWalk::new(path.clone(), newest);
        let sql = format!(
            "SELECT {}, i.revision, octet_length(r.changes) FROM investigation i LEFT JOIN (
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
            let found = self.heavy.ask(&sql, &[&self.id, &key, &below, &CHUNK, &(MAX_ANSWER as i64)]).await?;
            let Some(first) = found.rows.first() else { return Ok(Read::Whole(None)) };
            // The investigation has changed. An undo or redo would change which records are undone.
            if rows::whole(first, 9)? != position.revision {
                return Ok(Read::Overtaken);
            }
            if rows::get::<Option<i64>>(first, 0)?.is_none() {
                return Ok(Read::Whole(Some(entries)));
            }
            for row in &found.rows {
                if entries.len() >= wanted.limit as usize {
                    return Ok(Read::Whole(Some(entries)));
                }
                let bytes = usize::try_from(rows::get::<i32>(row, 10)?).unwrap_or_default();
                if !read.takes(bytes) && !entries.is_empty() {
                    return Ok(Read::Whole(Some(entries)));
                }
                let mut record = rows::record(row)?;
                below = rows::signed(record.version)?;
                let effect = walk.effect(&mut record)?;
                if let Some(version) = walk.needs(&record, &effect)
                    && !self.move_to(&mut walk.side_branch, field, version).await?
                {
                    return Ok(Read::Overtaken);
                }
                if let Some(change) = walk.take(&record, effect)? {
                    if !room.takes(change.bytes()) {
                        return Ok(Read::Whole(Some(entries)));
                    }
                    entries.push((record, change));
                }
            }
        }
    }
}

/// Result of an attempt to read the history of a field.
enum Read {
    /// The entries of the history; `None` if the investigation does not exist.
    Whole(Option<Vec<(VersionRecord, FieldChange)>>),
    /// The investigation changed during the read, so the read must be repeated.
    Overtaken,
}
