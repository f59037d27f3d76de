//! All SQL that differs between the two engines. All other statements have the same text for both.

use std::collections::BTreeSet;

use super::sql::{Statement, Value, list};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Sqlite,
    Postgres,
}

/// A table that may contain rows of something that was removed.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub table: &'static str,
    /// Column with the internal number of the removed investigation or chat.
    pub owner: &'static str,
    /// Columns that identify a row among the rows of one owner.
    pub key: &'static [&'static str],
    /// SQL for the size of a row `t` in bytes. This size does not include the fixed weight that the sweeper adds for
    /// every row.
    pub bytes: &'static str,
}

use Dialect::{Postgres, Sqlite};

const SEGMENTS: &str = "SELECT d.block FROM search_data d WHERE d.id = 10";

/// Maximum number of rows that one cleanup deletes, so that it never blocks other work for long.
pub const MAX_DELETED: u32 = 128;

impl Dialect {
    /// The clause after a `SELECT` in a write that locks the rows of the table with this alias until the write ends.
    /// The embedded store has only one writer, and needs no locks. For it, the clause is an SQL comment, which only the
    /// check of the lock order reads.
    pub fn lock(self, alias: &str) -> String {
        match self {
            Sqlite => format!("/* FOR NO KEY UPDATE OF {alias} */"),
            Postgres => format!("FOR NO KEY UPDATE OF {alias}"),
        }
    }

