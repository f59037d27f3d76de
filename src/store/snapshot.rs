//! Snapshot of one investigation with everything that belongs to it, in the same format for every backend. Used to export,
//! to import, and for the trash.
//!
//! Contents, findings and changes are kept as the stored JSON text, so a comparison notices a difference in any byte.

use serde::{Deserialize, Serialize};

use super::StoreError;
use super::chat_row::{self, ChatRows};
use super::jsonl::Line;
use super::row::Row;
use crate::domain::chat::Chat;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};

/// An investigation with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigationSnapshot {
    /// Row of the investigation. The embedded store computes [`Row::words`] from the content, because SQLite's search
    /// index does not return the words of a row.
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
    pub since_copy: i32,
    /// Names of the changed top-level fields, in alphabetical order. An index of these names finds the history of a
    /// field.
    pub fields: Vec<String>,
}

/// A full copy of the content at a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullCopy {
    pub version: u64,
    /// The content as JSON.
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

/// Returns the error of a snapshot whose receiver was dropped. The receiver itself reports why.
pub(super) fn receiver_gone() -> StoreError {
    StoreError::Failed("the snapshot is no longer wanted".into())
}

impl InvestigationSnapshot {
    pub fn id(&self) -> ObjectId {
        self.row.investigation.id
    }

    pub fn revision(&self) -> u64 {
        self.row.investigation.revision
    }

    /// Returns the rows of the chat; empty if there is no chat. Compresses texts, which takes CPU time.
    pub(super) fn chat_rows(&self) -> Result<ChatRows, StoreError> {
        chat_row::rows_of(self.chat.as_ref().map(|chat| chat.history.as_slice()).unwrap_or_default())
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
