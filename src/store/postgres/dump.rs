//! Sends a consistent snapshot of the whole store in parts.

use tokio::sync::mpsc::Sender;

use super::snapshot::{CHUNK, read_links};
use super::transaction::Transaction;
use super::{Postgres, api_keys, chats, rows, trash};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::store::jsonl::{AuditLine, BYTES_PER_LINE, Entry, Line, MoreRecords, RECORDS_PER_LINE, TrashLine};
use crate::store::snapshot::receiver_gone;
use crate::store::{Obstacle, SnapshotPart, StoreError};

impl Postgres {
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        let transaction = self.heavy.engine().begin("ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
        let dump = Dump { transaction, to };
        dump.send_all().await?;
        dump.transaction.commit().await
    }
}

/// A read of the whole store in one transaction.
struct Dump {
    transaction: Transaction,
    to: Sender<SnapshotPart>,
}

impl Dump {
    async fn send_all(&self) -> Result<(), StoreError> {
        let mut after = String::new();
        while let Some(id) = self.next_id("investigation", &mut after).await? {
            let sent = self.send_investigation(id).await;
            self.or_unreadable(sent, format!("the investigation {id}"), Some(id)).await?;
        }
        let mut after = String::new();
        while let Some(id) = self.next_id("trash", &mut after).await? {
            let sent = self.send_trashed(id).await;
            self.or_unreadable(sent, format!("the investigation {id} in the trash"), None).await?;
        }
        for row in &self.transaction.ask(api_keys::ALL, &[]).await? {
            self.send_line(Line::ApiKey(api_keys::read(row)?.into())).await?;
        }
        self.send_audit().await
    }

    async fn send(&self, part: SnapshotPart) -> Result<(), StoreError> {
        self.to.send(part).await.map_err(|_| receiver_gone())
    }

    async fn send_line(&self, line: Line) -> Result<(), StoreError> {
        self.send(SnapshotPart::Line(line)).await
    }

    /// Reports a part that is damaged, and goes on.
    async fn or_unreadable(
        &self,
        sent: Result<(), StoreError>,
        what: String,
        investigation: Option<ObjectId>,
    ) -> Result<(), StoreError> {
        match sent {
            Err(StoreError::Hindered { hindrance: Obstacle::Damaged, reason }) => {
                self.send(SnapshotPart::Unreadable { what, investigation, reason }).await
            }
            sent => sent,
        }
    }

    /// Returns the next id of the table after `after`, and moves `after` to it.
    async fn next_id(&self, table: &str, after: &mut String) -> Result<Option<ObjectId>, StoreError> {
        let sql = format!("SELECT id FROM {table} WHERE id > $1 ORDER BY id LIMIT 1");
        let found = self.transaction.ask(&sql, &[&*after]).await?;
        let id: Option<ObjectId> = found.first().map(|row| rows::parsed(row, 0)).transpose()?;
        if let Some(id) = id {
            *after = id.to_string();
        }
        Ok(id)
    }

    /// Sends an investigation, and its version records in as many lines as they need.
    async fn send_investigation(&self, id: ObjectId) -> Result<(), StoreError> {
        let (transaction, key) = (&self.transaction, id.to_string());
        let sql = format!("SELECT {} FROM investigation i WHERE i.id = $1", rows::INVESTIGATION);
        let found = transaction.ask(&sql, &[&key]).await?;
        let Some(row) = found.first() else { return Ok(()) };
        let records = records_after(transaction, &key, 0).await?;
        let mut last = records.last().map(|record| record.version);
        let (chat, links) = (chats::whole(transaction, id).await?, read_links(transaction, &key).await?);
        let entry = Entry::of(rows::investigation(row)?, records, chat, links);
        self.send_line(Line::Investigation(Box::new(entry))).await?;
        while let Some(version) = last {
            let records = records_after(transaction, &key, version).await?;
            last = records.last().map(|record| record.version);
            if last.is_some() {
                self.send_line(Line::Records(MoreRecords { of: id, records })).await?;
            }
        }
        Ok(())
    }

    async fn send_trashed(&self, id: ObjectId) -> Result<(), StoreError> {
        let found = self.transaction.ask(trash::FIND, &[&id.to_string(), &i64::MIN]).await?;
        let Some(row) = found.first() else { return Ok(()) };
        self.send_line(Line::Trash(Box::new(TrashLine::try_from(&trash::read(row)?)?))).await
    }

    async fn send_audit(&self) -> Result<(), StoreError> {
        let sql = "SELECT n, entry FROM audit WHERE n > $1 ORDER BY n LIMIT $2";
        let mut after = i64::MIN;
        loop {
            let found = self.transaction.ask(sql, &[&after, &(CHUNK as i64)]).await?;
            for row in &found {
                let number = rows::get(row, 0)?;
                after = number;
                let sent = match rows::json(row, 1) {
                    Ok(entry) => self.send_line(Line::Audit(AuditLine { number, entry })).await,
                    Err(error) => Err(error),
                };
                self.or_unreadable(sent, format!("the entry {number} of the audit log"), None).await?;
            }
            if found.len() < CHUNK {
                return Ok(());
            }
        }
    }
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
