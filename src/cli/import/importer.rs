//! Imports the lines of a Fieldbook export.

use std::io::BufRead;

use super::taken::Taken;
use super::texts::{MAX_TEXT, Text, Texts};
use crate::assistant::Assistant;
use crate::cli::audit;
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::AuditPosition;
use crate::domain::schema::Schema;
use crate::store::jsonl::{AuditLine, Counts, End, FORMAT_VERSION, Header, Line};
use crate::store::{Store, StoreError};

/// The message that tells an operator, after an import or a restore, what happened to sessions.
pub const SESSIONS_ENDED: &str = "all sessions and sign-in links were ended; people have the state of the file, so disable again anyone whom you have disabled since the file was written";

/// The message of an import of a file without passwords.
pub const NO_PASSWORDS: &str =
    "no passwords were imported: export with --with-passwords, or make links with fieldbook person link";

const CUT_OFF: &str = "the file ends before its last line: it was cut off";

/// Number of entries of the audit log that are imported at once.
pub(super) const AUDIT_BATCH: usize = 1000;

#[derive(Clone, Copy)]
pub struct Target<'t> {
    /// The store; `None` in a dry run that could not open a store. Such a dry run treats everything in the file as new.
    pub store: Option<&'t Store>,
    pub schema: &'t Schema,
    pub assistant: &'t Assistant,
    pub dry_run: bool,
}

/// Why a line was not imported.
pub(super) enum ImportError {
    /// Only this line is omitted. The text is printed after the line number.
    Rejected(String),
    /// The store failed, and would fail for the next lines, too.
    Store(StoreError),
    /// The report cannot be written.
    Output(String),
}

/// Reads the first line of an export.
///
/// # Errors
/// A sentence if the file cannot be read, or is not an export in the format version that this program reads.
pub fn read_head<R: BufRead>(texts: &mut Texts<R>) -> Result<(), String> {
    let Some(Text { line, bytes }) = next_text(texts)? else { return Err(CUT_OFF.to_owned()) };
    match bytes.map(|bytes| Line::read(&bytes)) {
        Some(Ok(Line::Fieldbook(header))) => check_version(line, header),
        _ => Err(format!(
            "line {line} is not the first line of an export; use fieldbook-from-mongo to convert mongoexport files"
        )),
    }
}

fn next_text<R: BufRead>(texts: &mut Texts<R>) -> Result<Option<Text>, String> {
    texts.next_text().map_err(|e| format!("the file cannot be read: {e}"))
}

fn check_version(line: u64, Header { format_version }: Header) -> Result<(), String> {
    if format_version == FORMAT_VERSION {
        return Ok(());
    }
    Err(format!(
        "line {line} begins an export in format version {format_version}, but this program reads version {FORMAT_VERSION}; use the program that wrote it"
    ))
}

pub(super) fn rejected<T>(reason: impl Into<String>) -> Result<T, ImportError> {
    Err(ImportError::Rejected(reason.into()))
}

impl From<String> for ImportError {
    fn from(reason: String) -> Self {
        Self::Rejected(reason)
    }
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

pub struct Importer<'t> {
    pub(super) target: Target<'t>,
    pub(super) imported: Counts,
    pub(super) existing: u64,
    pub(super) rejected: u64,
    /// The investigation whose version records are still being read from the next lines, with its line number.
    pending: Option<(u64, Line)>,
    /// The investigation to which pictures on the next lines belong, and whether it is in the trash; `None` if it was
    /// rejected.
    pub(super) owner: Option<(ObjectId, bool)>,
    /// Entries of the audit log that are not imported yet, with the number of their first line.
    pub(super) audit: Vec<(AuditPosition, AuditEntry)>,
    pub(super) audit_line: u64,
    /// Whether this store's audit log is unrelated to the audit log of the file.
    pub(super) has_other_audit: bool,
    /// Set only in a dry run.
    pub(super) taken: Option<Taken>,
}

impl<'t> Importer<'t> {
    pub fn new(target: Target<'t>) -> Self {
        Self {
            target,
            imported: Counts::default(),
            existing: 0,
            rejected: 0,
            pending: None,
            owner: None,
            audit: Vec::new(),
            audit_line: 0,
            has_other_audit: false,
            taken: target.dry_run.then(Taken::default),
        }
    }

    /// Imports all lines after the first. Returns how many lines were rejected.
    pub async fn import_all<R: BufRead>(mut self, texts: &mut Texts<R>) -> Result<u64, String> {
        let outcome = match self.import_lines(texts).await {
            // A failed import adds no entry about itself to the audit log. Such an entry could take the number of an
            // entry in the file, and a repeated import would then have to renumber it.
            Err(reason) => Err(reason),
            Ok(()) => self.note().await,
        };
        let ended = self.end_sessions().await;
        let Self { target, imported, existing, rejected, .. } = self;
        let verb = if target.dry_run { "would import" } else { "imported" };
        let shown = say!("{verb} {imported}; {existing} existed already, {rejected} were not imported");
        outcome.and(ended).and(shown).map(|()| rejected)
    }

    fn has_new(&self) -> bool {
        let Counts { investigations, trashed, pictures, people, passwords, api_keys, audit_entries: _ } = self.imported;
        investigations + trashed + pictures + people + passwords + api_keys > 0
    }

