//! Migrations, which upgrade a store to the version that this program needs. Each migration runs once. All missing
//! migrations run in one transaction.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::error::remedy;
use crate::store::OpenError;

/// The migrations in order. SQLite's `user_version` stores the number of migrations that were applied.
const STEPS: &[&str] = &[include_str!("../../../migrations/sqlite/0001_initial.sql")];

/// "FBok" in ASCII: identifies files of Fieldbook.
const APPLICATION_ID: i32 = 0x4642_6f6b;

pub fn known() -> usize {
    STEPS.len()
}

/// Creates an in-memory store and applies the first `done` migrations.
pub fn fresh(done: usize) -> Result<Connection, rusqlite::Error> {
    let connection = Connection::open_in_memory()?;
    STEPS.iter().take(done).try_for_each(|step| connection.execute_batch(step))?;
    Ok(connection)
}

/// Checks that the file has no tables or is a store of Fieldbook. Called before anything in the file is changed, so
/// that no database of another program is damaged.
pub fn check_owner(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let failed = |e: rusqlite::Error| OpenError(format!("cannot read the store {}: {e}{}", path.display(), remedy(&e)));
    let application: i32 = connection.query_row("PRAGMA application_id", [], |row| row.get(0)).map_err(failed)?;
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(failed)?;
    if application != APPLICATION_ID && tables > 0 {
        return Err(OpenError(format!(
            "{} is a database of another program; choose another folder with --data",
            path.display()
        )));
    }
    Ok(())
}

/// Checks that the file is a store of Fieldbook and has a version that this program knows.
pub fn check_form(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let failed = |e: rusqlite::Error| OpenError(format!("{} is not a sound store: {e}", path.display()));
    let number = |pragma: &str| connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0)).map_err(failed);
    let (application, done): (i64, i64) = (number("application_id")?, number("user_version")?);
    if application != i64::from(APPLICATION_ID) {
        return Err(OpenError(format!("{} is not a store of Fieldbook", path.display())));
    }
    match usize::try_from(done) {
        Ok(done) if done <= STEPS.len() => Ok(()),
        _ => Err(newer(done, path)),
    }
}

fn newer(done: i64, path: &Path) -> OpenError {
    OpenError(format!(
        "the store {} was written by a newer Fieldbook (store version {done}, this program knows {}); run the newer version",
        path.display(),
        STEPS.len()
    ))
}

/// Runs the missing migrations. If `allowed` is false, runs none and fails if one is missing.
pub fn run(connection: &mut Connection, path: &Path, allowed: bool) -> Result<(), OpenError> {
    run_steps(connection, path, allowed, STEPS)
}

fn run_steps(connection: &mut Connection, path: &Path, allowed: bool, steps: &[&str]) -> Result<(), OpenError> {
    let failed =
        |e: rusqlite::Error| OpenError(format!("cannot migrate the store {}: {e}{}", path.display(), remedy(&e)));
    // Takes the write lock first. If two programs start together, one waits and then finds no missing migrations.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
    let done: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(failed)?;
    let missing = usize::try_from(done).ok().and_then(|done| steps.get(done..)).ok_or_else(|| newer(done, path))?;
    if missing.is_empty() {
        return Ok(());
    }
    if !allowed {
        return Err(OpenError(format!(
            "the store {} has store version {done}, this program needs {}; run fieldbook migrate with the same --data, or start without --no-migrate",
            path.display(),
            steps.len()
        )));
    }
    for step in missing {
        transaction.execute_batch(step).map_err(failed)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(failed)?;
    transaction.pragma_update(None, "user_version", steps.len()).map_err(failed)?;
    transaction.commit().map_err(failed)
}

#[cfg(test)]
#[path = "../../../tests/unit/store/sqlite/migrate.rs"]
mod tests;
