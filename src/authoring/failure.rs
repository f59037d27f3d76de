//! Failures of operations, by name. The HTTP layer turns them into statuses and messages.

use crate::assistant::fix::Unresolved;
use crate::assistant::model::ModelFailure;
use crate::domain::change::ChangeMismatch;
use crate::domain::id::ObjectId;
use crate::domain::permission::Denial;
use crate::domain::schema::Violation;
use crate::ids::NoRandomness;
use crate::limits::RateLimitExceeded;
use crate::shares::{Refused, share_of};
use crate::store::StoreError;

/// Why an operation failed. Nothing was changed.
#[derive(Debug)]
pub enum Failure {
    /// The investigation does not exist.
    InvestigationNotFound,
    /// The investigation has no chat.
    ChatNotFound(ObjectId),
    /// The content is at its first version.
    NothingToUndo,
    /// No undone record follows the current version.
    NothingToRedo,
    /// The version does not exist.
    VersionNotFound(u64),
    /// No current finding matches.
    FindingNotFound,
    /// The dismissal does not exist.
    DismissalNotFound,
    /// The contradiction could not be resolved.
    Unresolved(Unresolved),
    /// The language model failed.
    Model(ModelFailure),
    /// No proposal of the language model was acceptable.
    NotTaken {
        /// Number of proposals.
        tries: usize,
        /// Why the last proposal was refused.
        reason: String,
    },
    /// The request needs a language model, and none is configured.
    NoModel,
    /// The caller already holds their share of a limited resource.
    OwnShare {
        /// The resource.
        what: &'static str,
        /// Maximum that one caller can hold.
        each: u32,
    },
    /// The caller exceeded the assistant's rate limit.
    TooOften(RateLimitExceeded),
    /// The content changed while the assistant was working.
    ChangedMeanwhile,
    /// The service is stopping and does not wait for a language model.
    Stopping,
    /// The request or the resulting content is invalid.
    Invalid(Vec<Violation>),
    /// The content would exceed the size limit.
    TooLarge {
        /// Size of the content as JSON, in bytes.
        bytes: usize,
    },
    /// The investigation is at another revision than the caller meant to change.
    Changed {
        /// The current revision.
        revision: u64,
    },
    /// The caller may not do this.
    Denied(Denial),
    /// The link does not exist.
    LinkNotFound,
    /// The link is archived, expired or used up.
    LinkClosed,
    /// Another link has this key and sub-link.
    LinkExists,
    /// The idempotency key belongs to another request.
    KeyReused,
    /// Other copies of the service won the race too many times.
    TooManyRaces,
    /// The history does not fit the document: the store was changed by something else.
    Damaged,
    /// The store failed.
    Store(StoreError),
    /// The operation panicked; the log has the details.
    Panicked,
    /// No randomness for an identifier.
    Randomness(NoRandomness),
}

impl Failure {
    /// Returns the failure when a bounded resource, or the caller's share of it, is used up.
    pub fn no_room(refused: Refused, what: &'static str, units: u32) -> Self {
        match refused {
            Refused::OwnShare => Failure::OwnShare { what, each: share_of(units) },
            Refused::Everything => Failure::Store(StoreError::Busy),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Failure::Store(error)
    }
}

impl From<Vec<Violation>> for Failure {
    fn from(violations: Vec<Violation>) -> Self {
        Failure::Invalid(violations)
    }
}

impl From<Denial> for Failure {
    fn from(denial: Denial) -> Self {
        Failure::Denied(denial)
    }
}

impl From<Unresolved> for Failure {
    fn from(unresolved: Unresolved) -> Self {
        Failure::Unresolved(unresolved)
    }
}

impl From<ModelFailure> for Failure {
    fn from(failure: ModelFailure) -> Self {
        Failure::Model(failure)
    }
}

impl From<ChangeMismatch> for Failure {
    fn from(misfit: ChangeMismatch) -> Self {
        tracing::error!(%misfit, "a version record does not fit its document");
        Failure::Damaged
    }
}

impl From<RateLimitExceeded> for Failure {
    fn from(exceeded: RateLimitExceeded) -> Self {
        Failure::TooOften(exceeded)
    }
}

impl From<NoRandomness> for Failure {
    fn from(error: NoRandomness) -> Self {
        Failure::Randomness(error)
    }
}
