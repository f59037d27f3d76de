//! Imports the lines of a Fieldbook export.

use std::collections::HashMap;
use std::io::BufRead;

use super::texts::{Text, Texts};
use super::{Import, MAX_TEXT, Stopped, stopped};
use crate::domain::api_key::ApiKey;
use crate::domain::audit::AuditEntry;
use crate::domain::finding::Findings;
use crate::domain::page::{AuditPosition, PageRequest};
use crate::domain::time::Timestamp;
use crate::store::jsonl::{ApiKeyLine, AuditLine, Counts, End, Entry, FORMAT_VERSION, Header, Line, TrashLine};
use crate::store::{InvestigationSnapshot, StoreError};

/// Number of entries of the audit log that are imported at once.
const AUDIT_BATCH: usize = 1000;

pub struct LineImport<'i> {
    import: Import<'i>,
    imported: Counts,
    existing: u64,
    rejected: u64,
    /// The investigation whose version records are still being read from the next lines, with its own line number.
    pending: Option<(u64, Box<Entry>)>,
    /// Entries of the audit log that are not imported yet, with the number of their first line.
    audit: Vec<(AuditPosition, AuditEntry)>,
    audit_line: u64,
    /// Whether the audit log here is another one.
    has_other_audit: bool,
}

impl<'i> LineImport<'i> {
    pub fn of(import: Import<'i>) -> Self {
        Self {
            import,
            imported: Counts::default(),
            existing: 0,
            rejected: 0,
            pending: None,
            audit: Vec::new(),
            audit_line: 0,
            has_other_audit: false,
        }
    }

    /// Imports all lines. Returns the reason if the import is incomplete; otherwise `None`.
    pub async fn import_all<R: BufRead>(mut self, texts: &mut Texts<R>) -> Result<Option<String>, String> {
        let outcome = self.import_lines(texts).await;
        let Self { import, imported, existing, rejected, .. } = self;
        let verb = import.verb();
        say!("{verb} {imported}; {existing} existed already, {rejected} were not imported");
        outcome?;
        Ok((rejected > 0).then(|| format!("{rejected} lines were not imported")))
    }

    async fn import_lines<R: BufRead>(&mut self, texts: &mut Texts<R>) -> Result<(), Stopped> {
        let mut lines = 0_u64;
        let mut has_end = false;
        while let Some(Text { line, bytes }) = texts.next_text().map_err(|e| format!("cannot be read: {e}"))? {
            let read = match bytes {
                Some(bytes) => Line::read(&bytes),
                None => Err(format!("has more than {MAX_TEXT} bytes")),
            };
            self.import_waiting(&read).await?;
            let fault = match read {
                Ok(_) if has_end => Some("comes after the last line of an export".to_owned()),
                Ok(Line::Fieldbook(header)) => {
                    check_header(line, header)?;
                    None
                }
                _ if lines == 0 => {
                    return Err(format!(
                        "line {line} is not the first line of an export; fieldbook-from-mongo makes one of files of mongoexport"
                    ));
                }
                Ok(Line::End(End { lines: count })) => {
                    has_end = true;
                    (count != lines).then(|| {
                        format!(
                            "says that {count} lines come before it, and {lines} did: lines are missing or were added"
                        )
                    })
                }
                Ok(read) => self.import_line(line, read).await?,
                Err(fault) => Some(fault),
            };
            self.reject(line, fault);
            lines += 1;
        }
        self.import_investigation().await?;
        self.import_audit().await?;
        if has_end { Ok(()) } else { Err("the file ends before its last line: it was cut off".to_owned()) }
    }

    /// Imports what waited for more lines of its kind, if the line that was read is of another kind.
    async fn import_waiting(&mut self, read: &Result<Line, String>) -> Result<(), Stopped> {
        if !matches!(read, Ok(Line::Records(_))) {
            self.import_investigation().await?;
        }
        if !matches!(read, Ok(Line::Audit(_))) || self.audit.len() == AUDIT_BATCH {
            self.import_audit().await?;
        }
        Ok(())
    }

