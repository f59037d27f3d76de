//! Snapshot of one investigation with everything that belongs to it, in the same format for every backend. Used to export
//! and to import.
//!
//! Contents, findings and changes are kept as the stored JSON text, so a comparison notices a difference in any byte.

use serde::{Deserialize, Serialize};

use super::addresses::{Addresses, Owners};
use super::chat_row;
use super::dialect::Dialect;
use super::engine::{Limit, Snapshot, WriteKind};
use super::investigations::LIVE;
use super::jsonl::Line;
use super::rounds::Rounds;
use super::row::Row;
use super::sql::{Rows, Statement, list};
use super::{Store, StoreError, chats, groups, investigations, links, records};
use crate::domain::chat::Chat;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::keys::Keys;
use crate::domain::link::{DayCount, Link};
use crate::domain::search;

/// Number of full copies per round while an investigation is read. A copy is as large as the content.
const COPIES_PER_ROUND: u32 = 8;

/// An investigation with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigationSnapshot {
    /// Row of the investigation. [`Row::words`] is computed from the content, because a search index may not return the
    /// words of a row.
    pub row: Row,
    /// Version records, oldest first, including undone records.
    pub records: Vec<RecordRow>,
    /// Full copies of the content, oldest first.
    pub copies: Vec<FullCopy>,
    pub chat: Option<Chat>,
    /// Links, oldest first.
    pub links: Vec<VisitedLink>,
}

/// Part of a snapshot of a whole store.
#[derive(Debug, Clone, PartialEq)]
pub enum SnapshotPart {
    /// A line of an export, except the first and the last. Sent in the order of [`Line`].
    Line(Line),
    /// A part that cannot be read, such as `the investigation 65a…`.
    Unreadable {
        what: String,
        /// The investigation, if one of its lines was sent already, or may have been.
        investigation: Option<ObjectId>,
        reason: String,
    },
}

/// A version record in the form of its database row.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordRow {
    pub record: VersionRecord,
    /// Changes as JSON.
    pub changes: String,
    /// How many versions ago the content was fully copied: 0 if this version has a full copy, 1 if only its parent has
    /// one.
    pub since_copy: i64,
}

/// A full copy of the content at a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullCopy {
    pub version: u64,
    pub content: String,
}

/// A link with its visits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VisitedLink {
    pub link: Link,
    /// Number of visits on each day with visits, oldest first.
    pub days: Vec<DayCount>,
}

impl Store {
    /// Returns a consistent snapshot of an investigation and everything that belongs to it; `None` if the investigation
    /// does not exist.
    pub async fn whole(&self, id: ObjectId) -> Result<Option<InvestigationSnapshot>, StoreError> {
        let snapshot = self.begin(Limit::None).await?;
        let whole = InvestigationSnapshot::read(&snapshot, LIVE, id).await?;
        snapshot.end();
        Ok(whole)
    }

    /// Stores an investigation and everything that belongs to it, unless an investigation has this id. Returns whether
    /// the investigation was stored.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if another investigation already has a link with the same key and sub-link. In that case
    /// nothing is stored. Other [`StoreError`]s if the store fails.
    pub async fn add_snapshot(&self, whole: InvestigationSnapshot) -> Result<bool, StoreError> {
        let dialect = self.dialect();
        let mut statements = whole.statements(&[], dialect)?;
        statements.push(whole.counted(dialect));
        let addresses = whole.addresses();
        let displace = addresses.displace(dialect);
        let reads = vec![investigations::exists(whole.id()), addresses.owners(dialect)];
        self.write_as(WriteKind::Long, "add_snapshot", reads, move |rows: &[Rows]| {
            if !rows[0].is_empty() {
                return Ok((Vec::new(), false));
            }
            let owners = Owners::read(&rows[1])?;
            if let Some(taken) = owners.live.first() {
                return Err(StoreError::Failed(format!("the link {taken} leads to another investigation there")));
            }
            let displace = (!owners.dead.is_empty()).then(|| displace.clone());
            Ok((displace.into_iter().chain(statements.clone()).collect(), true))
        })
        .await
    }
}

impl InvestigationSnapshot {
    /// Reads an investigation in `table`, which is the one of live investigations or the trash.
    pub(super) async fn read(
        snapshot: &Snapshot,
        table: &'static str,
        id: ObjectId,
    ) -> Result<Option<Self>, StoreError> {
        let row = Statement::new(format!(
            "SELECT i.body, {}, {} FROM {table} i WHERE i.id = $id",
            list("i", &investigations::COLUMNS),
            list("i", &investigations::LIST_COLUMNS)
        ));
        let [links, days] = links::of(table, id);
        let rows = snapshot.read(vec![row.with("id", id), links, days]).await?;
        let Some(row) = rows[0].first() else { return Ok(None) };
        let body = row.integer("body")?;
        let investigation = investigations::read(row)?;
        let text = |name| row.text(name).map(str::to_owned);
        let optional_text = |name| Ok::<_, StoreError>(row.optional_text(name)?.map(str::to_owned));
        Ok(Some(Self {
            row: Row {
                words: search::index_words(&investigation.content),
                investigation: investigation.into(),
                keys: Keys {
                    group: text("group_key")?,
                    curriculum: text("curriculum_key")?,
                    title: text("title_key")?,
                    grade: text("grade_key")?,
                },
                curriculum: optional_text("curriculum")?,
                grade: optional_text("grade")?,
                title: optional_text("title")?,
                findings: text("findings")?,
                content: text("content")?,
            },
            records: read_records(snapshot, body).await?,
            copies: read_copies(snapshot, body).await?,
            // A deletion deletes the chat.
            chat: if table == LIVE { chats::whole(snapshot, id).await? } else { None },
            links: links::visited(&rows[1], &rows[2]).into_iter().collect::<Result<_, _>>()?,
        }))
    }

