//! Failed lookups: what they reveal about the service, and what is logged and counted. Tokens and texts of the service
//! are never logged.

use std::error::Error;
use std::time::Duration;

use strum::IntoStaticStr;
use tonic::{Code, Status};

use crate::error_chain::error_chain;

/// An unusable response starts a pause only after this number of consecutive failed calls. The number is high, because
/// unusable responses cost the service and its callers little.
const MAX_USELESS_RESPONSES: u32 = 5;

#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    code: Option<Code>,
    /// The local error that caused the failure; `None` if the service reported the failure.
    cause: Option<String>,
}

/// What a failure says about the service. Logs and metrics have these names in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    TimedOut,
    /// No connection could be made, the connection broke, or the service reported that it is unavailable.
    Unreachable,
    /// The service rejected this caller or this lookup.
    Refused,
    Unimplemented,
    Useless,
}

impl Failure {
    pub fn timed_out() -> Self {
        Self { kind: Kind::TimedOut, code: None, cause: None }
    }

    pub fn useless(cause: &str) -> Self {
        Self { kind: Kind::Useless, code: None, cause: Some(cause.to_owned()) }
    }

    pub fn of(status: &Status) -> Self {
        // Only a local error sets the source of a status.
        let cause = status.source().map(error_chain);
        let kind = match status.code() {
            _ if cause.is_some() => Kind::Unreachable,
            Code::Unavailable => Kind::Unreachable,
            Code::DeadlineExceeded | Code::Cancelled => Kind::TimedOut,
            Code::Unauthenticated
            | Code::PermissionDenied
            | Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::FailedPrecondition => Kind::Refused,
            Code::Unimplemented => Kind::Unimplemented,
            Code::Ok
            | Code::Unknown
            | Code::ResourceExhausted
            | Code::Aborted
            | Code::OutOfRange
            | Code::Internal
            | Code::DataLoss => Kind::Useless,
        };
        Self { kind, code: Some(status.code()), cause }
    }

    /// Returns how many consecutive failures, including this one, start a pause; `None` if this failure shows that the
    /// service works.
    pub fn failures_before_pause(&self) -> Option<u32> {
        match self.kind {
            Kind::TimedOut | Kind::Unreachable => Some(1),
            Kind::Unimplemented | Kind::Useless => Some(MAX_USELESS_RESPONSES),
            Kind::Refused => None,
        }
    }

    /// Returns whether calls for other users would fail as well.
    pub fn concerns_all(&self) -> bool {
        match self.kind {
            Kind::TimedOut | Kind::Unreachable | Kind::Unimplemented => true,
            Kind::Refused => self.code == Some(Code::Unauthenticated),
            Kind::Useless => false,
        }
    }

    pub fn words(&self) -> String {
        let said = match self.kind {
            Kind::TimedOut => "it did not answer in time",
            Kind::Unreachable => "it cannot be reached",
            Kind::Refused => "it refuses",
            Kind::Unimplemented => "it knows neither BatchGetProfiles nor GetProfile",
            Kind::Useless => "its answer cannot be used",
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

/// Counts a lookup that did not call the profile service: the result was cached, or the circuit breaker was open.
pub fn count_without_call(outcome: &'static str) {
    metrics::counter!("fieldbook_profile_lookups_total", "outcome" => outcome).increment(1);
}

pub fn answered(users: usize, took: Duration) {
    tracing::debug!(users, duration_ms = milliseconds(took), "asked the profile service");
    metrics::counter!("fieldbook_profile_lookups_total", "outcome" => "answered").increment(1);
    metrics::histogram!("fieldbook_profile_lookup_seconds").record(took.as_secs_f64());
    set_circuit_open(false);
}

/// Logs and counts a failed lookup. `rest` is the length of the pause that follows; `None` if no pause follows.
pub fn failed(failure: &Failure, users: usize, took: Duration, rest: Option<Duration>) {
    let outcome = failure.outcome();
    tracing::warn!(
        outcome,
        rpc.grpc.status = failure.code.map(|code| format!("{code:?}")),
        cause = failure.cause,
        users,
        duration_ms = milliseconds(took),
        rest_seconds = rest.map(|rest| rest.as_secs()),
        "the profile service did not return the authors"
    );
    metrics::counter!("fieldbook_profile_lookups_total", "outcome" => outcome).increment(1);
    metrics::histogram!("fieldbook_profile_lookup_seconds").record(took.as_secs_f64());
    if failure.failures_before_pause().is_none() {
        set_circuit_open(false);
    } else if rest.is_some() {
        set_circuit_open(true);
    }
}

fn set_circuit_open(open: bool) {
    metrics::gauge!("fieldbook_profile_service_circuit_open").set(f64::from(u8::from(open)));
}

fn milliseconds(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}
