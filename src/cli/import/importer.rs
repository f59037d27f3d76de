//! Imports the lines of a Fieldbook export.

use std::collections::HashMap;
use std::io::BufRead;

use super::texts::{Text, Texts};
use super::{MAX_TEXT, NO_PASSWORDS, SESSIONS_ENDED};
use crate::assistant::Assistant;
use crate::cli::audit;
use crate::domain::api_key::ApiKey;
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::finding::Findings;
use crate::domain::id::ObjectId;
use crate::domain::page::{AuditPosition, PageRequest};
use crate::domain::password::is_digest;
use crate::domain::person::Person;
use crate::domain::schema::{Schema, Violation};
use crate::store::jsonl::{
    ApiKeyLine, AuditLine, Counts, End, Entry, FORMAT_VERSION, Header, Line, PasswordLine, PictureLine, TrashLine,
    equal,
};
use crate::store::{PersonAdded, PictureAdded, Store, StoreError};

/// Number of entries of the audit log that are imported at once.
const AUDIT_BATCH: usize = 1000;

#[derive(Clone, Copy)]
pub struct Target<'t> {
    /// The store; `None` in a dry run that could not open a store. Such a dry run treats everything in the file as new.
    pub store: Option<&'t Store>,
    pub schema: &'t Schema,
    pub assistant: &'t Assistant,
    pub dry_run: bool,
}

/// Why a line was not imported.
enum Fault {
    /// Only this line is left out. The text follows the line number.
    Rejected(String),
    /// The store failed, and would fail for the next lines, too.
    Store(StoreError),
    /// The report cannot be written.
    Output(String),
}

fn rejected<T>(reason: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Rejected(reason.into()))
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Rejected(reason)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

