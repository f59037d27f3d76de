//! Why a language model was of no help, in sentences for a person: never a key or a body, and for callers no address.

use std::time::Duration;

use super::breaker::PAUSE;

/// Minimum wait after a temporary failure.
const SOON: Duration = Duration::from_secs(1);

/// Why a model cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnusableModel {
    /// The base URL cannot be used.
    #[error("the base URL of the language model must look like https://host/v1, without user, query or fragment")]
    BaseUrl,
    /// A key that no header can carry.
    #[error("the API key of the language model contains characters that are not allowed in a header")]
    ApiKey,
    /// The name is blank.
    #[error("the language model must have a name")]
    Name,
    /// A local server lists no model that could be used: why, and the way out.
    #[error("{0}")]
    NoneListed(String),
    /// The HTTP client did not start, for want of certificates for example.
    #[error("the HTTP client for the language model did not start: {0}")]
    Client(String),
}

/// Why an operation of a model failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelFailure {
    /// The deadline of the operation passed.
    #[error("The language model did not answer in time. Try again later.")]
    TimedOut,
    /// The operation waited for its turn until its deadline passed.
    #[error("The language model is busy with other work. Try again later.")]
    TooBusy,
    /// The endpoint failed several times and has a pause.
    #[error("The language model failed several times in a row and is paused for a while. Try again in a minute.")]
    Resting,
    /// The endpoint asked for a longer wait than the deadline allows.
    #[error("The language model asks to wait for {} seconds. Try again then.", .0.as_secs())]
    AskedToWait(Duration),
    /// No connection, or it broke.
    #[error("The language model could not be reached. Try again later.")]
    Unreachable,
    /// An answer with this HTTP status.
    #[error("The language model refused the request with status {0}.{advice}", advice = advice(*.0))]
    Refused(u16),
    /// The model or its operator would not answer this.
    #[error("The language model declined to answer.")]
    Declined,
    /// The answer ended before it was complete.
    #[error("The answer of the language model was cut off.")]
    CutOff,
    /// More bytes than any sensible answer has.
    #[error("The answer of the language model was too large.")]
    AnswerTooLarge,
    /// The answer does not match the schema, even after a second attempt.
    #[error("The answer of the language model could not be read.")]
    Unreadable,
    /// A proposal changes something that is not allowed. The model gets the reason and may try again.
    #[error("The language model tried a change that is not allowed: {0}")]
    NotAllowed(String),
    /// More text than is sent to a model.
    #[error("The investigation is too large for the language model.")]
    TooLarge,
    /// A local failure, for example missing randomness.
    #[error("The language model could not be asked: {0}")]
    Internal(String),
}

impl ModelFailure {
    /// When to try again; `None` if waiting does not help.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::AskedToWait(wait) => Some(*wait),
            Self::Resting => Some(PAUSE),
            Self::TimedOut | Self::TooBusy | Self::Unreachable => Some(SOON),
            Self::Refused(408 | 429 | 500..) => Some(SOON),
            _ => None,
        }
    }

    /// A word for the logs.
    pub fn outcome(&self) -> &'static str {
        match self {
            Self::TimedOut => "timed_out",
            Self::TooBusy => "too_busy",
            Self::Resting => "resting",
            Self::AskedToWait(_) => "asked_to_wait",
            Self::Unreachable => "unreachable",
            Self::Refused(_) => "refused",
            Self::Declined => "declined",
            Self::CutOff => "cut_off",
            Self::AnswerTooLarge => "answer_too_large",
            Self::Unreadable => "unreadable",
            Self::NotAllowed(_) => "not_allowed",
            Self::TooLarge => "too_large",
            Self::Internal(_) => "internal",
        }
    }
}

fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 => " Check the API key.",
        404 => " Check the base URL and the name of the model.",
        _ => "",
    }
}
