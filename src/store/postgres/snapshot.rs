//! Investigations with everything that belongs to them, each read in one snapshot and stored in one transaction.

use std::collections::HashMap;
use std::sync::Arc;

use tokio_postgres::types::ToSql;

use super::links::OptionValues;
use super::transaction::Transaction;
use super::{Postgres, chats, investigations, rows};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::keys::Keys;
use crate::domain::link::DayCount;
use crate::store::chat_row::ChatRows;
use crate::store::row::Row;
use crate::store::{FullCopy, InvestigationSnapshot, RecordRow, Reports, StoreError, VisitedLink};

/// Maximum number of rows that one statement reads or writes, so that no statement takes long.
pub(super) const CHUNK: usize = 100;

impl Postgres {
    pub async fn whole(&self, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
        let transaction = self.heavy.engine().begin("ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        let whole = read(&transaction, id).await?;
        transaction.commit().await?;
        Ok(whole)
    }

    pub async fn add_snapshot(&self, whole: InvestigationSnapshot) -> Result<bool, StoreError> {
        let transaction = self.engine.begin("ISOLATION LEVEL READ COMMITTED READ WRITE").await?;
        let Some(taken) = put(&transaction, &whole, &whole.chat_rows()?).await? else { return Ok(false) };
        StoreError::no_link_taken(taken)?;
        transaction.commit().await.map(|()| true)
    }
}

async fn read(transaction: &Transaction, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
    let id_text = id.to_string();
    let Some(row) = read_row(transaction, &id_text).await? else { return Ok(None) };
    Ok(Some(InvestigationSnapshot {
        row,
        records: read_records(transaction, &id_text).await?,
        copies: read_copies(transaction, &id_text).await?,
        chat: chats::whole(transaction, id).await?,
        links: read_links(transaction, &id_text).await?,
    }))
}

async fn read_row(transaction: &Transaction, id: &str) -> Result<Option<Row>, StoreError> {
    let sql = format!(
        "SELECT {}, i.group_key, i.curriculum_key, i.title_key, i.grade_key, i.curriculum, i.grade, i.title,
             (SELECT coalesce(string_agg(s.word, ' ' ORDER BY s.word), '') FROM search_word s WHERE s.investigation = i.id)
         FROM investigation i WHERE i.id = $1",
        rows::INVESTIGATION
    );
    let found = transaction.ask(&sql, &[&id]).await?;
    let Some(row) = found.first() else { return Ok(None) };
    Ok(Some(Row {
        investigation: Arc::new(rows::investigation(row)?),
        findings: rows::get(row, 5)?,
        content: rows::get(row, 12)?,
        keys: Keys {
            group: rows::get(row, 13)?,
            curriculum: rows::get(row, 14)?,
            title: rows::get(row, 15)?,
            grade: rows::get(row, 16)?,
        },
        curriculum: rows::get(row, 17)?,
        grade: rows::get(row, 18)?,
        title: rows::get(row, 19)?,
        words: rows::get(row, 20)?,
    }))
}

async fn read_records(transaction: &Transaction, id: &str) -> Result<Vec<RecordRow>, StoreError> {
    let sql = format!(
        "SELECT {}, r.since_copy, ARRAY(
             SELECT f.field FROM version_field f WHERE f.investigation = r.investigation AND f.version = r.version)
         FROM version_record r WHERE r.investigation = $1 AND r.version > $2 ORDER BY r.version LIMIT $3",
        rows::RECORD
    );
    let mut records: Vec<RecordRow> = Vec::new();
    loop {
        let after = rows::signed(records.last().map_or(0, |recorded| recorded.record.version))?;
        let found = transaction.ask(&sql, &[&id, &after, &(CHUNK as i64)]).await?;
        for row in &found {
            let record = rows::record(row)?;
            let fields = named(&record, rows::get(row, 10)?);
            records.push(RecordRow { record, changes: rows::get(row, 7)?, since_copy: rows::get(row, 9)?, fields });
        }
        if found.len() < CHUNK {
            return Ok(records);
        }
    }
}

