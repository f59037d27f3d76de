//! How each kind of line is imported.

use std::collections::HashMap;

use super::importer::{AUDIT_BATCH, ImportError, Importer, Target, rejected};
use crate::domain::api_key::{ApiKey, name_fault};
use crate::domain::audit::AuditEntry;
use crate::domain::finding::Findings;
use crate::domain::page::{AuditPosition, PageRequest};
use crate::domain::password::is_hash;
use crate::domain::person::{Person, email_key};
use crate::domain::picture::{MAX_PICTURE_BYTES, MAX_PICTURES};
use crate::domain::schema::Violation;
use crate::store::jsonl::{Entry, PasswordLine, PictureLine, TrashLine, digest, equal};
use crate::store::{PersonAdded, PictureAdded, StoreError};

impl Importer<'_> {
    pub(super) async fn import_investigation(&mut self, line: u64, entry: Entry) -> Result<(), ImportError> {
        let Target { store, schema, assistant, .. } = self.target;
        // The language model will read the content after the next change.
        let detect = |content: &_| Findings { pending: false, ..assistant.detect(content) };
        let entry = entry.with_findings(detect, schema);
        let id = entry.id();
        let what = format!("the investigation {id}");
        if let Some(store) = store
            && let Some(here) = store.exported(id).await?
        {
            return self.existing_or_other(equal(&here, &entry)?, &what);
        }
        let digest = if self.taken.is_some() { digest(&entry)? } else { 0 };
        if let Some(earlier) = self.taken.as_ref().and_then(|taken| taken.investigations.get(&id)) {
            return self.existing_or_other(*earlier == digest, &what);
        }
        let whole = entry.whole()?;
        let links: Vec<_> = whole.links.iter().map(|visited| visited.link.clone()).collect();
        for link in &links {
            let here = match store {
                Some(store) => store.link(link.key.clone(), link.sub_link.clone()).await?,
                None => None,
            };
            let address = link.address();
            let earlier = self.taken.as_ref().and_then(|taken| taken.links.get(&address)).copied();
            if let Some(owner) = here.map(|other| other.investigation_id).or(earlier) {
                return rejected(format!(
                    "cannot be imported: the link {address} leads to the investigation {owner} here"
                ));
            }
        }
        let violations = schema.violations(&whole.row.investigation.content);
        if let Some(store) = self.writable_store() {
            let added = store.import_whole(whole).await.map_err(|error| match error {
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
        if let Some(taken) = &mut self.taken {
            taken.investigations.insert(id, digest);
            taken.links.extend(links.iter().map(|link| (link.address(), id)));
        }
        self.imported.investigations += 1;
        Ok(())
    }

    pub(super) async fn import_trash(&mut self, trash: TrashLine) -> Result<(), ImportError> {
        let id = trash.investigation.id();
        let what = format!("the investigation {id} in the trash");
        let mut is_live = self.taken.as_ref().is_some_and(|taken| taken.investigations.contains_key(&id));
        if let Some(store) = self.target.store {
            if let Some(here) = store.exported_from_trash(id).await? {
                return self.existing_or_other(equal(&here, &trash)?, &what);
            }
            is_live |= store.load(id).await?.is_some();
        }
        if is_live {
            return rejected(format!("is not imported: the investigation {id} is not in the trash here"));
        }
        let digest = if self.taken.is_some() { digest(&trash)? } else { 0 };
        if let Some(earlier) = self.taken.as_ref().and_then(|taken| taken.trashed.get(&id)) {
            return self.existing_or_other(*earlier == digest, &what);
        }
        let trashed = trash.trashed()?;
        if let Some(store) = self.writable_store()
            && !store.put_trashed(trashed).await?
        {
            return rejected(format!("cannot be imported: the investigation {id} was deleted during the import"));
        }
        if let Some(taken) = &mut self.taken {
            taken.trashed.insert(id, digest);
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
            None => match self.target.store {
                Some(store) if store.holds_picture(of_trash, of, id).await? => None,
                _ => Some(PictureAdded::Done),
            },
        };
        match added {
            Some(PictureAdded::Done) => self.imported.pictures += 1,
            None => self.existing += 1,
            Some(PictureAdded::NoInvestigation) => {
                return refused("belongs to an investigation that was deleted during the import");
            }
            Some(PictureAdded::Full) => {
                let mebibytes = MAX_PICTURE_BYTES / (1024 * 1024);
                return refused(&format!(
                    "exceeds the limit: an investigation holds at most {MAX_PICTURES} pictures and {mebibytes} MiB of them"
                ));
            }
        }
        Ok(())
    }

    pub(super) async fn import_person(&mut self, person: Person) -> Result<(), ImportError> {
        let id = person.id;
        let earlier = self.taken.as_ref().and_then(|taken| taken.people.get(&id)).cloned();
        let here = match self.target.store {
            Some(store) => store.people(&[id]).await?.pop(),
            None => None,
        };
        if let Some(here) = here.or(earlier) {
            // A person who has signed in since the export counts as the same person, so what a sign-in changes is not
            // compared.
            let Person { last_sign_in_at, provider_role, .. } = person;
            let is_equal = Person { last_sign_in_at, provider_role, ..here } == person;
            return self.existing_or_other(is_equal, &format!("the person {id}"));
        }
        let added = match self.writable_store() {
            Some(store) => store.add_person(person).await?,
            None => self.take_person(person).await?,
        };
        match added {
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
        self.imported.people += 1;
        Ok(())
    }

    /// Adds a person to those that a dry run would have imported. Returns what a real import would return.
    async fn take_person(&mut self, person: Person) -> Result<PersonAdded, StoreError> {
        let email = person.email.as_deref().map(email_key);
        let is_here = match (self.target.store, &email) {
            (Some(store), Some(email)) => store.person_with_email(email).await?.is_some(),
            _ => false,
        };
        let Some(taken) = &mut self.taken else { return Ok(PersonAdded::Added) };
        if is_here || email.is_some_and(|email| !taken.emails.insert(email)) {
            return Ok(PersonAdded::EmailTaken);
        }
        taken.people.insert(person.id, person);
        Ok(PersonAdded::Added)
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
        let earlier = self.taken.as_mut().and_then(|taken| taken.api_keys.insert(id, key.clone()));
        let here = match self.target.store {
            Some(store) => store.api_keys().await?.into_iter().find(|here| here.id == id),
            None => None,
        };
        if let Some(here) = here.or(earlier) {
            // A key that was used since the export counts as the same key, so the time of its last use is not compared.
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

    /// Counts an imported item that this store already has. Rejects its line if the stored item differs.
    fn existing_or_other(&mut self, is_equal: bool, what: &str) -> Result<(), ImportError> {
        if !is_equal {
            return rejected(format!("is not imported: {what} already exists here and differs"));
        }
        self.existing += 1;
        Ok(())
    }

    /// Imports the entries of the audit log in `audit`. Entries about operator commands in this store, such as an
    /// earlier import, are renumbered if an imported entry has their number. If any other entry of this store has the
    /// number of an imported entry, the two logs are unrelated, and no more entries are imported: two logs cannot be
    /// merged.
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

    /// Returns the entries of this store's audit log, by number, in the range of the numbers of `entries`.
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
