//! The words to search by, compared with those of the contents: the index keeps no row that could be read.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rusqlite::Connection;

use super::{Sqlite, rows};
use crate::domain::id::ObjectId;
use crate::domain::search;
use crate::store::StoreError;

impl Sqlite {
    /// The investigations that are not found by the words of their content, or by others as well.
    pub async fn wrongly_found(&self) -> Result<Vec<ObjectId>, StoreError> {
        self.readers.read(wrongly_found).await
    }
}

fn wrongly_found(connection: &Connection) -> Result<Vec<ObjectId>, rusqlite::Error> {
    // Goes with the snapshot.
    connection.execute_batch("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab (main, search, instance)")?;
    // The index is in the order of its words: of each investigation a sum is kept, in which order does not matter.
    let mut indexed: HashMap<i64, u64> = HashMap::new();
    let mut statement = connection.prepare("SELECT doc, term FROM temp.indexed")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let sum = indexed.entry(row.get(0)?).or_default();
        *sum = sum.wrapping_add(number_of(row.get_ref(1)?.as_str()?));
    }
    let mut wrong = Vec::new();
    let mut statement = connection.prepare("SELECT n, id, content FROM investigation ORDER BY id")?;
    let mut found = statement.query([])?;
    while let Some(row) = found.next()? {
        let text = search::index_text(&rows::content(row, 2)?);
        let sum = text.split(' ').filter(|word| !word.is_empty()).map(number_of).fold(0, u64::wrapping_add);
        if indexed.remove(&row.get(0)?).unwrap_or_default() != sum {
            wrong.push(rows::parsed(row, 1)?);
        }
    }
    Ok(wrong)
}

/// A number that hardly any other word has.
fn number_of(word: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}
