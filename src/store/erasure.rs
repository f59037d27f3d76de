//! Erases people, and finds what has them as author or editor.

use super::person_row;
use super::readable::Table;
use super::sql::{Row, Rows, Statement};
use super::{PersonStored, Stamp, Store, StoreError, audit, passwords, sessions};
use crate::domain::audit::{AuditAction, AuditEntry};
use crate::domain::id::ObjectId;
use crate::domain::person::Person;

const TABLE: Table = Table { name: "investigation", key: &["id"] };

impl Store {
    /// Erases a person: only the id stays, and is refused. Their keys, password, links and sessions go. `heir` gets what the
    /// person wrote, and is noted in the audit log.
    pub async fn erase_person(
        &self,
        id: ObjectId,
        heir: Option<ObjectId>,
        stamp: Stamp,
    ) -> Result<PersonStored, StoreError> {
        let reads = vec![person_row::locked_with_admins(self.dialect()).with("id", id)];
        let action = AuditAction::PersonErased { person_id: id, reassigned_to: heir };
        let entry = AuditEntry { at: stamp.at, actor: stamp.actor, investigation_id: None, action };
        let statements = vec![
            passwords::delete_password_of(id),
            sessions::end_links_of(id),
            sessions::end_sessions_of(id),
            person_row::count_change(),
            Statement::new("DELETE FROM api_key WHERE bearer = $person").with("person", id),
            audit::record(&entry)?,
        ];
        let decide = move |found: &[Rows]| {
            let people = found[0].iter().map(person_row::read).collect::<Result<Vec<_>, _>>()?;
            let Some(before) = people.iter().find(|person| person.id == id) else {
                return Ok((Vec::new(), PersonStored::Unknown));
            };
            let after = before.erased();
            if after == *before {
                return Ok((Vec::new(), PersonStored::SameRights(after)));
            }
            if Person::are_without_admin(&people, &after) {
                return Ok((Vec::new(), PersonStored::LastAdmin));
            }
            let mut all = vec![person_row::update(&after)];
            all.extend(statements.clone());
            Ok((all, PersonStored::Stored(after)))
        };
        self.write("erase_person", reads, decide).await
    }

    /// Returns the first investigations after an id that have a person as author or editor, in the order of their ids.
    pub async fn investigations_of(
        &self,
        person: ObjectId,
        after: Option<ObjectId>,
        limit: u32,
    ) -> Result<Vec<ObjectId>, StoreError> {
        // The name of an editor is in a JSON text. Somebody who is named elsewhere in it is found, too, and left as they are.
        let names = self.dialect().contains("i.findings", "named");
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let page = Statement::new(format!(
            "SELECT i.id FROM investigation i WHERE i.id > CAST($after AS TEXT)
             AND (i.author = $person OR i.metadata_author = $person OR {names}) ORDER BY i.id LIMIT $limit"
        ));
        let page = page.with("after", after).with("person", person).with("named", format!("\"{person}\""));
        self.listed(TABLE, page, limit, |row: &Row| row.parsed("id")).await
    }

    /// Gives everything in the trash whose author is a person to another one.
    pub async fn reassign_trash(&self, from: ObjectId, to: ObjectId) -> Result<(), StoreError> {
        let replace = |column: &str| {
            let sql = format!("UPDATE trash SET {column} = $heir WHERE {column} = $person");
            Statement::new(sql).with("heir", to).with("person", from)
        };
        let statements = vec![replace("author"), replace("metadata_author")];
        let decide = move |_: &[Rows]| Ok((statements.clone(), ()));
        self.write("reassign_trash", Vec::new(), decide).await
    }
}
