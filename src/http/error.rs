//! Errors of the HTTP layer: a status, a message from the API contract, and a stable code for programs.
//!
//! If a request is rejected before its operation runs, the status is a client error. If an operation fails, the status
//! and the message are those of the API contract. The cause is logged once, here, and is never sent.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::error_code::ErrorCode;
use super::sign_in_ways::SignInWays;
use crate::domain::permission::PermissionError;
use crate::domain::schema::Violation;
use crate::limits::{Policy, RateLimitError};

/// The value of `Retry-After` for short outages.
pub const SOON: Duration = Duration::from_secs(1);

const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Value of `error` if no reason can be given.
pub(super) const UNKNOWN: &str = "Unknown error";

pub(super) const BUSY: &str = "The service is busy. Nothing was changed; try again in a second";

/// Message of failures without a specific message.
pub(super) const INTERNAL: &str = "Internal server error";

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
    /// The ways to sign in, for a page that asks who is signed in.
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
pub enum FailureMessage {
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

    /// Returns whether the cause is the service, which failed or is too busy, and not the request.
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

    /// Adds the ways to sign in, if the caller is not signed in, or is disabled.
    pub fn with_ways(mut self, ways: SignInWays) -> Self {
        let is_nobody = matches!(self.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        self.body.sign_in = is_nobody.then_some(ways);
        self
    }

    pub fn missing(message: &'static str, code: ErrorCode) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// Creates the error for an invalid request or invalid content, with all violations.
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

    pub fn too_many(exceeded: RateLimitError) -> Self {
        let RateLimitError { policy, wait } = exceeded;
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

    /// Creates the error for a request that got no permit in time, with the failure message of its operation, if it has
    /// one.
    pub fn busy(failure: Option<FailureMessage>) -> Self {
        let new = |message| Self::new(StatusCode::SERVICE_UNAVAILABLE, ErrorCode::Busy, message);
        let error = match failure {
            Some(FailureMessage::Fixed(message)) => new(message).with_reason(BUSY),
            Some(FailureMessage::Text(_)) | None => new(BUSY),
        };
        error.again_after(Some(SOON))
    }

    pub fn denied(error: PermissionError) -> Self {
        Self::new(StatusCode::FORBIDDEN, error.into(), "Not allowed").with_reason(error.to_string())
    }

    /// Creates the error for an unexpected failure. The details appear only in the log.
    pub fn internal() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, ErrorCode::InternalError, INTERNAL).with_reason(UNKNOWN)
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
