//! Checks that the rows of the store agree with each other: versions form a tree, each investigation has one chat, and
//! the group counts are correct.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;

/// Descriptions of rows that must not exist, each with a query that finds them.
const NEVER: [(&str, &str); 7] = [
    (
        "investigations without their one chat",
        "SELECT i.id FROM investigation i WHERE (SELECT count(*) FROM chat c WHERE c.body = i.body) <> 1",
    ),
    (
        "groups that are counted wrongly",
        "SELECT 'all' WHERE (SELECT coalesce(sum(count), 0) FROM group_count) <> (SELECT count(*) FROM investigation)",
    ),
    (
        "investigations that are not found by their words",
        "SELECT body FROM investigation EXCEPT SELECT rowid FROM search",
    ),
    ("rows that refer to missing rows", "SELECT \"table\" FROM pragma_foreign_key_check"),
    (
        "versions that belong to nothing",
        "SELECT body FROM version_record EXCEPT SELECT body FROM investigation EXCEPT SELECT body FROM trash
         EXCEPT SELECT n FROM removed WHERE kind = 'body'",
    ),
    (
        "chat entries that belong to nothing",
        "SELECT chat FROM chat_entry EXCEPT SELECT n FROM chat EXCEPT SELECT n FROM removed WHERE kind = 'chat'",
    ),
    (
        "displaced links that could be reached",
        "SELECT l.n FROM link l JOIN investigation i USING (body) WHERE l.displaced",
    ),
];

pub fn agree(store: &Connection) -> Result<(), String> {
    for (what, sql) in NEVER {
        if store.prepare(sql).and_then(|mut statement| statement.exists([])).map_err(|e| e.to_string())? {
            return Err(format!("there are {what}"));
        }
    }
    let mut statement = store.prepare("SELECT body, id, version, latest_version FROM investigation").expect("a table");
    let read = |row: &rusqlite::Row<'_>| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, u64>(2)?, row.get::<_, u64>(3)?))
    };
    for row in statement.query_map([], read).expect("rows") {
        let (body, id, at, latest) = row.expect("a row");
        make_a_tree(store, body, at, latest).map_err(|reason| format!("versions of {id}: {reason}"))?;
    }
    Ok(())
}

/// Checks that versions have no gaps, that each is based on an older one, and that exactly the versions that are not
/// ancestors of the current one are marked as undone.
fn make_a_tree(store: &Connection, body: i64, at: u64, latest: u64) -> Result<(), String> {
    let sql = "SELECT version, parent, undone FROM version_record WHERE body = ?1 ORDER BY version";
    let mut statement = store.prepare_cached(sql).expect("a table");
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)));
    let records: BTreeMap<u64, (u64, bool)> =
        statement.query_map([body], read).expect("rows").map(|row| row.expect("a row")).collect();
    if !records.keys().copied().eq(1..=latest) {
        return Err(format!("{records:?}, but {latest} is the latest"));
    }
    let mut way = BTreeSet::new();
    let mut version = at;
    while version > 0 {
        way.insert(version);
        let (parent, _) = records.get(&version).ok_or_else(|| format!("{records:?}, and it stands at {at}"))?;
        if *parent >= version {
            return Err(format!("{version} was made on {parent}"));
        }
        version = *parent;
    }
    match records.iter().find(|(version, (_, undone))| way.contains(version) == *undone) {
        None => Ok(()),
        Some((version, _)) => {
            Err(format!("it stands at {at}, and {version} is marked wrongly as undone or not: {records:?}"))
        }
    }
}
