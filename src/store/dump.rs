//! Sends a consistent snapshot of the whole store in parts.

use tokio::sync::mpsc::Sender;

use super::engine::{Limit, Snapshot};
use super::jsonl::{AuditLine, Entry, Line, MoreRecords, TrashLine};
use super::sql::{Row, Statement};
use super::{Obstacle, SnapshotPart, Store, StoreError, api_keys, chats, history, investigations, links, trash};
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// Number of ids or entries of the audit log per round.
const ROWS_PER_ROUND: u32 = 200;

impl Store {
    /// Sends a consistent snapshot of the whole store to `to`, in parts. Omits what lasts for days only: events, answers
    /// to requests with an idempotency key, the progress of webhooks, presence; and cached findings of language models.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails, or if the receiver is dropped.
    pub async fn snapshot(&self, to: Sender<SnapshotPart>) -> Result<(), StoreError> {
        let dump = Dump { snapshot: self.begin(Limit::None).await?, to };
        dump.send_all().await?;
        dump.snapshot.end();
        Ok(())
    }
}

struct Dump {
    snapshot: Snapshot,
    to: Sender<SnapshotPart>,
}

impl Dump {
    async fn send_all(&self) -> Result<(), StoreError> {
        let mut ids = Ids::of("investigation");
        while let Some(id) = ids.next(&self.snapshot).await? {
            let sent = self.send_investigation(id).await;
            self.or_unreadable(sent, format!("the investigation {id}"), Some(id)).await?;
        }
        let mut ids = Ids::of("trash");
        while let Some(id) = ids.next(&self.snapshot).await? {
            let sent = self.send_trashed(id).await;
            self.or_unreadable(sent, format!("the investigation {id} in the trash"), None).await?;
        }
        for row in &self.snapshot.get(api_keys::all()).await? {
            let sent = self.send_api_key(row).await;
            self.or_unreadable(sent, format!("the API key {}", row.text("id")?), None).await?;
        }
        self.send_audit().await
    }

    async fn send(&self, part: SnapshotPart) -> Result<(), StoreError> {
        // The receiver itself reports why it is gone.
        self.to.send(part).await.map_err(|_| StoreError::Failed("the snapshot is no longer wanted".into()))
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

    /// Sends an investigation, and its version records in as many lines as they need.
    async fn send_investigation(&self, id: ObjectId) -> Result<(), StoreError> {
        let body = Statement::new("SELECT i.body FROM investigation i WHERE i.id = $id").with("id", id);
        let statements = vec![investigations::find(id), body, links::of(id), links::days_of(id)];
        let rows = self.snapshot.read(statements).await?;
        let (Some(document), Some(body)) = (rows[0].first(), rows[1].first()) else { return Ok(()) };
        let (document, body) = (investigations::read(document)?, body.integer("body")?);
        let links = links::visited(&rows[2], &rows[3])?;
        let records = self.records_after(body, 0).await?;
        let mut last = records.last().map(|record| record.version);
        let chat = chats::whole(&self.snapshot, id).await?;
        self.send_line(Line::Investigation(Box::new(Entry::of(document, records, chat, links)))).await?;
        while let Some(version) = last {
            let records = self.records_after(body, version).await?;
            last = records.last().map(|record| record.version);
            if last.is_some() {
                self.send_line(Line::Records(MoreRecords { of: id, records })).await?;
            }
        }
        Ok(())
    }

    async fn records_after(&self, body: i64, version: u64) -> Result<Vec<VersionRecord>, StoreError> {
        let records = history::records_after(&self.snapshot, body, version).await?;
        Ok(records.into_iter().map(|recorded| recorded.record).collect())
    }

    async fn send_trashed(&self, id: ObjectId) -> Result<(), StoreError> {
        let rows = self.snapshot.get(trash::find(id, Timestamp(i64::MIN))).await?;
        let Some(row) = rows.first() else { return Ok(()) };
        self.send_line(Line::Trash(Box::new(TrashLine::try_from(&trash::read(row)?)?))).await
    }

    async fn send_api_key(&self, row: &Row) -> Result<(), StoreError> {
        self.send_line(Line::ApiKey(api_keys::read(row)?.into())).await
    }

    async fn send_audit(&self) -> Result<(), StoreError> {
        let sql = "SELECT a.n, a.entry FROM audit a WHERE a.n > $after ORDER BY a.n LIMIT $limit";
        let mut after = i64::MIN;
        loop {
            let next = Statement::new(sql).with("after", after).with("limit", ROWS_PER_ROUND);
            let rows = self.snapshot.get(next).await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in &rows {
                after = row.integer("n")?;
                let sent = self.send_audit_entry(row).await;
                self.or_unreadable(sent, format!("the entry {after} of the audit log"), None).await?;
            }
        }
    }

    async fn send_audit_entry(&self, row: &Row) -> Result<(), StoreError> {
        self.send_line(Line::Audit(AuditLine { number: row.integer("n")?, entry: row.json("entry")? })).await
    }
}

struct Ids {
    sql: String,
    last: String,
    /// Ids that were read and not yet returned.
    read: std::vec::IntoIter<Row>,
}

impl Ids {
    fn of(table: &str) -> Self {
        let sql = format!("SELECT t.id FROM {table} t WHERE t.id > $after ORDER BY t.id LIMIT $limit");
        Self { sql, last: String::new(), read: Vec::new().into_iter() }
    }

    async fn next(&mut self, snapshot: &Snapshot) -> Result<Option<ObjectId>, StoreError> {
        if self.read.as_slice().is_empty() {
            let next = Statement::new(self.sql.clone()).with("after", self.last.as_str());
            self.read = snapshot.get(next.with("limit", ROWS_PER_ROUND)).await?.into_iter();
        }
        let Some(row) = self.read.next() else { return Ok(None) };
        self.last = row.text("id")?.to_owned();
        row.parsed("id").map(Some)
    }
}
