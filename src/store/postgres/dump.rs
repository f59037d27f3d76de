//! Sends a consistent snapshot of the whole store in parts.

use tokio::sync::mpsc::Sender;

use super::snapshot::{CHUNK, read_links};
use super::transaction::Transaction;
use super::{Postgres, chats, detections, rows};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::store::jsonl::{BYTES_PER_LINE, Entry, MoreRecords, RECORDS_PER_LINE};
use crate::store::{Obstacle, SnapshotPart, StoreError};

impl Postgres {
    /// Sends a snapshot of the whole store, read in one transaction.
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        let transaction = self.heavy.engine().begin("ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        // If the receiver was dropped, the transaction ends without a commit.
        if send(&transaction, &to).await? { transaction.commit().await } else { Ok(()) }
    }
}

/// Sends a snapshot of the whole store in parts. Returns false if the receiver was dropped.
async fn send(transaction: &Transaction, to: &Sender<SnapshotPart>) -> Result<bool, StoreError> {
    let total = transaction.ask("SELECT count(*) FROM investigation", &[]).await?;
    let total = total.first().map(|row| rows::whole(row, 0)).transpose()?.unwrap_or_default();
    if to.send(SnapshotPart::Total(total)).await.is_err() {
        return Ok(false);
    }
    let mut after = String::new();
    loop {
        let sql = "SELECT id FROM investigation WHERE id > $1 ORDER BY id LIMIT $2";
        let found = transaction.ask(sql, &[&after, &(CHUNK as i64)]).await?;
        for row in &found {
            let id: ObjectId = rows::parsed(row, 0)?;
            after = id.to_string();
            let listens = match send_one(transaction, id, to).await {
                Err(StoreError::Hindered { hindrance: Obstacle::Damaged, reason }) => {
                    to.send(SnapshotPart::Unreadable(id, reason)).await.is_ok()
                }
                listens => listens?,
            };
            if !listens {
                return Ok(false);
            }
        }
        if found.len() < CHUNK {
            break;
        }
    }
    let mut number = i64::MIN;
    loop {
        let found = transaction.ask(detections::AFTER, &[&number, &(CHUNK as i64)]).await?;
        for row in &found {
            let detection = detections::read(row)?;
            number = detection.number;
            if to.send(SnapshotPart::Detection(detection)).await.is_err() {
                return Ok(false);
            }
        }
        if found.len() < CHUNK {
            return Ok(true);
        }
    }
}

/// Sends an investigation and its version records in parts. Returns false if the receiver was dropped.
async fn send_one(transaction: &Transaction, id: ObjectId, to: &Sender<SnapshotPart>) -> Result<bool, StoreError> {
    let id_text = id.to_string();
    let sql = format!("SELECT {} FROM investigation i WHERE i.id = $1", rows::INVESTIGATION);
    let found = transaction.ask(&sql, &[&id_text]).await?;
    let Some(row) = found.first() else { return Ok(true) };
    let records = records_after(transaction, &id_text, 0).await?;
    let mut last = records.last().map(|record| record.version);
    let (chat, links) = (chats::whole(transaction, id).await?, read_links(transaction, &id_text).await?);
    let entry = Entry::of(rows::investigation(row)?, records, chat, links);
    if to.send(SnapshotPart::Investigation(Box::new(entry))).await.is_err() {
        return Ok(false);
    }
    while let Some(version) = last {
        let records = records_after(transaction, &id_text, version).await?;
        last = records.last().map(|record| record.version);
        if last.is_some() && to.send(SnapshotPart::Records(MoreRecords { of: id, records })).await.is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the next version records after `version`: as many as fit into one line of an export file.
async fn records_after(transaction: &Transaction, id: &str, version: u64) -> Result<Vec<VersionRecord>, StoreError> {
    let sql = format!(
        "SELECT {} FROM (
             SELECT r.*, sum(octet_length(r.changes)) OVER place AS upto, row_number() OVER place AS place
             FROM (SELECT * FROM version_record WHERE investigation = $1 AND version > $2 ORDER BY version LIMIT $3) r
             WINDOW place AS (ORDER BY r.version)) r
         WHERE r.upto <= $4 OR r.place = 1 ORDER BY r.version",
        rows::RECORD
    );
    let values = (rows::signed(version)?, i64::from(RECORDS_PER_LINE));
    let found = transaction.ask(&sql, &[&id, &values.0, &values.1, &BYTES_PER_LINE]).await?;
    found.iter().map(rows::record).collect()
}
