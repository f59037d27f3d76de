//! Sends a consistent snapshot of the whole store in parts.

use rusqlite::{Connection, params};
use tokio::sync::mpsc::Sender;

use super::readers::Reading;
use super::{Sqlite, chats, detections, investigations, rows, snapshot};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::store::jsonl::{BYTES_PER_LINE, Entry, MoreRecords, RECORDS_PER_LINE};
use crate::store::{Obstacle, SnapshotPart, StoreError};

/// Number of rows per query.
const ROWS: u32 = 200;

impl Sqlite {
    /// Sends a snapshot of the whole store, read in one transaction.
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        self.heavy.read_without_deadline(move |connection| send(connection, &to)).await
    }
}

/// Sends a snapshot of the whole store in parts. Ends early if the receiver is dropped.
fn send(connection: &Reading<'_>, to: &Sender<SnapshotPart>) -> Result<(), StoreError> {
    let total = connection.query_row("SELECT count(*) FROM investigation", [], |row| row.get(0))?;
    if to.blocking_send(SnapshotPart::Total(total)).is_err() {
        return Ok(());
    }
    let mut after: Option<ObjectId> = None;
    loop {
        let ids = snapshot::ids_after(connection, after, ROWS)?;
        let Some((last, _)) = ids.last() else { break };
        after = Some(*last);
        for (id, _) in &ids {
            connection.check()?;
            let listens = match send_one(connection, *id, to) {
                Err(StoreError::Hindered { hindrance: Obstacle::Damaged, reason }) => {
                    to.blocking_send(SnapshotPart::Unreadable(*id, reason)).is_ok()
                }
                listens => listens?,
            };
            if !listens {
                return Ok(());
            }
        }
    }
    let mut number = i64::MIN;
    loop {
        let found = detections::after(connection, number, ROWS)?;
        let Some(last) = found.last() else { break };
        number = last.number;
        for detection in found {
            if to.blocking_send(SnapshotPart::Detection(detection)).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Sends an investigation and its version records in parts. Returns false if the receiver was dropped.
fn send_one(connection: &Connection, id: ObjectId, to: &Sender<SnapshotPart>) -> Result<bool, StoreError> {
    let (Some(n), Some(document)) = (rows::number_of(connection, id)?, investigations::load(connection, id)?) else {
        return Ok(true);
    };
    let records = records_after(connection, n, 0)?;
    let mut last = records.last().map(|record| record.version);
    let entry = Entry::of(document, records, chats::whole(connection, id)?, snapshot::visited_links(connection, n)?);
    if to.blocking_send(SnapshotPart::Investigation(Box::new(entry))).is_err() {
        return Ok(false);
    }
    while let Some(version) = last {
        let records = records_after(connection, n, version)?;
        last = records.last().map(|record| record.version);
        if last.is_some() && to.blocking_send(SnapshotPart::Records(MoreRecords { of: id, records })).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the next version records after `version`: as many as fit into one line of an export file.
fn records_after(connection: &Connection, n: i64, version: u64) -> Result<Vec<VersionRecord>, rusqlite::Error> {
    connection
        .prepare_cached(&format!(
            "SELECT {} FROM (
                 SELECT r.*, sum(octet_length(r.changes)) OVER place AS upto, row_number() OVER place AS place
                 FROM (SELECT * FROM version_record WHERE investigation = ?1 AND version > ?2 ORDER BY version LIMIT ?3) r
                 WINDOW place AS (ORDER BY r.version)) r
             WHERE r.upto <= ?4 OR r.place = 1 ORDER BY r.version",
            rows::RECORD
        ))?
        .query_map(params![n, version, RECORDS_PER_LINE, BYTES_PER_LINE], rows::record)?
        .collect()
}
