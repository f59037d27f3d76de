//! Errors of the HTTP layer: a status, a message from the API contract, and a stable code for programs.
//!
//! If a request is rejected before its operation runs, the status is a client error. If an operation fails, the status
//! and the message are those of the API contract. The cause is logged once, here, and is never sent.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use fieldbook_reader::ErrorClass;
use serde::Serialize;

use super::error_code::ErrorCode;
use super::sign_in_ways::SignInWays;
use crate::app::ErrorStatuses;
use crate::authoring::Failure;
use crate::domain::permission::Denial;
use crate::domain::picture::MAX_PICTURES;
use crate::domain::schema::Violation;
use crate::limits::{Policy, RateLimitExceeded};
use crate::store::StoreError;

/// The wait in `Retry-After` for short outages.
pub const SOON: Duration = Duration::from_secs(1);

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Value of `error` if no reason can be given.
const UNKNOWN: &str = "Unknown error";

const STORE_UNAVAILABLE: &str = "The store is not available. Nothing was changed; try again in a second";
const STORE_SILENT: &str =
    "The store is not available. Whether anything was changed is not known; read it again in a second";

const BUSY: &str = "The service is busy. Nothing was changed; try again in a second";

const TOO_LONG: &str = "Reading took too long and was stopped. Nothing was changed; try again in a second. A list or a history takes less \
     time with a smaller limit or fewer search words";

/// Message of failures that have no message of their own.
const INTERNAL: &str = "Internal server error";

/// The same, if something that the service needs is not available.
const UNAVAILABLE: &str = "Service unavailable";

/// The body of every error response.
#[derive(Debug, Serialize)]
pub struct ErrorBody {
    pub success: bool,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<Violation>,
    pub code: ErrorCode,
    /// How to sign in, for a page that asks who its user is.
    #[serde(rename = "signIn", skip_serializing_if = "Option::is_none")]
    pub sign_in: Option<SignInWays>,
}

#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    again_after: Option<Duration>,
    limit: Option<Policy>,
    body: Box<ErrorBody>,
}

/// How an operation reports a failure, as the API contract specifies.
#[derive(Debug, Clone, Copy)]
pub enum Wording {
    /// The message is fixed, and `error` has the text of the failure.
    Fixed(&'static str),
    /// The message is the text of the failure, or this text if the failure has no text. `error` is omitted.
    Text(&'static str),
}

impl ApiError {
    pub fn new(status: StatusCode, code: ErrorCode, message: impl Into<String>) -> Self {
        let message = message.into();
        let body = ErrorBody { success: false, message, error: None, errors: Vec::new(), code, sign_in: None };
        Self { status, again_after: None, limit: None, body: Box::new(body) }
    }

    pub fn code(&self) -> &'static str {
        self.body.code.into()
    }

    /// Returns whether the service is at fault, or too busy, and not the request.
    pub fn is_server_error(&self) -> bool {
        self.status.is_server_error()
    }

    pub fn body(&self) -> &ErrorBody {
        &self.body
    }

    /// Sets the wait in `Retry-After`; `None` if it is unknown. The header is sent only with status 429 or 503.
    pub fn again_after(mut self, wait: Option<Duration>) -> Self {
        self.again_after = wait;
        self
    }

    /// Sets the reason, which is sent in `error`.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.body.error = Some(reason.into());
        self
    }

