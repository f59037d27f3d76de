//! The directory of people.

use super::person_row::{self, COLUMNS, columns, read, update};
use super::readable::Table;
use super::sql::{Row, Rows, Statement, list};
use super::{Stamp, Store, StoreError, audit, sessions};
use crate::domain::audit::{AuditAction, AuditActor};
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::domain::page::{Page, PageRequest, PersonPosition};
use crate::domain::permission::Role;
use crate::domain::person::{Person, PersonChange, PersonSearch, PersonStatus, email_key};
use crate::domain::time::Timestamp;

const TABLE: Table = Table { name: "person", key: &["id"] };

/// Result of a change of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PersonStored {
    /// The person after the change, which increased the counter of changes.
    Stored(Person),
    /// The person after a change that affected at most the name. Such a change does not increase the counter.
    /// Otherwise, repeated name changes of one person would invalidate the caches of every copy of the service.
    SameRights(Person),
    /// The directory does not know the person.
    Unknown,
    /// The person was erased, and the change does not reactivate them.
    Erased,
    /// Another person has this e-mail address.
    EmailTaken,
    /// No active admin would remain after the change.
    LastAdmin,
}

/// Result of adding a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonAdded {
    Added,
    /// The directory has a person with this id.
    IdTaken,
    /// Another person has this e-mail address.
    EmailTaken,
}

impl Store {
    /// Returns the counter that increases with each change after which somebody may have other rights.
    pub async fn people_changes(&self) -> Result<i64, StoreError> {
        let counted = self.get(Statement::new("SELECT c.n FROM people_changes c WHERE c.one = 1")).await?;
        counted.first().map_or(Ok(0), |row| row.integer("n"))
    }

    /// Returns the people with these ids, except those whom the directory does not know.
    pub async fn people(&self, ids: &[ObjectId]) -> Result<Vec<Person>, StoreError> {
        let ids: Vec<String> = ids.iter().map(ObjectId::to_string).collect();
        let people = person_row::select(&self.dialect().any_of("p.id", "ids"), "");
        // A damaged row is an error and not an unknown person, because the person may be disabled.
        self.get(people.with("ids", ids)).await?.iter().map(read).collect()
    }

    /// Returns the first `limit` people, in the order of their names, who may use the service and whose names match the
    /// search: each search word is the beginning of a word in the name. `default` is the role of people who have no
    /// role in the directory.
    pub async fn search_people(
        &self,
        search: &PersonSearch,
        default: Role,
        limit: u32,
    ) -> Result<Page<Person, PersonPosition>, StoreError> {
        let may_be_found = format!(
            "{} AND p.status IN ('{}', '{}') AND COALESCE(p.role, p.provider_role, '{}') <> '{}'",
            self.names_begin(search),
            PersonStatus::Invited,
            PersonStatus::Active,
            default.name(),
            Role::None.name(),
        );
        let people = with_beginnings(by_name(&may_be_found), search);
        self.people_by_name(people, PageRequest::first(limit)).await
    }

    /// Returns the condition that for each search word, a word in the name of the person `p` begins with it.
    fn names_begin(&self, search: &PersonSearch) -> String {
        let begins = |place| self.dialect().contains("p.words", &format!("beginning{place}"));
        (0..search.beginnings.len()).map(begins).collect::<Vec<_>>().join(" AND ")
    }

    /// Returns a page of all people, in the order of their names. With a search, returns only people whose names match
    /// it, or whose e-mail address contains its text.
    pub async fn all_people(
        &self,
        search: Option<&PersonSearch>,
        wanted: PageRequest<PersonPosition>,
    ) -> Result<Page<Person, PersonPosition>, StoreError> {
        let Some(search) = search else { return self.people_by_name(by_name("TRUE"), wanted).await };
        let of_email = self.dialect().contains("p.email_key", "email");
        let people = by_name(&format!("({} OR {of_email})", self.names_begin(search)));
        let people = with_beginnings(people, search).with("email", &search.of_email);
        self.people_by_name(people, wanted).await
    }

