//! Compares the schema of a store with the schema of a fresh store. Additions by other programs could change what the
//! store does: a trigger, for example, could change or delete rows.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::migrate;

/// Query for the type, name and SQL of all tables, indexes and triggers, except the query planner's statistics.
const PARTS: &str = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'";

type Parts = BTreeMap<(String, String), Option<String>>;

/// Returns the first difference from a fresh store with the same migrations, such as `the index audit_of is missing`;
/// `None` if the schemas are equal.
///
/// # Errors
/// The errors of SQLite.
pub fn difference(connection: &Connection) -> Result<Option<String>, rusqlite::Error> {
    let done = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    let (wanted, there) = (parts(&migrate::fresh(done)?)?, parts(connection)?);
    let difference = |(kind, name): &(String, String), words: &str| Some(format!("the {kind} {name} {words}"));
    for (part, sql) in &there {
        match wanted.get(part) {
            None => return Ok(difference(part, "is not Fieldbook's")),
            Some(wanted) if wanted != sql => return Ok(difference(part, "is not as Fieldbook creates it")),
            Some(_) => {}
        }
    }
    Ok(wanted.keys().find(|part| !there.contains_key(part)).and_then(|part| difference(part, "is missing")))
}

fn parts(connection: &Connection) -> Result<Parts, rusqlite::Error> {
    connection.prepare(PARTS)?.query_map([], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?.collect()
}