    /// Adds how to sign in, if nobody is, or somebody who may not be.
    pub fn with_ways(mut self, ways: SignInWays) -> Self {
        let is_nobody = matches!(self.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        self.body.sign_in = is_nobody.then_some(ways);
        self
    }

    pub fn missing(message: &'static str, code: ErrorCode) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Creates the error for an invalid request or invalid content, with all its violations.
    pub fn invalid(violations: Vec<Violation>) -> Self {
        let mut error = Self::new(StatusCode::BAD_REQUEST, ErrorCode::ValidationFailed, "Validation failed");
        error.body.errors = violations;
        error
    }

    pub fn invalid_at(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::invalid(vec![Violation::new(path, message)])
    }

    pub fn too_large(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::TooLarge, "Too large").with_reason(reason)
    }

    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::UnsupportedMediaType, "Unsupported media type")
            .with_reason(reason)
    }

    pub fn too_many(exceeded: RateLimitExceeded) -> Self {
        let RateLimitExceeded { policy, wait } = exceeded;
        let wait = whole_seconds(wait);
        let reason = format!(
            "at most {} are allowed within {} s; nothing was done, try again in {wait} s",
            policy.most,
            policy.window.as_secs()
        );
        let mut error =
            Self::new(StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, "Too many requests").with_reason(reason);
        error.limit = Some(policy);
        error.again_after(Some(Duration::from_secs(wait)))
    }

    /// Creates the error for a request that got no permit in time, in the words of its operation if it has some.
    pub fn busy(wording: Option<Wording>) -> Self {
        let new = |message| Self::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy, message);
        let error = match wording {
            Some(Wording::Fixed(message)) => new(message).with_reason(BUSY),
            Some(Wording::Text(_)) | None => new(BUSY),
        };
        error.again_after(Some(SOON))
    }

    pub fn denied(denial: Denial) -> Self {
        Self::new(StatusCode::FORBIDDEN, denial.into(), "Not allowed").with_reason(denial.to_string())
    }

    /// Creates the error for an unexpected failure. The details appear only in the log.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalError, INTERNAL).with_reason(UNKNOWN)
    }

    /// Creates the error for a failure, with the message and status that the API contract specifies.
    pub fn per_contract(failure: Failure, wording: Wording, statuses: ErrorStatuses) -> Self {
        if matches!(failure, Failure::Store(StoreError::NoPermit)) {
            return Self::busy(Some(wording));
        }
        let kind = match classify(failure) {
            Ok(refusal) => return refusal,
            Err(kind) => kind,
        };
        let status = match statuses {
            ErrorStatuses::Contract => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorStatuses::Http => kind.http_status,
        };
        let error = match wording {
            Wording::Fixed(message) => {
                Self::new(status, kind.code, message).with_reason(kind.text.unwrap_or_else(|| UNKNOWN.to_owned()))
            }
            Wording::Text(fallback) => Self::new(status, kind.code, kind.text.unwrap_or_else(|| fallback.to_owned())),
        };
        error.again_after(kind.again_after)
    }
}

/// Has the standard HTTP status. Does not depend on the setting `error-statuses`.
impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match classify(failure) {
            Ok(refusal) => refusal,
            Err(Classified { code, text, http_status, again_after }) => {
                let unknown = if http_status == StatusCode::SERVICE_UNAVAILABLE { UNAVAILABLE } else { INTERNAL };
                let error = Self::new(http_status, code, text.as_deref().unwrap_or(unknown)).again_after(again_after);
                if text.is_none() { error.with_reason(UNKNOWN) } else { error }
            }
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Failure::Store(error).into()
    }
}

struct Classified {
    code: ErrorCode,
    /// The text for the caller; `None` if no text would help the caller.
    text: Option<String>,
    http_status: StatusCode,
    /// The wait before a retry; `None` if a retry cannot help.
    again_after: Option<Duration>,
}

