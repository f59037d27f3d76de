//! Failed lookups: what they reveal about the profile service, and what is logged and counted. Tokens, and messages
//! that the profile service sends, are never logged.

use std::error::Error;

use strum::IntoStaticStr;
use tonic::{Code, Status};

use crate::error_chain::error_chain;

/// An unusable response pauses all calls to the profile service only after this number of consecutive failed calls. The
/// number is high, because unusable responses cost the profile service and its callers little.
const MAX_USELESS_RESPONSES: u32 = 5;

#[derive(Debug)]
pub struct ProfileError {
    pub kind: ProfileErrorKind,
    pub code: Option<Code>,
    /// The local error that caused the failure; `None` if the service reported the failure.
    pub cause: Option<String>,
}

/// What a failure says about the service. Logs and metrics have these names in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ProfileErrorKind {
    TimedOut,
    /// No connection could be made, the connection broke, or the service reported that it is unavailable.
    Unreachable,
    /// The service rejected this caller or this lookup.
    Refused,
    Unimplemented,
    Useless,
}

impl ProfileError {
    pub fn timed_out() -> Self {
        Self { kind: ProfileErrorKind::TimedOut, code: None, cause: None }
    }

    pub fn useless(cause: &str) -> Self {
        Self { kind: ProfileErrorKind::Useless, code: None, cause: Some(cause.to_owned()) }
    }

    pub fn of(status: &Status) -> Self {
        // A status has a source only if the error is local. A status that the profile service sent has none.
        let cause = status.source().map(error_chain);
        let kind = match status.code() {
            _ if cause.is_some() => ProfileErrorKind::Unreachable,
            Code::Unavailable => ProfileErrorKind::Unreachable,
            Code::DeadlineExceeded | Code::Cancelled => ProfileErrorKind::TimedOut,
            Code::Unauthenticated
            | Code::PermissionDenied
            | Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::FailedPrecondition => ProfileErrorKind::Refused,
            Code::Unimplemented => ProfileErrorKind::Unimplemented,
            Code::Ok
            | Code::Unknown
            | Code::ResourceExhausted
            | Code::Aborted
            | Code::OutOfRange
            | Code::Internal
            | Code::DataLoss => ProfileErrorKind::Useless,
        };
        Self { kind, code: Some(status.code()), cause }
    }

    /// Returns how many consecutive failures, including this one, start a pause; `None` if this failure shows that the
    /// service works.
    pub fn failures_before_pause(&self) -> Option<u32> {
        match self.kind {
            ProfileErrorKind::TimedOut | ProfileErrorKind::Unreachable => Some(1),
            ProfileErrorKind::Unimplemented | ProfileErrorKind::Useless => Some(MAX_USELESS_RESPONSES),
            ProfileErrorKind::Refused => None,
        }
    }

    /// Returns whether calls for other users would fail as well.
    pub fn concerns_all(&self) -> bool {
        match self.kind {
            ProfileErrorKind::TimedOut | ProfileErrorKind::Unreachable | ProfileErrorKind::Unimplemented => true,
            ProfileErrorKind::Refused => self.code == Some(Code::Unauthenticated),
            ProfileErrorKind::Useless => false,
        }
    }

    pub fn words(&self) -> String {
        let said = match self.kind {
            ProfileErrorKind::TimedOut => "it did not answer in time",
            ProfileErrorKind::Unreachable => "it cannot be reached",
            ProfileErrorKind::Refused => "it refuses",
            ProfileErrorKind::Unimplemented => "it implements neither BatchGetProfiles nor GetProfile",
            ProfileErrorKind::Useless => "its answer cannot be used",
        };
        match (&self.cause, self.code) {
            (Some(cause), _) => format!("{said}: {cause}"),
            (None, Some(code)) => format!("{said} ({code:?})"),
            (None, None) => said.to_owned(),
        }
    }

    pub fn outcome(&self) -> &'static str {
        self.kind.into()
    }
}
