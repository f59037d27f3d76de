//! Investigations with everything that belongs to them, each read in one snapshot and stored in one transaction.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use super::{Sqlite, chats, investigations, links, rows};
use crate::domain::id::ObjectId;
use crate::domain::keys::Keys;
use crate::domain::link::Link;
use crate::domain::search;
use crate::store::chat_row::ChatRows;
use crate::store::row::Row;
use crate::store::{FullCopy, InvestigationSnapshot, RecordRow, StoreError, VisitedLink};

impl Sqlite {
    pub async fn whole(&self, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
        self.heavy.read_without_deadline(move |connection| read(connection, id)).await
    }

    pub async fn add_snapshot(&self, whole: InvestigationSnapshot) -> Result<bool, StoreError> {
        let rows = whole.chat_rows()?;
        self.writer
            .write(move |connection| {
                if rows::number_of(connection, whole.id())?.is_some() {
                    return Ok(false);
                }
                put(connection, &whole, &rows).and_then(StoreError::no_link_taken).map(|()| true)
            })
            .await
    }
}

fn read(connection: &Connection, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
    let Some(n) = rows::number_of(connection, id)? else { return Ok(None) };
    let Some(row) = read_row(connection, n)? else { return Ok(None) };
    let copies = connection
        .prepare_cached("SELECT version, content FROM content_copy WHERE investigation = ?1 ORDER BY version")?
        .query_map([n], |row| Ok(FullCopy { version: row.get(0)?, content: row.get(1)? }))?
        .collect::<Result<_, _>>()?;
    Ok(Some(InvestigationSnapshot {
        row,
        records: read_records(connection, n)?,
        copies,
        chat: chats::whole(connection, id)?,
        links: visited_links(connection, n)?,
    }))
}

pub(super) fn visited_links(connection: &Connection, n: i64) -> Result<Vec<VisitedLink>, rusqlite::Error> {
    let of_one = |link: Link| Ok(VisitedLink { days: links::days(connection, &link, "", -1)?, link });
    links::of_investigation(connection, n)?.into_iter().map(of_one).collect()
}

fn read_row(connection: &Connection, n: i64) -> Result<Option<Row>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {}, i.group_key, i.curriculum_key, i.title_key, i.grade_key, i.curriculum, i.grade, i.title
             FROM investigation i WHERE i.n = ?1",
            rows::INVESTIGATION
        ))?
        .query_row([n], |row| {
            let investigation = rows::investigation(row)?;
            Ok(Row {
                words: search::index_words(&investigation.content),
                investigation: investigation.into(),
                findings: row.get(5)?,
                content: row.get(12)?,
                keys: Keys { group: row.get(13)?, curriculum: row.get(14)?, title: row.get(15)?, grade: row.get(16)? },
                curriculum: row.get(17)?,
                grade: row.get(18)?,
                title: row.get(19)?,
            })
        })
        .optional()
}

fn read_records(connection: &Connection, n: i64) -> Result<Vec<RecordRow>, rusqlite::Error> {
    let mut fields: HashMap<u64, Vec<String>> = HashMap::new();
    let mut statement = connection
        .prepare_cached("SELECT version, field FROM version_field WHERE investigation = ?1 ORDER BY field")?;
    let mut found = statement.query([n])?;
    while let Some(row) = found.next()? {
        fields.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    connection
        .prepare_cached(&format!(
            "SELECT {}, r.since_copy FROM version_record r WHERE r.investigation = ?1 ORDER BY r.version",
            rows::RECORD
        ))?
        .query_map([n], |row| {
            let record = rows::record(row)?;
            let fields = fields.remove(&record.version).unwrap_or_default();
            Ok(RecordRow { record, changes: row.get(7)?, since_copy: row.get(9)?, fields })
        })?
        .collect()
}

/// Stores `whole`, except its links whose addresses other links already have. Returns these addresses (`key/subLink`).
pub(super) fn put(
    connection: &Connection,
    whole: &InvestigationSnapshot,
    chat_rows: &ChatRows,
) -> Result<Vec<String>, StoreError> {
    // Lists all fields, so that the compiler reports a new field that is not stored here.
    let InvestigationSnapshot { row, records, copies, chat, links: visited } = whole;
    let n = investigations::insert(row, connection)?;
    for RecordRow { record, changes, since_copy, fields } in records {
        let fields = fields.iter().map(String::as_str);
        investigations::store_record(connection, n, record, *since_copy, changes, fields)?;
    }
    for FullCopy { version, content } in copies {
        investigations::copy_content(connection, n, *version, content)?;
    }
    if let Some(chat) = chat {
        chats::put(connection, n, chat.id, chat_rows)?;
    }
    let mut taken = Vec::new();
    for VisitedLink { link, days } in visited {
        if !links::insert(connection, n, link)? {
            taken.push(link.address());
            continue;
        }
        for day in days {
            links::insert_day(connection, link, day)?;
        }
    }
    Ok(taken)
}
