//! Sessions and sign-in links. They last for 30 days at most, and neither exports nor backups contain them.

use super::person_row;
use super::readable::Table;
use super::sql::{Columns, Row, Rows, Statement, list};
use super::{Stamp, Store, StoreError, audit};
use crate::domain::audit::{AuditAction, AuditActor};
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::domain::person::{Person, PersonStatus};
use crate::domain::session::{IDLE, LINK_VALIDITY, LONGEST, Session, SignedInBy, is_link_valid};
use crate::domain::time::Timestamp;

/// Damaged sessions are reported by person, because the digest would mean nothing to an operator.
pub(super) const TABLE: Table = Table { name: "session", key: &["person"] };

/// The columns of a session, which [`read`] reads. `began_at` is an alias, because the table of people also has a
/// column `created_at`.
const COLUMNS: &str = "s.digest, s.person, s.began_by, s.created_at AS began_at, s.last_used_at";

/// Statements that end all sessions and make all sign-in links invalid.
pub(super) const END_ALL: [&str; 2] = ["DELETE FROM session", "DELETE FROM sign_in_link"];

/// A session, and its person if the directory knows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundSession {
    pub session: Session,
    pub person: Option<Person>,
}

/// Result of a sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// Contains the person as they are now.
    Done(Person),
    /// The link is unknown, was used or replaced, or is too old.
    NotValid,
    /// The person was disabled or erased.
    Disabled,
}

/// A session that a sign-in begins, in place of the session `replaced`.
pub(super) struct NewSession {
    pub digest: String,
    pub replaced: Option<String>,
    pub by: SignedInBy,
    pub at: Timestamp,
}

/// A person who signs in, and the statements that come before and after those that begin their session.
pub(super) struct SignInPlan {
    pub person: Person,
    pub before: Vec<Statement>,
    pub after: Vec<Statement>,
}

impl Store {
    /// Returns the session with this digest, and its person. The session may have expired.
    pub async fn session(&self, digest: String) -> Result<Option<FoundSession>, StoreError> {
        let found = Statement::new(format!(
            "SELECT {COLUMNS}, {} FROM session s LEFT JOIN person p ON p.id = s.person WHERE s.digest = $digest",
            list("p", &person_row::COLUMNS)
        ));
        let found = self.get(found.with("digest", digest)).await?;
        let Some(row) = found.first() else { return Ok(None) };
        let person = row.optional_text("id")?.map(|_| person_row::read(row)).transpose()?;
        Ok(Some(FoundSession { session: read(row)?, person }))
    }

    /// Returns the person whom a sign-in link signs in; `None` if the link is not valid.
    pub async fn person_of_link(&self, digest: String, now: Timestamp) -> Result<Option<Person>, StoreError> {
        let found = self.get(person_by_link("").with("digest", digest)).await?;
        found.first().map(|row| valid_person(row, now)).transpose().map(Option::flatten)
    }

    /// Uses up a sign-in link, and begins a session. Ends the session `replaced`.
    pub async fn sign_in_by_link(
        &self,
        link: String,
        session: String,
        replaced: Option<String>,
        now: Timestamp,
    ) -> Result<SignIn, StoreError> {
        let reads = vec![person_by_link(&self.dialect().lock("p")).with("digest", &link)];
        let enter = move |found: &[Rows]| {
            let person = found[0].first().map(|row| valid_person(row, now)).transpose()?.flatten();
            let used = Statement::new("DELETE FROM sign_in_link WHERE digest = $digest").with("digest", &link);
            Ok(person.map(|person| SignInPlan { person, before: vec![used.expect(1)], after: Vec::new() }))
        };
        let session = NewSession { digest: session, replaced, by: SignedInBy::Link, at: now };
        self.begin_session("sign_in_by_link", session, reads, enter).await
    }