    /// The `DELETE` of the first rows `e` of a table that meet `condition`, in the order `order`: at most
    /// [`MAX_DELETED`]. Skips the rows that another write is deleting. `key` identifies a row.
    pub fn delete_first(self, table: &str, key: &[&str], condition: &str, order: &str) -> String {
        let skip_locked = if self == Postgres { "FOR UPDATE OF e SKIP LOCKED" } else { "" };
        let (columns, selected) = (key.join(", "), list("e", key));
        format!(
            "DELETE FROM {table} WHERE ({columns}) IN (
                 SELECT {selected} FROM {table} e WHERE {condition} ORDER BY {order} LIMIT {MAX_DELETED} {skip_locked})"
        )
    }

    /// The columns that identify an event.
    pub fn event_key(self) -> &'static [&'static str] {
        match self {
            Sqlite => &["n"],
            Postgres => &["xact", "n"],
        }
    }

    /// The condition that `value` is one of the texts in the list `$list`.
    pub fn any_of(self, value: &str, list: &str) -> String {
        match self {
            Sqlite => format!("{value} IN (SELECT value FROM json_each(${list}))"),
            Postgres => format!("{value} = ANY(${list})"),
        }
    }

    /// A table `t` with the texts of the list `$list` in its column `value`.
    pub fn table_of(self, list: &str) -> String {
        match self {
            Sqlite => format!("(SELECT e.value FROM json_each(${list}) e) t"),
            Postgres => format!("unnest(${list}::text[]) AS t (value)"),
        }
    }

    /// The condition that the text `$part` occurs in `text`.
    pub fn contains(self, text: &str, part: &str) -> String {
        match self {
            Sqlite => format!("instr({text}, ${part}) > 0"),
            Postgres => format!("strpos({text}, ${part}) > 0"),
        }
    }

    /// Number of counters per group of investigations. Each counter is a row of `group_count`, and their sum is the
    /// count of the group. With a single counter, concurrent writers would often wait for each other.
    pub fn slots(self) -> usize {
        match self {
            Sqlite => 1,
            Postgres => 16,
        }
    }

    /// The condition that an event `e` comes after (`>`) or before (`<`) the event `$xact`, `$n`.
    pub fn event_is(self, operator: &str) -> String {
        match self {
            Sqlite => format!("e.n {operator} $n"),
            Postgres => format!("(e.xact, e.n) {operator} ($xact, $n)"),
        }
    }

    /// The condition that an event `e` is not queued for the webhook `$endpoint`, and is not after the event `$xact`,
    /// `$n`.
    pub fn event_is_new(self) -> &'static str {
        match self {
            Sqlite => "e.n > (SELECT w.after_n FROM webhook w WHERE w.endpoint = $endpoint) AND e.n <= $n",
            Postgres => {
                "(e.xact, e.n) > (SELECT w.after_xact, w.after_n FROM webhook w WHERE w.endpoint = $endpoint)
                 AND (e.xact, e.n) <= ($xact, $n)"
            }
        }
    }

    /// The condition that all events before the event `e` can be seen, too. PostgreSQL sorts events by the number of
    /// their transaction. A transaction with a lower number may end later, so readers get an event only after all
    /// transactions with lower numbers have ended.
    pub fn is_visible(self) -> &'static str {
        match self {
            Sqlite => "true",
            Postgres => "e.xact < pg_snapshot_xmin(pg_current_snapshot())::text::bigint",
        }
    }

    /// The order of events `e`; `descending` is `DESC` or empty.
    pub fn event_order(self, descending: &str) -> String {
        match self {
            Sqlite => format!("e.n {descending}"),
            Postgres => format!("e.xact {descending}, e.n {descending}"),
        }
    }

    /// Whether several copies of the service may share the store.
    pub fn is_shared(self) -> bool {
        self == Postgres
    }

    /// The end of a lease of `$lease` milliseconds that begins now. The clock of the database server decides. Only one
    /// service uses an embedded store, so its leases never matter.
    pub fn lease_end(self) -> &'static str {
        match self {
            Sqlite => "0",
            Postgres => "(extract(epoch FROM clock_timestamp()) * 1000)::bigint + $lease",
        }
    }

    /// The condition that the lease of the webhook `w` has ended at least `$ago` milliseconds ago.
    pub fn lease_ended(self) -> &'static str {
        match self {
            Sqlite => "true",
            Postgres => "w.held_until + $ago < (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
        }
    }

    /// The time of the database server, in milliseconds since 1970. Each mark of a write (see `write.rs`) is stored
    /// with this time, so that old marks can be deleted. Writes to the embedded store have no marks.
    pub fn server_time(self) -> &'static str {
        match self {
            Sqlite => "0",
            Postgres => "(extract(epoch FROM now()) * 1000)::bigint",
        }
    }

    /// The statement after which new rows of `table` get higher numbers `n` than all stored rows. Needed after an
    /// insert of rows that have numbers. SQLite needs no such statement, because it takes the next number from the
    /// stored rows.
    pub fn count_on(self, table: &str) -> Option<Statement> {
        let sql = format!(
            "SELECT setval(numbers.of, newest.n) AS n
             FROM (SELECT pg_get_serial_sequence('{table}', 'n')::regclass AS of) AS numbers,
                 (SELECT max(n) AS n FROM {table}) AS newest
             WHERE newest.n > coalesce(pg_sequence_last_value(numbers.of), 0)"
        );
        (self == Postgres).then(|| Statement::new(sql))
    }

    /// The statement that stores the search words of the new investigation `$id`. `words` are separated by spaces.
    pub fn index_new(self, id: Value, words: &str) -> Statement {
        match self {
            Sqlite => Statement::new(
                "INSERT INTO search (rowid, words) SELECT i.body, $words FROM investigation i WHERE i.id = $id",
            )
            .deferred()
            .with("words", words),
            Postgres => insert_words(split(words)),
        }
        .with("id", id)
    }

    /// The statements that replace the search words of the investigation `$id`. `before` returns those that it had.
    pub fn index_again(self, id: Value, before: impl FnOnce() -> String, words: &str) -> Vec<Statement> {
        let statements = match self {
            Sqlite => vec![
                Statement::new(
                    "UPDATE search SET words = $words WHERE rowid = (SELECT body FROM investigation WHERE id = $id)",
                )
                .deferred()
                .with("words", words),
            ],
            Postgres => replace_words(&before(), words),
        };
        statements.into_iter().map(|statement| statement.with("id", id.clone())).collect()
    }

    /// The search words of investigations, as a table that the sweeper clears.
    pub fn index(self) -> Part {
        let (table, owner, key): (_, _, &[&str]) = match self {
            Sqlite => ("search", "rowid", &["rowid"]),
            Postgres => ("search_word", "body", &["word"]),
        };
        Part { table, owner, key, bytes: "0" }
    }

    /// Whether deleted words stay in the search index until it is merged.
    pub fn keeps_words(self) -> bool {
        self == Sqlite
    }

    /// The statement that begins to merge all segments of the search index. The merged index no longer contains deleted
    /// words. [`Self::merge_on`] must be repeated until the result of [`Self::segments`] no longer changes.
    pub fn merge(self, pages: u64) -> Statement {
        Statement::new(format!("INSERT INTO search (search, rank) VALUES ('merge', -{pages})"))
    }

    pub fn merge_on(self, pages: u64) -> Statement {
        Statement::new(format!("INSERT INTO search (search, rank) VALUES ('merge', {pages})"))
    }

    /// The query for the record in which the search index lists its segments.
    pub fn segments(self) -> Statement {
        Statement::new(SEGMENTS)
    }

    /// The text `AND`, followed by the condition that [`Self::segments`] still returns the value of the parameter
    /// `parameter`.
    pub fn and_segments_are(self, parameter: &str) -> String {
        format!("AND ({SEGMENTS}) IS ${parameter}")
    }

    /// The conditions of a search: for each prefix, such as `rad`, the investigation `i` has a word that begins with
    /// it. Without a prefix, no investigation is found. Words have only letters and digits, so they need no escaping in
    /// quotes. `value` stores a value and returns the name of its parameter.
    pub fn has_words(self, words: &BTreeSet<String>, mut value: impl FnMut(Value) -> String) -> Vec<String> {
        match self {
            _ if words.is_empty() => vec!["false".to_owned()],
            Sqlite => {
                let prefixes: Vec<String> = words.iter().map(|word| format!("\"{word}\"*")).collect();
                let name = value(prefixes.join(" AND ").into());
                vec![format!("i.body IN (SELECT rowid FROM search WHERE search MATCH ${name})")]
            }
            // In byte order, the words that begin with `rad` are between `rad` and `rad` followed by the last Unicode
            // character.
            Postgres => words
                .iter()
                .map(|word| {
                    let from = value(word.into());
                    let to = value(format!("{word}\u{10ffff}").into());
                    format!("i.body IN (SELECT s.body FROM search_word s WHERE s.word >= ${from} AND s.word < ${to})")
                })
                .collect(),
        }
    }

    /// Size of the whole store in bytes, as the column `bytes`.
    pub fn size(self) -> &'static str {
        match self {
            Sqlite => "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
            Postgres => "SELECT pg_database_size(current_database()) AS bytes",
        }
    }
}