fn classify(failure: Failure) -> Result<ApiError, Classified> {
    let kind = |code, text: Option<String>, http_status| Err(Classified { code, text, http_status, again_after: None });
    let unavailable = |code, text: Option<String>, again_after| {
        Err(Classified { code, text, http_status: StatusCode::SERVICE_UNAVAILABLE, again_after })
    };
    let of_store = |what: &str, reason: &str, text| {
        tracing::error!(error.code = "store_unavailable", reason, "{what}");
        unavailable(ErrorCode::StoreUnavailable, text, Some(SOON))
    };
    match failure {
        Failure::Invalid(violations) => Ok(ApiError::invalid(violations)),
        Failure::Denied(denial) => Ok(ApiError::denied(denial)),
        Failure::Credential(error) => Ok(error.into()),
        Failure::Unreadable(error) => Ok(match error.class() {
            ErrorClass::Type => ApiError::unsupported(error.to_string()),
            ErrorClass::Size => ApiError::too_large(error.to_string()),
            ErrorClass::Form => ApiError::invalid_at("", error.to_string()),
        }),
        Failure::NoPicture(error) => Ok(match error.class() {
            fieldbook_pictures::ErrorClass::Type => ApiError::unsupported(error.to_string()),
            fieldbook_pictures::ErrorClass::Size => ApiError::too_large(error.to_string()),
            fieldbook_pictures::ErrorClass::Form => ApiError::invalid_at("", error.to_string()),
        }),
        Failure::TooManyPictures => Ok(ApiError::invalid_at(
            "",
            format!("The investigation holds {MAX_PICTURES} pictures, the most it can; remove one first"),
        )),
        Failure::PictureNotFound => Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::PictureNotFound, "Picture not found")
            .with_reason("The investigation does not hold it; send it again with POST …/pictures")),
        Failure::TooOften(exceeded) => Ok(ApiError::too_many(exceeded)),
        Failure::TooLarge(excess) => Ok(ApiError::too_large(format!("The investigation {excess}"))),
        Failure::Changed { revision } => {
            Ok(ApiError::new(StatusCode::PRECONDITION_FAILED, ErrorCode::RevisionMismatch, "The investigation has changed")
                .with_reason(format!("It is at revision {revision} now; read it again and repeat the change on that")))
        }
        Failure::Store(StoreError::NoPermit) => Ok(ApiError::busy(None)),
        Failure::Store(StoreError::Busy) => unavailable(ErrorCode::Busy, Some(BUSY.into()), Some(SOON)),
        Failure::Store(error @ StoreError::Deadline) => {
            tracing::warn!(error.code = "deadline_exceeded", %error, "a read was stopped");
            unavailable(ErrorCode::DeadlineExceeded, Some(TOO_LONG.into()), Some(SOON))
        }
        Failure::Store(StoreError::Unavailable(reason)) => of_store("the store is not available", &reason, Some(STORE_UNAVAILABLE.into())),
        Failure::Store(StoreError::Unanswered(reason)) => {
            of_store("the store does not answer", &reason, Some(STORE_SILENT.into()))
        }
        Failure::KeyReused => {
            Ok(ApiError::new(StatusCode::CONFLICT, ErrorCode::IdempotencyKeyReused, "The Idempotency-Key belongs to another request")
                .with_reason("For a day, a key can only be reused to repeat the same operation with the same body; nothing was changed. Send this request with a new key"))
        }
        Failure::FindingNotFound => {
            Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::FindingNotFound, "Finding not found")
                .with_reason("No contradiction or hint has this fieldName, conflictsWith and evidence now; read the investigation again"))
        }
        Failure::DismissalNotFound => {
            Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::DismissalNotFound, "Dismissal not found")
                .with_reason("It was removed already, or never existed; read the investigation again"))
        }
        Failure::NotInTrash => Ok(ApiError::new(StatusCode::NOT_FOUND, ErrorCode::NotInTrash, "Not in the trash")
            .with_reason("It was not deleted, was restored already, or was deleted too long ago")),
        Failure::InvestigationExists => {
            Ok(ApiError::new(StatusCode::CONFLICT, ErrorCode::InvestigationExists, "The investigation exists")
                .with_reason("An import brought it back; delete that first to restore the one in the trash"))
        }
        Failure::InvestigationNotFound => {
            kind(ErrorCode::InvestigationNotFound, Some("Investigation not found".into()), StatusCode::NOT_FOUND)
        }
        Failure::ChatNotFound(id) => kind(
            ErrorCode::ChatNotFound,
            Some(format!("Chat not found for the investigation with id: {id}")),
            StatusCode::NOT_FOUND,
        ),
        Failure::NothingToUndo => kind(ErrorCode::NothingToUndo, Some("Nothing to undo".into()), StatusCode::CONFLICT),
        Failure::NothingToRedo => kind(ErrorCode::NothingToRedo, Some("Nothing to redo".into()), StatusCode::CONFLICT),
        Failure::VersionNotFound(version) => {
            kind(ErrorCode::VersionNotFound, Some(format!("Version {version} not found")), StatusCode::NOT_FOUND)
        }
        Failure::Unresolved(reason) => kind(ErrorCode::NotResolved, Some(reason.to_string()), StatusCode::CONFLICT),
        Failure::Model(reason) => unavailable(ErrorCode::ModelFailed, Some(reason.to_string()), reason.retry_after()),
        Failure::Stopping | Failure::Store(StoreError::Closing) => {
            unavailable(ErrorCode::Stopping, Some("The service is stopping; nothing was changed.".into()), Some(SOON))
        }
        Failure::NoValidProposal { tries, reason } => kind(
            ErrorCode::NoProposalTaken,
            Some(format!("The language model made {tries} proposals, and none was valid. The last one: {reason}")),
            StatusCode::CONFLICT,
        ),
        Failure::NoModel { operation } => unavailable(
            ErrorCode::NoModel,
            Some(format!("{operation} needs a language model: configure one with --assistant, such as ollama")),
            None,
        ),
        Failure::ChangedMeanwhile => kind(
            ErrorCode::ChangedMeanwhile,
            Some(
                "The investigation was changed while the assistant was at work; its answer was dropped. Try again."
                    .into(),
            ),
            StatusCode::CONFLICT,
        ),
        Failure::LinkNotFound => kind(ErrorCode::LinkNotFound, Some("Link not found".into()), StatusCode::NOT_FOUND),
        Failure::LinkClosed | Failure::VisitLimited => {
            kind(ErrorCode::LinkClosed, Some("Link not found".into()), StatusCode::NOT_FOUND)
        }
        Failure::LinkExists => kind(ErrorCode::LinkExists, Some("Link already exists".into()), StatusCode::CONFLICT),
        Failure::TooManyRaces => kind(
            ErrorCode::TooManyChanges,
            Some("Others keep changing this investigation; try again".into()),
            StatusCode::CONFLICT,
        ),
        Failure::Store(StoreError::Failed(reason)) => of_store("the store failed an operation", &reason, None),
        Failure::Store(StoreError::Hindered { hindrance, reason }) => {
            of_store("the store failed an operation", &reason, Some(hindrance.answer().to_owned()))
        }
        Failure::Panicked => kind(ErrorCode::InternalError, None, StatusCode::INTERNAL_SERVER_ERROR),
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status;
        let (code, wait) = (self.body.code, self.again_after.map(whole_seconds));
        let mut response = (status, Json(self.body)).into_response();
        let header = match status {
            StatusCode::UNAUTHORIZED => Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                wait.map(|wait| (header::RETRY_AFTER, wait.into()))
            }
            _ => None,
        };
        response.extensions_mut().insert(code);
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, value);
        }
        if let Some(Policy { name, most, window }) = self.limit {
            // The header format is that of draft-ietf-httpapi-ratelimit-headers.
            let policy = format!("\"{name}\";q={most};w={}", window.as_secs());
            let left = format!("\"{name}\";r=0;t={}", wait.unwrap_or_default());
            for (header, text) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, left)] {
                response.headers_mut().extend(HeaderValue::try_from(text).map(|value| (header, value)));
            }
        }
        response
    }
}

/// Returns a wait in whole seconds, rounded up, and at least 1.
pub fn whole_seconds(wait: Duration) -> u64 {
    (wait.as_secs() + u64::from(wait.subsec_nanos() > 0)).max(1)
}
