//! The stable error codes of responses.

use serde::Serialize;
use strum::{IntoStaticStr, VariantNames};

use crate::domain::permission::PermissionError;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr, VariantNames)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ErrorCode {
    AdminsOnly,
    AuthenticationUnavailable,
    BodyIncomplete,
    BodyTimeout,
    Busy,
    ChangedMeanwhile,
    ChatNotFound,
    CrossSite,
    DeadlineExceeded,
    Disabled,
    DismissalNotFound,
    EmailTaken,
    EventsGone,
    FieldNameRequired,
    FieldPathRequired,
    FindingNotFound,
    IdempotencyKeyReused,
    InternalError,
    InvalidMessage,
    InvalidToken,
    InvestigationExists,
    InvestigationIdRequired,
    InvestigationNotFound,
    LastAdmin,
    LinkClosed,
    LinkExists,
    LinkNotFound,
    MethodNotAllowed,
    ModelFailed,
    NoModel,
    NoProposalTaken,
    NoRole,
    NotInTrash,
    NotResolved,
    NotYourInvestigation,
    NothingToRedo,
    NothingToUndo,
    PersonDisabled,
    PersonNotFound,
    PictureNotFound,
    RateLimited,
    ReadOnly,
    RevisionMismatch,
    RightsChanged,
    RouteNotFound,
    Stopping,
    StoreUnavailable,
    TooLarge,
    TooManyChanges,
    TooManyStreams,
    Unauthenticated,
    UnknownOrigin,
    UnsupportedMediaType,
    ValidationFailed,
    VersionNotFound,
    WrongCredentials,
}

impl From<PermissionError> for ErrorCode {
    fn from(error: PermissionError) -> Self {
        match error {
            PermissionError::ReadOnly => Self::ReadOnly,
            PermissionError::Disabled => Self::Disabled,
            PermissionError::NoRole => Self::NoRole,
            PermissionError::NoUser | PermissionError::NotYours { .. } | PermissionError::NotAuthor { .. } => {
                Self::NotYourInvestigation
            }
            PermissionError::AdminsOnly => Self::AdminsOnly,
        }
    }
}
