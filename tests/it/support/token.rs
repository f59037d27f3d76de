//! Tokens with any claims, signed with the secret of the tests.

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::Value;

use super::{SECRET, START};

/// One hour after the start of every test's clock, in seconds since 1970.
pub const IN_AN_HOUR: i64 = START.0 / 1000 + 3600;

/// Returns a token with these claims that the service accepts.
pub fn signed(claims: &Value) -> String {
    signed_with(Algorithm::HS256, SECRET, claims)
}

pub fn signed_with(algorithm: Algorithm, secret: &[u8], claims: &Value) -> String {
    jsonwebtoken::encode(&Header::new(algorithm), claims, &EncodingKey::from_secret(secret)).expect("a token")
}
