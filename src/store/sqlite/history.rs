//! History of an investigation: version records, the content at a version, and the history of a field.

use rusqlite::{Connection, OptionalExtension, Params, params};
use serde_json::Value;

use super::readers::Reading;
use super::{Sqlite, rows};
use crate::domain::content::{Content, RawContent};
use crate::domain::field_history::{Direction, FieldWalk, Line, RebuildPlan, ValueAt};
use crate::domain::history::{self, FieldChange, HistoryRange, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::page::ByteBudget;
use crate::domain::path::FieldPath;
use crate::store::StoreError;

impl Sqlite {
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.version = ?2").await
    }

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

    pub async fn versions(&self, id: ObjectId, wanted: HistoryRange) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        self.heavy
            .read(move |reading| -> Result<_, StoreError> {
                let Some(n) = rows::number_of(reading, id)? else { return Ok(None) };
                let mut statement = reading.prepare_cached(&format!(
                    "SELECT {}, octet_length(r.changes) FROM version_record r
                     WHERE r.investigation = ?1 AND r.version < ?2 ORDER BY r.version DESC LIMIT ?3",
                    rows::RECORD
                ))?;
                let mut found = statement.query(params![n, wanted.before, wanted.limit])?;
                let (mut records, mut room) = (Vec::new(), ByteBudget::of_rows());
                while let Some(row) = found.next()?
                    && room.takes(row.get(9)?)
                {
                    reading.check()?;
                    records.push(rows::record(row)?);
                }
                Ok(Some(records))
            })
            .await
    }

    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        self.heavy
            .read(move |reading| -> Result<_, StoreError> {
                let Some((n, current)) = current_version(reading, id)? else { return Ok(None) };
                if version == current {
                    let sql = "SELECT content FROM investigation WHERE n = ?1";
                    return Ok(Some(Some(reading.query_row(sql, [n], |row| rows::json(row, 0))?)));
                }
                rebuild(reading, n, version).map(Some)
            })
            .await
    }

    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        wanted: HistoryRange,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        self.heavy
            .read(move |reading| -> Result<_, StoreError> {
                let Some((n, current)) = current_version(reading, id)? else { return Ok(None) };
                let history = FieldRecords { reading, n, field: path.field().unwrap_or_default().to_owned() };
                let mut walk = FieldWalk::new(path.clone(), history.newest_value(&path, current, wanted.before)?);
                let (mut entries, mut room, mut read) = (Vec::new(), ByteBudget::of_rows(), ByteBudget::of_rows());
                let mut statement = reading.prepare_cached(&format!(
                    "SELECT {}, octet_length(r.changes) FROM version_field f
                     JOIN version_record r ON r.investigation = f.investigation AND r.version = f.version
                     WHERE f.investigation = ?1 AND f.field = ?2 AND f.version < ?3 ORDER BY f.version DESC",
                    rows::RECORD
                ))?;
                let mut records = statement.query(params![n, history.field, wanted.before])?;
                while entries.len() < wanted.limit as usize
                    && let Some(row) = records.next()?
                    && (read.takes(row.get(9)?) || entries.is_empty())
                {
                    reading.check()?;
                    let mut record = rows::record(row)?;
                    let effect = walk.effect(&mut record)?;
                    if let Some(version) = walk.needs(&record, &effect) {
                        history.move_to(&mut walk.side_branch, version)?;
                    }
                    if let Some(change) = walk.take(&record, effect)? {
                        if !room.takes(change.bytes()) {
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

/// The version records of the investigation with row number `n` that changed the top-level field `field`.
struct FieldRecords<'r> {
    reading: &'r Reading<'r>,
    n: i64,
    field: String,
}

impl FieldRecords<'_> {
    /// Returns the value at `path` in the newest version below `before` that is not undone.
    fn newest_value(&self, path: &FieldPath, current: u64, before: u64) -> Result<Option<Value>, StoreError> {
        let mut value = ValueAt::new(path.clone());
        if before > current {
            value.begin(self.field_of("SELECT content FROM investigation WHERE n = ?1", params![self.n])?);
        } else {
            let newest = self
                .reading
                .prepare_cached(
                    "SELECT coalesce(max(version), 0) FROM version_record
                     WHERE investigation = ?1 AND version < ?2 AND undone = 0",
                )?
                .query_row(params![self.n, before], |row| row.get(0))?;
            self.move_to(&mut value, newest)?;
        }
        Ok(value.into_value())
    }

    /// Changes `value` to its state at `version`, by applying and reverting records.
    fn move_to(&self, value: &mut ValueAt, version: u64) -> Result<(), StoreError> {
        if let Some(back) = value.records_back_to(version) {
            return self.take(value, back.into_iter().map(|version| (version, Direction::Backward)));
        }
        let Some(line) = line_of(self.reading, self.n, version)? else { return Ok(()) };
        let RebuildPlan { copy, records } = value.plan_to(line);
        if let Some(copy) = copy {
            let sql = "SELECT content FROM content_copy WHERE investigation = ?1 AND version = ?2";
            value.begin(self.field_of(sql, params![self.n, copy])?);
        }
        self.take(value, records.into_iter())
    }

    fn take(&self, value: &mut ValueAt, steps: impl Iterator<Item = (u64, Direction)>) -> Result<(), StoreError> {
        let mut record = self.reading.prepare_cached(
            "SELECT r.changes FROM version_field f
             JOIN version_record r ON r.investigation = f.investigation AND r.version = f.version
             WHERE f.investigation = ?1 AND f.field = ?2 AND f.version = ?3",
        )?;
        for (version, direction) in steps {
            self.reading.check()?;
            let changes =
                record.query_row(params![self.n, self.field, version], |row| rows::json(row, 0)).optional()?;
            if let Some(changes) = changes {
                value.take(changes, direction)?;
            }
        }
        Ok(())
    }

    /// Reads only `self.field` from the content that `sql` selects; `None` if the content does not have the field.
    fn field_of(&self, sql: &str, values: impl Params) -> Result<Option<Value>, StoreError> {
        let content: RawContent = self.reading.prepare_cached(sql)?.query_row(values, |row| rows::json(row, 0))?;
        let field = content.read(&[&self.field]).map_err(|error| StoreError::damaged(&error))?;
        Ok(field.into_iter().next().map(|(_, value)| value))
    }
}

/// Returns the row number and the current version of an investigation.
fn current_version(connection: &Connection, id: ObjectId) -> Result<Option<(i64, u64)>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT n, version FROM investigation WHERE id = ?1")?
        .query_row([id.to_string()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// Returns `version` and its ancestors, back to the nearest one with a full copy; `None` if `version` does not exist.
fn line_of(reading: &Reading<'_>, n: i64, version: u64) -> Result<Option<Line>, StoreError> {
    let mut copy = reading.prepare_cached("SELECT 1 FROM content_copy WHERE investigation = ?1 AND version = ?2")?;
    let mut parent =
        reading.prepare_cached("SELECT parent FROM version_record WHERE investigation = ?1 AND version = ?2")?;
    let (mut versions, mut at) = (Vec::new(), version);
    while !copy.exists(params![n, at])? {
        reading.check()?;
        let Some(below) = parent.query_row(params![n, at], |row| row.get(0)).optional()? else { return Ok(None) };
        versions.push(at);
        at = below;
    }
    Ok(Some(Line { versions, copy: at }))
}

/// Rebuilds the content at `version` from the nearest full copy and the version records after that copy. Returns `None`
/// if `version` does not exist.
fn rebuild(reading: &Reading<'_>, n: i64, version: u64) -> Result<Option<Content>, StoreError> {
    let Some(line) = line_of(reading, n, version)? else { return Ok(None) };
    let mut content: Content = reading
        .prepare_cached("SELECT content FROM content_copy WHERE investigation = ?1 AND version = ?2")?
        .query_row(params![n, line.copy], |row| rows::json(row, 0))?;
    let mut record = reading.prepare_cached(&format!(
        "SELECT {} FROM version_record r WHERE r.investigation = ?1 AND r.version = ?2",
        rows::RECORD
    ))?;
    for version in line.versions.iter().rev() {
        reading.check()?;
        content = history::redo(content, &record.query_row(params![n, version], rows::record)?)?;
    }
    Ok(Some(content))
}
