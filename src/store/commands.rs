//! What the store is asked to change, and how that ended.

use std::sync::Arc;

use crate::domain::chat::ChatEntry;
use crate::domain::content::Content;
use crate::domain::event::What;
use crate::domain::history::Step;
use crate::domain::investigation::Investigation;
use crate::domain::time::Timestamp;

/// For so long first answers are kept, in milliseconds: a day.
pub const KEPT_FOR: i64 = 24 * 60 * 60 * 1000;

/// At a time at most so many first answers that are over are let go, so that no write pays for many.
pub const FORGOTTEN_AT_ONCE: i64 = 100;

/// A decided change, to be stored as a whole or not at all.
#[derive(Debug)]
pub struct Commit {
    /// The revision that the change was decided on: with another, nothing is stored.
    pub decided_on: u64,
    /// The investigation as it is to stand.
    pub investigation: Arc<Investigation>,
    /// What happens to its history.
    pub step: Step,
    /// What the content was before; kept where the first record is made on it.
    pub content_before: Content,
    /// What is added to its chat.
    pub chat_entry: Option<ChatEntry>,
    /// What is told of it.
    pub events: Vec<What>,
}

/// How a commit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// Stored, on disk.
    Done,
    /// The investigation has another revision by now, or is gone. Nothing was stored.
    Lost,
}

/// How a deletion ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// Deleted, with so many chats.
    Done {
        /// How many chat records went with it.
        chats: u64,
    },
    /// There is no such investigation.
    Unknown,
    /// It has another revision than the one that was to be deleted.
    Lost,
}

/// How the creation of a link ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkCreated {
    /// Stored, on disk.
    Done,
    /// There is no such investigation.
    NoInvestigation,
    /// Key and sub-link are taken.
    Taken,
    /// The same caller asked under the same key before. Nothing was stored.
    Before(StoredAnswer),
}

/// How it ended that a chat was to be filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChatFilled {
    /// Stored, on disk.
    Done,
    /// There is no such investigation.
    Unknown,
    /// Something was said in its chat already.
    Other,
}

/// How the creation of an investigation ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Created {
    /// Stored, on disk.
    Done,
    /// The same caller asked under the same key before. Nothing was stored.
    Before(StoredAnswer),
}

/// The answer to a request that may be sent again: stored with what it creates, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FirstAnswer {
    /// Who asks.
    pub caller: String,
    /// Their name for the request.
    pub key: String,
    /// The digest of what is asked.
    pub request: String,
    /// What is created, as JSON, with an identity that nothing else has.
    pub answer: String,
    /// Whether the answer is this to the end; otherwise more is found out after it is stored.
    pub settled: bool,
    /// When.
    pub at: Timestamp,
}

/// A first answer that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The digest of what was asked.
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
