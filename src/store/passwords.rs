//! Passwords of people. Only a password hash (Argon2id) is stored.

use super::jsonl::PasswordLine;
use super::person_row;
use super::sessions::{self, NewSession, SignIn, SignInPlan};
use super::sql::{Row, Rows, Statement, list};
use super::{Stamp, Store, StoreError, audit};
use crate::domain::audit::AuditAction;
use crate::domain::id::ObjectId;
use crate::domain::person::{Person, PersonStatus};
use crate::domain::session::SignedInBy;
use crate::domain::time::Timestamp;

/// A person, with their password hash if they have one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithPassword {
    pub person: Person,
    pub hash: Option<String>,
}

/// A new password, and how its owner authenticated.
#[derive(Debug, Clone)]
pub struct NewPassword {
    pub hash: String,
    /// The hash of the old password that was verified; `None` if the owner may choose a new password without the old
    /// one.
    pub checked: Option<String>,
    /// The digest of the session in which the password was chosen. All other sessions of the person end.
    pub session: String,
}

impl Store {
    /// Returns the person with this e-mail address in lower case.
    pub async fn person_with_email(&self, email_key: &str) -> Result<Option<WithPassword>, StoreError> {
        let found = self.get(with_password("p.email_key = $email").with("email", email_key)).await?;
        let Some(row) = found.first() else { return Ok(None) };
        let hash = row.optional_text("password")?.map(str::to_owned);
        Ok(Some(WithPassword { person: person_row::read(row)?, hash }))
    }

    /// Returns the password hash of a person; `None` if they have none.
    pub async fn password_of(&self, id: ObjectId) -> Result<Option<String>, StoreError> {
        hash(&self.get(password(id)).await?)
    }

    /// Stores a password hash that comes from another store. Returns false and stores nothing if the person is unknown,
    /// was erased, signs in with the provider, or already has a password in this store.
    pub async fn put_password(&self, id: ObjectId, hash: String) -> Result<bool, StoreError> {
        let reads = vec![person_row::locked(self.dialect()).with("id", id), password(id)];
        let put = Statement::insert("password", vec![("person", id.into()), ("digest", hash.into())]);
        let decide = move |found: &[Rows]| {
            let person = found[0].first().map(person_row::read).transpose()?;
            let may_have =
                person.is_some_and(|person| person.status != PersonStatus::Erased && person.origin.is_here());
            let is_put = may_have && found[1].is_empty();
            Ok((if is_put { vec![put.clone()] } else { Vec::new() }, is_put))
        };
        self.write("put_password", reads, decide).await
    }

    /// Begins a session of a person whose password was checked. Ends the session `replaced`.
    pub async fn sign_in_by_password(
        &self,
        checked: WithPassword,
        session: String,
        replaced: Option<String>,
        at: Timestamp,
    ) -> Result<SignIn, StoreError> {
        let id = checked.person.id;
        // The password is read after its person is locked, so it is not one that was just replaced.
        let reads = vec![person_row::locked(self.dialect()).with("id", id), password(id)];
        let enter = move |found: &[Rows]| {
            let person = found[0].first().map(person_row::read).transpose()?;
            let is_same = checked.hash.is_some() && hash(&found[1])? == checked.hash;
            let plan = |person| SignInPlan { person, before: Vec::new(), after: Vec::new() };
            Ok(person.filter(|_| is_same).map(plan))
        };
        let session = NewSession { digest: session, replaced, by: SignedInBy::Password, at };
        self.begin_session("sign_in_by_password", session, reads, enter).await
    }

    /// Sets the password of a person. Ends their other sessions, and makes their sign-in links invalid. Returns false
    /// and stores nothing if the session has ended, the password was changed concurrently, or the person was disabled.
    pub async fn set_password(&self, id: ObjectId, new: NewPassword, stamp: Stamp) -> Result<bool, StoreError> {
        let NewPassword { hash: chosen, checked, session } = new;
        let own = Statement::new("SELECT s.digest FROM session s WHERE s.digest = $digest AND s.person = $person");
        let own = own.with("digest", &session).with("person", id);
        let reads = vec![person_row::locked(self.dialect()).with("id", id), password(id), own];
        let fields = vec!["password".to_owned()];
        let action = AuditAction::PersonChanged { person_id: id, fields, from: None, to: None };
        let columns = vec![("person", id.into()), ("digest", chosen.into())];
        let statements = vec![
            Statement::insert("password", columns).then("ON CONFLICT (person) DO UPDATE SET digest = excluded.digest"),
            Statement::new("DELETE FROM session WHERE person = $person AND digest <> $kept")
                .with("person", id)
                .with("kept", session),
            sessions::end_links_of(id),
            person_row::count_change(),
            audit::record(&stamp.entry(action))?,
        ];
        let decide = move |found: &[Rows]| {
            let person = found[0].first().map(person_row::read).transpose()?;
            let may_sign_in = person.is_some_and(|person| !person.status.is_refused()) && !found[2].is_empty();
            let is_same = checked.is_none() || hash(&found[1])? == checked;
            let is_set = may_sign_in && is_same;
            Ok((if is_set { statements.clone() } else { Vec::new() }, is_set))
        };
        self.write("set_password", reads, decide).await
    }
}

/// Returns the statement that deletes the password of a person.
pub(super) fn delete_password_of(person: ObjectId) -> Statement {
    Statement::new("DELETE FROM password WHERE person = $person").with("person", person)
}

/// Returns the query for some passwords after those of the person `$person`. The function [`read`] reads its rows.
pub(super) fn after() -> Statement {
    Statement::new(
        "SELECT w.person, w.digest FROM password w WHERE w.person > CAST($person AS TEXT) ORDER BY w.person LIMIT $limit",
    )
}

pub(super) fn read(row: &Row) -> Result<PasswordLine, StoreError> {
    Ok(PasswordLine { person: row.parsed("person")?, hash: row.text("digest")?.to_owned() })
}

fn password(person: ObjectId) -> Statement {
    Statement::new("SELECT w.digest FROM password w WHERE w.person = $person").with("person", person)
}

fn hash(found: &Rows) -> Result<Option<String>, StoreError> {
    found.first().map(|row| row.text("digest").map(str::to_owned)).transpose()
}

fn with_password(condition: &str) -> Statement {
    Statement::new(format!(
        "SELECT {}, w.digest AS password FROM person p LEFT JOIN password w ON w.person = p.id WHERE {condition}",
        list("p", &person_row::COLUMNS)
    ))
}
