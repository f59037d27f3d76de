//! History of an investigation: its versions, the content at a version, and the history of a field.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::engine::{ReadKind, Snapshot};
use super::readable::{or_named, or_noted, readable};
use super::records::{ALL_FIELDS, COLUMNS, TABLE, field_key, fitting, read};
use super::sql::{Row, Statement, list};
use super::{FixableError, Store, StoreError};
use crate::admission::{self, Class};
use crate::domain::content::{Content, RawContent};
use crate::domain::field_history::{Direction, Effect, FieldWalk, Line, RebuildPlan, ValueAt};
use crate::domain::history::{self, FieldChange, HistoryRange, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::page::{ByteBudget, MAX_ANSWER};
use crate::domain::path::FieldPath;

/// Number of version records per round while a value or content is rebuilt, so that a round takes little memory.
const RECORDS_PER_ROUND: usize = 16;

/// Maximum number of version records per round while the history of a field is read.
const NEWEST_PER_ROUND: u64 = 200;

/// Note in the log about a version record that can be read. It changed a value that cannot be rebuilt, because other
/// rows are damaged.
const WITHOUT_VALUE: &str =
    "the value of a field cannot be rebuilt at this version, so the history of the field leaves the version out";

/// Query for the version `$version` and its ancestors, newest first. Ends at the first version that has a full copy,
/// which may be `$version` itself.
const LINE: &str = "WITH RECURSIVE line (version, depth) AS (
         SELECT CAST($version AS BIGINT), 0
         UNION ALL
         SELECT r.parent, line.depth + 1 FROM line
         JOIN version_record r ON r.body = $body AND r.version = line.version
         WHERE NOT EXISTS (SELECT 1 FROM content_copy c WHERE c.body = $body AND c.version = line.version))
     SELECT line.version AS version, c.version IS NOT NULL AS is_copied FROM line
     LEFT JOIN content_copy c ON c.body = $body AND c.version = line.version
     ORDER BY line.depth";

/// Query for the changes in the version record `$version`. Skips the record if it did not change the field with the
/// index key `$field`.
const CHANGES: &str = "SELECT r.changes FROM version_field f
     JOIN version_record r ON r.body = f.body AND r.version = f.version
     WHERE f.body = $body AND f.field IN ($field, $all) AND f.version = $version";

impl Store {
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.version = $version").await
    }

    /// Returns whether the assistant made this version; false if there is no record of it.
    pub async fn is_with_ai(&self, id: ObjectId, version: u64) -> Result<bool, StoreError> {
        let sql = "SELECT r.with_ai FROM investigation i JOIN version_record r ON r.body = i.body
             WHERE i.id = $id AND r.version = $version";
        let found = self.get(Statement::new(sql).with("id", id).with("version", version)).await?;
        found.first().map_or(Ok(false), |row| row.flag("with_ai"))
    }

    /// Returns the newest version record whose parent is this version; `None` if there is none.
    pub async fn newest_child(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.parent = $version ORDER BY r.version DESC LIMIT 1").await
    }

    async fn one_record(&self, id: ObjectId, version: u64, which: &str) -> Result<Option<VersionRecord>, StoreError> {
        let sql = format!(
            "SELECT {} FROM investigation i JOIN version_record r ON r.body = i.body WHERE i.id = $id AND {which}",
            list("r", &COLUMNS)
        );
        let record = Statement::new(sql).with("id", id).with("version", version);
        let found = self.get(record).await?;
        let Some(row) = found.first() else { return Ok(None) };
        admission::hold(Class::of_text(row.text("changes")?.as_bytes())).await?;
        read(row).map(Some)
    }

    /// Returns the version records in the range `wanted`, newest first; `None` if the investigation does not exist.
    /// Stops early if the records are large, but returns at least one record of the range.
    pub async fn versions(&self, id: ObjectId, wanted: HistoryRange) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        self.records(id, wanted, "").await
    }

    /// Like [`Self::versions`], but returns only records of versions that have a name.
    pub async fn named_versions(
        &self,
        id: ObjectId,
        wanted: HistoryRange,
    ) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        self.records(id, wanted, "AND r.name IS NOT NULL").await
    }

    async fn records(
        &self,
        id: ObjectId,
        wanted: HistoryRange,
        which: &'static str,
    ) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        let Some(history) = History::begin(self, id).await? else { return Ok(None) };
        let read = async move {
            let records = history.records(wanted, which).await?;
            history.snapshot.end();
            Ok(records)
        };
        self.off_thread(read).await.map(Some)
    }

    /// Returns the content at a version; `None` if the version or the investigation does not exist.
    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Content>, StoreError> {
        let Some(history) = History::begin(self, id).await? else { return Ok(None) };
        let read = async move {
            let content =
                if version == history.version { history.current().await? } else { history.rebuild(version).await? };
            history.snapshot.end();
            Ok(content)
        };
        self.off_thread(read).await
    }

    /// Returns the version records in the range `wanted` that changed the value at `path`, newest first, with the value
    /// before and after each change; `None` if the investigation does not exist. Stops early if the records are large.
    pub async fn field_history(
        &self,
        id: ObjectId,
        path: FieldPath,
        wanted: HistoryRange,
    ) -> Result<Option<Vec<(VersionRecord, FieldChange)>>, StoreError> {
        let Some(history) = History::begin(self, id).await? else { return Ok(None) };
        let read = async move {
            let entries = history.of_value(&path, wanted).await?;
            history.snapshot.end();
            Ok(entries)
        };
        self.off_thread(read).await.map(Some)
    }
}

