//! The contents of a token: the header, which is read before the key is known, and the claims, which are read after the
//! signature was verified.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use super::error::InvalidTokenError;
use crate::domain::time::Timestamp;

pub type Claims = Map<String, Value>;

/// Maximum value of `exp`: the end of the year 9999, in seconds since 1970. A larger value is probably not in seconds.
pub const LAST_EXPIRY: i64 = 253_402_300_799;

/// The header of a token. It is not trusted: its algorithm and key id only help to choose the key.
#[derive(Debug, Deserialize)]
pub struct Header {
    pub alg: Algorithm,
    pub kid: Option<String>,
    pub typ: Option<String>,
    pub crit: Option<IgnoredAny>,
}

/// Requirements on the claims of a token, besides `exp`.
#[derive(Debug, Default)]
pub struct Expected {
    /// Required issuer (`iss`), which is compared exactly; `None` to accept any.
    pub issuer: Option<String>,
    /// Required audience (`aud`); `None` to accept any.
    pub audience: Option<String>,
    /// Tolerated difference between the clocks when `exp` and `nbf` are checked, in seconds.
    pub leeway: f64,
}

/// Returns the header of a token.
///
/// # Errors
/// [`InvalidTokenError::Untrusted`] if the text is not a token, requires an extension (`crit`), or has a type (`typ`)
/// other than `JWT` and `at+jwt`.
pub fn header(token: &str) -> Result<Header, InvalidTokenError> {
    let (header, _) = token.split_once('.').ok_or(InvalidTokenError::Untrusted)?;
    let header: Header = json(header)?;
    let usual = header.typ.as_deref().is_none_or(|kind| {
        let kind = kind.to_ascii_lowercase();
        ["jwt", "at+jwt"].contains(&kind.strip_prefix("application/").unwrap_or(&kind))
    });
    if header.crit.is_some() || !usual {
        return Err(InvalidTokenError::Untrusted);
    }
    Ok(header)
}

/// Returns the claims of a token if `verify` accepts its signature. `verify` gets the signed text and the signature in
/// Base64.
///
/// # Errors
/// [`InvalidTokenError::Untrusted`] if the signature is invalid or the token is malformed.
pub fn signed(token: &str, verify: impl FnOnce(&[u8], &str) -> bool) -> Result<Claims, InvalidTokenError> {
    // `jsonwebtoken::decode` would also parse the header, a second time, and check claims, which `Expected::check` does
    // with the service's clock.
    let (text, signature) = token.rsplit_once('.').ok_or(InvalidTokenError::Untrusted)?;
    let (_, claims) = text.split_once('.').ok_or(InvalidTokenError::Untrusted)?;
    if verify(text.as_bytes(), signature) { json(claims) } else { Err(InvalidTokenError::Untrusted) }
}

/// Reads a part of a token: JSON in Base64.
fn json<T: DeserializeOwned>(part: &str) -> Result<T, InvalidTokenError> {
    let json = BASE64_URL_SAFE_NO_PAD.decode(part).map_err(|_| InvalidTokenError::Untrusted)?;
    serde_json::from_slice(&json).map_err(|_| InvalidTokenError::Untrusted)
}

impl Expected {
    /// Checks that these claims meet the requirements at the time `now`.
    pub fn check(&self, claims: &Claims, now: Timestamp) -> Result<(), InvalidTokenError> {
        let now = now.0 as f64 / 1000.0;
        let expiry = claims.get("exp").and_then(Value::as_f64).filter(|expiry| *expiry <= LAST_EXPIRY as f64);
        if expiry.ok_or(InvalidTokenError::NoExpiry)? + self.leeway <= now {
            return Err(InvalidTokenError::Expired);
        }
        match claims.get("nbf").map(Value::as_f64) {
            None => {}
            Some(Some(start)) if start <= now + self.leeway => {}
            Some(_) => return Err(InvalidTokenError::NotYet),
        }
        if self.issuer.is_some() && self.issuer.as_deref() != claims.get("iss").and_then(Value::as_str) {
            return Err(InvalidTokenError::OtherIssuer);
        }
        let is_meant = |audience: &String| match claims.get("aud") {
            Some(Value::String(one)) => one == audience,
            Some(Value::Array(several)) => several.iter().any(|one| one == audience),
            _ => false,
        };
        if !self.audience.as_ref().is_none_or(is_meant) {
            return Err(InvalidTokenError::OtherAudience);
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/tokens/claims.rs"]
mod tests;
