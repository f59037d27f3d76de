//! Reasons why a language model failed, as messages for people. No message contains a key or a body, and messages for
//! API callers contain no address.

use std::time::Duration;

use strum::IntoStaticStr;

use super::backoff::PAUSE;

/// Wait that is suggested after most temporary failures.
const SOON: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelSettingsError {
    #[error("the base URL of the language model must look like https://host/v1, without user, query or fragment")]
    BaseUrl,
    #[error("the API key of the language model contains characters that are not allowed in a header")]
    ApiKey,
    #[error("the language model must have a name")]
    Name,
    #[error("the HTTP client for the language model did not start: {0}")]
    Client(String),
}

#[derive(Debug, Clone, PartialEq, Eq, IntoStaticStr, thiserror::Error)]
#[strum(serialize_all = "snake_case")]
pub enum ModelError {
    #[error("The language model did not answer in time. Try again later.")]
    TimedOut,
    #[error("The language model is busy with other work. Try again later.")]
    TooBusy,
    #[error("The language model failed several times in a row and is paused for a while. Try again in a minute.")]
    #[strum(serialize = "resting")]
    CircuitOpen,
    #[error("The language model asks to wait for {} seconds. Try again then.", .0.as_secs_f64().ceil())]
    AskedToWait(Duration),
    #[error("The language model could not be reached. Try again later.")]
    Unreachable,
    #[error("The language model refused the request with status {0}.{advice}", advice = advice(*.0))]
    Refused(u16),
    #[error("The language model declined to answer.")]
    Declined,
    #[error("The answer of the language model was cut off.")]
    CutOff,
    #[error("The answer of the language model was too large.")]
    AnswerTooLarge,
    #[error("The answer of the language model could not be read.")]
    Unreadable,
    /// The model gets the reason and may try again.
    #[error("The language model tried a change that is not allowed: {0}")]
    NotAllowed(String),
    #[error("The investigation is too large for the language model.")]
    TooLarge,
    #[error("The text is too large for the language model. Send a smaller part of it.")]
    #[strum(serialize = "too_large")]
    TextTooLarge,
    #[error("The language model could not be asked: {0}")]
    Internal(String),
}

/// Why a model did not answer a test question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelDiagnosisError {
    pub error: ModelError,
    /// The endpoint's message about its failure, or why the connection failed; for the operator.
    pub words: Option<String>,
}

impl ModelError {
    /// Returns how long to wait before trying again, or `None` if waiting does not help.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::AskedToWait(wait) => Some(*wait),
            Self::CircuitOpen => Some(PAUSE),
            Self::TimedOut | Self::TooBusy | Self::Unreachable => Some(SOON),
            Self::Refused(408 | 429 | 500..) => Some(SOON),
            _ => None,
        }
    }

    pub fn outcome(&self) -> &'static str {
        self.into()
    }
}

fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 => " Check the API key.",
        404 => " Check the base URL and the name of the model.",
        _ => "",
    }
}