/// The history of an investigation in one snapshot of the store.
struct History {
    snapshot: Snapshot,
    body: i64,
    version: u64,
}

impl History {
    /// Begins a heavy read of the history; `None` if the investigation does not exist.
    async fn begin(store: &Store, id: ObjectId) -> Result<Option<Self>, StoreError> {
        let snapshot = store.begin(ReadKind::Heavy).await?;
        let sql = "SELECT i.body, i.version FROM investigation i WHERE i.id = $id";
        let found = snapshot.get(Statement::new(sql).with("id", id)).await?;
        let Some(row) = found.first() else {
            snapshot.end();
            return Ok(None);
        };
        Ok(Some(Self { body: row.integer("body")?, version: row.count("version")?, snapshot }))
    }

    fn statement(&self, sql: impl Into<Cow<'static, str>>) -> Statement {
        Statement::new(sql).with("body", self.body)
    }

    /// Reads the newest records that fulfil the condition `which`. Reads older ones in the place of those that cannot
    /// be read.
    async fn records(&self, wanted: HistoryRange, which: &str) -> Result<Vec<VersionRecord>, StoreError> {
        let picked = format!(
            "SELECT r.version, octet_length(r.changes) AS bytes FROM version_record r
             WHERE r.body = $body AND r.version < $before {which} ORDER BY r.version DESC LIMIT $limit"
        );
        let newest = fitting(&picked, "DESC");
        let newest = self.statement(newest).with("bytes", MAX_ANSWER as u64);
        let (mut records, mut before) = (Vec::new(), upper_bound(wanted));
        loop {
            let missing = wanted.limit as usize - records.len();
            let round = newest.clone().with("before", before).with("limit", missing as u64);
            let rows = self.snapshot.get(round).await?;
            let Some(last) = rows.last() else { return Ok(records) };
            records.extend(readable(TABLE, &rows, read)?);
            // If fewer rows than requested were found, the history has ended, or no more rows fit into the response.
            let is_full = records.len() == wanted.limit as usize || rows.len() < missing;
            if is_full && !records.is_empty() {
                return Ok(records);
            }
            before = last.integer("version")?;
        }
    }

    async fn current<C: DeserializeOwned>(&self) -> Result<Option<C>, StoreError> {
        self.content(self.statement("SELECT i.content FROM investigation i WHERE i.body = $body")).await
    }

