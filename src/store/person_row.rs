//! The database row of a person.

use super::StoreError;
use super::dialect::Dialect;
use super::sql::{Columns, Row, Statement, list};
use crate::domain::id::ObjectId;
use crate::domain::named::Named;
use crate::domain::permission::Role;
use crate::domain::person::{Person, PersonStatus, email_key, name_words};

/// The columns of a person, which [`read`] reads.
pub const COLUMNS: [&str; 9] =
    ["id", "name", "email", "role", "provider_role", "status", "created_at", "last_sign_in_at", "origin"];

/// Returns the statement that reads some people after the id `$id`. The function [`read`] reads its rows.
pub fn after() -> Statement {
    select("p.id > CAST($id AS TEXT)", "LIMIT $limit")
}

/// Returns the statement that reads the people `p` of whom the condition is true, in the order of their ids. `end` ends
/// the statement, for example with a lock. The function [`read`] reads its rows.
pub fn select(condition: &str, end: &str) -> Statement {
    let columns = list("p", &COLUMNS);
    Statement::new(format!("SELECT {columns} FROM person p WHERE {condition} ORDER BY p.id {end}"))
}

/// Locks the person with the id `$id`.
pub fn locked(dialect: Dialect) -> Statement {
    select("p.id = $id", &dialect.lock("p"))
}

/// Locks these people and all active admins, always in the same order. So if two admins remove each other at the same
/// time, the second change waits for the first.
pub fn locked_with_admins(people: impl IntoIterator<Item = ObjectId>, dialect: Dialect) -> Statement {
    let ids: Vec<String> = people.into_iter().map(|id| id.to_string()).collect();
    let condition = format!(
        "({} OR p.id IN (SELECT a.id FROM person a WHERE a.role = '{}' AND a.status = '{}'))",
        dialect.any_of("p.id", "people"),
        Role::Admin,
        PersonStatus::Active
    );
    select(&condition, &dialect.lock("p")).with("people", ids)
}

/// Returns the statement that stores the current state of a person.
pub fn update(person: &Person) -> Statement {
    Statement::update("person", columns(person), "id = $id")
}

/// Increases the counter of changes, so that copies of the service no longer use the people and sessions in their
/// memory. Must come after the statements that lock other rows of people and sessions.
pub fn count_change() -> Statement {
    Statement::new(
        "INSERT INTO people_changes (one, n) VALUES (1, 1) ON CONFLICT (one) DO UPDATE SET n = people_changes.n + 1",
    )
}

/// Increases the counter of changes, and fails if another write has increased it since `counted` was read.
pub fn count_change_after(counted: Option<i64>) -> Statement {
    match counted {
        Some(n) => Statement::new("UPDATE people_changes SET n = n + 1 WHERE one = 1 AND n = $n").with("n", n),
        None => Statement::new("INSERT INTO people_changes (one, n) VALUES (1, 1) ON CONFLICT (one) DO NOTHING"),
    }
    .expect(1)
}

pub fn read(row: &Row) -> Result<Person, StoreError> {
    Ok(Person {
        id: row.parsed("id")?,
        name: row.optional_text("name")?.map(str::to_owned),
        email: row.optional_text("email")?.map(str::to_owned),
        role: row.optional_parsed("role")?,
        provider_role: row.optional_parsed("provider_role")?,
        status: row.parsed("status")?,
        created_at: row.time("created_at")?,
        last_sign_in_at: row.optional_time("last_sign_in_at")?,
        origin: row.parsed("origin")?,
    })
}

pub fn columns(person: &Person) -> Columns {
    let Person { id, name, email, role, provider_role, status, created_at, last_sign_in_at, origin } = person;
    vec![
        ("id", (*id).into()),
        ("name", name.clone().into()),
        ("email", email.clone().into()),
        ("email_key", email.as_deref().map(email_key).into()),
        ("words", name.as_deref().map(name_words).unwrap_or_default().into()),
        ("role", role.map(Role::name).into()),
        ("provider_role", provider_role.map(Role::name).into()),
        ("status", status.name().into()),
        ("created_at", (*created_at).into()),
        ("last_sign_in_at", (*last_sign_in_at).into()),
        ("origin", origin.name().into()),
    ]
}
