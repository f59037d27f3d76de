//! Errors of the store, for callers, operators and the log.

use std::io;
use std::path::Path;

use tokio::task::JoinError;

use super::reads::LIMIT;
use crate::admission::BusyError;
use crate::private_file;

#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The store is overloaded, a queue is full, or concurrent changes prevented several attempts. Nothing was changed,
    /// and a retry may succeed.
    #[error("the store is busy")]
    Busy,
    /// No permit became free in time. Nothing was changed.
    #[error("no permit became free in time")]
    NoPermit,
    /// No writable server can be reached, or none answered in time. Nothing was changed, and a retry may succeed.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The server did not confirm a write. It is unknown whether the write took effect.
    #[error("the store did not answer: {0}")]
    Unanswered(String),
    #[error("a read took longer than {} s and was stopped", LIMIT.as_secs())]
    Deadline,
    #[error("the store is closing")]
    Closing,
    /// A problem that an operator can fix prevents the operation.
    #[error("{kind}: {reason}; {}", kind.remedy())]
    Fixable {
        kind: FixableError,
        /// Message of the database engine. It is logged, but never sent in a response.
        reason: String,
    },
    /// Any other failure. The text is logged, but never sent in a response.
    #[error("the store failed: {0}")]
    Failed(String),
}

/// Problems that an operator can fix, as the operator reads them in a log or from a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FixableError {
    #[error("the disk of the store is full")]
    DiskFull,
    /// The store is read-only, or the service has no permission to write to it.
    #[error("the store is not writable")]
    ReadOnly,
    #[error("a part of the store is damaged")]
    Damaged,
    #[error("the files of the store can be neither read nor written now")]
    Files,
}

impl FixableError {
    fn remedy(self) -> &'static str {
        match self {
            Self::DiskFull => "free some space",
            Self::ReadOnly => "give the service's user write permission",
            Self::Damaged => "check with fieldbook doctor and restore a backup",
            Self::Files => "check the disk and the limit of open files",
        }
    }

    /// Returns the sentence for callers of the service: the problem, the result of the request, and a remedy.
    pub fn answer(self) -> &'static str {
        match self {
            Self::DiskFull => {
                "The disk of the store is full. Nothing was changed; the service continues by itself once its operator \
                 has freed some space"
            }
            Self::ReadOnly => {
                "The store is not writable. Nothing was changed; the service's operator must give it write permission"
            }
            Self::Damaged => {
                "A part of the store is damaged. Nothing was changed; the service's operator can check with fieldbook \
                 doctor and restore a backup"
            }
            Self::Files => {
                "The files of the store can be neither read nor written now. Whether anything was changed is not known; \
                 the service's operator must check the disk and the limit of open files"
            }
        }
    }
}

impl From<BusyError> for StoreError {
    fn from(_: BusyError) -> Self {
        Self::NoPermit
    }
}

impl StoreError {
    /// Returns the error that no server could be reached in time.
    pub(super) fn unavailable() -> Self {
        Self::Unavailable("no writable server answered in time".into())
    }

    /// Returns the error for a read whose task ended without a result.
    pub(super) fn of_lost_read(error: &JoinError) -> Self {
        // The runtime cancels tasks that wait for a blocking thread only when it shuts down.
        if error.is_cancelled() { Self::Closing } else { Self::Failed("a read panicked".to_owned()) }
    }

    /// Returns the error for something that was stored and cannot be read.
    pub fn damaged(error: &impl std::fmt::Display) -> Self {
        Self::Fixable { kind: FixableError::Damaged, reason: error.to_string() }
    }
}

/// Why a store could not be opened, backed up or restored, as a sentence for the operator.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct OpenError(pub String);

impl OpenError {
    /// Returns the error that an action, such as `read the backup`, failed for a file or folder.
    pub(super) fn of(doing: &str, path: &Path, error: &io::Error) -> Self {
        Self(private_file::failed(doing, path, error))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/store/error.rs"]
mod tests;