    async fn copy<C: DeserializeOwned>(&self, version: u64) -> Result<Option<C>, StoreError> {
        let sql = "SELECT c.content FROM content_copy c WHERE c.body = $body AND c.version = $version";
        self.content(self.statement(sql).with("version", version)).await
    }

    async fn content<C: DeserializeOwned>(&self, statement: Statement) -> Result<Option<C>, StoreError> {
        self.snapshot.get(statement).await?.first().map(|row| row.json("content")).transpose()
    }

    /// Returns `version` and its ancestors, back to the nearest one with a full copy; `None` if `version` does not
    /// exist.
    async fn line(&self, version: u64) -> Result<Option<Line>, StoreError> {
        let found = self.snapshot.get(self.statement(LINE).with("version", version)).await?;
        let Some((last, above)) = found.split_last() else { return Ok(None) };
        if !last.flag("is_copied")? {
            return Ok(None);
        }
        let versions = above.iter().map(|row| row.count("version")).collect::<Result<_, _>>()?;
        Ok(Some(Line { versions, copy: last.count("version")? }))
    }

    /// Rebuilds the content at `version` from the nearest full copy and the version records after that copy. Returns
    /// `None` if `version` does not exist.
    async fn rebuild(&self, version: u64) -> Result<Option<Content>, StoreError> {
        let Some(line) = self.line(version).await? else { return Ok(None) };
        let Some(mut content) = self.copy::<Content>(line.copy).await? else { return Ok(None) };
        let sql = format!(
            "SELECT {} FROM version_record r WHERE r.body = $body AND r.version = $version",
            list("r", &COLUMNS)
        );
        let upwards: Vec<u64> = line.versions.into_iter().rev().collect();
        for few in upwards.chunks(RECORDS_PER_ROUND) {
            let records = few.iter().map(|version| self.statement(sql.clone()).with("version", *version)).collect();
            for row in self.snapshot.read(records).await?.iter().flatten() {
                content = history::redo(content, &read(row)?)?;
            }
        }
        Ok(Some(content))
    }

    async fn of_value(
        &self,
        path: &FieldPath,
        wanted: HistoryRange,
    ) -> Result<Vec<(VersionRecord, FieldChange)>, StoreError> {
        let limit = wanted.limit as usize;
        let (mut entries, mut room, mut read_room) =
            (Vec::new(), ByteBudget::new(MAX_ANSWER), ByteBudget::new(MAX_ANSWER));
        let field = path.field().unwrap_or_default();
        let sql = fitting(
            "SELECT f.version, octet_length(r.changes) AS bytes FROM version_field f
             JOIN version_record r ON r.body = f.body AND r.version = f.version
             WHERE f.body = $body AND f.field IN ($field, $all) AND f.version < $before ORDER BY f.version DESC LIMIT $limit",
            "DESC",
        );
        let mut before = upper_bound(wanted);
        let mut walk = self.walk_from(path, before).await?;
        while entries.len() < limit {
            let newest = self
                .statement(sql.clone())
                .with("field", field_key(field))
                .with("all", ALL_FIELDS)
                .with("before", before);
            let newest = newest.with("limit", NEWEST_PER_ROUND).with("bytes", MAX_ANSWER as u64);
            let found = self.snapshot.get(newest).await?;
            if found.is_empty() {
                break;
            }
            for row in &found {
                // If the text of the changes is damaged, it cannot be read, so it counts as 0 bytes.
                let bytes = row.text("changes").map_or(0, str::len);
                if entries.len() == limit || !read_room.takes(bytes) && !entries.is_empty() {
                    return Ok(entries);
                }
                before = row.integer("version")?;
                let Some((record, change)) = self.next_entry(&mut walk, field, row).await? else {
                    walk = self.walk_from(path, before).await?;
                    continue;
                };
                if let Some(change) = change {
                    if !room.takes(change.bytes()) {
                        return Ok(entries);
                    }
                    entries.push((record, change));
                }
            }
        }
        Ok(entries)
    }

