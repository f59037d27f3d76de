//! Tokens with any claims, signed with the secret of the tests.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::Value;

use super::{SECRET, START};

/// In an hour of a clock that stands at the start, in seconds.
pub const IN_AN_HOUR: i64 = START.0 / 1000 + 3600;

/// A token with these claims that the service trusts.
pub fn signed(claims: &Value) -> String {
    signed_with(Algorithm::HS256, SECRET, claims)
}

/// A token with these claims, of any algorithm and secret.
pub fn signed_with(algorithm: Algorithm, secret: &[u8], claims: &Value) -> String {
    jsonwebtoken::encode(&Header::new(algorithm), claims, &EncodingKey::from_secret(secret)).expect("a token")
}
