//! Version records as rows of their table.

use aws_lc_rs::digest::{SHA256, digest};

use super::engine::Snapshot;
use super::jsonl::{BYTES_PER_LINE, RECORDS_PER_LINE};
use super::readable::Table;
use super::row::to_json;
use super::sql::{Columns, Row, Statement, Value, list};
use super::{RecordRow, StoreError};
use crate::domain::hex;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::named::Named;

pub(super) const COLUMNS: [&str; 9] =
    ["version", "parent", "kind", "at", "by_user", "with_ai", "undone", "changes", "name"];

pub(super) const TABLE: Table = Table { name: "version_record", key: &["body", "version"] };

/// Returns the query for as many version records of the investigation `$body` as fit into `$bytes` bytes, but at least
/// one. `picked` selects the `version` and the `bytes` of the candidates. `direction` is the order of the versions. The
/// query itself omits further records, so that the server does not send records that are then discarded.
pub(super) fn fitting(picked: &str, direction: &str) -> String {
    format!(
        "SELECT r.body, {} FROM (
             SELECT p.version, sum(p.bytes) OVER places AS upto, row_number() OVER places AS place FROM ({picked}) p
             WINDOW places AS (ORDER BY p.version {direction})) p
         JOIN version_record r ON r.body = $body AND r.version = p.version
         WHERE p.upto <= CAST($bytes AS BIGINT) OR p.place = 1 ORDER BY r.version {direction}",
        list("r", &COLUMNS)
    )
}

/// Returns the next version records after `version`, oldest first: as many as fit into one line of an export.
pub(super) async fn after(snapshot: &Snapshot, body: i64, version: u64) -> Result<Vec<VersionRecord>, StoreError> {
    let oldest = fitting(
        "SELECT r.version, octet_length(r.changes) AS bytes FROM version_record r
         WHERE r.body = $body AND r.version > $after ORDER BY r.version LIMIT $limit",
        "ASC",
    );
    let oldest = Statement::new(oldest).with("body", body).with("after", version);
    let found = snapshot.get(oldest.with("limit", RECORDS_PER_LINE).with("bytes", BYTES_PER_LINE)).await?;
    found.iter().map(read).collect()
}

pub(super) fn read(row: &Row) -> Result<VersionRecord, StoreError> {
    Ok(VersionRecord {
        version: row.count("version")?,
        parent: row.count("parent")?,
        kind: row.parsed("kind")?,
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
pub(super) fn insert(id: ObjectId, stored: &RecordRow) -> Result<Vec<Statement>, StoreError> {
    let RecordRow { record, since_copy } = stored;
    let mut columns = columns(record, to_json(&record.changes)?);
    columns.push(("since_copy", (*since_copy).into()));
    let mut statements = vec![Statement::insert_for(id, "version_record", columns)];
    statements.extend(index(id, record));
    Ok(statements)
}

/// Index key of a record with a single entry for all fields, because it changes many fields.
pub(super) const ALL_FIELDS: &str = "*";

/// Maximum number of index entries of a record.
const MAX_INDEXED: usize = 100;

/// Returns the statements that store the index of a version record: one entry for each field that it changes, or one
/// for all fields.
pub(super) fn index(id: ObjectId, record: &VersionRecord) -> impl Iterator<Item = Statement> {
    let fields = record.fields();
    let keys: Vec<String> = match fields.len() > MAX_INDEXED {
        true => vec![ALL_FIELDS.to_owned()],
        false => fields.into_iter().map(field_key).collect(),
    };
    let entry = move |key: String| {
        let columns = vec![("field", key.into()), ("version", record.version.into())];
        Statement::insert_for(id, "version_field", columns)
    };
    keys.into_iter().map(entry)
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
