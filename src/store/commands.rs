//! Write operations of the store, and their results.

use std::sync::Arc;

use crate::domain::chat::ChatEntry;
use crate::domain::content::Content;
use crate::domain::history::Step;
use crate::domain::id::ObjectId;
use crate::domain::investigation::Investigation;
use crate::domain::link::{Link, Shows, Visit};
use crate::domain::time::Timestamp;

use super::audit::Reports;

/// How long answers of idempotent requests are stored, in milliseconds: a day.
pub const ANSWER_TTL: i64 = 24 * 60 * 60 * 1000;

/// Maximum number of expired answers that one write deletes, so that no write becomes slow.
pub const MAX_DELETED: i64 = 100;

/// A decided change, to be stored as a whole or not at all.
#[derive(Debug)]
pub struct Commit {
    /// Revision that the decision is based on. If the stored revision differs, nothing is stored.
    pub decided_on: u64,
    /// The investigation after the change.
    pub investigation: Arc<Investigation>,
    /// Effect on the history.
    pub step: Step,
    /// Content before the change. It is stored if the investigation has no full copy yet.
    pub content_before: Content,
    /// New entry for the chat of the investigation.
    pub chat_entry: Option<ChatEntry>,
    /// What the change reports.
    pub reports: Reports,
}

/// Result of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Stored, on disk.
    Done,
    /// Another change or a deletion came first. Nothing was stored.
    Lost,
}

/// Result of a deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// Deleted, including this many chats.
    Done {
        /// Number of deleted chats.
        chats: u64,
    },
    /// The investigation does not exist.
    Unknown,
    /// The investigation is at another revision than expected.
    Lost,
}

/// Result of creating a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkCreated {
    /// Stored, on disk.
    Done,
    /// The investigation does not exist.
    NoInvestigation,
    /// The investigation has no such version.
    NoVersion,
    /// Another link has this key and sub-link.
    Taken,
    /// The caller already used this idempotency key. Nothing was stored.
    Before(StoredAnswer),
}

/// Result of changing a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkChanged {
    /// Stored, on disk: the link as it is now.
    Done(Link),
    /// The link does not exist.
    NoLink,
    /// The investigation has no such version.
    NoVersion,
}

/// Result of a visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visited {
    /// Counted, on disk.
    Counted(Visit),
    /// The link does not exist.
    NoLink,
    /// The link is archived, expired or used up. Nothing was counted.
    Closed,
}

/// Result of counting several visits of a link at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Count {
    Counted {
        investigation_id: ObjectId,
        /// The count after these visits.
        after: u64,
        /// Number of visits that were counted. A link with a limit may count fewer visits than arrived.
        added: u64,
        shows: Shows,
        version: Option<u64>,
    },
    NoLink,
    Closed,
}

impl Count {
    pub(super) fn of_visit(&self, number: u64, key: &str, sub_link: &str) -> Visited {
        match self {
            Self::NoLink => Visited::NoLink,
            Self::Counted { investigation_id, after, added, shows, version } if number <= *added => {
                Visited::Counted(Visit {
                    investigation_id: *investigation_id,
                    key: key.to_owned(),
                    sub_link: sub_link.to_owned(),
                    visit_count: after - added + number,
                    shows: *shows,
                    version: *version,
                })
            }
            Self::Counted { .. } | Self::Closed => Visited::Closed,
        }
    }
}

/// Result of filling a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatFill {
    /// Stored, on disk.
    Done,
    /// The investigation does not exist.
    Unknown,
    /// The chat has entries. Nothing was stored.
    Other,
}

/// Result of creating an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created {
    /// Stored, on disk.
    Done,
    /// The caller already used this idempotency key. Nothing was stored.
    Before(StoredAnswer),
}

/// The answer to an idempotent request, stored together with what it creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAnswer {
    /// The caller.
    pub caller: String,
    /// The idempotency key.
    pub key: String,
    /// Digest of the request.
    pub request: String,
    /// The created record as JSON.
    pub answer: String,
    /// Whether the answer is final. Otherwise processing will replace it.
    pub settled: bool,
    /// Time of the request.
    pub at: Timestamp,
}

/// Stored answer of an idempotent request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Digest of the request.
    pub request: String,
    /// The created record as JSON.
    pub answer: String,
    /// Whether the answer is final.
    pub settled: bool,
}

impl FirstAnswer {
    /// Returns the time up to which answers have expired, in milliseconds since 1970.
    pub fn over(&self) -> i64 {
        self.at.0.saturating_sub(ANSWER_TTL)
    }
}