    /// Begins a session for the person whom `enter` finds in the rows of `reads`; `None` if the credentials are not
    /// valid.
    pub(super) async fn begin_session(
        &self,
        name: &'static str,
        session: NewSession,
        mut reads: Vec<Statement>,
        enter: impl Fn(&[Rows]) -> Result<Option<SignInPlan>, StoreError> + Send + Sync + 'static,
    ) -> Result<SignIn, StoreError> {
        let NewSession { digest, replaced, by, at } = session;
        reads.push(known(replaced.as_deref()));
        let ended = self.delete_ended(at);
        let decide = move |found: &[Rows]| {
            let Some(SignInPlan { person, before, after }) = enter(found)? else {
                return Ok((Vec::new(), SignIn::NotValid));
            };
            if person.status.is_refused() {
                return Ok((Vec::new(), SignIn::Disabled));
            }
            let status = if person.status == PersonStatus::Invited { PersonStatus::Active } else { person.status };
            let person = Person { status, last_sign_in_at: Some(at), ..person };
            let actor = AuditActor { user: Some(person.id), key: None };
            let action = AuditAction::PersonSignedIn { person_id: person.id, by: by.name().to_owned() };
            let digest = digest.clone();
            let session = Session { digest, person: person.id, by, created_at: at, last_used_at: at };
            let mut statements = before;
            statements.push(person_row::update(&person));
            // Browsers also send cookies of sessions that ended long ago. Such a cookie ends no session, so the counter
            // of changes does not increase.
            let is_known = found.last().is_some_and(|known| !known.is_empty());
            let replaced = replaced.as_deref().filter(|_| is_known);
            statements.extend(replaced.map(end));
            statements.push(Statement::insert("session", columns(&session)));
            statements.push(audit::record(&Stamp { actor, at }.entry(action))?);
            statements.extend(ended.clone());
            statements.extend(after);
            statements.extend(replaced.map(|_| person_row::count_change()));
            Ok((statements, SignIn::Done(person)))
        };
        self.write(name, reads, decide).await
    }

    /// Creates a sign-in link for a person, which replaces an older one. Returns the person; `None` if the directory
    /// does not know them. Creates no link for a person who was disabled or erased.
    pub async fn make_sign_in_link(
        &self,
        id: ObjectId,
        digest: String,
        stamp: Stamp,
    ) -> Result<Option<Person>, StoreError> {
        let person = person_row::locked(self.dialect()).with("id", id);
        let link = put_link(id, &digest, stamp.at);
        let entry = stamp.entry(AuditAction::PersonLinkMade { person_id: id });
        let statements = vec![link, audit::record(&entry)?];
        let decide = move |found: &[Rows]| {
            let person = found[0].first().map(person_row::read).transpose()?;
            let may_sign_in = person.as_ref().is_some_and(|person| !person.status.is_refused());
            Ok((if may_sign_in { statements.clone() } else { Vec::new() }, person))
        };
        self.write("make_sign_in_link", vec![person], decide).await
    }

    /// Stores the time of a session's use, unless a later time is stored.
    pub async fn note_session_use(&self, digest: String, at: Timestamp) -> Result<(), StoreError> {
        let note =
            Statement::new("UPDATE session SET last_used_at = $at WHERE digest = $digest AND last_used_at < $at");
        let note = note.with("at", at).with("digest", digest);
        self.write_repeatable("note_session_use", vec![note]).await
    }

    /// Ends a session. Returns whether there was one.
    pub async fn end_session(&self, digest: String) -> Result<bool, StoreError> {
        // Reads first, so that forged cookies do not delay other writes.
        if self.get(known(Some(&digest))).await?.is_empty() {
            return Ok(false);
        }
        let reads = vec![known(Some(&digest))];
        let decide = move |found: &[Rows]| {
            let is_known = !found[0].is_empty();
            let ends = if is_known { vec![end(&digest), person_row::count_change()] } else { Vec::new() };
            Ok((ends, is_known))
        };
        self.write("end_session", reads, decide).await
    }