    /// Returns a page of people from a statement that [`by_name`] created.
    async fn people_by_name(
        &self,
        people: Statement,
        wanted: PageRequest<PersonPosition>,
    ) -> Result<Page<Person, PersonPosition>, StoreError> {
        let (words, id) = wanted.after.map_or_else(Default::default, |after| (after.words, after.id.to_string()));
        let person = |row: &Row| {
            let person = read(row)?;
            Ok((PersonPosition { words: row.text("words")?.to_owned(), id: person.id }, person))
        };
        let people = self.searched(TABLE, people.with("words", words).with("id", id), wanted.limit + 1, person).await?;
        Ok(Page::up_to(people, wanted.limit))
    }

    /// Adds a person that comes from another store.
    pub async fn add_person(&self, person: Person) -> Result<PersonAdded, StoreError> {
        self.add_person_with(person, Vec::new()).await
    }

    async fn add_person_with(&self, person: Person, also: Vec<Statement>) -> Result<PersonAdded, StoreError> {
        let id = person.id;
        let same = Statement::new("SELECT p.id FROM person p WHERE p.id = $id OR p.email_key = $email")
            .with("id", id)
            .with("email", person.email.as_deref().map(email_key));
        let mut add = vec![Statement::insert("person", columns(&person)).then("ON CONFLICT (id) DO NOTHING").expect(1)];
        add.push(person_row::count_change());
        add.extend(also);
        let decide = move |found: &[Rows]| {
            if found[0].is_empty() {
                return Ok((add.clone(), PersonAdded::Added));
            }
            let is_id = found[0].iter().map(|row| Ok(row.parsed::<ObjectId>("id")? == id));
            let has_id = is_id.collect::<Result<Vec<_>, StoreError>>()?.contains(&true);
            Ok((Vec::new(), if has_id { PersonAdded::IdTaken } else { PersonAdded::EmailTaken }))
        };
        self.write("add_person", vec![same], decide).await
    }

    /// Adds a person, and the digest of a link that signs them in.
    pub async fn invite_person(&self, person: Person, link: String, stamp: Stamp) -> Result<PersonAdded, StoreError> {
        let entry = stamp.entry(AuditAction::PersonInvited { person_id: person.id, role: person.role });
        let also = vec![sessions::put_link(person.id, &link, stamp.at), audit::record(&entry)?];
        self.add_person_with(person, also).await
    }

    /// Adds the first admin if the directory is empty. If the digest `link` is given, creates a sign-in link for them.
    /// Returns the id of the first admin; `None` once somebody has signed in.
    pub async fn invite_first_admin(
        &self,
        admin: Person,
        link: Option<String>,
        at: Timestamp,
    ) -> Result<Option<ObjectId>, StoreError> {
        let invited = format!("p.role = '{}' AND p.status = '{}'", Role::Admin, PersonStatus::Invited);
        let reads = vec![
            person_row::select(&invited, &format!("LIMIT 1 {}", self.dialect().lock("p"))),
            person_row::select("p.last_sign_in_at IS NOT NULL", "LIMIT 1"),
            person_row::select("TRUE", "LIMIT 1"),
            Statement::new("SELECT c.n FROM people_changes c WHERE c.one = 1"),
        ];
        let decide = move |found: &[Rows]| {
            let invited = found[0].first().map(read).transpose()?;
            let (is_used, is_empty) = (!found[1].is_empty(), found[2].is_empty());
            let mut statements = Vec::new();
            let id = match invited {
                Some(invited) if !is_used => invited.id,
                None if is_empty => {
                    statements.push(Statement::insert("person", columns(&admin)));
                    admin.id
                }
                _ => return Ok((Vec::new(), None)),
            };
            let mut actions = Vec::new();
            if let Some(link) = &link {
                statements.push(sessions::put_link(id, link, at));
                actions.push(AuditAction::PersonLinkMade { person_id: id });
            }
            if is_empty {
                // Two copies may start at the same time. One of them fails here and finds the admin when it runs again.
                let counted = found[3].first().map(|row| row.integer("n")).transpose()?;
                statements.push(person_row::count_change_after(counted));
                actions.insert(0, AuditAction::PersonInvited { person_id: id, role: admin.role });
            }
            for action in actions {
                statements.push(audit::record(&Stamp { actor: AuditActor::default(), at }.entry(action))?);
            }
            Ok((statements, Some(id)))
        };
        self.write("invite_first_admin", reads, decide).await
    }

