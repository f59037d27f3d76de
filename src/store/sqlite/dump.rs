//! Sends a consistent snapshot of the whole store in parts.

use rusqlite::{Connection, params};
use tokio::sync::mpsc::Sender;

use super::readers::Reading;
use super::{Sqlite, api_keys, chats, investigations, rows, snapshot, trash};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::store::jsonl::{AuditLine, BYTES_PER_LINE, Entry, Line, MoreRecords, RECORDS_PER_LINE, TrashLine};
use crate::store::snapshot::receiver_gone;
use crate::store::{Obstacle, SnapshotPart, StoreError};

/// Number of rows per query.
const ROWS: u32 = 200;

impl Sqlite {
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        self.heavy.read_without_deadline(move |connection| Dump { connection, to }.send_all()).await
    }
}

/// A read of the whole store in one transaction.
struct Dump<'c> {
    connection: &'c Reading<'c>,
    to: Sender<SnapshotPart>,
}

impl Dump<'_> {
    fn send_all(&self) -> Result<(), StoreError> {
        self.for_each_id("investigation", |id| {
            let sent = self.send_investigation(id);
            self.or_unreadable(sent, format!("the investigation {id}"), Some(id))
        })?;
        self.for_each_id("trash", |id| {
            let sent = self.send_trashed(id);
            self.or_unreadable(sent, format!("the investigation {id} in the trash"), None)
        })?;
        for key in api_keys::all(self.connection)? {
            self.send_line(Line::ApiKey(key.into()))?;
        }
        self.send_audit()
    }

    fn send(&self, part: SnapshotPart) -> Result<(), StoreError> {
        self.to.blocking_send(part).map_err(|_| receiver_gone())
    }

    fn send_line(&self, line: Line) -> Result<(), StoreError> {
        self.send(SnapshotPart::Line(line))
    }

    /// Reports a part that is damaged, and goes on.
    fn or_unreadable(
        &self,
        sent: Result<(), StoreError>,
        what: String,
        investigation: Option<ObjectId>,
    ) -> Result<(), StoreError> {
        match sent {
            Err(StoreError::Hindered { hindrance: Obstacle::Damaged, reason }) => {
                self.send(SnapshotPart::Unreadable { what, investigation, reason })
            }
            sent => sent,
        }
    }

    /// Calls `send` for each id of the table, in order.
    fn for_each_id(&self, table: &str, send: impl Fn(ObjectId) -> Result<(), StoreError>) -> Result<(), StoreError> {
        let sql = format!("SELECT id FROM {table} WHERE id > ?1 ORDER BY id LIMIT ?2");
        let mut after = String::new();
        loop {
            let ids = self
                .connection
                .prepare_cached(&sql)?
                .query_map(params![after, ROWS], |row| rows::parsed(row, 0))?
                .collect::<Result<Vec<ObjectId>, rusqlite::Error>>()?;
            let Some(last) = ids.last() else { return Ok(()) };
            after = last.to_string();
            for id in ids {
                self.connection.check()?;
                send(id)?;
            }
        }
    }

    /// Sends an investigation, and its version records in as many lines as they need.
    fn send_investigation(&self, id: ObjectId) -> Result<(), StoreError> {
        let connection: &Connection = self.connection;
        let (Some(n), Some(document)) = (rows::number_of(connection, id)?, investigations::load(connection, id)?)
        else {
            return Ok(());
        };
        let records = records_after(connection, n, 0)?;
        let mut last = records.last().map(|record| record.version);
        let (chat, links) = (chats::whole(connection, id)?, snapshot::visited_links(connection, n)?);
        self.send_line(Line::Investigation(Box::new(Entry::of(document, records, chat, links))))?;
        while let Some(version) = last {
            let records = records_after(connection, n, version)?;
            last = records.last().map(|record| record.version);
            if last.is_some() {
                self.send_line(Line::Records(MoreRecords { of: id, records }))?;
            }
        }
        Ok(())
    }

    fn send_trashed(&self, id: ObjectId) -> Result<(), StoreError> {
        match trash::find(self.connection, id, Timestamp(i64::MIN))? {
            Some(trashed) => self.send_line(Line::Trash(Box::new(TrashLine::try_from(&trashed)?))),
            None => Ok(()),
        }
    }

    fn send_audit(&self) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare("SELECT n, entry FROM audit ORDER BY n")?;
        let mut found = statement.query([])?;
        while let Some(row) = found.next()? {
            self.connection.check()?;
            let number = row.get(0)?;
            let sent = match rows::json(row, 1) {
                Ok(entry) => self.send_line(Line::Audit(AuditLine { number, entry })),
                Err(error) => Err(error.into()),
            };
            self.or_unreadable(sent, format!("the entry {number} of the audit log"), None)?;
        }
        Ok(())
    }
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