/// Returns the names of the fields with the index keys `keys`, in alphabetical order. A key that belongs to no field of
/// the record is returned unchanged, so that a comparison of stores reports it.
fn named(record: &VersionRecord, keys: Vec<String>) -> Vec<String> {
    let names: HashMap<String, &str> =
        record.fields().into_iter().map(|field| (rows::field_key(field), field)).collect();
    let mut fields: Vec<String> =
        keys.into_iter().map(|key| names.get(&key).map_or(key, |name| (*name).to_owned())).collect();
    fields.sort();
    fields
}

async fn read_copies(transaction: &Transaction, id: &str) -> Result<Vec<FullCopy>, StoreError> {
    let sql =
        "SELECT version, content FROM content_copy WHERE investigation = $1 AND version > $2 ORDER BY version LIMIT 1";
    let (mut copies, mut after) = (Vec::new(), -1_i64);
    while let Some(row) = transaction.ask(sql, &[&id, &after]).await?.first() {
        after = rows::get(row, 0)?;
        copies.push(FullCopy { version: rows::whole(row, 0)?, content: rows::get(row, 1)? });
    }
    Ok(copies)
}

pub(super) async fn read_links(transaction: &Transaction, id: &str) -> Result<Vec<VisitedLink>, StoreError> {
    let sql =
        format!("SELECT {} FROM link l WHERE l.investigation = $1 ORDER BY l.place, l.created_at, l.id", rows::LINK);
    let days = "SELECT d.key, d.sub_link, d.day, d.count FROM link l
         JOIN link_day d ON d.key = l.key AND d.sub_link = l.sub_link WHERE l.investigation = $1 ORDER BY d.day";
    let mut by_link: HashMap<(String, String), Vec<DayCount>> = HashMap::new();
    for row in &transaction.ask(days, &[&id]).await? {
        let day = DayCount { day: rows::get(row, 2)?, count: rows::whole(row, 3)? };
        by_link.entry((rows::get(row, 0)?, rows::get(row, 1)?)).or_default().push(day);
    }
    let mut links = Vec::new();
    for row in &transaction.ask(&sql, &[&id]).await? {
        let link = rows::link(row)?;
        let days = by_link.remove(&(link.key.clone(), link.sub_link.clone())).unwrap_or_default();
        links.push(VisitedLink { link, days });
    }
    Ok(links)
}

/// Stores `whole`, except its links whose addresses other links already have. Returns these addresses (`key/subLink`).
/// Returns `None` and stores nothing if an investigation with this id exists.
pub(super) async fn put(
    transaction: &Transaction,
    whole: &InvestigationSnapshot,
    chat_rows: &ChatRows,
) -> Result<Option<Vec<String>>, StoreError> {
    // Lists all fields, so that the compiler reports a new field that is not stored here.
    let InvestigationSnapshot { row, records, copies, chat, links } = whole;
    let id = row.investigation.id.to_string();
    let entries = chat.as_ref().map_or(0, |chat| chat.history.len());
    let new = investigations::NewRow::of(row, chat.as_ref().map(|chat| chat.id), entries, &Reports::default())?;
    if transaction.ask(investigations::CREATE, &new.values()).await?.is_empty() {
        return Ok(None);
    }
    for chunk in records.chunks(CHUNK) {
        put_records(transaction, &id, chunk).await?;
    }
    for FullCopy { version, content } in copies {
        let sql = "INSERT INTO content_copy (investigation, version, content) VALUES ($1, $2, $3)";
        transaction.ask(sql, &[&id, &rows::signed(*version)?, content]).await?;
    }
    chats::put_entries(transaction, &id, chat_rows).await?;
    let mut taken = Vec::new();
    for (place, link) in (1_i64..).zip(links) {
        if !put_link(transaction, &id, place, link).await? {
            taken.push(link.link.address());
        }
    }
    Ok(Some(taken))
}

