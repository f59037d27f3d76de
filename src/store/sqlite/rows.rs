//! Converts rows to domain values. An unreadable row is reported as a damaged store.

use std::str::FromStr;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::de::DeserializeOwned;

use crate::domain::history::{Kind, VersionRecord};
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::link::{Link, LinkOptions, Shows};
use crate::domain::status::Status;
use crate::domain::time::Timestamp;
use crate::store::row::DismissalsAndEditors;

/// The columns of an investigation, in the order in which [`investigation`] reads them.
pub const INVESTIGATION: &str = "i.id, i.status, i.author, i.metadata_author, i.last_change_with_ai, i.findings, i.version, \
     i.latest_version, i.revision, i.cloned_from, i.created_at, i.updated_at, i.content";

/// The columns of a version record, in the order in which [`record`] reads them.
pub const RECORD: &str = "r.version, r.parent, r.kind, r.at, r.by_user, r.with_ai, r.undone, r.changes, r.name";

/// The columns of a link, in the order in which [`link`] reads them.
pub const LINK: &str = "l.id, l.key, l.sub_link, l.description, i.id, l.creator, l.visit_count, l.created_at, l.shows, \
     l.version, l.expires_at, l.max_visits, l.archived";

/// Number of columns in [`LINK`].
pub const LINK_COLUMNS: usize = 13;

/// Returns the row number of an investigation.
pub fn number_of(connection: &Connection, id: ObjectId) -> Result<Option<i64>, rusqlite::Error> {
    connection
        .prepare_cached("SELECT n FROM investigation WHERE id = ?1")?
        .query_row([id.to_string()], |row| row.get(0))
        .optional()
}

/// Reads an investigation. `C` decides whether its content is parsed ([`Content`](crate::domain::content::Content)) or
/// stays JSON text ([`RawContent`](crate::domain::content::RawContent)).
pub fn investigation<C: DeserializeOwned>(row: &Row<'_>) -> Result<Investigation<C>, rusqlite::Error> {
    let DismissalsAndEditors { dismissals, editors } = json(row, 5)?;
    Ok(Investigation {
        id: parsed(row, 0)?,
        status: row.get_ref(1)?.as_str().ok().and_then(Status::from_name).ok_or_else(|| damaged(1, "a status"))?,
        author: optional(row, 2)?,
        metadata_author: optional(row, 3)?,
        last_change_with_ai: row.get(4)?,
        findings: json(row, 5)?,
        dismissals,
        editors,
        version: row.get(6)?,
        latest_version: row.get(7)?,
        revision: row.get(8)?,
        cloned_from: optional(row, 9)?,
        created_at: Timestamp(row.get(10)?),
        updated_at: Timestamp(row.get(11)?),
        content: json(row, 12)?,
    })
}

pub fn record(row: &Row<'_>) -> Result<VersionRecord, rusqlite::Error> {
    let kind = row.get_ref(2)?.as_str().ok().and_then(|name| Kind::ALL.into_iter().find(|kind| kind.name() == name));
    Ok(VersionRecord {
        version: row.get(0)?,
        parent: row.get(1)?,
        kind: kind.ok_or_else(|| damaged(2, "a kind"))?,
        at: Timestamp(row.get(3)?),
        by: optional(row, 4)?,
        with_ai: row.get(5)?,
        undone: row.get(6)?,
        changes: json(row, 7)?,
        name: row.get(8)?,
    })
}

pub fn link(row: &Row<'_>) -> Result<Link, rusqlite::Error> {
    Ok(Link {
        id: parsed(row, 0)?,
        key: row.get(1)?,
        sub_link: row.get(2)?,
        description: row.get(3)?,
        investigation_id: parsed(row, 4)?,
        creator: optional(row, 5)?,
        visit_count: row.get(6)?,
        created_at: Timestamp(row.get(7)?),
        options: LinkOptions {
            shows: shows(row, 8)?,
            version: row.get(9)?,
            expires_at: row.get::<_, Option<i64>>(10)?.map(Timestamp),
            max_visits: row.get(11)?,
            archived: row.get(12)?,
        },
    })
}

pub fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> Result<T, rusqlite::Error> {
    serde_json::from_str(row.get_ref(column)?.as_str()?)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

pub fn parsed<T: FromStr>(row: &Row<'_>, column: usize) -> Result<T, rusqlite::Error> {
    row.get_ref(column)?.as_str()?.parse().map_err(|_| damaged(column, "an identifier"))
}

fn optional<T: FromStr>(row: &Row<'_>, column: usize) -> Result<Option<T>, rusqlite::Error> {
    match row.get_ref(column)? {
        rusqlite::types::ValueRef::Null => Ok(None),
        _ => parsed(row, column).map(Some),
    }
}

fn damaged(column: usize, expected: &str) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, format!("expected {expected}").into())
}

pub fn text(id: Option<ObjectId>) -> Option<String> {
    id.map(|id| id.to_string())
}

/// Reads what the page of a link shows.
pub fn shows(row: &Row<'_>, column: usize) -> Result<Shows, rusqlite::Error> {
    let name = row.get_ref(column)?;
    name.as_str().ok().and_then(Shows::from_name).ok_or_else(|| damaged(column, "what a link shows"))
}
