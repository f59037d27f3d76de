//! Sends the whole store, or one investigation, in parts. All parts are read from one snapshot.

use tokio::sync::mpsc::{Sender, channel};

use super::engine::{ReadKind, Snapshot};
use super::investigations::{LIVE, TRASH};
use super::jsonl::{AuditLine, Entry, Line, MoreRecords, PictureLine, TrashLine};
use super::rounds::Rounds;
use super::sql::{Row, Rows, Statement, Value, list};
use super::transient::{self, Kind};
use super::{
    ExportPart, FixableError, Store, StoreError, VisitedLink, api_keys, chats, investigations, links, passwords,
    person_row, pictures, records,
};
use crate::domain::id::ObjectId;

/// Number of ids or entries of the audit log per round.
const ROWS_PER_ROUND: u32 = 200;

/// Number of pictures per round. Each may have several MiB.
const PICTURES_PER_ROUND: u32 = 4;

impl Store {
    /// Sends the whole store to `to` in parts, which are all read from one snapshot. Omits short-lived data: events,
    /// answers to requests with an idempotency key, the progress of webhooks, presence; and cached findings of language
    /// models. Contains password hashes only if `has_passwords` is true.
    ///
    /// # Errors
    /// [`StoreError`] if the store fails, or if the receiver is dropped.
    pub async fn export(&self, to: Sender<ExportPart>, has_passwords: bool) -> Result<(), StoreError> {
        let dump = Dump { snapshot: self.begin(ReadKind::Unlimited).await?, has_passwords, has_pictures: true, to };
        dump.send_all().await?;
        dump.snapshot.end();
        Ok(())
    }

    /// Returns what an export contains of an investigation, with all its version records and without its pictures;
    /// `None` if the investigation does not exist.
    pub async fn exported(&self, id: ObjectId) -> Result<Option<Entry>, StoreError> {
        match self.exported_line(LIVE, id).await? {
            Some(Line::Investigation(entry)) => Ok(Some(*entry)),
            _ => Ok(None),
        }
    }

    /// Like [`Self::exported`], for an investigation in the trash.
    pub async fn exported_from_trash(&self, id: ObjectId) -> Result<Option<TrashLine>, StoreError> {
        match self.exported_line(TRASH, id).await? {
            Some(Line::Trash(trash)) => Ok(Some(*trash)),
            _ => Ok(None),
        }
    }

    async fn exported_line(&self, table: &'static str, id: ObjectId) -> Result<Option<Line>, StoreError> {
        let (to, mut parts) = channel(1);
        let dump =
            Dump { snapshot: self.begin(ReadKind::Unlimited).await?, has_passwords: false, has_pictures: false, to };
        let whole = async move {
            let mut whole: Option<Line> = None;
            while let Some(part) = parts.recv().await {
                match (part, &mut whole) {
                    (ExportPart::Unreadable { reason, .. }, _) => return Err(StoreError::damaged(&reason)),
                    (ExportPart::Line(Line::Records(more)), Some(line)) => {
                        line.add(more).map_err(StoreError::Failed)?
                    }
                    (ExportPart::Line(line), _) => whole = Some(line),
                }
            }
            Ok(whole)
        };
        let (sent, whole) = tokio::join!(dump.send_one(table, id), whole);
        whole.and_then(|whole| sent.map(|()| whole))
    }
}

/// Reads all that an export contains, and all short-lived rows. Returns what cannot be read, such as
/// `the investigation 65a… (…)`.
pub(super) async fn unreadable(snapshot: Snapshot) -> Result<Vec<String>, StoreError> {
    let (to, mut parts) = channel(1);
    let read_all = async {
        let dump = Dump { snapshot, has_passwords: true, has_pictures: true, to };
        dump.send_all().await?;
        dump.read_transient().await?;
        dump.snapshot.end();
        Ok(())
    };
    let found = async {
        let mut found = Vec::new();
        while let Some(part) = parts.recv().await {
            if let ExportPart::Unreadable { what, reason, .. } = part {
                found.push(format!("{what} ({reason})"));
            }
        }
        found
    };
    let (all_read, found) = tokio::join!(read_all, found);
    all_read.map(|()| found)
}

