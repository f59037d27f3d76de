//! Compares a store's schema with that of a fresh store. Additions by others, such as triggers, could change what the
//! store does.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::migrate;

/// All parts of a schema: their SQL by kind and name, without the planner's statistics.
const PARTS: &str = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'";

type Parts = BTreeMap<(String, String), Option<String>>;

/// Returns the first difference from a fresh store with the same migrations, as a phrase that follows the name of the
/// store; `None` if there is none.
///
/// # Errors
/// Errors of the engine.
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
