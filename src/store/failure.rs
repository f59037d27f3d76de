//! Failures of the store, for callers, operators and the log.

use super::reads::LIMIT;
use crate::domain::link::Link;

/// A failure of the store.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The queue of writes is full. Nothing was changed; retrying may help.
    #[error("the store is busy")]
    Busy,
    /// No writable server answered in time. Nothing was changed; retrying may help.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The server did not answer a write. It is unknown whether it was carried out.
    #[error("the store did not answer: {0}")]
    Unanswered(String),
    /// A read exceeded its time limit and was stopped.
    #[error("a read took longer than {} s and was stopped", LIMIT.as_secs())]
    Deadline,
    /// A read was stopped because the store is about to close.
    #[error("the store is closing")]
    Closing,
    /// Something prevents the operation, and the operator can fix it.
    #[error("{hindrance}: {reason}")]
    Hindered {
        /// The obstacle.
        hindrance: Obstacle,
        /// Message of the database engine, for the log, never for a response.
        reason: String,
    },
    /// The engine failed. The text is for the log, never for a response.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// Obstacles that an operator can remove, with texts for callers: what is wrong, what happened to the request, and what
/// helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Obstacle {
    /// No space is left.
    #[error(
        "The disk of the store is full. Nothing was changed; the service continues by itself once its operator has freed some space"
    )]
    DiskFull,
    /// The store is read-only.
    #[error("The store is not writable. Nothing was changed; the service's operator must give it write permission")]
    ReadOnly,
    /// Stored data cannot be read.
    #[error(
        "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook doctor and restore a backup"
    )]
    Damaged,
    /// The store's files cannot be read, written or opened.
    #[error(
        "The files of the store can be neither read nor written now. Whether anything was changed is not known; the service's operator must check the disk and the limit of open files"
    )]
    Files,
}

impl StoreError {
    /// Creates the error for stored data that cannot be read.
    pub(super) fn damaged(error: &impl std::fmt::Display) -> Self {
        Self::Hindered { hindrance: Obstacle::Damaged, reason: error.to_string() }
    }

    /// Creates the error for a link that cannot be stored with its investigation, because another link has its address.
    pub(super) fn link_taken(link: &Link) -> Self {
        Self::Failed(format!("the link {}/{} leads to another investigation there", link.key, link.sub_link))
    }
}

/// Why the store could not be opened, in a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);