    /// Returns the version record in `row`, with its change of the value, if it changed the value. Returns `None` if
    /// damaged rows prevent this. Then the caller must begin a new `walk`.
    async fn next_entry(
        &self,
        walk: &mut FieldWalk,
        field: &str,
        row: &Row,
    ) -> Result<Option<(VersionRecord, Option<FieldChange>)>, StoreError> {
        let itself = read(row).and_then(|mut record| Ok((walk.effect(&mut record)?, record)));
        let Some((effect, record)) = or_named(TABLE, row, itself)? else { return Ok(None) };
        let change = self.change_by(walk, field, &record, effect).await;
        Ok(or_noted(WITHOUT_VALUE, TABLE, row, change)?.map(|change| (record, change)))
    }

    /// Returns how a record changed the value; `None` if it did not change it.
    async fn change_by(
        &self,
        walk: &mut FieldWalk,
        field: &str,
        record: &VersionRecord,
        effect: Effect,
    ) -> Result<Option<FieldChange>, StoreError> {
        if let Some(version) = walk.needs(record, &effect) {
            self.move_to(&mut walk.side_branch, field, version).await?;
        }
        Ok(walk.take(record, effect)?)
    }

    /// Begins to read records below the version `before`. If the value there cannot be read, begins without it. Then
    /// the records that change only parts of the value are left out, because they need it.
    async fn walk_from(&self, path: &FieldPath, before: i64) -> Result<FieldWalk, StoreError> {
        let value = match self.newest_value(path, before).await {
            Err(StoreError::Fixable { kind: FixableError::Damaged, .. }) => None,
            value => value?,
        };
        Ok(FieldWalk::new(path.clone(), value))
    }

    /// Returns the value at `path` in the newest version below `before` that is not undone.
    async fn newest_value(&self, path: &FieldPath, before: i64) -> Result<Option<Json>, StoreError> {
        let field = path.field().unwrap_or_default();
        let mut value = ValueAt::new(path.clone());
        if u64::try_from(before).is_ok_and(|before| before > self.version) {
            value.begin(field_of(self.current().await?, field)?);
        } else {
            let sql = "SELECT coalesce(max(r.version), 0) AS version FROM version_record r
                 WHERE r.body = $body AND r.version < $before AND NOT r.undone";
            let found = self.snapshot.get(self.statement(sql).with("before", before)).await?;
            let newest = found.first().map(|row| row.count("version")).transpose()?.unwrap_or_default();
            self.move_to(&mut value, field, newest).await?;
        }
        Ok(value.into_value())
    }

    /// Changes `value` to its state at `version`, by applying and reverting records.
    async fn move_to(&self, value: &mut ValueAt, field: &str, version: u64) -> Result<(), StoreError> {
        let steps = match value.records_back_to(version) {
            Some(back) => back.into_iter().map(|version| (version, Direction::Backward)).collect(),
            None => {
                let Some(line) = self.line(version).await? else { return Ok(()) };
                let RebuildPlan { copy, records } = value.plan_to(line);
                if let Some(copy) = copy {
                    value.begin(field_of(self.copy(copy).await?, field)?);
                }
                records
            }
        };
        let key = field_key(field);
        for few in steps.chunks(RECORDS_PER_ROUND) {
            let changes = |(version, _): &(u64, Direction)| {
                self.statement(CHANGES).with("field", key.as_str()).with("all", ALL_FIELDS).with("version", *version)
            };
            let found = self.snapshot.read(few.iter().map(changes).collect()).await?;
            for ((_, direction), rows) in few.iter().zip(&found) {
                // A record without an entry in the index did not change the field.
                if let Some(row) = rows.first() {
                    value.take(row.json("changes")?, *direction)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the version below which the range begins.
fn upper_bound(range: HistoryRange) -> i64 {
    i64::try_from(range.before).unwrap_or(i64::MAX)
}

fn field_of(content: Option<RawContent>, field: &str) -> Result<Option<Json>, StoreError> {
    let Some(content) = content else { return Ok(None) };
    let read = content.read(&[field]).map_err(|error| StoreError::damaged(&error))?;
    Ok(read.into_iter().next().map(|(_, value)| value))
}
