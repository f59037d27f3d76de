//! Erases people, and finds the investigations of which they are author or editor.

use super::engine::ReadKind;
use super::person_row;
use super::readable::{Table, readable};
use super::sql::{Row, Rows, Statement};
use super::{Stamp, Store, StoreError, audit, passwords, sessions};
use crate::domain::audit::AuditAction;
use crate::domain::id::ObjectId;
use crate::domain::permission::Role;
use crate::domain::person::Person;

const TABLE: Table = Table { name: "investigation", key: &["id"] };

/// The investigations of a person in a part of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    pub found: Vec<ObjectId>,
    /// The id after which the next slice begins; `None` if this one is the last.
    pub end: Option<String>,
}

/// Result of erasing a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PersonErased {
    Erased,
    /// The person was erased before.
    ErasedBefore,
    /// The directory does not know the person.
    Unknown,
    /// The person is the last active admin.
    LastAdmin,
    /// The new author is not another active person with a role.
    NoNewAuthor,
}

impl Store {
    /// Erases a person: only the id remains, and nobody can sign in with it. Deletes their keys, password, sign-in
    /// links and sessions. `new_author` becomes the author of what the person wrote, and is recorded in the audit log,
    /// even if the person was erased before. `default` is the role of people to whom the directory gives none.
    pub async fn erase_person(
        &self,
        id: ObjectId,
        new_author: Option<ObjectId>,
        default: Role,
        stamp: Stamp,
    ) -> Result<PersonErased, StoreError> {
        // Also locks the new author, who may be erased at the same time.
        let reads = vec![person_row::locked_with_admins([id].into_iter().chain(new_author), self.dialect())];
        let record = |action| audit::record(&stamp.entry(action));
        let given = new_author.map(|to| record(AuditAction::PersonReassigned { person_id: id, reassigned_to: to }));
        let given: Vec<Statement> = given.transpose()?.into_iter().collect();
        let statements = vec![
            passwords::delete_password_of(id),
            sessions::end_links_of(id),
            sessions::end_sessions_of(id),
            person_row::count_change(),
            Statement::new("DELETE FROM api_key WHERE bearer = $person").with("person", id),
            record(AuditAction::PersonErased { person_id: id, reassigned_to: new_author })?,
        ];
        let decide = move |found: &[Rows]| {
            let people = found[0].iter().map(person_row::read).collect::<Result<Vec<_>, _>>()?;
            let may_be_author = |to: ObjectId| {
                to != id && people.iter().any(|person| person.id == to && person.can_become_author(default))
            };
            if new_author.is_some_and(|to| !may_be_author(to)) {
                return Ok((Vec::new(), PersonErased::NoNewAuthor));
            }
            let Some(before) = people.iter().find(|person| person.id == id) else {
                return Ok((Vec::new(), PersonErased::Unknown));
            };
            let after = before.erased();
            if after == *before {
                return Ok((given.clone(), PersonErased::ErasedBefore));
            }
            if Person::are_without_admin(&people, &after) {
                return Ok((Vec::new(), PersonErased::LastAdmin));
            }
            let mut all = vec![person_row::update(&after)];
            all.extend(statements.clone());
            Ok((all, PersonErased::Erased))
        };
        self.write("erase_person", reads, decide).await
    }

    /// Searches the next `rows` investigations after an id, in the order of their ids, for those that have a person as
    /// author or editor. There is no index for this search, so each call reads only a limited number of rows.
    pub async fn slice_of(&self, person: ObjectId, after: &str, rows: u32) -> Result<Slice, StoreError> {
        // The ids of editors are in a JSON text. An investigation whose text names the person elsewhere is found, too,
        // but not changed.
        let named = self.dialect().contains("i.findings", "named");
        let slice = Statement::new(format!(
            "SELECT i.id, CAST(CASE WHEN i.author = $person OR i.metadata_author = $person OR {named} THEN 1 ELSE 0 END AS BIGINT)
             AS is_theirs FROM investigation i WHERE i.id > CAST($after AS TEXT) ORDER BY i.id LIMIT $limit"
        ));
        let slice = slice.with("person", person).with("named", format!("\"{person}\""));
        let slice = slice.with("after", after).with("limit", rows);
        let snapshot = self.begin(ReadKind::Heavy).await?;
        let found = snapshot.get(slice).await?;
        snapshot.end();
        let is_last = found.len() < rows as usize;
        let end = found.last().filter(|_| !is_last).map(|row| row.text("id").map(str::to_owned)).transpose()?;
        let read = |row: &Row| Ok((row.parsed::<ObjectId>("id")?, row.integer("is_theirs")? == 1));
        let looked_at = readable(TABLE, &found, read)?;
        let found = looked_at.into_iter().filter_map(|(id, is_theirs)| is_theirs.then_some(id)).collect();
        Ok(Slice { found, end })
    }

    /// Makes `to` the author of everything in the trash whose author is `from`.
    pub async fn reassign_trash(&self, from: ObjectId, to: ObjectId) -> Result<(), StoreError> {
        let replace = |column: &str| {
            let sql = format!("UPDATE trash SET {column} = $to WHERE {column} = $person");
            Statement::new(sql).with("to", to).with("person", from)
        };
        self.write_if("reassign_trash", vec![replace("author"), replace("metadata_author")]).await.map(drop)
    }
}