    /// Imports a line, or keeps it until the next lines are read. Returns the reason if the line was rejected.
    async fn import_line(&mut self, line: u64, read: Line) -> Result<Option<String>, Stopped> {
        match read {
            Line::Investigation(entry) => {
                self.pending = Some((line, entry));
                Ok(None)
            }
            Line::Records(more) => Ok(match &mut self.pending {
                Some((_, entry)) => entry.add(more).err(),
                None => Some("has records without the investigation before".to_owned()),
            }),
            Line::Trash(trash) => self.import_trash(line, *trash).await,
            Line::ApiKey(key) => self.import_api_key(line, key).await,
            Line::Audit(AuditLine { number, entry }) => {
                if self.audit.is_empty() {
                    self.audit_line = line;
                }
                self.audit.push((AuditPosition { number }, entry));
                Ok(None)
            }
            Line::Fieldbook(_) | Line::End(_) => Ok(None),
        }
    }

    fn reject(&mut self, line: u64, fault: Option<String>) {
        if let Some(fault) = fault {
            self.rejected += 1;
            say!("line {line} {fault}");
        }
    }

    async fn import_investigation(&mut self) -> Result<(), Stopped> {
        let Some((line, entry)) = self.pending.take() else { return Ok(()) };
        let fault = self.import_or_compare(line, *entry).await?;
        self.reject(line, fault);
        Ok(())
    }

    /// Imports an investigation, or compares it with an existing one. Returns the reason if the investigation was
    /// rejected.
    async fn import_or_compare(&mut self, line: u64, entry: Entry) -> Result<Option<String>, Stopped> {
        let Import { schema, assistant, .. } = self.import;
        // The language model will read the content after the next change.
        let entry = entry.with_findings(|content| Findings { pending: false, ..assistant.detect(content) }, schema);
        let whole = match entry.whole() {
            Ok(whole) => whole,
            Err(fault) => return Ok(Some(fault)),
        };
        if let Some(here) = self.import.snapshot(line, whole.id()).await? {
            return Ok(self.compare(&here, &whole));
        }
        let fault = self.import.add(line, whole).await?;
        self.imported.investigations += u64::from(fault.is_none());
        Ok(fault)
    }

    fn compare(&mut self, here: &InvestigationSnapshot, whole: &InvestigationSnapshot) -> Option<String> {
        let id = whole.id();
        let differences = here.differences(whole);
        if differences.is_empty() {
            self.existing += 1;
            return None;
        }
        let (here, there) = (here.revision(), whole.revision());
        Some(format!(
            "is not imported: the investigation {id} already exists here (revision {here} here, {there} in the file) and differs: {}; delete it here and import again",
            differences.join(", ")
        ))
    }

    async fn import_trash(&mut self, line: u64, trash: TrashLine) -> Result<Option<String>, Stopped> {
        let failed = |error: StoreError| stopped(line, &error);
        let id = trash.id();
        let trashed = match trash.clone().trashed() {
            Ok(trashed) => trashed,
            Err(fault) => return Ok(Some(fault)),
        };
        if let Some(store) = self.import.store {
            if let Some(here) = store.trashed(id, Timestamp(i64::MIN)).await.map_err(failed)? {
                let is_equal = TrashLine::try_from(&here).map_err(failed)? == trash;
                return Ok(self.existing_or_other(is_equal, &format!("the investigation {id} in the trash")));
            }
            if store.whole(id).await.map_err(failed)?.is_some() {
                return Ok(Some(format!("is not imported: the investigation {id} is not in the trash here")));
            }
            if !self.import.dry_run && !store.put_trashed(trashed).await.map_err(failed)? {
                return Ok(Some(format!("cannot be imported: the investigation {id} was deleted here meanwhile")));
            }
        }
        self.imported.trashed += 1;
        Ok(None)
    }