    /// Changes a person, with an entry in the audit log. Sign-in links become invalid, unless only the name changes.
    pub async fn change_person(
        &self,
        id: ObjectId,
        change: PersonChange,
        stamp: Stamp,
    ) -> Result<PersonStored, StoreError> {
        let email = change.email.as_ref().and_then(Option::as_deref);
        let concerns_admins = change.role.is_some() || change.status.is_some();
        let person = if concerns_admins {
            person_row::locked_with_admins([id], self.dialect())
        } else {
            person_row::locked(self.dialect()).with("id", id)
        };
        let reads = vec![person, same_email(email)];
        let decide = move |found: &[Rows]| {
            let people = found[0].iter().map(read).collect::<Result<Vec<_>, _>>()?;
            let Some(before) = people.iter().find(|person| person.id == id) else {
                return Ok((Vec::new(), PersonStored::Unknown));
            };
            let Some((after, fields)) = change.apply(before) else {
                return Ok((Vec::new(), PersonStored::Erased));
            };
            if Person::are_without_admin(&people, &after) {
                return Ok((Vec::new(), PersonStored::LastAdmin));
            }
            for row in &found[1] {
                if row.parsed::<ObjectId>("id")? != id {
                    return Ok((Vec::new(), PersonStored::EmailTaken));
                }
            }
            let mut statements = Vec::new();
            // A change of only the name is not counted, because no right depends on the name.
            let is_counted = Person { name: before.name.clone(), origin: before.origin, ..after.clone() } != *before;
            if !fields.is_empty() {
                let fields = fields.into_iter().map(str::to_owned).collect();
                let action = AuditAction::person_changed(before, &after, fields);
                statements.push(update(&after));
                if is_counted {
                    statements.push(sessions::end_links_of(id));
                }
                if after.status.is_refused() {
                    statements.push(sessions::end_sessions_of(id));
                }
                if is_counted {
                    statements.push(person_row::count_change());
                }
                statements.push(audit::record(&stamp.entry(action))?);
            }
            let stored = if is_counted { PersonStored::Stored(after) } else { PersonStored::SameRights(after) };
            Ok((statements, stored))
        };
        self.write("change_person", reads, decide).await
    }
}

/// Returns the statement that reads a page of the people `p` of whom the condition is true, in the order of their
/// names.
fn by_name(condition: &str) -> Statement {
    Statement::new(format!(
        "SELECT p.words, {} FROM person p WHERE (p.words, p.id) > (CAST($words AS TEXT), CAST($id AS TEXT)) AND {condition}
         ORDER BY p.words, p.id LIMIT $limit",
        list("p", &COLUMNS)
    ))
}

fn with_beginnings(people: Statement, search: &PersonSearch) -> Statement {
    let with =
        |people: Statement, (place, beginning): (usize, &String)| people.with(format!("beginning{place}"), beginning);
    search.beginnings.iter().enumerate().fold(people, with)
}

/// Returns the statement that reads the person with an e-mail address.
pub(super) fn same_email(email: Option<&str>) -> Statement {
    Statement::new("SELECT p.id FROM person p WHERE p.email_key = $email").with("email", email.map(email_key))
}