    /// Ends all sessions if something was imported, because the rights of the people may have changed.
    async fn end_sessions(&self) -> Result<(), String> {
        let Some(store) = self.writable_store().filter(|_| self.has_new()) else { return Ok(()) };
        store.end_all_sessions().await.map_err(|error| format!("sessions were not ended: {error}"))?;
        if self.imported.people > 0 {
            note!("fieldbook: {SESSIONS_ENDED}");
            if self.imported.passwords == 0 {
                note!("fieldbook: {NO_PASSWORDS}");
            }
        }
        Ok(())
    }

    /// Adds an entry about the import to the audit log.
    async fn note(&self) -> Result<(), String> {
        let Counts { investigations, trashed, pictures: _, people, passwords: _, api_keys, audit_entries: _ } =
            self.imported;
        let Some(store) = self.writable_store().filter(|_| self.has_new()) else { return Ok(()) };
        audit::note(store, AuditAction::Imported { investigations, trashed, people, api_keys }).await
    }

    async fn import_lines<R: BufRead>(&mut self, texts: &mut Texts<R>) -> Result<(), String> {
        // The first line was read before.
        let mut lines = 1_u64;
        let mut has_end = false;
        while let Some(Text { line, bytes }) = next_text(texts)? {
            let read = match bytes {
                Some(bytes) => Line::read(&bytes),
                None => Err(format!("has more than {MAX_TEXT} bytes")),
            };
            self.import_waiting(read.as_ref().ok()).await?;
            let imported = match read {
                Ok(_) if has_end => rejected("comes after the last line of an export"),
                Ok(Line::Fieldbook(header)) => {
                    check_version(line, header)?;
                    Ok(())
                }
                Ok(Line::End(End { lines: count })) => {
                    has_end = true;
                    if count == lines {
                        Ok(())
                    } else {
                        rejected(format!(
                            "says that {count} lines come before it, and {lines} did: lines are missing or were added"
                        ))
                    }
                }
                Ok(read) => self.import_line(line, read).await,
                Err(reason) => rejected(reason),
            };
            self.settle(line, imported)?;
            lines += 1;
        }
        self.import_waiting(None).await?;
        if has_end { Ok(()) } else { Err(CUT_OFF.to_owned()) }
    }

    /// Imports what was waiting for further lines. An investigation keeps waiting if `next` contains more of its
    /// versions. Audit entries keep waiting if `next` is another audit entry, until the batch is full. `next` is `None`
    /// if the next line is unreadable or missing.
    async fn import_waiting(&mut self, next: Option<&Line>) -> Result<(), String> {
        if !matches!(next, Some(Line::Records(_)))
            && let Some((line, pending)) = self.pending.take()
        {
            let (imported, owner) = match pending {
                Line::Investigation(entry) => {
                    let owner = (entry.id(), false);
                    (self.import_investigation(line, *entry).await, Some(owner))
                }
                Line::Trash(trash) => {
                    let owner = (trash.investigation.id(), true);
                    (self.import_trash(*trash).await, Some(owner))
                }
                _ => (Ok(()), None),
            };
            self.owner = owner.filter(|_| imported.is_ok());
            self.settle(line, imported)?;
        }
        if !matches!(next, Some(Line::Audit(_))) || self.audit.len() == AUDIT_BATCH {
            let imported = self.import_audit().await;
            self.settle(self.audit_line, imported)?;
        }
        Ok(())
    }

    /// Reports and counts a rejected line. A failure of the store ends the import.
    fn settle(&mut self, line: u64, imported: Result<(), ImportError>) -> Result<(), String> {
        match imported {
            Ok(()) => Ok(()),
            Err(ImportError::Rejected(reason)) => {
                self.rejected += 1;
                say!("line {line} {reason}")
            }
            Err(ImportError::Output(reason)) => Err(reason),
            Err(ImportError::Store(error)) => {
                Err(format!("line {line}: {error}; what was imported before is kept; repeat the import to continue"))
            }
        }
    }

    /// Returns the store, unless this is a dry run.
    pub(super) fn writable_store(&self) -> Option<&'t Store> {
        self.target.store.filter(|_| !self.target.dry_run)
    }

    /// Imports a line, or holds it back until the next lines were read.
    async fn import_line(&mut self, line: u64, read: Line) -> Result<(), ImportError> {
        match read {
            Line::Investigation(_) | Line::Trash(_) => self.pending = Some((line, read)),
            Line::Records(more) => match &mut self.pending {
                Some((_, pending)) => pending.add(more)?,
                None => return rejected("has version records, but the line before belongs to no investigation"),
            },
            Line::Picture(picture) => self.import_picture(picture).await?,
            Line::Person(person) => self.import_person(person.person()?).await?,
            Line::Password(password) => self.import_password(password).await?,
            Line::ApiKey(key) => self.import_api_key(key).await?,
            Line::Audit(AuditLine { number, entry }) => {
                if self.audit.is_empty() {
                    self.audit_line = line;
                }
                self.audit.push((AuditPosition { number }, entry));
            }
            Line::Fieldbook(_) | Line::End(_) => {}
        }
        Ok(())
    }
}