    async fn import_api_key(&mut self, line: u64, key: ApiKeyLine) -> Result<Option<String>, Stopped> {
        let failed = |error: StoreError| stopped(line, &error);
        let key = match key.key() {
            Ok(key) => key,
            Err(fault) => return Ok(Some(fault)),
        };
        if let Some(store) = self.import.store {
            let id = key.id;
            if let Some(here) = store.api_keys().await.map_err(failed)?.into_iter().find(|here| here.id == id) {
                // A key that has been used since is still the same key.
                let is_equal = ApiKey { last_used_at: key.last_used_at, ..here } == key;
                return Ok(self.existing_or_other(is_equal, &format!("the API key {id}")));
            }
            if !self.import.dry_run && !store.put_api_key(key).await.map_err(failed)? {
                return Ok(Some(format!("cannot be imported: the API key {id} was added here meanwhile")));
            }
        }
        self.imported.api_keys += 1;
        Ok(None)
    }

    /// Counts something that exists here, or returns why it is rejected.
    fn existing_or_other(&mut self, is_equal: bool, what: &str) -> Option<String> {
        self.existing += u64::from(is_equal);
        (!is_equal).then(|| format!("is not imported: {what} already exists here and differs"))
    }

    /// Imports the entries of the audit log in `audit`. If another entry here has the number of one of them, the log
    /// here is another one, and no more entries are imported: two logs cannot be merged.
    async fn import_audit(&mut self) -> Result<(), Stopped> {
        let (line, mut entries) = (self.audit_line, std::mem::take(&mut self.audit));
        let all = entries.len() as u64;
        if all == 0 {
            return Ok(());
        }
        if !self.has_other_audit {
            let known = self.audit_here(line, &entries).await?;
            let other = entries.iter().find(|(at, entry)| known.get(&at.number).is_some_and(|here| here != entry));
            if let Some((at, _)) = other {
                self.has_other_audit = true;
                say!(
                    "line {line} and the entries of the audit log after it are not imported: another entry {} exists here; two logs cannot be merged",
                    at.number
                );
            }
            entries.retain(|(at, _)| !known.contains_key(&at.number));
        }
        if self.has_other_audit {
            self.rejected += all;
            return Ok(());
        }
        let new = entries.len() as u64;
        if let Some(store) = self.import.store.filter(|_| !self.import.dry_run) {
            store.put_audit(entries).await.map_err(|error| stopped(line, &error))?;
        }
        self.imported.audit_entries += new;
        self.existing += all - new;
        Ok(())
    }

    /// Returns the entries of the audit log here, by number, in the range of the numbers of `entries`.
    async fn audit_here(
        &self,
        line: u64,
        entries: &[(AuditPosition, AuditEntry)],
    ) -> Result<HashMap<i64, AuditEntry>, Stopped> {
        let mut known = HashMap::new();
        let numbers = entries.iter().map(|(at, _)| at.number);
        let (Some(store), Some(first), Some(last)) = (self.import.store, numbers.clone().min(), numbers.max()) else {
            return Ok(known);
        };
        let after = Some(AuditPosition { number: last.saturating_add(1) });
        let mut wanted = PageRequest { after, ..PageRequest::first(AUDIT_BATCH as u32) };
        loop {
            let page = store.audit(None, wanted).await.map_err(|error| stopped(line, &error))?;
            wanted.after = page.entries.last().map(|(at, _)| *at);
            known.extend(page.entries.into_iter().map(|(at, entry)| (at.number, entry)));
            if !page.has_more || wanted.after.is_none_or(|at| at.number <= first) {
                return Ok(known);
            }
        }
    }
}

fn check_header(line: u64, header: Header) -> Result<(), Stopped> {
    if header.format_version == FORMAT_VERSION {
        return Ok(());
    }
    Err(format!(
        "line {line} begins an export of the form {}, and this program reads the form {FORMAT_VERSION}; use the program that wrote it",
        header.format_version
    ))
}