struct Dump {
    snapshot: Snapshot,
    has_passwords: bool,
    has_pictures: bool,
    to: Sender<ExportPart>,
}

impl Dump {
    async fn send_all(&self) -> Result<(), StoreError> {
        for (table, place) in [(LIVE, ""), (TRASH, " in the trash")] {
            let ids = format!("SELECT t.id FROM {table} t WHERE t.id > CAST($id AS TEXT) ORDER BY t.id LIMIT $limit");
            let mut ids = Rounds::of(Statement::new(ids).with("limit", ROWS_PER_ROUND), vec![("id", "".into())]);
            while let Some(row) = ids.next(&self.snapshot).await? {
                let id = row.parsed("id");
                let known = id.as_ref().ok().copied();
                let sent = async { self.send_investigation(table, id?).await }.await;
                self.or_unreadable(sent, format!("the investigation {}{place}", row.shown("id")), known).await?;
            }
        }
        let person = |row: &Row| Ok(Line::Person(Box::new(person_row::read(row)?.into())));
        let what = |row: &Row| format!("the person {}", row.shown("id"));
        self.send_rows(person_row::after(), ("id", "".into()), person, what).await?;
        if self.has_passwords {
            let password = |row: &Row| Ok(Line::Password(passwords::read(row)?));
            let what = |row: &Row| format!("the password of the person {}", row.shown("person"));
            self.send_rows(passwords::after(), ("person", "".into()), password, what).await?;
        }
        for row in &self.snapshot.get(api_keys::all()).await? {
            let what = format!("the API key {}", row.shown("id"));
            if let Some(key) = self.or_report(api_keys::read(row), what).await? {
                self.send_line(Line::ApiKey(key)).await?;
            }
        }
        let entries = "SELECT a.n, a.entry FROM audit a WHERE a.n > $n ORDER BY a.n LIMIT $limit";
        let entry = |row: &Row| Ok(Line::Audit(AuditLine { number: row.integer("n")?, entry: row.json("entry")? }));
        let what = |row: &Row| format!("the entry {} of the audit log", row.shown("n"));
        self.send_rows(Statement::new(entries), ("n", i64::MIN.into()), entry, what).await
    }

