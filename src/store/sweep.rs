//! The sweeper deletes the rows of deleted investigations and chats, in slices, so that no other write waits long.
//!
//! A deletion only adds the internal number to the table `removed`. No query can reach the rows with this number any
//! more, and no write adds rows with it. So a slice needs no locks, and can be repeated safely. A sweep that was
//! interrupted continues where it stopped.

use strum::{EnumString, IntoStaticStr};

use super::dialect::{Dialect, Part};
use super::investigations::{LIVE, TRASH};
use super::readable::Table;
use super::sql::{Row, Rows, Statement, Value, list};
use super::{Store, StoreError};

/// Maximum weight of the rows that one write deletes, in bytes. A slice has at least one row.
pub const MAX_SLICE: u64 = 256 * 1024;

/// Weight of each row, in addition to its texts: a delete also changes indexes.
const ROW: u64 = 512;

/// Maximum number of pages of the search index that one write merges. A page has about 4 KiB.
const MERGED_PAGES: u64 = MAX_SLICE / 4096;

/// Maximum number of deleted investigations and chats that one write sweeps completely.
const MAX_SWEPT: u32 = 16;

const TABLE: Table = Table { name: "removed", key: &["kind", "n"] };

/// Kinds of permanently deleted data, by their names in the table `removed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub(super) enum Removed {
    /// An investigation, by its internal number `body`.
    Body,
    /// A chat, by its number `n`.
    Chat,
    /// Words of swept investigations that are still in the search index. Instead of an internal number, the row has
    /// `NOT_BEGUN` or `BEGUN`, the state of the merge that removes them.
    Words,
}

/// The merge of the search index has not begun.
const NOT_BEGUN: i64 = 0;
/// The merge of the search index has begun.
const BEGUN: i64 = 1;

const CHAT: [Part; 2] = [
    Part { table: "chat_entry", owner: "chat", key: &["place"], bytes: "octet_length(t.entry)" },
    Part { table: "chat_snapshot", owner: "chat", key: &["digest"], bytes: "octet_length(t.packed)" },
];

const BODY: [Part; 6] = [
    // The visit counts of a link are deleted by cascade, so their size is added.
    Part {
        table: "link",
        owner: "body",
        key: &["n"],
        bytes: "(SELECT 512 * count(*) FROM link_day d WHERE d.link = t.n)",
    },
    Part { table: "version_field", owner: "body", key: &["field", "version"], bytes: "0" },
    Part { table: "version_record", owner: "body", key: &["version"], bytes: "octet_length(t.changes)" },
    Part { table: "content_copy", owner: "body", key: &["version"], bytes: "octet_length(t.content)" },
    // The bytes of a picture that no other investigation holds are deleted by a trigger.
    Part { table: "picture", owner: "body", key: &["id"], bytes: "t.size" },
    Part { table: "detection", owner: "body", key: &["key"], bytes: "octet_length(t.findings)" },
];

impl Store {
    /// Deletes a slice of the rows of removed investigations and chats. Returns whether there may be more.
    pub async fn sweep(&self) -> Result<bool, StoreError> {
        let removed = Statement::new("SELECT r.kind, r.n FROM removed r ORDER BY r.kind, r.n LIMIT $limit");
        let of_row = |row: &Row| Ok((row.parsed::<Removed>("kind")?, row.integer("n")?));
        let removed = self.listed(TABLE, removed, MAX_SWEPT, of_row).await?;
        if removed.is_empty() {
            return Ok(false);
        }
        if let [(Removed::Words, number), ..] = removed[..] {
            return self.merge_words(number).await.map(|()| true);
        }
        let mut slice = Slice::default();
        for (kind, number) in removed.into_iter().filter(|(kind, _)| *kind != Removed::Words) {
            let parts = kind.parts(self.dialect());
            let rows = self.read(parts.iter().map(|part| part.first_rows(number)).collect()).await?;
            if !slice.add_all(&parts, &rows, number)? {
                break;
            }
            slice.statements.push(kind.forget(number));
            if kind == Removed::Body && self.dialect().keeps_words() {
                slice.statements.push(Removed::Words.note_once(NOT_BEGUN));
            }
        }
        // Links come last in the order of locks.
        slice.statements.sort_by_key(|statement| statement.sql.starts_with("DELETE FROM link"));
        self.write_repeatable("sweep", slice.statements).await?;
        Ok(true)
    }
}

impl Store {
    /// Merges a part of the search index, which removes the words of swept investigations from it.
    async fn merge_words(&self, number: i64) -> Result<(), StoreError> {
        let dialect = self.dialect();
        let forget = Removed::Words.forget(number);
        if number == NOT_BEGUN {
            let begin = vec![dialect.merge(MERGED_PAGES), forget, Removed::Words.note_once(BEGUN)];
            return self.write_if("merge_words", begin).await.map(drop);
        }
        // Reads and merges in one transaction, because other writes also change the segments.
        let decide = move |read: &[Rows]| {
            let before = read[0].first().map_or(Ok(Value::Null), |row| row.value("block").cloned())?;
            let forget = forget.clone().then(&dialect.and_segments_are("before")).with("before", before);
            Ok((vec![dialect.merge_on(MERGED_PAGES), forget], ()))
        };
        self.write("merge_words", vec![dialect.segments()], decide).await
    }
}

