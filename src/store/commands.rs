//! Write operations of the store, and their results.

use std::sync::Arc;

use crate::domain::chat::ChatEntry;
use crate::domain::content::Content;
use crate::domain::history::Step;
use crate::domain::investigation::Investigation;
use crate::domain::link::{Link, Visit};
use crate::domain::time::Timestamp;

use super::{Reports, RevisionKey};

/// Time for which answers to requests with an idempotency key are stored, in milliseconds: one day.
pub const ANSWER_TTL: i64 = 24 * 60 * 60 * 1000;

/// A change that has been decided on and is ready to be stored, completely or not at all.
#[derive(Debug)]
pub struct Commit {
    /// Revision of the investigation that the change is based on. If the stored revision differs, nothing is stored.
    pub base_revision: u64,
    pub investigation: Arc<Investigation>,
    pub step: Step,
    /// Content before the change. If the change creates the first version record, this content is stored as version 0.
    pub content_before: Content,
    pub chat_entry: Option<ChatEntry>,
    /// Ids of pictures that the change refers to for the first time. If one of them is not stored for the
    /// investigation, nothing is stored.
    pub pictures: Vec<String>,
    pub reports: Reports,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deleted {
    /// The investigation was deleted or moved to the trash, together with its chats.
    Done {
        chats: u64,
    },
    Unknown,
    /// The investigation or its chat has changed since the caller read it, so nothing was deleted.
    Conflict,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkCreated {
    Done,
    NoInvestigation,
    NoVersion,
    /// Another link already has this key and sub-link.
    Taken,
    /// The investigation has [`MAX_LINKS`](crate::domain::link::MAX_LINKS) links. Concurrent requests may exceed this
    /// limit slightly.
    Full,
    /// The caller already used this idempotency key. Nothing was stored. Contains the stored answer to the earlier
    /// request.
    KeyUsed(IdempotentAnswer),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkChanged {
    Done(Link),
    NoLink,
    NoVersion,
}

/// A visit, and the state of its investigation at the time of the visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedVisit {
    pub visit: Visit,
    pub state: RevisionKey,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Visited {
    /// The visit is counted, and the count is on disk.
    Counted(CountedVisit),
    NoLink,
    /// The link is archived, has expired, or has reached its visit limit. Nothing was counted.
    Closed,
    /// The link has a visit limit, so a [look](crate::domain::link::VisitKind::Look) was not counted.
    Limited,
}

/// The answer to a request with an idempotency key. It is stored in the same transaction as the investigation or link
/// that the request creates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotentAnswer {
    /// Identifies the caller. Two callers may use the same key for different requests.
    pub caller: String,
    pub key: String,
    /// Digest of the request. A later request with the same key, but another digest, is a different request.
    pub request: String,
    pub answer: String,
    /// Whether the answer is final. If not, [`Store::finalize_answer`](super::Store::finalize_answer) replaces it
    /// later.
    pub is_final: bool,
    pub at: Timestamp,
}

impl IdempotentAnswer {
    /// Returns the expiry cutoff in milliseconds since 1970. Answers stored at this time or earlier have expired.
    pub fn expiry_cutoff(&self) -> i64 {
        self.at.0.saturating_sub(ANSWER_TTL)
    }
}
