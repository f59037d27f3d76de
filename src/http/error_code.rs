//! The stable error codes of responses.

use serde::Serialize;
use strum::{IntoStaticStr, VariantNames};

use crate::domain::permission::Denial;

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

impl From<Denial> for ErrorCode {
    fn from(denial: Denial) -> Self {
        match denial {
            Denial::ReadOnly => Self::ReadOnly,
            Denial::Disabled => Self::Disabled,
            Denial::NoRole => Self::NoRole,
            Denial::NoUser | Denial::NotYours { .. } | Denial::NotAuthor { .. } => Self::NotYourInvestigation,
            Denial::AdminsOnly => Self::AdminsOnly,
        }
    }
}
