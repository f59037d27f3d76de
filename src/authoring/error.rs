//! Errors of operations. The HTTP layer maps each to a status and a message.

use fieldbook_pictures::PictureError;
use fieldbook_reader::ReadError;

use crate::app::CredentialError;
use crate::assistant::fix::ResolveError;
use crate::assistant::model::ModelError;
use crate::domain::change::ChangeError;
use crate::domain::id::ObjectId;
use crate::domain::permission::PermissionError;
use crate::domain::schema::Violation;
use crate::domain::size::SizeError;
use crate::limits::RateLimitError;
use crate::store::StoreError;

/// Why an operation failed. Nothing was changed, except perhaps after [`StoreError::Unanswered`].
#[derive(Debug)]
pub enum AuthoringError {
    InvestigationNotFound,
    ChatNotFound(ObjectId),
    /// There is nothing to undo: the content is at version 0.
    NothingToUndo,
    /// There is nothing to redo: no undone version follows the current version.
    NothingToRedo,
    VersionNotFound(u64),
    FindingNotFound,
    DismissalNotFound,
    Unresolved(ResolveError),
    Model(ModelError),
    NoValidProposal {
        tries: usize,
        reason: String,
    },
    NoModel {
        /// Name of the operation, such as `Conversation`.
        operation: &'static str,
    },
    TooOften(RateLimitError),
    ChangedMeanwhile,
    /// The service is stopping, and no longer waits for a language model.
    Stopping,
    Invalid(Vec<Violation>),
    /// A document that cannot be read.
    Unreadable(ReadError),
    /// A file that is not a picture, or is too large.
    NoPicture(PictureError),
    PictureNotFound,
    /// The investigation holds as many pictures as it can.
    TooManyPictures,
    /// The caller has created as many investigations as a user may.
    TooManyInvestigations,
    /// The investigation has as many links as it can.
    TooManyLinks,
    /// The content would take too many bytes.
    TooLarge(SizeError),
    /// The investigation is at a revision that `If-Match` does not allow.
    Changed {
        revision: u64,
    },
    Denied(PermissionError),
    /// The caller's credential stopped being valid during a long request.
    Credential(CredentialError),
    NotInTrash,
    /// The deleted investigation cannot be restored, because an investigation with the same id exists.
    InvestigationExists,
    LinkNotFound,
    /// The link is closed: archived, expired or used up.
    LinkClosed,
    /// The link has a visit limit, and the visitor has not decided to use up a visit yet.
    VisitLimited,
    LinkExists,
    /// The idempotency key was already used for a different request.
    KeyReused,
    /// The change could not be committed, because other copies of the service changed the investigation too often.
    TooManyRaces,
    Store(StoreError),
    /// The operation panicked. The details are in the log.
    Panicked,
}

impl AuthoringError {
    /// Unwraps the result of looking up an investigation.
    ///
    /// # Errors
    /// [`AuthoringError::InvestigationNotFound`] if there is no such investigation.
    pub fn unless_found<T>(found: Result<Option<T>, StoreError>) -> Result<T, Self> {
        found?.ok_or(Self::InvestigationNotFound)
    }

    /// Returns the error for a missing record that other stored records need. Another program must have changed the
    /// store.
    pub(super) fn damaged(missing: &str) -> Self {
        StoreError::damaged(&missing).into()
    }
}

/// Implements `From` for causes that an error contains.
macro_rules! contains {
    ($($variant:ident($cause:ty))+) => {
        $(impl From<$cause> for AuthoringError {
            fn from(cause: $cause) -> Self {
                AuthoringError::$variant(cause)
            }
        })+
    };
}

/// Refuses content that has violations, for example of the schema.
pub(super) fn refuse(violations: Vec<Violation>) -> Result<(), AuthoringError> {
    if violations.is_empty() { Ok(()) } else { Err(AuthoringError::Invalid(violations)) }
}

contains! {
    Store(StoreError)
    Invalid(Vec<Violation>)
    Denied(PermissionError)
    Credential(CredentialError)
    Unresolved(ResolveError)
    Model(ModelError)
    TooOften(RateLimitError)
    Unreadable(ReadError)
    NoPicture(PictureError)
}

impl From<ChangeError> for AuthoringError {
    fn from(error: ChangeError) -> Self {
        StoreError::from(error).into()
    }
}