async fn put_records(transaction: &Transaction, id: &str, records: &[RecordRow]) -> Result<(), StoreError> {
    let versions = records.iter().map(|r| rows::signed(r.record.version)).collect::<Result<Vec<_>, _>>()?;
    let parents = records.iter().map(|r| rows::signed(r.record.parent)).collect::<Result<Vec<_>, _>>()?;
    let kinds: Vec<&str> = records.iter().map(|r| r.record.kind.name()).collect();
    let times: Vec<i64> = records.iter().map(|r| r.record.at.0).collect();
    let users: Vec<Option<String>> = records.iter().map(|r| rows::text(r.record.by)).collect();
    let with_ai: Vec<bool> = records.iter().map(|r| r.record.with_ai).collect();
    let undone: Vec<bool> = records.iter().map(|r| r.record.undone).collect();
    let since_copy: Vec<i32> = records.iter().map(|r| r.since_copy).collect();
    let changes: Vec<&str> = records.iter().map(|r| r.changes.as_str()).collect();
    let version_names: Vec<Option<&str>> = records.iter().map(|r| r.record.name.as_deref()).collect();
    transaction
        .ask(
            "INSERT INTO version_record
                 (investigation, version, parent, kind, at, by_user, with_ai, undone, since_copy, changes, name)
             SELECT $1, r.* FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::boolean[],
                 $8::boolean[], $9::int[], $10::text[], $11::text[]) AS r",
            &[
                &id,
                &versions,
                &parents,
                &kinds,
                &times,
                &users,
                &with_ai,
                &undone,
                &since_copy,
                &changes,
                &version_names,
            ],
        )
        .await?;
    let (mut keys, mut of_versions) = (Vec::new(), Vec::new());
    for recorded in records {
        for field in &recorded.fields {
            keys.push(rows::field_key(field));
            of_versions.push(rows::signed(recorded.record.version)?);
        }
    }
    transaction
        .ask(
            "INSERT INTO version_field (investigation, field, version)
             SELECT $1, f.* FROM unnest($2::text[], $3::bigint[]) AS f",
            &[&id, &keys, &of_versions],
        )
        .await
        .map(drop)
}

/// Stores a link with its visit counts, unless its address is taken. Returns whether the link was stored.
async fn put_link(transaction: &Transaction, id: &str, place: i64, visited: &VisitedLink) -> Result<bool, StoreError> {
    let VisitedLink { link, days } = visited;
    let (link_id, creator, visits) = (link.id.to_string(), rows::text(link.creator), rows::signed(link.visit_count)?);
    let named: [&(dyn ToSql + Sync); 4] = [&link.key, &link.sub_link, &link_id, &id];
    let more: [&(dyn ToSql + Sync); 5] = [&place, &link.description, &creator, &link.created_at.0, &visits];
    let options = OptionValues::of(&link.options)?;
    let values = [&named[..], &more, &options.all()].concat();
    let stored = transaction
        .ask(
            "INSERT INTO link (key, sub_link, id, investigation, place, description, creator, created_at, visit_count,
                 shows, version, expires_at, max_visits, archived)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
             ON CONFLICT (key, sub_link) DO NOTHING RETURNING 1",
            &values,
        )
        .await?;
    if stored.is_empty() {
        return Ok(false);
    }
    let names: Vec<&str> = days.iter().map(|day| day.day.as_str()).collect();
    let counts = days.iter().map(|day| rows::signed(day.count)).collect::<Result<Vec<_>, _>>()?;
    transaction
        .ask(
            "INSERT INTO link_day (key, sub_link, day, count)
             SELECT $1, $2, d.* FROM unnest($3::text[], $4::bigint[]) AS d",
            &[&link.key, &link.sub_link, &names, &counts],
        )
        .await
        .map(|_| true)
}
