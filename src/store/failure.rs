//! Why the store did not do what it was asked: for callers, for operators, and for the log.

use super::reads::LIMIT;
use crate::domain::link::Link;

/// Why the store did not do what it was asked.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// More is waiting to be written than the store takes. Nothing was changed; it is worth trying again.
    #[error("the store is busy")]
    Busy,
    /// No server that takes writes answered in time. Nothing was changed; it is worth trying again.
    #[error("the store is not there: {0}")]
    Unavailable(String),
    /// Something was to be changed, and no answer came. Whether it was changed is not known.
    #[error("the store did not answer: {0}")]
    Unanswered(String),
    /// A read took longer than it may, and was stopped.
    #[error("a read took longer than {} s and was stopped", LIMIT.as_secs())]
    Deadline,
    /// A read was stopped because the store is about to close.
    #[error("the store is closing")]
    Closing,
    /// Something that whoever runs the service can mend is in the way.
    #[error("{hindrance}: {reason}")]
    Hindered {
        /// What.
        hindrance: Hindrance,
        /// The engine's words, for the log, never for a response.
        reason: String,
    },
    /// The engine failed. The text is for the log, never for a response.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// What is in the way of the store, as it is told to callers: what is the matter, what became of the request, what helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Hindrance {
    /// No room is left.
    #[error(
        "The disk of the store is full. Nothing was changed; it goes on by itself when whoever runs the service has made room"
    )]
    DiskFull,
    /// It may be read alone.
    #[error(
        "The store may not be written. Nothing was changed; whoever runs the service must give it the right to write"
    )]
    ReadOnly,
    /// What is there cannot be read.
    #[error(
        "A part of the store is damaged. Nothing was changed; whoever runs the service can look with fieldbook doctor and put back a backup"
    )]
    Damaged,
    /// Its files cannot be read, written or opened.
    #[error(
        "The files of the store can be neither read nor written now. Whether anything was changed is not known; whoever \
         runs the service must look at the disk, and at how many files it may open"
    )]
    Files,
}

impl StoreError {
    /// What is stored cannot be read.
    pub(super) fn damaged(error: &impl std::fmt::Display) -> Self {
        Self::Hindered { hindrance: Hindrance::Damaged, reason: error.to_string() }
    }

    /// A link cannot be stored with its investigation: another one has its address.
    pub(super) fn link_taken(link: &Link) -> Self {
        Self::Failed(format!("the link {}/{} leads to another investigation there", link.key, link.sub_link))
    }
}

/// Why the store could not be opened, in a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);
