//! Tokens of counted visits. A visitor who has used up a visit of a link with a visit limit can open its page for an
//! hour.

use aws_lc_rs::hmac::{self, HMAC_SHA256, Key};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;

/// Validity of a token, in seconds.
const VALIDITY: i64 = 60 * 60;

/// Returns a token for a link. It consists of the time at which it ends, in seconds since 1970, and a signature.
pub fn sign(secret: &str, link: ObjectId, now: Timestamp) -> String {
    let end = (now.0 / 1000 + VALIDITY).to_string();
    let signature = hmac::sign(&key(secret), signed_text(link, &end).as_bytes());
    format!("{end}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
}

/// Returns whether this is a token for the link that has not ended.
pub fn is_valid(token: &str, secret: &str, link: ObjectId, now: Timestamp) -> bool {
    let Some((end, signature)) = token.split_once('.') else { return false };
    let Ok(signature) = BASE64_URL_SAFE_NO_PAD.decode(signature) else { return false };
    let is_signed = hmac::verify(&key(secret), signed_text(link, end).as_bytes(), &signature).is_ok();
    is_signed && end.parse::<i64>().is_ok_and(|end| now.0 / 1000 < end)
}

fn key(secret: &str) -> Key {
    Key::new(HMAC_SHA256, secret.as_bytes())
}

fn signed_text(link: ObjectId, end: &str) -> String {
    format!("visit {link} {end}")
}

#[cfg(test)]
#[path = "../../../tests/unit/http/visit_token.rs"]
mod tests;