    /// Ends all sessions, and makes all sign-in links invalid.
    pub async fn end_all_sessions(&self) -> Result<(), StoreError> {
        let mut all: Vec<Statement> = END_ALL.map(Statement::new).into();
        all.push(person_row::count_change());
        self.write_if("end_all_sessions", all).await.map(drop)
    }

    /// Returns the statements that delete some expired sessions and some expired sign-in links.
    pub(super) fn delete_ended(&self, now: Timestamp) -> [Statement; 2] {
        let is_over = "(e.last_used_at <= $idle OR e.created_at <= $begun)";
        let sessions = self.dialect().delete_first("session", &["digest"], is_over, "e.last_used_at");
        let sessions = Statement::new(sessions).with("idle", now.earlier_by(IDLE));
        let is_old = "e.created_at <= $made";
        let links = self.dialect().delete_first("sign_in_link", &["person"], is_old, "e.created_at");
        [
            sessions.with("begun", now.earlier_by(LONGEST)),
            Statement::new(links).with("made", now.earlier_by(LINK_VALIDITY)),
        ]
    }
}

/// Returns the statement that reads whether there is a session with this digest.
fn known(digest: Option<&str>) -> Statement {
    let digest = digest.map(str::to_owned);
    Statement::new("SELECT s.digest FROM session s WHERE s.digest = $digest").with("digest", digest)
}

fn end(digest: &str) -> Statement {
    Statement::new("DELETE FROM session WHERE digest = $digest").with("digest", digest)
}

/// Returns the statement that stores the digest of the sign-in link of a person.
pub(super) fn put_link(person: ObjectId, digest: &str, at: Timestamp) -> Statement {
    let columns = vec![("person", person.into()), ("digest", digest.into()), ("created_at", at.into())];
    Statement::insert("sign_in_link", columns)
        .then("ON CONFLICT (person) DO UPDATE SET digest = excluded.digest, created_at = excluded.created_at")
}

/// Returns the statement that makes the sign-in link of a person invalid.
pub(super) fn end_links_of(person: ObjectId) -> Statement {
    Statement::new("DELETE FROM sign_in_link WHERE person = $person").with("person", person)
}

/// Returns the statement that ends the sessions of a person.
pub(super) fn end_sessions_of(person: ObjectId) -> Statement {
    Statement::new("DELETE FROM session WHERE person = $person").with("person", person)
}

fn person_by_link(lock: &str) -> Statement {
    Statement::new(format!(
        "SELECT {}, l.created_at AS made_at FROM person p JOIN sign_in_link l ON l.person = p.id
         WHERE l.digest = $digest {lock}",
        list("p", &person_row::COLUMNS)
    ))
}

/// Returns the person of a row of [`person_by_link`]; `None` if the link is too old.
fn valid_person(row: &Row, now: Timestamp) -> Result<Option<Person>, StoreError> {
    let person = person_row::read(row)?;
    Ok(is_link_valid(row.time("made_at")?, now).then_some(person))
}

/// Returns the query for some sessions after the digest `$digest`. The function [`read`] reads its rows.
pub(super) fn after() -> String {
    format!("SELECT {COLUMNS} FROM session s WHERE s.digest > CAST($digest AS TEXT) ORDER BY s.digest LIMIT $limit")
}

pub(super) fn read(row: &Row) -> Result<Session, StoreError> {
    Ok(Session {
        digest: row.text("digest")?.to_owned(),
        person: row.parsed("person")?,
        by: row.parsed("began_by")?,
        created_at: row.time("began_at")?,
        last_used_at: row.time("last_used_at")?,
    })
}

fn columns(session: &Session) -> Columns {
    let Session { digest, person, by, created_at, last_used_at } = session;
    vec![
        ("digest", digest.into()),
        ("person", (*person).into()),
        ("began_by", by.name().into()),
        ("created_at", (*created_at).into()),
        ("last_used_at", (*last_used_at).into()),
    ]
}
