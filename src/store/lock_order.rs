//! The order in which writes lock rows. Writes that need the same rows then wait for each other, but never in a circle.
//!
//! Debug builds check the order for every write, on both engines. Only the mark of a write, which `write.rs` explains,
//! has no place in the order: no other write knows this mark, and the transaction that claims it locks nothing else.

use std::collections::BTreeSet;

use super::sql::{Rows, Statement, Value};
use super::write::Decide;

/// Tables in the order in which a write locks their rows. A write may return to a table that it has already locked.
const ORDER: [&str; 7] = [
    "first_answer",
    "person password session sign_in_link people_changes",
    // Storing a row that refers to an investigation locks the investigation. Writes of several investigations that
    // share pictures may wait for the bytes in a circle. The server then ends one of them, and it starts again.
    "investigation search search_word version_record version_field content_copy picture picture_file detection chat chat_entry chat_snapshot",
    // A write that takes the address of a deleted link also locks its investigation here.
    "trash",
    "link link_day",
    "group_count",
    // Rows are only added to these tables, so no write waits for them.
    "event audit",
];

/// Tables that need no place in the order: no write locks their rows together with rows that another write may hold.
const OTHERS: [&str; 9] = [
    "api_key",
    "expiry_clock",
    "presence",
    "removed",
    "secret",
    "used_attempt",
    "webhook",
    "webhook_delivery",
    "write_mark",
];

/// These statements wait only for a write that moves the same investigation. That write has already locked everything
/// else that both need.
const MOVED: [&str; 2] = ["INSERT INTO investigation ", "INSERT INTO trash "];

/// The tables that a write has locked so far.
#[derive(Debug, Clone, Default, PartialEq)]
struct Locked {
    /// Indexes in [`ORDER`].
    places: BTreeSet<usize>,
    /// The counter that was locked last: its group, and its number within the group.
    counter: Option<(String, i64)>,
}

/// Returns `decide` with a check of the statements that it returns. In debug builds, it panics if the write locks rows
/// in another order.
pub fn checked<T>(name: &'static str, reads: &[Statement], decide: impl Decide<T>) -> impl Decide<T> {
    let read = if cfg!(debug_assertions) { Locked::default().and(reads) } else { Ok(Locked::default()) };
    move |rows: &[Rows]| {
        let (changes, answer) = decide(rows)?;
        debug_assert!(
            read.clone().and_then(|locked| locked.and(&changes)).is_ok(),
            "the write {name} locks rows in the wrong order: {:?}, {read:?}",
            changes.iter().map(|change| &change.sql).collect::<Vec<_>>()
        );
        Ok((changes, answer))
    }
}

impl Locked {
    /// Adds the tables that these statements lock.
    ///
    /// # Errors
    /// The text of the first statement that comes too late, or whose table is not known.
    fn and(mut self, statements: &[Statement]) -> Result<Self, String> {
        for statement in statements {
            let Some(table) = table(&statement.sql).filter(|table| !OTHERS.contains(table)) else { continue };
            let place = ORDER.iter().position(|tables| tables.split(' ').any(|known| known == table));
            let place = place.ok_or_else(|| format!("{table} is not in the order: {}", statement.sql))?;
            let is_before = self.places.last().is_some_and(|last| place < *last);
            let is_late = is_before
                && !self.places.contains(&place)
                && !MOVED.iter().any(|moved| statement.sql.starts_with(moved));
            let counter = counter(statement).filter(|_| table == "group_count");
            if is_late || (counter.is_some() && counter < self.counter) {
                return Err(statement.sql.to_string());
            }
            self.places.insert(place);
            self.counter = counter.or(self.counter);
        }
        Ok(self)
    }
}

/// Returns the table that a statement changes, or whose rows it locks.
fn table(sql: &str) -> Option<&str> {
    if let Some((query, alias)) = sql.split_once("UPDATE OF ") {
        let alias = alias.split_whitespace().next()?;
        let words: Vec<&str> = query.split_whitespace().collect();
        let is_it = |words: &&[&str]| ["FROM", "JOIN"].contains(&words[0]) && words[2] == alias;
        return words.windows(3).find(is_it).map(|words| words[1]);
    }
    let after = |verb| sql.split_once(verb).map(|(_, rest)| rest);
    let changed = after("INSERT INTO ").or_else(|| after("DELETE FROM ")).or_else(|| sql.strip_prefix("UPDATE "))?;
    changed.split_whitespace().next()
}

fn counter(statement: &Statement) -> Option<(String, i64)> {
    match (statement.value("group_key")?, statement.value("slot")?) {
        (Value::Text(key), Value::Integer(slot)) => Some((key.to_string(), *slot)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/store/lock_order.rs"]
mod tests;
