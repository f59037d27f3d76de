//! Tokens of counted visits. When a visit of a link with a visit limit was counted, its token opens the page for an
//! hour without counting again.

use crate::domain::id::ObjectId;
use crate::domain::time::Timestamp;
use crate::http::signature;

/// Validity of a token, in seconds.
const VALIDITY: i64 = 60 * 60;

/// Returns a token for a link. It consists of the time at which it expires, in seconds since 1970, and a signature.
pub fn sign(secret: &str, link: ObjectId, now: Timestamp) -> String {
    let end = (now.0 / 1000 + VALIDITY).to_string();
    format!("{end}.{}", signature::sign(secret, &signed_text(link, &end)))
}

/// Returns whether this token is for the link and has not expired.
pub fn is_valid(token: &str, secret: &str, link: ObjectId, now: Timestamp) -> bool {
    let Some((end, signature)) = token.split_once('.') else { return false };
    let is_signed = signature::is_signed(secret, &signed_text(link, end), signature);
    is_signed && end.parse::<i64>().is_ok_and(|end| now.0 / 1000 < end)
}

fn signed_text(link: ObjectId, end: &str) -> String {
    format!("visit {link} {end}")
}

#[cfg(test)]
#[path = "../../../tests/unit/http/visit_token.rs"]
mod tests;
