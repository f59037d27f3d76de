//! Changes that the store is asked to make, and their results.

use std::sync::Arc;

use crate::domain::chat::ChatEntry;
use crate::domain::content::Content;
use crate::domain::event::What;
use crate::domain::history::Step;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;

/// How long answers of idempotent requests are stored, in milliseconds: a day.
pub const KEPT_FOR: i64 = 24 * 60 * 60 * 1000;

/// Maximum number of expired answers to delete at a time, so that no write pays for many.
pub const FORGOTTEN_AT_ONCE: i64 = 100;

/// A decided change, to be stored as a whole or not at all.
#[derive(Debug)]
pub struct Commit {
    /// The revision that the decision is based on. If the current one differs, nothing is stored.
    pub decided_on: u64,
    /// The investigation after the change.
    pub investigation: Arc<Investigation>,
    /// What happens to its history.
    pub step: Step,
    /// The content before the change; stored if this is the first record on top of it.
    pub content_before: Content,
    /// A new entry for its chat.
    pub chat_entry: Option<ChatEntry>,
    /// The events of the change.
    pub events: Vec<What>,
}

/// How a commit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Stored, on disk.
    Done,
    /// The investigation was changed or deleted since. Nothing was stored.
    Lost,
}

/// How a deletion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// Deleted, including this many chats.
    Done {
        /// How many chat records went with it.
        chats: u64,
    },
    /// The investigation does not exist.
    Unknown,
    /// It is at another revision than the one to delete.
    Lost,
}

/// How the creation of a link ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkCreated {
    /// Stored, on disk.
    Done,
    /// The investigation does not exist.
    NoInvestigation,
    /// Another link has this key and sub-link.
    Taken,
    /// The same caller used the same key before. Nothing was stored.
    Before(StoredAnswer),
}

/// How it ended that a chat was to be filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatFilled {
    /// Stored, on disk.
    Done,
    /// The investigation does not exist.
    Unknown,
    /// Its chat is not empty.
    Other,
}

/// How the creation of an investigation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created {
    /// Stored, on disk.
    Done,
    /// The same caller used the same key before. Nothing was stored.
    Before(StoredAnswer),
}

/// The answer to an idempotent request, stored together with what it creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAnswer {
    /// The caller.
    pub caller: String,
    /// Their name for the request.
    pub key: String,
    /// Digest of the request.
    pub request: String,
    /// What was created, as JSON. Its id is unique.
    pub answer: String,
    /// Whether the answer is final; otherwise processing will add to it.
    pub settled: bool,
    /// When.
    pub at: Timestamp,
}

/// A stored answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// Digest of the request.
    pub request: String,
    /// What was created, as JSON.
    pub answer: String,
    /// Whether the answer is this to the end.
    pub settled: bool,
}

impl FirstAnswer {
    /// Answers of this time and older are over, in milliseconds since 1970.
    pub fn over(&self) -> i64 {
        self.at.0.saturating_sub(KEPT_FOR)
    }
}
