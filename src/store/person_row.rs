//! The database row of a person.

use super::StoreError;
use super::sql::{Columns, Row, Statement, list};
use crate::domain::permission::Role;
use crate::domain::person::{Person, email_key, name_words};

/// The columns of a person, which [`read`] reads.
pub const COLUMNS: [&str; 7] = ["id", "name", "email", "role", "status", "created_at", "last_sign_in_at"];

/// Returns the statement that reads some people after the id `$id`. The function [`read`] reads its rows.
pub fn after() -> Statement {
    let columns = list("p", &COLUMNS);
    Statement::new(format!("SELECT {columns} FROM person p WHERE p.id > CAST($id AS TEXT) ORDER BY p.id LIMIT $limit"))
}

/// Returns the statement that stores what a person is now.
pub fn update(person: &Person) -> Statement {
    Statement::update("person", columns(person), "id = $id")
}

pub fn read(row: &Row) -> Result<Person, StoreError> {
    Ok(Person {
        id: row.parsed("id")?,
        name: row.optional_text("name")?.map(str::to_owned),
        email: row.optional_text("email")?.map(str::to_owned),
        role: row.optional_parsed("role")?,
        status: row.parsed("status")?,
        created_at: row.time("created_at")?,
        last_sign_in_at: row.optional_time("last_sign_in_at")?,
    })
}

pub fn columns(person: &Person) -> Columns {
    let Person { id, name, email, role, status, created_at, last_sign_in_at } = person;
    vec![
        ("id", (*id).into()),
        ("name", name.clone().into()),
        ("email", email.clone().into()),
        ("email_key", email.as_deref().map(email_key).into()),
        ("words", name.as_deref().map(name_words).unwrap_or_default().into()),
        ("role", role.map(Role::name).into()),
        ("status", status.name().into()),
        ("created_at", (*created_at).into()),
        ("last_sign_in_at", (*last_sign_in_at).into()),
    ]
}
