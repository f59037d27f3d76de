//! Snapshot of one investigation with everything that belongs to it, in the same format for every backend. It is used
//! to move and compare stores.
//!
//! Contents, findings and changes are the stored JSON text, so equal values are equal byte for byte.

use super::StoreError;
use super::chat_row::{self, ChatRows};
use super::jsonl::{Entry, MoreRecords};
use super::row::Row;
use crate::domain::chat::Chat;
use crate::domain::history::VersionRecord;
use crate::domain::id::ObjectId;
use crate::domain::link::{DayCount, Link};

/// An investigation with everything that belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub struct InvestigationSnapshot {
    /// Row of the investigation. The embedded store computes its search words from the content, because its index does
    /// not store them.
    pub row: Row,
    /// Version records, oldest first, including undone records.
    pub records: Vec<RecordRow>,
    /// Full copies of the content, oldest first.
    pub copies: Vec<FullCopy>,
    /// The chat, if any.
    pub chat: Option<Chat>,
    /// Links, oldest first.
    pub links: Vec<VisitedLink>,
}

/// Part of a snapshot of a whole store.
#[derive(Debug, Clone, PartialEq)]
pub enum SnapshotPart {
    /// Number of investigations; sent first.
    Total(u64),
    /// An investigation with its first version records.
    Investigation(Box<Entry>),
    /// Next version records of the preceding investigation.
    Records(MoreRecords),
    /// A damaged investigation, and the reason. The parts of this investigation that were already sent are incomplete.
    Unreadable(ObjectId, String),
    /// Cached findings of a language model. They are sent after all investigations, oldest first.
    Detection(Detection),
}

/// A version record in the form of its database row.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordRow {
    /// The record itself.
    pub record: VersionRecord,
    /// Changes as JSON.
    pub changes: String,
    /// Number of records since the nearest full copy; 0 if this version has a full copy itself.
    pub since_copy: i32,
    /// Names of the changed top-level fields, in alphabetical order. They are indexed, so that the history of a field
    /// can be found.
    pub fields: Vec<String>,
}

/// A full copy of the content at a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FullCopy {
    /// The version.
    pub version: u64,
    /// The content as JSON.
    pub content: String,
}

/// A link with its visits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitedLink {
    /// The link.
    pub link: Link,
    /// Number of visits on each day with visits, oldest first.
    pub days: Vec<DayCount>,
}

/// Cached findings of a language model, as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detection {
    /// Number of the entry in its store. Newer entries have higher numbers.
    pub number: i64,
    /// Cache key, computed from everything that the findings depend on.
    pub key: String,
    /// The findings as JSON.
    pub findings: String,
}

impl InvestigationSnapshot {
    /// Returns the id of the investigation.
    pub fn id(&self) -> ObjectId {
        self.row.investigation.id
    }

    /// Returns the revision of the investigation.
    pub fn revision(&self) -> u64 {
        self.row.investigation.revision
    }

    /// Returns the rows of the chat. Compresses the snapshots that its entries show, which takes CPU time.
    ///
    /// # Errors
    /// [`StoreError::Failed`] if an entry cannot be serialized, or its snapshot cannot be compressed.
    pub(super) fn chat_rows(&self) -> Result<ChatRows, StoreError> {
        chat_row::rows_of(self.chat.as_ref().map(|chat| chat.history.as_slice()).unwrap_or_default())
    }

    /// Returns the names of the parts, except links, in which both snapshots differ; empty if there are none.
    pub fn differences_except_links(&self, other: &Self) -> Vec<String> {
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
        differences
    }

    /// Returns the names of the parts, including links, in which both snapshots differ; empty if both are equal.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = self.differences_except_links(other);
        let links: Vec<String> =
            differing(&self.links, &other.links, name).map(|name| format!("the link {name}")).collect();
        if links.is_empty() && self.links != other.links {
            differences.push("the order of its links".to_owned());
        }
        differences.extend(links);
        differences
    }

    /// Returns the links that are missing from `other` or have fewer visits there.
    pub fn links_ahead_of(&self, other: &Self) -> Vec<String> {
        let ahead = |own: &&VisitedLink| {
            let known = other.links.iter().find(|link| name(link) == name(own));
            known.is_none_or(|known| known.link.visit_count < own.link.visit_count)
        };
        self.links.iter().filter(ahead).map(name).collect()
    }
}

fn name(visited: &VisitedLink) -> String {
    visited.link.address()
}

/// Returns the keys of the entries that differ, or that only one of the two lists contains.
fn differing<'t, T: PartialEq, K: PartialEq>(
    one: &'t [T],
    other: &'t [T],
    key: impl Fn(&T) -> K + Copy + 't,
) -> impl Iterator<Item = K> + 't {
    // Tries the same position first, because equal lists have the same entries at the same positions. If the entry
    // there has another key, searches the whole list.
    let like = move |list: &'t [T], place: usize, item: &T| {
        list.get(place)
            .filter(|at_place| key(at_place) == key(item))
            .or_else(|| list.iter().find(|i| key(i) == key(item)))
    };
    let changed = one.iter().enumerate().filter(move |(place, item)| like(other, *place, item) != Some(*item));
    let added = other.iter().enumerate().filter(move |(place, item)| like(one, *place, item).is_none());
    changed.chain(added).map(move |(_, item)| key(item))
}
