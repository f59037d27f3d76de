//! Full-text index of investigations. This module indexes the words of changed contents.

use rusqlite::{Connection, params};

/// Creates a temporary table, in which the words of changed investigations wait for the commit of their transaction.
///
/// FTS5 writes a separate segment at every savepoint and has to merge the segments later. To avoid this, all words of a
/// transaction are indexed at once, after its last savepoint. If the savepoint of a change is rolled back, so are the
/// words of this change.
pub(super) fn prepare(connection: &Connection) -> Result<(), rusqlite::Error> {
    connection.execute_batch(
        "PRAGMA temp_store = MEMORY;
         CREATE TEMP TABLE waiting (n INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT;",
    )
}

/// Queues the search words of a changed investigation. [`index()`] moves them into the index before the commit.
pub(super) fn enqueue(connection: &Connection, n: i64, words: &str) -> Result<(), rusqlite::Error> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO temp.waiting (n, words) VALUES (?1, ?2)")?
        .execute(params![n, words])?;
    Ok(())
}

/// Removes the queued words of a deleted investigation.
pub(super) fn dequeue(connection: &Connection, n: i64) -> Result<(), rusqlite::Error> {
    connection.prepare_cached("DELETE FROM temp.waiting WHERE n = ?1")?.execute([n])?;
    Ok(())
}

/// Moves the queued words into the index.
pub(super) fn index(connection: &Connection) -> Result<(), rusqlite::Error> {
    let mut waiting = connection.prepare_cached("SELECT n, words FROM temp.waiting ORDER BY n")?;
    let (mut found, mut some) = (waiting.query([])?, false);
    while let Some(row) = found.next()? {
        connection
            .prepare_cached("UPDATE main.search SET words = ?2 WHERE rowid = ?1")?
            .execute(params![row.get::<_, i64>(0)?, row.get_ref(1)?.as_str()?])?;
        some = true;
    }
    drop(found);
    if some {
        connection.prepare_cached("DELETE FROM temp.waiting")?.execute([])?;
    }
    Ok(())
}