/// Returns the statements that change rows of search words. A small change of a long text changes few rows. If most
/// rows are new, deletes all old rows first, which takes half the time because no row must be searched for. The stored
/// rows may differ from `before`, if an earlier version of the service split the same text into other words. This
/// causes no error, and the outdated rows stay until most of the text changes.
fn replace_words(before: &str, after: &str) -> Vec<Statement> {
    let (before, after): (BTreeSet<&str>, BTreeSet<&str>) =
        (before.split_whitespace().collect(), after.split_whitespace().collect());
    let owned = |words: Vec<&&str>| words.into_iter().map(|word| (*word).to_owned()).collect::<Vec<String>>();
    let removed = owned(before.difference(&after).collect());
    let added = owned(after.difference(&before).collect());
    if removed.is_empty() && added.is_empty() {
        return Vec::new();
    }
    if added.len() > after.len() / 2 {
        let delete = "DELETE FROM search_word s USING investigation i WHERE i.id = $id AND s.body = i.body";
        return vec![Statement::new(delete), insert_words(owned(after.iter().collect()))];
    }
    // The statement joins the lists of words as tables. If they were arrays in a condition, PostgreSQL might compare
    // each row with every element, because it did not know the arrays when it planned the statement. For a long text,
    // this takes minutes.
    let change = Statement::new(
        "WITH removed AS (
             DELETE FROM search_word s USING investigation i, unnest($removed::text[]) AS w (word)
             WHERE i.id = $id AND s.body = i.body AND s.word = w.word)
         INSERT INTO search_word (body, word)
         SELECT i.body, w.word FROM investigation i, unnest($added::text[]) AS w (word)
         WHERE i.id = $id
         ON CONFLICT DO NOTHING",
    );
    vec![change.with("removed", removed).with("added", added)]
}

fn insert_words(words: Vec<String>) -> Statement {
    Statement::new(
        "INSERT INTO search_word (body, word)
         SELECT i.body, unnest($words::text[]) FROM investigation i WHERE i.id = $id",
    )
    .with("words", words)
}

fn split(words: &str) -> Vec<String> {
    words.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/store/dialect.rs"]
mod tests;
