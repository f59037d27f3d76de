//! Full-text index of investigations. This module indexes the words of changed contents, and compares the index with
//! the contents. The index does not store the texts themselves.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::{Connection, params};

use super::{Sqlite, rows};
use crate::domain::id::ObjectId;
use crate::domain::index;
use crate::domain::keys::Names;
use crate::store::StoreError;

impl Sqlite {
    pub async fn wrongly_indexed(&self) -> Result<Vec<ObjectId>, StoreError> {
        self.heavy.read_without_deadline(|connection| wrongly_indexed(connection)).await
    }
}

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

fn wrongly_indexed(connection: &Connection) -> Result<Vec<ObjectId>, rusqlite::Error> {
    // This temporary table needs no `DROP`: the transaction of the read is rolled back at its end.
    connection.execute_batch("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab (main, search, instance)")?;
    // The rows are sorted by word, not by investigation. So this adds up the hashes of the words of each investigation,
    // because the sum does not depend on their order.
    let mut indexed: HashMap<i64, u64> = HashMap::new();
    let mut statement = connection.prepare("SELECT doc, term FROM temp.indexed")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let sum = indexed.entry(row.get(0)?).or_default();
        *sum = sum.wrapping_add(hash_of(row.get_ref(1)?.as_str()?));
    }
    let mut wrong = Vec::new();
    let mut statement = connection.prepare("SELECT n, id, content FROM investigation ORDER BY id")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let content = rows::content(row, 2)?;
        let text = index::words(&content, &Names::of(&content));
        let sum = text.split(' ').filter(|word| !word.is_empty()).map(hash_of).fold(0, u64::wrapping_add);
        if indexed.remove(&row.get(0)?).unwrap_or_default() != sum {
            wrong.push(rows::parsed(row, 1)?);
        }
    }
    Ok(wrong)
}

fn hash_of(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}
