//! Why a token is refused.

use std::time::Duration;

/// Maximum length of a token, in bytes.
pub const MAX_TOKEN: usize = 16 * 1024;

/// Why a token is invalid. The text is sent to the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTokenError {
    #[error("the token has more than {MAX_TOKEN} bytes")]
    TooLong,
    #[error("the token is malformed or was not signed by a key that this service knows")]
    Untrusted,
    #[error("the token does not say when it expires (exp, in seconds since 1970)")]
    NoExpiry,
    #[error("the token has expired; get a new one")]
    Expired,
    #[error("the token is not valid yet (nbf)")]
    NotYet,
    #[error("the token comes from another issuer (iss)")]
    OtherIssuer,
    #[error("the token is meant for another audience (aud)")]
    OtherAudience,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    Invalid(InvalidTokenError),
    /// The keys are unavailable, so it is unknown whether the token is valid. Contains the time after which the caller
    /// should retry.
    NoKeys(Duration),
}

impl From<InvalidTokenError> for TokenError {
    fn from(error: InvalidTokenError) -> Self {
        Self::Invalid(error)
    }
}
