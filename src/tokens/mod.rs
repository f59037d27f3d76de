//! Bearer tokens: JSON Web Tokens, verified either with a shared secret (HS256) or with a provider's public keys; and
//! sign-in with a provider, whose ID tokens are verified in the same way.
//!
//! A service never accepts both kinds. The algorithm follows from the key, not from the token, so that a public key can
//! never be used as a secret. Functions receive the current time as an argument.

mod claims;
mod diagnostics;
mod error;
mod fetch;
mod jwks;
mod provider;
mod refreshing_cache;
mod secret;
mod settings;
mod sign_in;
mod trust;

pub use claims::{Claims, header};
pub use diagnostics::{Diagnosis, diagnose};
pub use error::{InvalidTokenError, TokenError};
pub use fetch::{Endpoints, FETCH_DEADLINE, is_issuer, is_key_address};
pub use jwks::{Keys, SignatureError};
pub use secret::{SECRET_FILE, fault as secret_fault, own_secret};
pub use settings::{ProviderSettings, SignInSettings};
pub use sign_in::{Attempt, Prompt, Returned, SignInError};
pub use trust::Tokens;
