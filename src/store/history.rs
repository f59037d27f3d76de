//! History of an investigation: version records, the content at a version, and the history of a field.

use std::borrow::Cow;

use aws_lc_rs::digest::{SHA256, digest};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::engine::{Limit, Snapshot};
use super::jsonl::{BYTES_PER_LINE, RECORDS_PER_LINE};
use super::readable::{Table, readable};
use super::sql::{Columns, Row, Statement, Value, list};
use super::{Obstacle, RecordRow, Store, StoreError};
use crate::domain::content::{Content, RawContent};
use crate::domain::field_history::{Direction, FieldWalk, Line, RebuildPlan, ValueAt};
use crate::domain::hex;
use crate::domain::history::{self, FieldChange, HistoryRange, Kind, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::page::{ByteBudget, MAX_ANSWER};
use crate::domain::path::FieldPath;

pub(super) const COLUMNS: [&str; 9] =
    ["version", "parent", "kind", "at", "by_user", "with_ai", "undone", "changes", "name"];

const TABLE: Table = Table { name: "version_record", key: &["body", "version"] };

/// Number of version records per round while a value or content is rebuilt, so that a round takes little memory.
const RECORDS_PER_ROUND: usize = 16;

/// Maximum number of version records per round while the history of a field is read.
const NEWEST_PER_ROUND: u64 = 200;

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
     WHERE f.body = $body AND f.field = $field AND f.version = $version";

impl Store {
    pub async fn record(&self, id: ObjectId, version: u64) -> Result<Option<VersionRecord>, StoreError> {
        self.one_record(id, version, "r.version = $version").await
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
        self.get(record).await?.first().map(read).transpose()
    }

    /// Returns the version records in the range `wanted`, newest first; `None` if the investigation does not exist.
    /// Stops early if the records are large, but returns at least one record of the range.
    pub async fn versions(&self, id: ObjectId, wanted: HistoryRange) -> Result<Option<Vec<VersionRecord>>, StoreError> {
        let Some(history) = History::begin(self, id).await? else { return Ok(None) };
        let records = history.records(wanted).await?;
        history.snapshot.end();
        Ok(Some(records))
    }

    /// Returns the content at a version. The outer `None` means that the investigation does not exist, and the inner
    /// `None` means that the version does not exist.
    pub async fn content_at(&self, id: ObjectId, version: u64) -> Result<Option<Option<Content>>, StoreError> {
        let Some(history) = History::begin(self, id).await? else { return Ok(None) };
        let content =
            if version == history.version { history.current().await? } else { history.rebuild(version).await? };
        history.snapshot.end();
        Ok(Some(content))
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
        let entries = history.of_value(&path, wanted).await?;
        history.snapshot.end();
        Ok(Some(entries))
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
        let snapshot = store.begin(Limit::Heavy).await?;
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

    /// Reads the newest records, without those that cannot be read.
    async fn records(&self, HistoryRange { before, limit }: HistoryRange) -> Result<Vec<VersionRecord>, StoreError> {
        let newest = fitting(
            "SELECT r.version, octet_length(r.changes) AS bytes FROM version_record r
             WHERE r.body = $body AND r.version < $before ORDER BY r.version DESC LIMIT $limit",
            "DESC",
        );
        let newest = self.statement(newest).with("before", before).with("limit", limit);
        readable(TABLE, &self.snapshot.get(newest.with("bytes", MAX_ANSWER as u64)).await?, read)
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
        let (mut entries, mut room, mut read_room) = (Vec::new(), ByteBudget::of_rows(), ByteBudget::of_rows());
        let field = path.field().unwrap_or_default();
        let sql = fitting(
            "SELECT f.version, octet_length(r.changes) AS bytes FROM version_field f
             JOIN version_record r ON r.body = f.body AND r.version = f.version
             WHERE f.body = $body AND f.field = $field AND f.version < $before ORDER BY f.version DESC LIMIT $limit",
            "DESC",
        );
        let mut before = wanted.before;
        let mut walk = FieldWalk::new(path.clone(), self.newest_value(path, before).await?);
        while entries.len() < limit {
            let newest = self.statement(sql.clone()).with("field", field_key(field)).with("before", before);
            let newest = newest.with("limit", NEWEST_PER_ROUND).with("bytes", MAX_ANSWER as u64);
            let found = self.snapshot.get(newest).await?;
            if found.is_empty() {
                break;
            }
            for row in &found {
                if entries.len() == limit || !read_room.takes(row.text("changes")?.len()) && !entries.is_empty() {
                    return Ok(entries);
                }
                let Some(mut record) = readable(TABLE, [row], read)?.pop() else {
                    // Goes on with the older records, from the value before the one that cannot be read. Only records
                    // that change parts of the value need it.
                    before = row.count("version")?;
                    let value = match self.newest_value(path, before).await {
                        Err(StoreError::Hindered { hindrance: Obstacle::Damaged, .. }) => None,
                        value => value?,
                    };
                    walk = FieldWalk::new(path.clone(), value);
                    continue;
                };
                before = record.version;
                let effect = walk.effect(&mut record)?;
                if let Some(version) = walk.needs(&record, &effect) {
                    self.move_to(&mut walk.side_branch, field, version).await?;
                }
                if let Some(change) = walk.take(&record, effect)? {
                    if !room.takes(change.bytes()) {
                        return Ok(entries);
                    }
                    entries.push((record, change));
                }
            }
        }
        Ok(entries)
    }

    /// Returns the value at `path` in the newest version below `before` that is not undone.
    async fn newest_value(&self, path: &FieldPath, before: u64) -> Result<Option<Json>, StoreError> {
        let field = path.field().unwrap_or_default();
        let mut value = ValueAt::new(path.clone());
        if before > self.version {
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
                self.statement(CHANGES).with("field", key.as_str()).with("version", *version)
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

fn field_of(content: Option<RawContent>, field: &str) -> Result<Option<Json>, StoreError> {
    let Some(content) = content else { return Ok(None) };
    let read = content.read(&[field]).map_err(|error| StoreError::damaged(&error))?;
    Ok(read.into_iter().next().map(|(_, value)| value))
}

/// Returns the query for the version records of the investigation `$body` that `picked` selects with their `version`
/// and `bytes`, in the order `direction` of their versions: up to `$bytes` bytes, but at least one record. Larger records
/// are left out by the query, so that no server sends what nobody reads.
fn fitting(picked: &str, direction: &str) -> String {
    format!(
        "SELECT r.body, {}, r.since_copy FROM (
             SELECT p.version, sum(p.bytes) OVER places AS upto, row_number() OVER places AS place FROM ({picked}) p
             WINDOW places AS (ORDER BY p.version {direction})) p
         JOIN version_record r ON r.body = $body AND r.version = p.version
         WHERE p.upto <= CAST($bytes AS BIGINT) OR p.place = 1 ORDER BY r.version {direction}",
        list("r", &COLUMNS)
    )
}

/// Returns the next version records after `version`, oldest first: as many as fit into one line of an export.
pub(super) async fn records_after(snapshot: &Snapshot, body: i64, version: u64) -> Result<Vec<RecordRow>, StoreError> {
    let oldest = fitting(
        "SELECT r.version, octet_length(r.changes) AS bytes FROM version_record r
         WHERE r.body = $body AND r.version > $after ORDER BY r.version LIMIT $limit",
        "ASC",
    );
    let oldest = Statement::new(oldest).with("body", body).with("after", version);
    let found = snapshot.get(oldest.with("limit", RECORDS_PER_LINE).with("bytes", BYTES_PER_LINE)).await?;
    let stored = |row: &Row| {
        let (changes, since_copy) = (row.text("changes")?.to_owned(), row.integer("since_copy")?);
        Ok(RecordRow { record: read(row)?, changes, since_copy })
    };
    found.iter().map(stored).collect()
}

pub(super) fn read(row: &Row) -> Result<VersionRecord, StoreError> {
    let kind = row.text("kind")?;
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
    Ok(VersionRecord {
        version: row.count("version")?,
        parent: row.count("parent")?,
        kind: kind.ok_or_else(|| row.wrong("kind", "a kind"))?,
        at: row.time("at")?,
        by: row.optional_parsed("by_user")?,
        with_ai: row.flag("with_ai")?,
        undone: row.flag("undone")?,
        changes: row.json("changes")?,
        name: row.optional_text("name")?.map(str::to_owned),
    })
}

/// Returns the columns of a version record, except `since_copy`. The text `changes` contains its changes as JSON.
pub(super) fn columns(record: &VersionRecord, changes: impl Into<Value>) -> Columns {
    let VersionRecord { version, parent, kind, at, by, with_ai, undone, changes: _, name } = record;
    vec![
        ("version", (*version).into()),
        ("parent", (*parent).into()),
        ("kind", kind.name().into()),
        ("at", (*at).into()),
        ("by_user", (*by).into()),
        ("with_ai", (*with_ai).into()),
        ("undone", (*undone).into()),
        ("changes", changes.into()),
        ("name", name.as_deref().into()),
    ]
}

/// Returns the statements that store a version record of the investigation `id`.
pub(super) fn insert(id: ObjectId, stored: &RecordRow) -> Vec<Statement> {
    let RecordRow { record, changes, since_copy } = stored;
    let mut columns = columns(record, changes);
    columns.push(("since_copy", (*since_copy).into()));
    let mut statements = vec![Statement::insert_for(id, "version_record", columns)];
    statements.extend(index(id, record));
    statements
}

/// Returns the statements that store the index of a version record: one entry for each field that it changes.
pub(super) fn index(id: ObjectId, record: &VersionRecord) -> impl Iterator<Item = Statement> {
    let entry = move |field| {
        let columns = vec![("field", field_key(field).into()), ("version", record.version.into())];
        Statement::insert_for(id, "version_field", columns)
    };
    record.fields().into_iter().map(entry)
}

/// Returns the statement that stores a full copy of the content of the investigation `id` at `version`.
pub(super) fn insert_copy(id: ObjectId, version: u64, content: &str) -> Statement {
    Statement::insert_for(id, "content_copy", vec![("version", version.into()), ("content", content.into())])
}

/// Returns the index key of a field: `=title` for the field `title`. A name longer than 200 bytes could be too large
/// for the index, so its key is `#` and the SHA-256 of the name.
pub(super) fn field_key(field: &str) -> String {
    if field.len() <= 200 {
        return format!("={field}");
    }
    format!("#{}", hex::digits(digest(&SHA256, field.as_bytes()).as_ref()))
}