    /// Reads a table in batches with the query `rows`, and sends each row as a line of the dump. Reports damaged rows
    /// instead of sending them.
    async fn send_rows(
        &self,
        rows: Statement,
        first: (&'static str, Value),
        line: impl Fn(&Row) -> Result<Line, StoreError>,
        what: impl Fn(&Row) -> String,
    ) -> Result<(), StoreError> {
        let mut rows = Rounds::of(rows.with("limit", ROWS_PER_ROUND), vec![first]);
        while let Some(row) = rows.next(&self.snapshot).await? {
            if let Some(line) = self.or_report(line(&row), what(&row)).await? {
                self.send_line(line).await?;
            }
        }
        Ok(())
    }

    async fn send_one(self, table: &'static str, id: ObjectId) -> Result<(), StoreError> {
        self.send_investigation(table, id).await?;
        self.snapshot.end();
        Ok(())
    }

    /// Reads the short-lived rows. Reports those that are damaged.
    async fn read_transient(&self) -> Result<(), StoreError> {
        for Kind { table, sql, after, read } in transient::kinds(self.snapshot.dialect()) {
            let mut rows = Rounds::of(Statement::new(sql).with("limit", ROWS_PER_ROUND), after);
            while let Some(row) = rows.next(&self.snapshot).await? {
                self.or_report(read(&row), format!("the row {} of {}", table.key_of(&row), table.name)).await?;
            }
        }
        Ok(())
    }

    async fn send(&self, part: ExportPart) -> Result<(), StoreError> {
        // If the receiver was dropped, its owner reports the reason.
        self.to.send(part).await.map_err(|_| StoreError::Failed("the export is no longer wanted".into()))
    }

    async fn send_line(&self, line: Line) -> Result<(), StoreError> {
        self.send(ExportPart::Line(line)).await
    }

    /// Reports a damaged part, and continues.
    async fn or_unreadable(
        &self,
        sent: Result<(), StoreError>,
        what: String,
        investigation: Option<ObjectId>,
    ) -> Result<(), StoreError> {
        match sent {
            Err(StoreError::Fixable { kind: FixableError::Damaged, reason }) => {
                self.send(ExportPart::Unreadable { what, investigation, reason }).await
            }
            sent => sent,
        }
    }

    /// Returns the value that was read. If it is damaged, reports it and returns `None`, so that the export continues.
    async fn or_report<T>(&self, read: Result<T, StoreError>, what: String) -> Result<Option<T>, StoreError> {
        match read {
            Ok(read) => Ok(Some(read)),
            Err(error) => self.or_unreadable(Err(error), what, None).await.map(|()| None),
        }
    }

    /// Sends an investigation in `table`, and its version records in as many lines as they need.
    async fn send_investigation(&self, table: &'static str, id: ObjectId) -> Result<(), StoreError> {
        let of_trash = if table == TRASH { ", i.deleted_at, i.deleted_by" } else { "" };
        let columns = list("i", &investigations::COLUMNS);
        let find = Statement::new(format!("SELECT i.body, {columns}{of_trash} FROM {table} i WHERE i.id = $id"));
        let [links, days] = links::of(table, id);
        let rows = self.snapshot.read(vec![find.with("id", id), links, days, links::displaced(id)]).await?;
        let Some(row) = rows[0].first() else { return Ok(()) };
        let (document, body) = (investigations::read(row)?, row.integer("body")?);
        let links = self.links_of(id, &rows[1], &rows[2]).await?;
        let records = records::after(&self.snapshot, body, 0).await?;
        let mut last = records.last().map(|record| record.version);
        let line = if table == TRASH {
            // A damaged link is left out, so its address must be left out as well.
            let is_kept = |address: &String| links.iter().any(|visited| visited.link.address() == *address);
            let displaced = links::addresses(&rows[3])?.into_iter().filter(is_kept).collect();
            Line::Trash(Box::new(TrashLine {
                deleted_at: row.time("deleted_at")?,
                deleted_by: row.optional_parsed("deleted_by")?,
                displaced,
                investigation: Entry::of(document, records, None, links),
            }))
        } else {
            let chat = chats::whole(&self.snapshot, id).await;
            let chat = self.or_report(chat, format!("the chat of the investigation {id}")).await?.flatten();
            Line::Investigation(Box::new(Entry::of(document, records, chat, links)))
        };
        self.send_line(line).await?;
        while let Some(version) = last {
            let records = records::after(&self.snapshot, body, version).await?;
            last = records.last().map(|record| record.version);
            if last.is_some() {
                self.send_line(Line::Records(MoreRecords { of: id, records })).await?;
            }
        }
        if self.has_pictures { self.send_pictures(id, body).await } else { Ok(()) }
    }

    /// Sends the pictures of an investigation. Reports those that are damaged.
    async fn send_pictures(&self, of: ObjectId, body: i64) -> Result<(), StoreError> {
        let all = Statement::new(pictures::after()).with("body", body).with("limit", PICTURES_PER_ROUND);
        let mut all = Rounds::of(all, vec![("id", "".into())]);
        while let Some(row) = all.next(&self.snapshot).await? {
            let what = format!("the picture {} of the investigation {of}", row.shown("id"));
            if let Some(picture) = self.or_report(pictures::read_exported(&row), what).await? {
                self.send_line(Line::Picture(PictureLine::of(of, &picture))).await?;
            }
        }
        Ok(())
    }

    /// Reads the links of an investigation from the rows of [`links::of`]. Reports those that are damaged.
    async fn links_of(&self, id: ObjectId, found: &Rows, days: &Rows) -> Result<Vec<VisitedLink>, StoreError> {
        let mut links = Vec::new();
        for (row, link) in found.iter().zip(links::visited(found, days)) {
            let what = format!("the link {}/{} of the investigation {id}", row.shown("key"), row.shown("sub_link"));
            links.extend(self.or_report(link, what).await?);
        }
        Ok(links)
    }
}