pub struct Importer<'t> {
    target: Target<'t>,
    imported: Counts,
    existing: u64,
    rejected: u64,
    /// The investigation whose version records are still being read from the next lines, with its line number.
    pending: Option<(u64, Line)>,
    /// The investigation to which pictures on the next lines belong, and whether it is in the trash; `None` if it was
    /// rejected.
    owner: Option<(ObjectId, bool)>,
    /// Entries of the audit log that are not imported yet, with the number of their first line.
    audit: Vec<(AuditPosition, AuditEntry)>,
    audit_line: u64,
    /// Whether the audit log here is another one.
    has_other_audit: bool,
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
        }
    }

    /// Imports all lines. Returns how many lines were rejected.
    pub async fn import_all<R: BufRead>(mut self, texts: &mut Texts<R>) -> Result<u64, String> {
        let outcome = match self.import_lines(texts).await {
            // The audit log of a file that was read in part may still come, with the next import of the file.
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

    /// Ends all sessions if something was imported: the rights of their people may be others now.
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
        let mut lines = 0_u64;
        let mut has_end = false;
        while let Some(Text { line, bytes }) = texts.next_text().map_err(|e| format!("cannot be read: {e}"))? {
            let read = match bytes {
                Some(bytes) => Line::read(&bytes),
                None => Err(format!("has more than {MAX_TEXT} bytes")),
            };
            self.import_waiting(read.as_ref().ok()).await?;
            let imported = match read {
                Ok(_) if has_end => rejected("comes after the last line of an export"),
                Ok(Line::Fieldbook(Header { format_version: FORMAT_VERSION })) => Ok(()),
                Ok(Line::Fieldbook(Header { format_version })) => {
                    return Err(format!(
                        "line {line} begins an export in format version {format_version}, but this program reads version {FORMAT_VERSION}; use the program that wrote it"
                    ));
                }
                _ if lines == 0 => {
                    return Err(format!(
                        "line {line} is not the first line of an export; fieldbook-from-mongo makes one of files of mongoexport"
                    ));
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
        if has_end { Ok(()) } else { Err("the file ends before its last line: it was cut off".to_owned()) }
    }

    /// Imports what waited for more lines of its kind, if the next line is of another kind, unreadable or missing.
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
    fn settle(&mut self, line: u64, imported: Result<(), Fault>) -> Result<(), String> {
        match imported {
            Ok(()) => Ok(()),
            Err(Fault::Rejected(reason)) => {
                self.rejected += 1;
                say!("line {line} {reason}")
            }
            Err(Fault::Output(reason)) => Err(reason),
            Err(Fault::Store(error)) => {
                Err(format!("line {line}: {error}; what was imported before is kept; repeat the import to continue"))
            }
        }
    }

    /// Returns the store, unless this is a dry run.
    fn writable_store(&self) -> Option<&'t Store> {
        self.target.store.filter(|_| !self.target.dry_run)
    }

    /// Imports a line, or keeps it until the next lines are read.
    async fn import_line(&mut self, line: u64, read: Line) -> Result<(), Fault> {
        match read {
            Line::Investigation(_) | Line::Trash(_) => self.pending = Some((line, read)),
            Line::Records(more) => match &mut self.pending {
                Some((_, pending)) => pending.add(more)?,
                None => return rejected("has records without the investigation before"),
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

    async fn import_investigation(&mut self, line: u64, entry: Entry) -> Result<(), Fault> {
        let Target { store, schema, assistant, .. } = self.target;
        // The language model will read the content after the next change.
        let detect = |content: &_| Findings { pending: false, ..assistant.detect(content) };
        let entry = entry.with_findings(detect, schema);
        let id = entry.id();
        if let Some(store) = store
            && let Some(here) = store.exported(id).await?
        {
            return self.existing_or_other(equal(&here, &entry)?, &format!("the investigation {id}"));
        }
        let whole = entry.whole()?;
        if let Some(store) = store {
            for visited in &whole.links {
                let link = visited.link.clone();
                if let Some(other) = store.link(link.key, link.sub_link).await? {
                    let (address, owner) = (other.address(), other.investigation_id);
                    return rejected(format!(
                        "cannot be imported: the link {address} leads to the investigation {owner} here"
                    ));
                }
            }
        }
        let violations = schema.violations(&whole.row.investigation.content);
        if let Some(store) = self.writable_store() {
            let added = store.add_snapshot(whole).await.map_err(|error| match error {
                StoreError::Failed(reason) => Fault::Rejected(format!("cannot be imported: {reason}")),
                error => Fault::Store(error),
            })?;
            if !added {
                return rejected(format!("cannot be imported: the investigation {id} was created here meanwhile"));
            }
        }
        if let Some((Violation { path, message, .. }, others)) = violations.split_first() {
            let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
            say!(
                "line {line}: the investigation {id} is imported unchanged, and violates the content schema: {path} {message}{more}"
            )
            .map_err(Fault::Output)?;
        }
        self.imported.investigations += 1;
        Ok(())
    }

    async fn import_trash(&mut self, trash: TrashLine) -> Result<(), Fault> {
        let id = trash.investigation.id();
        if let Some(store) = self.target.store {
            if let Some(here) = store.exported_from_trash(id).await? {
                return self.existing_or_other(equal(&here, &trash)?, &format!("the investigation {id} in the trash"));
            }
            if store.load(id).await?.is_some() {
                return rejected(format!("is not imported: the investigation {id} is not in the trash here"));
            }
        }
        let trashed = trash.trashed()?;
        if let Some(store) = self.writable_store()
            && !store.put_trashed(trashed).await?
        {
            return rejected(format!("cannot be imported: the investigation {id} was deleted here meanwhile"));
        }
        self.imported.trashed += 1;
        Ok(())
    }

    async fn import_picture(&mut self, picture: PictureLine) -> Result<(), Fault> {
        let PictureLine { of, ref id, .. } = picture;
        let refused = |fault: &str| rejected(format!("cannot be imported: the picture {id} {fault}"));
        let Some((_, of_trash)) = self.owner.filter(|(owner, _)| *owner == of) else {
            return refused(&format!(
                "belongs to the investigation {of}, which does not come before it, or was not imported"
            ));
        };
        let exported = picture.clone().picture()?;
        let added = match self.writable_store() {
            Some(store) => store.put_picture(of_trash, of, exported).await?,
            None => Some(PictureAdded::Done),
        };
        match added {
            Some(PictureAdded::Done) => self.imported.pictures += 1,
            None => self.existing += 1,
            Some(PictureAdded::NoInvestigation) => {
                return refused("belongs to an investigation that was deleted here meanwhile");
            }
            Some(PictureAdded::Full) => return refused("is one too many: an investigation holds at most 200"),
        }
        Ok(())
    }

    async fn import_person(&mut self, person: Person) -> Result<(), Fault> {
        let id = person.id;
        if let Some(store) = self.target.store
            && let Some(here) = store.people(&[id]).await?.pop()
        {
            // A person who has signed in since is still the same person.
            let Person { last_sign_in_at, provider_role, .. } = person;
            let is_equal = Person { last_sign_in_at, provider_role, ..here } == person;
            return self.existing_or_other(is_equal, &format!("the person {id}"));
        }
        if let Some(store) = self.writable_store() {
            match store.add_person(person).await? {
                PersonAdded::Added => {}
                PersonAdded::IdTaken => {
                    return rejected(format!("cannot be imported: the person {id} was added here meanwhile"));
                }
                PersonAdded::EmailTaken => {
                    return rejected(format!(
                        "cannot be imported: another person here has the e-mail address of the person {id}"
                    ));
                }
            }
        }
        self.imported.people += 1;
        Ok(())
    }

    async fn import_password(&mut self, PasswordLine { person, digest }: PasswordLine) -> Result<(), Fault> {
        if !is_digest(&digest) {
            return rejected(format!(
                "cannot be imported: the password of the person {person} has a digest that this service does not make"
            ));
        }
        if let Some(store) = self.target.store
            && let Some(here) = store.password_of(person).await?
        {
            return self.existing_or_other(here == digest, &format!("the password of the person {person}"));
        }
        if let Some(store) = self.writable_store()
            && !store.put_password(person, digest).await?
        {
            return rejected(format!(
                "cannot be imported: the person {person} is unknown here, was erased, or signs in with the provider"
            ));
        }
        self.imported.passwords += 1;
        Ok(())
    }

    async fn import_api_key(&mut self, key: ApiKeyLine) -> Result<(), Fault> {
        let key = key.key()?;
        let id = key.id;
        if let Some(store) = self.target.store
            && let Some(here) = store.api_keys().await?.into_iter().find(|here| here.id == id)
        {
            // A key that has been used since is still the same key.
            let is_equal = ApiKey { last_used_at: key.last_used_at, ..here } == key;
            return self.existing_or_other(is_equal, &format!("the API key {id}"));
        }
        if let Some(store) = self.writable_store()
            && !store.put_api_key(key).await?
        {
            return rejected(format!("cannot be imported: the API key {id} was added here meanwhile"));
        }
        self.imported.api_keys += 1;
        Ok(())
    }

    /// Counts something that exists here. Rejects it if it differs.
    fn existing_or_other(&mut self, is_equal: bool, what: &str) -> Result<(), Fault> {
        if !is_equal {
            return rejected(format!("is not imported: {what} already exists here and differs"));
        }
        self.existing += 1;
        Ok(())
    }

    /// Imports the entries of the audit log in `audit`. What operators did here, such as an earlier import, makes room for
    /// them. If another entry here has the number of one of them, the log here is another one, and no more entries are
    /// imported: two logs cannot be merged.
    async fn import_audit(&mut self) -> Result<(), Fault> {
        let (line, mut entries) = (self.audit_line, std::mem::take(&mut self.audit));
        let all = entries.len() as u64;
        let mut displaced = Vec::new();
        if !self.has_other_audit {
            let mut known = self.audit_here(&entries).await?;
            for (at, entry) in &entries {
                let differs = |here: &AuditEntry| here != entry && here.action.is_command();
                if known.get(&at.number).is_some_and(differs) {
                    displaced.extend(known.remove(&at.number).map(|here| (*at, here)));
                }
            }
            let other = entries.iter().find(|(at, entry)| known.get(&at.number).is_some_and(|here| here != entry));
            if let Some((at, _)) = other {
                self.has_other_audit = true;
                say!(
                    "line {line} and the entries of the audit log after it are not imported: another entry {} exists here; two logs cannot be merged",
                    at.number
                )
                .map_err(Fault::Output)?;
            }
            entries.retain(|(at, _)| !known.contains_key(&at.number));
        }
        if self.has_other_audit {
            self.rejected += all;
            return Ok(());
        }
        let new = entries.len() as u64;
        if let Some(store) = self.writable_store().filter(|_| new > 0) {
            store.put_audit(entries, displaced).await?;
        }
        self.imported.audit_entries += new;
        self.existing += all - new;
        Ok(())
    }

    /// Returns the entries of the audit log here, by number, in the range of the numbers of `entries`.
    async fn audit_here(
        &self,
        entries: &[(AuditPosition, AuditEntry)],
    ) -> Result<HashMap<i64, AuditEntry>, StoreError> {
        let mut known = HashMap::new();
        let numbers = entries.iter().map(|(at, _)| at.number);
        let (Some(store), Some(first), Some(last)) = (self.target.store, numbers.clone().min(), numbers.max()) else {
            return Ok(known);
        };
        let after = Some(AuditPosition { number: last.saturating_add(1) });
        let mut wanted = PageRequest { after, ..PageRequest::first(AUDIT_BATCH as u32) };
        loop {
            let page = store.audit(None, wanted).await?;
            wanted.after = page.entries.last().map(|(at, _)| *at);
            known.extend(page.entries.into_iter().map(|(at, entry)| (at.number, entry)));
            if !page.has_more || wanted.after.is_none_or(|at| at.number <= first) {
                return Ok(known);
            }
        }
    }
}
