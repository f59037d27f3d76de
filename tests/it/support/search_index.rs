//! The search index of an embedded store, compared with the contents.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use fieldbook::domain::search;
use fieldbook::store::Store;

/// Returns the ids of the investigations whose words in the index differ from the words of their content, and the
/// indexed words of investigations that no longer exist.
///
/// Returns nothing for a folder without an embedded store: the words of PostgreSQL are rows, which [`Store::whole`]
/// returns.
pub fn wrongly_indexed(folder: &Path) -> Vec<String> {
    if !Store::is_embedded_in(folder) {
        return Vec::new();
    }
    let store = rusqlite::Connection::open(folder.join("fieldbook.sqlite3")).expect("a store");
    store.execute_batch("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab (main, search, instance)").expect("a table");
    let mut indexed: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
    let mut statement = store.prepare("SELECT doc, term FROM temp.indexed").expect("a query");
    let mut found = statement.query([]).expect("rows");
    while let Some(row) = found.next().expect("a row") {
        indexed.entry(row.get(0).expect("a number")).or_default().insert(row.get(1).expect("a word"));
    }
    let mut wrong = Vec::new();
    let mut statement = store.prepare("SELECT body, id, content FROM investigation ORDER BY id").expect("a query");
    let mut found = statement.query([]).expect("rows");
    while let Some(row) = found.next().expect("a row") {
        let content: String = row.get(2).expect("a text");
        let content = serde_json::from_str(&content).expect("content");
        let words = search::index_words(&content);
        let words: BTreeSet<String> = words.split_whitespace().map(str::to_owned).collect();
        if indexed.remove(&row.get(0).expect("a number")).unwrap_or_default() != words {
            wrong.push(row.get(1).expect("an id"));
        }
    }
    // The words of a deleted investigation stay until the cleanup.
    let deleted = "SELECT body FROM trash UNION ALL SELECT n FROM removed WHERE kind = 'body'";
    let mut statement = store.prepare(deleted).expect("a query");
    for body in statement.query_map([], |row| row.get::<_, i64>(0)).expect("rows") {
        indexed.remove(&body.expect("a number"));
    }
    wrong.extend(indexed.into_keys().map(|body| format!("the deleted {body}")));
    wrong
}
