//! Maps each error of an operation to the status and the message of the API contract.

use std::time::Duration;

use axum::http::StatusCode;
use fieldbook_reader::ErrorClass;

use super::error::{ApiError, BUSY, FailureMessage, INTERNAL, SOON, UNKNOWN};
use super::error_code::ErrorCode;
use crate::app::ErrorStatuses;
use crate::authoring::AuthoringError;
use crate::domain::investigation::MAX_CREATED;
use crate::domain::link::MAX_LINKS;
use crate::domain::picture::{MAX_PICTURE_BYTES, MAX_PICTURES};
use crate::store::StoreError;

const STORE_UNAVAILABLE: &str = "The store is not available. Nothing was changed; try again in a second";
const STORE_SILENT: &str =
    "The store is not available. It is unknown whether anything was changed; read it again in a second";

const TOO_LONG: &str = "Reading took too long and was stopped. Nothing was changed; try again in a second. A list or a history takes less \
     time with a smaller limit or fewer search words";

/// Message of failures without a specific message, if a dependency of the service is unavailable.
const UNAVAILABLE: &str = "Service unavailable";

impl ApiError {
    /// Creates the error for a failure, with the message and status that the API contract specifies.
    pub fn per_contract(error: AuthoringError, failure: FailureMessage, statuses: ErrorStatuses) -> Self {
        if matches!(error, AuthoringError::Store(StoreError::NoPermit)) {
            return Self::busy(Some(failure));
        }
        let kind = match classify(error) {
            Ok(error) => return error,
            Err(kind) => kind,
        };
        let status = match statuses {
            ErrorStatuses::Contract => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorStatuses::Http => kind.http_status,
        };
        let error = match failure {
            FailureMessage::Fixed(message) => {
                Self::new(status, kind.code, message).with_reason(kind.text.unwrap_or_else(|| UNKNOWN.to_owned()))
            }
            FailureMessage::Text(fallback) => {
                Self::new(status, kind.code, kind.text.unwrap_or_else(|| fallback.to_owned()))
            }
        };
        error.again_after(kind.again_after)
    }
}

