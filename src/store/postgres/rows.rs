//! Converts rows to domain values. An unreadable row is reported as a damaged store.

use std::str::FromStr;

use serde::de::DeserializeOwned;
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use crate::domain::hex;
use crate::domain::history::{Kind, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::link::{Link, LinkOptions, Shows};
use crate::domain::status::Status;
use crate::domain::time::Timestamp;
use crate::store::row::DismissalsAndEditors;
use crate::store::{Obstacle, StoreError};

/// The columns of an investigation, in the order in which [`investigation`] reads them.
pub const INVESTIGATION: &str = "i.id, i.status, i.author, i.metadata_author, i.last_change_with_ai, i.findings, i.version, \
     i.latest_version, i.revision, i.cloned_from, i.created_at, i.updated_at, i.content";

/// Number of columns in [`INVESTIGATION`].
pub const INVESTIGATION_COLUMNS: usize = 13;

/// The columns of a version record, in the order in which [`record`] reads them.
pub const RECORD: &str = "r.version, r.parent, r.kind, r.at, r.by_user, r.with_ai, r.undone, r.changes, r.name";

/// The columns of a link, in the order in which [`link`] reads them.
pub const LINK: &str = "l.id, l.key, l.sub_link, l.description, l.investigation, l.creator, l.visit_count, l.created_at, l.shows, \
     l.version, l.expires_at, l.max_visits, l.archived";

/// Number of columns in [`LINK`].
pub const LINK_COLUMNS: usize = 13;

/// Reads an investigation. `C` decides whether its content is parsed ([`Content`](crate::domain::content::Content)) or
/// stays JSON text ([`RawContent`](crate::domain::content::RawContent)).
pub fn investigation<C: DeserializeOwned>(row: &Row) -> Result<Investigation<C>, StoreError> {
    let DismissalsAndEditors { dismissals, editors } = json(row, 5)?;
    Ok(Investigation {
        id: parsed(row, 0)?,
        status: Status::from_name(get(row, 1)?).ok_or_else(|| damaged("a status"))?,
        author: optional(row, 2)?,
        metadata_author: optional(row, 3)?,
        last_change_with_ai: get(row, 4)?,
        findings: json(row, 5)?,
        dismissals,
        editors,
        version: whole(row, 6)?,
        latest_version: whole(row, 7)?,
        revision: whole(row, 8)?,
        cloned_from: optional(row, 9)?,
        created_at: Timestamp(get(row, 10)?),
        updated_at: Timestamp(get(row, 11)?),
        content: json(row, 12)?,
    })
}

pub fn record(row: &Row) -> Result<VersionRecord, StoreError> {
    let kind: &str = get(row, 2)?;
    Ok(VersionRecord {
        version: whole(row, 0)?,
        parent: whole(row, 1)?,
        kind: Kind::ALL.into_iter().find(|known| known.name() == kind).ok_or_else(|| damaged("a kind"))?,
        at: Timestamp(get(row, 3)?),
        by: optional(row, 4)?,
        with_ai: get(row, 5)?,
        undone: get(row, 6)?,
        changes: json(row, 7)?,
        name: get(row, 8)?,
    })
}

pub fn link(row: &Row) -> Result<Link, StoreError> {
    Ok(Link {
        id: parsed(row, 0)?,
        key: get(row, 1)?,
        sub_link: get(row, 2)?,
        description: get(row, 3)?,
        investigation_id: parsed(row, 4)?,
        creator: optional(row, 5)?,
        visit_count: whole(row, 6)?,
        created_at: Timestamp(get(row, 7)?),
        options: LinkOptions {
            shows: shows(row, 8)?,
            version: whole_or_none(row, 9)?,
            expires_at: get::<Option<i64>>(row, 10)?.map(Timestamp),
            max_visits: whole_or_none(row, 11)?,
            archived: get(row, 12)?,
        },
    })
}

/// Reads what the page of a link shows.
pub fn shows(row: &Row, column: usize) -> Result<Shows, StoreError> {
    Shows::from_name(get(row, column)?).ok_or_else(|| damaged("what a link shows"))
}

/// Reads a count that may be null.
pub fn whole_or_none(row: &Row, column: usize) -> Result<Option<u64>, StoreError> {
    get::<Option<i64>>(row, column)?.map(|_| whole(row, column)).transpose()
}

pub fn get<'r, T: FromSql<'r>>(row: &'r Row, column: usize) -> Result<T, StoreError> {
    Ok(row.try_get(column)?)
}

/// Reads a count, which PostgreSQL stores as a signed number.
pub fn whole(row: &Row, column: usize) -> Result<u64, StoreError> {
    u64::try_from(get::<i64>(row, column)?).map_err(|_| damaged("a count"))
}

/// Converts a count to a signed number for PostgreSQL.
///
/// # Errors
/// [`StoreError::Failed`] if the count is larger than `i64::MAX`.
pub fn signed(count: u64) -> Result<i64, StoreError> {
    i64::try_from(count).map_err(|_| StoreError::Failed(format!("{count} is too large to be stored")))
}

pub fn json<T: DeserializeOwned>(row: &Row, column: usize) -> Result<T, StoreError> {
    serde_json::from_str(get(row, column)?).map_err(|error| damaged(&format!("JSON in the column {column}: {error}")))
}

pub fn parsed<T: FromStr>(row: &Row, column: usize) -> Result<T, StoreError> {
    get::<&str>(row, column)?.parse().map_err(|_| damaged("an identifier"))
}

fn optional<T: FromStr>(row: &Row, column: usize) -> Result<Option<T>, StoreError> {
    match get::<Option<&str>>(row, column)? {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| damaged("an identifier")),
    }
}

fn damaged(expected: &str) -> StoreError {
    StoreError::Hindered { hindrance: Obstacle::Damaged, reason: format!("a row should have {expected}") }
}

pub fn text(id: Option<ObjectId>) -> Option<String> {
    id.map(|id| id.to_string())
}

/// Returns the index key of a field: `=title` for the field `title`. A name longer than 200 bytes could be too large
/// for the index, so its key is `#` and the SHA-256 of the name.
pub fn field_key(field: &str) -> String {
    if field.len() <= 200 {
        return format!("={field}");
    }
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, field.as_bytes());
    format!("#{}", hex::digits(digest.as_ref()))
}
