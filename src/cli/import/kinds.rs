//! How each kind of line is imported.

use std::collections::HashMap;

use super::importer::{AUDIT_BATCH, ImportError, Importer, Target, rejected};
use crate::domain::api_key::{ApiKey, name_fault};
use crate::domain::audit::AuditEntry;
use crate::domain::finding::Findings;
use crate::domain::page::{AuditPosition, PageRequest};
use crate::domain::password::is_hash;
use crate::domain::person::Person;
use crate::domain::picture::MAX_PICTURES;
use crate::domain::schema::Violation;
use crate::store::jsonl::{Entry, PasswordLine, PictureLine, TrashLine, equal};
use crate::store::{PersonAdded, PictureAdded, StoreError};

impl Importer<'_> {
    pub(super) async fn import_investigation(&mut self, line: u64, entry: Entry) -> Result<(), ImportError> {
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
                StoreError::Failed(reason) => ImportError::Rejected(format!("cannot be imported: {reason}")),
                error => ImportError::Store(error),
            })?;
            if !added {
                return rejected(format!("cannot be imported: the investigation {id} was created during the import"));
            }
        }
        if let Some((Violation { path, message, .. }, others)) = violations.split_first() {
            let more = if others.is_empty() { String::new() } else { format!(", and {} more", others.len()) };
            say!(
                "line {line}: the investigation {id} is imported unchanged, and violates the content schema: {path} {message}{more}"
            )
            .map_err(ImportError::Output)?;
        }
        self.imported.investigations += 1;
        Ok(())
    }

    pub(super) async fn import_trash(&mut self, trash: TrashLine) -> Result<(), ImportError> {
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
            return rejected(format!("cannot be imported: the investigation {id} was deleted during the import"));
        }
        self.imported.trashed += 1;
        Ok(())
    }

    pub(super) async fn import_picture(&mut self, picture: PictureLine) -> Result<(), ImportError> {
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
                return refused("belongs to an investigation that was deleted during the import");
            }
            Some(PictureAdded::Full) => {
                return refused(&format!("exceeds the limit: an investigation holds at most {MAX_PICTURES} pictures"));
            }
        }
        Ok(())
    }

    pub(super) async fn import_person(&mut self, person: Person) -> Result<(), ImportError> {
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
                    return rejected(format!("cannot be imported: the person {id} was added during the import"));
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

    pub(super) async fn import_password(
        &mut self,
        PasswordLine { person, hash }: PasswordLine,
    ) -> Result<(), ImportError> {
        if !is_hash(&hash) {
            return rejected(format!(
                "cannot be imported: the password hash of the person {person} has unsupported parameters"
            ));
        }
        if let Some(store) = self.target.store
            && let Some(here) = store.password_of(person).await?
        {
            return self.existing_or_other(here == hash, &format!("the password of the person {person}"));
        }
        if let Some(store) = self.writable_store()
            && !store.put_password(person, hash).await?
        {
            return rejected(format!(
                "cannot be imported: the person {person} is unknown here, was erased, or signs in with the provider"
            ));
        }
        self.imported.passwords += 1;
        Ok(())
    }

    pub(super) async fn import_api_key(&mut self, key: ApiKey) -> Result<(), ImportError> {
        let id = key.id;
        if name_fault(&key.name).is_some() {
            return rejected(format!("cannot be imported: the API key {id} has no valid name"));
        }
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
            return rejected(format!("cannot be imported: the API key {id} was added during the import"));
        }
        self.imported.api_keys += 1;
        Ok(())
    }

    /// Counts something that exists here. Rejects it if it differs.
    fn existing_or_other(&mut self, is_equal: bool, what: &str) -> Result<(), ImportError> {
        if !is_equal {
            return rejected(format!("is not imported: {what} already exists here and differs"));
        }
        self.existing += 1;
        Ok(())
    }

    /// Imports the entries of the audit log in `audit`. Entries about operator commands in this store, such as an
    /// earlier import, are renumbered if they are in the way. If any other entry of this store has the number of an
    /// imported entry, the two logs are unrelated, and no more entries are imported: two logs cannot be merged.
    pub(super) async fn import_audit(&mut self) -> Result<(), ImportError> {
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
                .map_err(ImportError::Output)?;
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