/// The error has the standard HTTP status, regardless of the setting `error-statuses`.
impl From<AuthoringError> for ApiError {
    fn from(error: AuthoringError) -> Self {
        match classify(error) {
            Ok(error) => error,
            Err(ContractError { code, text, http_status, again_after }) => {
                let unknown = if http_status == StatusCode::SERVICE_UNAVAILABLE { UNAVAILABLE } else { INTERNAL };
                let error = Self::new(http_status, code, text.as_deref().unwrap_or(unknown)).again_after(again_after);
                if text.is_none() { error.with_reason(UNKNOWN) } else { error }
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        AuthoringError::Store(error).into()
    }
}

struct ContractError {
    code: ErrorCode,
    /// The text for the caller; `None` if no text would help the caller.
    text: Option<String>,
    http_status: StatusCode,
    /// The wait before a retry; `None` if a retry cannot help.
    again_after: Option<Duration>,
}

fn classify(error: AuthoringError) -> Result<ApiError, ContractError> {
    let kind =
        |code, text: Option<String>, http_status| Err(ContractError { code, text, http_status, again_after: None });
    let unavailable = |code, text: Option<String>, again_after| {
        Err(ContractError { code, text, http_status: StatusCode::SERVICE_UNAVAILABLE, again_after })
    };
    let of_store = |what: &str, reason: &str, text| {
        tracing::error!(error.code = "store_unavailable", reason, "{what}");
        unavailable(ErrorCode::StoreUnavailable, text, Some(SOON))
    };
    match error {
        AuthoringError::Invalid(violations) => Ok(ApiError::invalid(violations)),
        AuthoringError::Denied(error) => Ok(ApiError::denied(error)),
        AuthoringError::Credential(error) => Ok(error.into()),
        AuthoringError::Unreadable(error) => Ok(match error.class() {
            ErrorClass::Type => ApiError::unsupported(error.to_string()),
            ErrorClass::Size => ApiError::too_large(error.to_string()),
            ErrorClass::Form => ApiError::invalid_at("", error.to_string()),
        }),
        AuthoringError::NoPicture(error) => Ok(match error.class() {
            fieldbook_pictures::ErrorClass::Type => ApiError::unsupported(error.to_string()),
            fieldbook_pictures::ErrorClass::Size => ApiError::too_large(error.to_string()),
            fieldbook_pictures::ErrorClass::Form => ApiError::invalid_at("", error.to_string()),
        }),
        AuthoringError::TooManyPictures => Ok(ApiError::invalid_at(
            "",
            format!(
                "An investigation holds at most {MAX_PICTURES} pictures and {} MiB of them; remove one first",
                MAX_PICTURE_BYTES / (1024 * 1024)
            ),
        )),
        AuthoringError::TooManyInvestigations => Ok(ApiError::invalid_at(
            "",
            format!("A user can have created at most {MAX_CREATED} lessons, with those in the trash; delete some permanently first"),
        )),
        AuthoringError::TooManyLinks => Ok(ApiError::invalid_at(
            "",
            format!("An investigation has at most {MAX_LINKS} links; delete one first"),
        )),
        AuthoringError::PictureNotFound => Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::PictureNotFound, "Picture not found")
            .with_reason("The investigation does not hold it; send it again with POST …/pictures")),
        AuthoringError::TooOften(exceeded) => Ok(ApiError::too_many(exceeded)),
        AuthoringError::TooLarge(error) => Ok(ApiError::too_large(format!("The investigation {error}"))),
        AuthoringError::Changed { revision } => {
            Ok(ApiError::new(StatusCode::PRECONDITION_FAILED, ErrorCode::RevisionMismatch, "The investigation has changed")
                .with_reason(format!("It is at revision {revision} now; read it again and repeat the change on that")))
        }
        AuthoringError::Store(StoreError::NoPermit) => Ok(ApiError::busy(None)),
        AuthoringError::Store(StoreError::Busy) => unavailable(ErrorCode::Busy, Some(BUSY.into()), Some(SOON)),
        AuthoringError::Store(error @ StoreError::Deadline) => {
            tracing::warn!(error.code = "deadline_exceeded", %error, "a read was stopped");
            unavailable(ErrorCode::DeadlineExceeded, Some(TOO_LONG.into()), Some(SOON))
        }
        AuthoringError::Store(StoreError::Unavailable(reason)) => of_store("the store is not available", &reason, Some(STORE_UNAVAILABLE.into())),
        AuthoringError::Store(StoreError::Unanswered(reason)) => {
            of_store("the store does not answer", &reason, Some(STORE_SILENT.into()))
        }
        AuthoringError::KeyReused => {
            Ok(ApiError::new(StatusCode::CONFLICT, ErrorCode::IdempotencyKeyReused, "The Idempotency-Key was already used for another request")
                .with_reason("For a day, a key can only be reused to repeat the same operation with the same body; nothing was changed. Send this request with a new key"))
        }
        AuthoringError::FindingNotFound => {
            Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::FindingNotFound, "Finding not found")
                .with_reason("There is no longer a contradiction or hint with this fieldName, conflictsWith and evidence; read the investigation again"))
        }
        AuthoringError::DismissalNotFound => {
            Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::DismissalNotFound, "Dismissal not found")
                .with_reason("It was removed already, or never existed; read the investigation again"))
        }
        AuthoringError::NotInTrash => Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::NotInTrash, "Not in the trash")
            .with_reason("It was not deleted, was restored already, or was deleted too long ago")),
        AuthoringError::InvestigationExists => {
            Ok(ApiError::new(StatusCode::CONFLICT, ErrorCode::InvestigationExists, "The investigation exists")
                .with_reason("An import has created an investigation with the same id; delete it first to restore the one in the trash"))
        }
        AuthoringError::InvestigationNotFound => {
            kind(ErrorCode::InvestigationNotFound, Some("Investigation not found".into()), StatusCode::NOT_FOUND)
        }
        AuthoringError::ChatNotFound(id) => kind(
            ErrorCode::ChatNotFound,
            Some(format!("Chat not found for the investigation with id: {id}")),
            StatusCode::NOT_FOUND,
        ),
        AuthoringError::NothingToUndo => kind(ErrorCode::NothingToUndo, Some("Nothing to undo".into()), StatusCode::CONFLICT),
        AuthoringError::NothingToRedo => kind(ErrorCode::NothingToRedo, Some("Nothing to redo".into()), StatusCode::CONFLICT),
        AuthoringError::VersionNotFound(version) => {
            kind(ErrorCode::VersionNotFound, Some(format!("Version {version} not found")), StatusCode::NOT_FOUND)
        }
        AuthoringError::Unresolved(reason) => kind(ErrorCode::NotResolved, Some(reason.to_string()), StatusCode::CONFLICT),
        AuthoringError::Model(reason) => unavailable(ErrorCode::ModelFailed, Some(reason.to_string()), reason.retry_after()),
        AuthoringError::Stopping | AuthoringError::Store(StoreError::Closing) => {
            unavailable(ErrorCode::Stopping, Some("The service is stopping; nothing was changed.".into()), Some(SOON))
        }
        AuthoringError::NoValidProposal { tries, reason } => kind(
            ErrorCode::NoProposalTaken,
            Some(format!("The language model made {tries} proposals, and none was valid. The last one: {reason}")),
            StatusCode::CONFLICT,
        ),
        AuthoringError::NoModel { operation } => unavailable(
            ErrorCode::NoModel,
            Some(format!("{operation} needs a language model: configure one with --assistant, such as ollama")),
            None,
        ),
        AuthoringError::ChangedMeanwhile => kind(
            ErrorCode::ChangedMeanwhile,
            Some(
                "The investigation was changed while the assistant was at work; its answer was dropped. Try again."
                    .into(),
            ),
            StatusCode::CONFLICT,
        ),
        AuthoringError::LinkNotFound => kind(ErrorCode::LinkNotFound, Some("Link not found".into()), StatusCode::NOT_FOUND),
        AuthoringError::LinkClosed | AuthoringError::VisitLimited => {
            kind(ErrorCode::LinkClosed, Some("Link not found".into()), StatusCode::NOT_FOUND)
        }
        AuthoringError::LinkExists => kind(ErrorCode::LinkExists, Some("Link already exists".into()), StatusCode::CONFLICT),
        AuthoringError::TooManyRaces => kind(
            ErrorCode::TooManyChanges,
            Some("Others keep changing this investigation; try again".into()),
            StatusCode::CONFLICT,
        ),
        AuthoringError::Store(StoreError::Failed(reason)) => of_store("the store failed an operation", &reason, None),
        AuthoringError::Store(StoreError::Fixable { kind, reason }) => {
            of_store("the store failed an operation", &reason, Some(kind.answer().to_owned()))
        }
        AuthoringError::Panicked => kind(ErrorCode::InternalError, None, StatusCode::INTERNAL_SERVER_ERROR),
    }
}