    /// Returns the statements that store this investigation as a new one. The links whose addresses are in `displaced`
    /// get no address. The statement [`Self::counted`] must follow. Compresses texts, which takes CPU time.
    pub(super) fn statements(&self, displaced: &[String], dialect: Dialect) -> Result<Vec<Statement>, StoreError> {
        // Lists all fields, so that the compiler reports a new field that is not stored here.
        let Self { row, records, copies, chat, links } = self;
        let id = self.id();
        let mut statements = vec![Statement::insert("investigation", investigations::columns(row))];
        statements.extend(links.iter().flat_map(|visited| {
            let is_displaced = displaced.contains(&visited.link.address());
            links::insertion(visited, is_displaced, dialect)
        }));
        statements.push(dialect.index_new(id.into(), &row.words));
        statements.extend(records.iter().flat_map(|recorded| records::insert(id, recorded)));
        statements.extend(copies.iter().map(|copy| records::insert_copy(id, copy.version, &copy.content)));
        if let Some(chat) = chat {
            statements.extend(chats::insert_whole(id, chat.id, &chat_row::rows_of(&chat.history)?));
        }
        Ok(statements)
    }

    /// Returns the statement that counts this investigation in its group.
    pub(super) fn counted(&self, dialect: Dialect) -> Statement {
        groups::counted(dialect, self.id(), &self.row.keys.group, self.row.curriculum.as_deref(), 1)
    }

    pub fn id(&self) -> ObjectId {
        self.row.investigation.id
    }

    pub fn revision(&self) -> u64 {
        self.row.investigation.revision
    }

    /// Returns whether it has a link with this address, such as `class-5b/radishes`.
    pub(super) fn has_link(&self, address: &str) -> bool {
        self.links.iter().any(|visited| visited.link.address() == address)
    }

    /// Returns the addresses of its links.
    pub(super) fn addresses(&self) -> Addresses {
        Addresses::of(self.links.iter().map(|visited| &visited.link))
    }

    /// Returns the parts in which the two snapshots differ, such as `the chat`; empty if they are equal.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if self.row != other.row {
            differences.push("the investigation itself".to_owned());
        }
        differences.extend(
            differing(&self.records, &other.records, |recorded| recorded.record.version)
                .map(|version| format!("the version record {version}")),
        );
        differences.extend(
            differing(&self.copies, &other.copies, |copy| copy.version)
                .map(|version| format!("the full copy at version {version}")),
        );
        if self.chat != other.chat {
            differences.push("the chat".to_owned());
        }
        let links: Vec<String> = differing(&self.links, &other.links, |visited| visited.link.address())
            .map(|address| format!("the link {address}"))
            .collect();
        if links.is_empty() && self.links != other.links {
            differences.push("the order of its links".to_owned());
        }
        differences.extend(links);
        differences
    }
}

async fn read_records(snapshot: &Snapshot, body: i64) -> Result<Vec<RecordRow>, StoreError> {
    let mut records: Vec<RecordRow> = Vec::new();
    loop {
        let last = records.last().map_or(0, |recorded| recorded.record.version);
        let more = records::after(snapshot, body, last).await?;
        if more.is_empty() {
            return Ok(records);
        }
        records.extend(more);
    }
}

async fn read_copies(snapshot: &Snapshot, body: i64) -> Result<Vec<FullCopy>, StoreError> {
    let copies = "SELECT c.version, c.content FROM content_copy c
         WHERE c.body = $body AND c.version > $after ORDER BY c.version LIMIT $limit";
    let copies = Statement::new(copies).with("body", body).with("limit", COPIES_PER_ROUND);
    // The first version is 0.
    let mut rows = Rounds::of(copies, "version", -1_i64);
    let mut copies = Vec::new();
    while let Some(row) = rows.next(snapshot).await? {
        copies.push(FullCopy { version: row.count("version")?, content: row.text("content")?.to_owned() });
    }
    Ok(copies)
}

/// Returns the keys of the entries that differ between two lists, or that only one of the lists contains.
fn differing<'t, T: PartialEq, K: PartialEq>(
    one: &'t [T],
    other: &'t [T],
    key: impl Fn(&T) -> K + Copy + 't,
) -> impl Iterator<Item = K> + 't {
    // Looks for the key at the same position first, and then in the whole list. Otherwise comparing long lists would
    // take quadratic time even if they are equal.
    let like = move |list: &'t [T], place: usize, item: &T| {
        list.get(place)
            .filter(|at_place| key(at_place) == key(item))
            .or_else(|| list.iter().find(|i| key(i) == key(item)))
    };
    let changed = one.iter().enumerate().filter(move |(place, item)| like(other, *place, item) != Some(*item));
    let added = other.iter().enumerate().filter(move |(place, item)| like(one, *place, item).is_none());
    changed.chain(added).map(move |(_, item)| key(item))
}