impl Removed {
    /// Returns the statement that adds the numbers that the query `numbers` selects to the table `removed`.
    pub fn note(self, numbers: &str) -> Statement {
        let kind: &str = self.into();
        Statement::new(format!("INSERT INTO removed (kind, n) SELECT '{kind}', r.* FROM ({numbers}) r"))
    }

    fn note_once(self, number: i64) -> Statement {
        let kind: &str = self.into();
        Statement::new("INSERT INTO removed (kind, n) VALUES ($kind, $n) ON CONFLICT (kind, n) DO NOTHING")
            .with("kind", kind)
            .with("n", number)
    }

    fn parts(self, dialect: Dialect) -> Vec<Part> {
        match self {
            Self::Words => Vec::new(),
            Self::Chat => CHAT.into(),
            Self::Body => BODY.into_iter().chain([dialect.index()]).collect(),
        }
    }

    /// Returns the statement that deletes the number from the table `removed`, because all its rows were swept.
    fn forget(self, number: i64) -> Statement {
        let kind: &str = self.into();
        Statement::new("DELETE FROM removed WHERE kind = $kind AND n = $n").with("kind", kind).with("n", number)
    }
}

impl Part {
    /// Maximum number of rows that [`Self::first_rows`] returns: as many as fit into a slice.
    const MAX_ROWS: u64 = MAX_SLICE / ROW;

    /// Returns the query for the sizes of the first rows that belong to a removed number.
    fn first_rows(&self, number: i64) -> Statement {
        let Self { table, owner, key, bytes } = self;
        let key = list("t", key);
        let rows = Statement::new(format!(
            "SELECT {bytes} AS bytes FROM {table} t WHERE t.{owner} = $owner ORDER BY {key} LIMIT $limit"
        ));
        rows.with("owner", number).with("limit", Self::MAX_ROWS)
    }

    /// Returns the statement that deletes the first `count` rows of [`Self::first_rows`].
    fn delete_first(&self, count: u64, number: i64) -> Statement {
        let Self { table, owner, key, bytes: _ } = self;
        let (columns, key) = (key.join(", "), list("t", key));
        let delete = Statement::new(format!(
            "DELETE FROM {table} WHERE {owner} = $owner AND ({columns}) IN (
                 SELECT {key} FROM {table} t WHERE t.{owner} = $owner ORDER BY {key} LIMIT $count)"
        ));
        delete.with("owner", number).with("count", count)
    }
}

/// The rows that one write of the sweeper deletes.
#[derive(Debug, Default)]
struct Slice {
    statements: Vec<Statement>,
    weight: u64,
}

impl Slice {
    /// Adds the rows that belong to a removed number. Returns whether all its rows are in the slice.
    fn add_all(&mut self, parts: &[Part], rows: &[Rows], number: i64) -> Result<bool, StoreError> {
        for (part, rows) in parts.iter().zip(rows) {
            if !self.add(part, rows, number)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn add(&mut self, part: &Part, rows: &Rows, number: i64) -> Result<bool, StoreError> {
        let mut count = 0;
        for row in rows {
            let weight = self.weight + ROW + row.count("bytes")?;
            if weight > MAX_SLICE && self.weight > 0 {
                break;
            }
            self.weight = weight;
            count += 1;
        }
        if count > 0 {
            self.statements.push(part.delete_first(count, number));
        }
        Ok(count == rows.len() as u64 && count < Part::MAX_ROWS)
    }
}

/// Returns the query for orphaned rows: rows whose owner is neither stored nor in `removed`.
pub(super) fn orphans(dialect: Dialect) -> String {
    let orphans = |part: Part, kind: Removed, stored: &str| {
        let (Part { table, owner, .. }, kind) = (part, <&str>::from(kind));
        format!(
            "SELECT '{table}' AS part FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM removed r
                 WHERE r.kind = '{kind}' AND r.n = t.{owner}) AND {stored}"
        )
    };
    let of_body = |part: Part| {
        let [live, trash] =
            [LIVE, TRASH].map(|table| format!("NOT EXISTS (SELECT 1 FROM {table} i WHERE i.body = t.{})", part.owner));
        orphans(part, Removed::Body, &format!("{live} AND {trash}"))
    };
    let of_chat = |part| orphans(part, Removed::Chat, "NOT EXISTS (SELECT 1 FROM chat c WHERE c.n = t.chat)");
    let bodies = Removed::Body.parts(dialect).into_iter().map(of_body);
    let files = "SELECT 'picture_file' AS part FROM picture_file f WHERE NOT EXISTS (SELECT 1 FROM picture p WHERE p.id = f.id)";
    let parts = bodies.chain(CHAT.into_iter().map(of_chat)).chain([files.to_owned()]);
    parts.collect::<Vec<_>>().join(" UNION ALL ")
}

/// Returns the statements that permanently remove the investigations in the trash `t` that the condition selects. They
/// lock the rows first, so that no investigation is removed that a concurrent write restores.
pub(super) fn remove_from_trash(condition: &str, dialect: Dialect) -> [Statement; 2] {
    let bodies = format!("SELECT t.body FROM trash t WHERE {condition} {}", dialect.lock("t"));
    let delete = Statement::new(format!("DELETE FROM trash AS t WHERE {condition}"));
    [Removed::Body.note(&bodies), delete]
}
