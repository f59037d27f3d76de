//! The directory of people.

use super::dialect::Dialect;
use super::person_row::{COLUMNS, columns, read, update};
use super::readable::Table;
use super::sql::{Row, Rows, Statement, list};
use super::{Stamp, Store, StoreError, audit, sessions};
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::page::{Page, PageRequest, PersonPosition};
use crate::domain::permission::Role;
use crate::domain::person::{Person, PersonChange, PersonSearch, PersonStatus, email_key};

const TABLE: Table = Table { name: "person", key: &["id"] };

/// Result of a change of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PersonStored {
    /// The person as it is now.
    Stored(Person),
    /// The directory does not know the person.
    Unknown,
    /// Another person has this e-mail address.
    EmailTaken,
    /// Nobody else would be an active admin.
    LastAdmin,
}

impl Store {
    /// Returns those of these people whom the directory knows.
    pub async fn people(&self, ids: &[ObjectId]) -> Result<Vec<Person>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ObjectId::to_string).collect();
        let is_one = self.dialect().any_of("p.id", "ids");
        let people = format!("SELECT {} FROM person p WHERE {is_one}", list("p", &COLUMNS));
        // Nobody is taken for unknown because their row is damaged: they may be disabled.
        self.get(Statement::new(people).with("ids", ids)).await?.iter().map(read).collect()
    }

    /// Returns up to `limit` people whose names have these beginnings, in the order of their names. With `as_admin`,
    /// also people with this e-mail address and people who were disabled.
    pub async fn search_people(
        &self,
        search: &PersonSearch,
        as_admin: bool,
        limit: u32,
    ) -> Result<Vec<Person>, StoreError> {
        let dialect = self.dialect();
        let places = 0..search.beginnings.len();
        let names: Vec<String> =
            places.clone().map(|place| dialect.contains("p.words", &format!("beginning{place}"))).collect();
        let names = names.join(" AND ");
        let condition = if as_admin {
            format!("({names} OR {})", dialect.contains("p.email_key", "email"))
        } else {
            format!("{names} AND p.status IN ('{}', '{}')", PersonStatus::Invited, PersonStatus::Active)
        };
        let columns = list("p", &COLUMNS);
        let people = Statement::new(format!(
            "SELECT {columns} FROM person p WHERE {condition} ORDER BY p.words, p.id LIMIT $limit"
        ));
        let people = if as_admin { people.with("email", &search.of_email) } else { people };
        let with = |people: Statement, (place, beginning): (usize, &String)| {
            people.with(format!("beginning{place}"), beginning)
        };
        let people = places.zip(&search.beginnings).fold(people.once(), with);
        self.listed(TABLE, people, limit, read).await
    }

    /// Returns a page of all people, in the order of their names.
    pub async fn all_people(
        &self,
        wanted: PageRequest<PersonPosition>,
    ) -> Result<Page<Person, PersonPosition>, StoreError> {
        let (words, id) = wanted.after.map_or_else(Default::default, |after| (after.words, after.id.to_string()));
        let people = Statement::new(format!(
            "SELECT p.words, {} FROM person p WHERE (p.words, p.id) > (CAST($words AS TEXT), CAST($id AS TEXT))
             ORDER BY p.words, p.id LIMIT $limit",
            list("p", &COLUMNS)
        ));
        let person = |row: &Row| {
            let person = read(row)?;
            Ok((PersonPosition { words: row.text("words")?.to_owned(), id: person.id }, person))
        };
        let people = self.listed(TABLE, people.with("words", words).with("id", id), wanted.limit + 1, person).await?;
        Ok(Page::up_to(people, wanted.limit))
    }

    /// Adds a person of another store. The directory must not know the id.
    pub async fn add_person(&self, person: Person) -> Result<PersonStored, StoreError> {
        self.add_person_with(person, Vec::new()).await
    }

    async fn add_person_with(&self, person: Person, also: Vec<Statement>) -> Result<PersonStored, StoreError> {
        let mut add = vec![Statement::insert("person", columns(&person)).then("ON CONFLICT (id) DO NOTHING").expect(1)];
        add.extend(also);
        let same_email = same_email(person.email.as_deref());
        let decide = move |found: &[Rows]| {
            if found[0].is_empty() {
                Ok((add.clone(), PersonStored::Stored(person.clone())))
            } else {
                Ok((Vec::new(), PersonStored::EmailTaken))
            }
        };
        self.write("add_person", vec![same_email], decide).await
    }

    /// Adds a person, and the digest of a link that signs them in.
    pub async fn invite_person(&self, person: Person, link: String, stamp: Stamp) -> Result<PersonStored, StoreError> {
        let entry = AuditEntry {
            at: stamp.at,
            actor: stamp.actor,
            investigation_id: None,
            action: AuditAction::PersonInvited { person_id: person.id },
        };
        let also = vec![sessions::put_link(person.id, &link, stamp.at), audit::record(&entry)?];
        self.add_person_with(person, also).await
    }

    /// Changes a person, with an entry in the audit log. Sign-in links become invalid, unless only the name changes.
    pub async fn change_person(
        &self,
        id: ObjectId,
        change: PersonChange,
        stamp: Stamp,
    ) -> Result<PersonStored, StoreError> {
        let email = change.email.as_ref().and_then(Option::as_deref);
        let reads = vec![person_and_admins(self.dialect(), id), same_email(email)];
        let decide = move |found: &[Rows]| {
            let people = found[0].iter().map(read).collect::<Result<Vec<_>, _>>()?;
            let Some(before) = people.iter().find(|person| person.id == id) else {
                return Ok((Vec::new(), PersonStored::Unknown));
            };
            let (after, fields) = change.apply(before);
            let has_other_admin = people.iter().any(|person| person.id != id && person.is_active_admin());
            if before.is_active_admin() && !after.is_active_admin() && !has_other_admin {
                return Ok((Vec::new(), PersonStored::LastAdmin));
            }
            for row in &found[1] {
                if row.parsed::<ObjectId>("id")? != id {
                    return Ok((Vec::new(), PersonStored::EmailTaken));
                }
            }
            let mut statements = Vec::new();
            if !fields.is_empty() {
                let fields = fields.into_iter().map(str::to_owned).collect();
                let action = AuditAction::PersonChanged { person_id: id, fields };
                let entry = AuditEntry { at: stamp.at, actor: stamp.actor, investigation_id: None, action };
                statements.push(update(&after));
                if (&before.email, before.role, before.status) != (&after.email, after.role, after.status) {
                    statements.push(sessions::end_links_of(id));
                }
                if after.status.is_refused() {
                    statements.push(sessions::end_sessions_of(id));
                }
                statements.push(audit::record(&entry)?);
            }
            Ok((statements, PersonStored::Stored(after)))
        };
        self.write("change_person", reads, decide).await
    }
}

/// Locks a person and all active admins, in one order. So of two admins who remove each other, one comes first.
fn person_and_admins(dialect: Dialect, id: ObjectId) -> Statement {
    let columns = list("p", &COLUMNS);
    Statement::new(format!(
        "SELECT {columns} FROM person p WHERE p.id = $id OR (p.role = '{}' AND p.status = '{}') ORDER BY p.id {}",
        Role::Admin,
        PersonStatus::Active,
        dialect.lock("p")
    ))
    .with("id", id)
}

fn same_email(email: Option<&str>) -> Statement {
    Statement::new("SELECT p.id FROM person p WHERE p.email_key = $email").with("email", email.map(email_key))
}
