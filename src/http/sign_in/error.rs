//! Why a sign-in with the provider fails.

use strum::IntoStaticStr;

use crate::domain::id::ObjectId;
use crate::store::StoreError;
use crate::tokens::SignInError;

/// Why a sign-in failed. The sign-in page has a message for the name of each variant in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SignInPageError {
    /// The attempt is unknown in this browser, or took too long.
    Attempt,
    /// The provider did not confirm who the person is.
    Refused,
    /// The provider does not answer.
    Unavailable,
    /// The provider's response is invalid, or the settings of Fieldbook and the provider do not match.
    Untrusted,
    /// This person was disabled or erased.
    Disabled(ObjectId),
    /// The service does not know the address under which people reach it.
    Address,
    /// The store failed.
    Store,
    /// Too many people sign in at once.
    Busy,
}

impl From<SignInError> for SignInPageError {
    fn from(error: SignInError) -> Self {
        match error {
            SignInError::Refused => Self::Refused,
            SignInError::Unavailable => Self::Unavailable,
            SignInError::Untrusted => Self::Untrusted,
        }
    }
}

impl From<StoreError> for SignInPageError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the store failed during a sign-in with the provider");
        Self::Store
    }
}
