//! The cookie of an attempt to sign in with the provider. It is encrypted with a key from the secret of the store. So
//! any copy of the service can finish an attempt that another copy began, and nobody else can create or read the
//! cookie.

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::app::HttpSettings;
use crate::domain::sign_in::ATTEMPT_VALIDITY;
use crate::domain::time::Timestamp;
use crate::http::cookie::{self, Lasts};
use crate::tokens::Attempt;

/// Prefix of the cookie names. The beginning of the OAuth parameter `state` is appended, because each tab may have a
/// separate attempt.
const NAME: &str = "fieldbook_sign_in_";

/// Length of the appended part, in characters.
const OF_STATE: usize = 16;

/// If a browser has this many attempts, all of them are deleted, because every request carries their cookies.
const MAX_ATTEMPTS: usize = 4;

/// The encrypted content of the cookie. It does not contain the state, but it can be decrypted only with the right
/// state.
#[derive(Serialize, Deserialize)]
pub struct AttemptCookie {
    pub attempt: Attempt,
    /// The path to open after the sign-in.
    pub to: String,
    ends_at: Timestamp,
}

impl AttemptCookie {
    pub fn new(attempt: Attempt, to: String, now: Timestamp) -> Self {
        Self { attempt, to, ends_at: now.later_by(ATTEMPT_VALIDITY) }
    }
}

/// Returns the header that sets the cookie of an attempt.
pub fn set(http: &HttpSettings, secret: &str, state: &str, kept: &AttemptCookie) -> Option<HeaderValue> {
    cookie::set(http, &name(state)?, &seal(secret, state, kept)?, Lasts::For(ATTEMPT_VALIDITY))
}

/// Returns the content of the cookie for the attempt with this state; `None` if there is no valid cookie, or if the
/// attempt is too old.
pub fn read(
    http: &HttpSettings,
    headers: &HeaderMap,
    secret: &str,
    state: &str,
    now: Timestamp,
) -> Option<AttemptCookie> {
    let sealed = cookie::only(http, headers, &name(state)?)?;
    open(secret, state, sealed).filter(|kept| now < kept.ends_at)
}

/// Returns the header that deletes the cookie of an attempt.
pub fn delete(http: &HttpSettings, state: &str) -> Option<HeaderValue> {
    cookie::delete(http, &name(state)?)
}

/// Returns the headers that delete the cookies of all attempts if the browser has too many.
pub fn forget_many(http: &HttpSettings, headers: &HeaderMap) -> Vec<Option<HeaderValue>> {
    let names =
        || cookie::all(http, headers).map(|cookie| cookie.name).filter(|name| name.starts_with(NAME.as_bytes()));
    if names().count() < MAX_ATTEMPTS {
        return Vec::new();
    }
    names().map(|name| cookie::delete(http, std::str::from_utf8(name).ok()?)).collect()
}

fn name(state: &str) -> Option<String> {
    state.get(..OF_STATE).map(|part| format!("{NAME}{part}"))
}

fn seal(secret: &str, state: &str, kept: &AttemptCookie) -> Option<String> {
    let mut bytes = serde_json::to_vec(kept).ok()?;
    let nonce = key(secret)?.seal_in_place_append_tag(Aad::from(state), &mut bytes).ok()?;
    Some(BASE64_URL_SAFE_NO_PAD.encode([nonce.as_ref().as_slice(), &bytes].concat()))
}

fn open(secret: &str, state: &str, sealed: &str) -> Option<AttemptCookie> {
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(sealed).ok()?;
    let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let text = key(secret)?.open_in_place(nonce, Aad::from(state), sealed).ok()?;
    serde_json::from_slice(text).ok()
}

/// Returns the encryption key. It is derived from the secret of the store, because that secret also signs other data.
fn key(secret: &str) -> Option<RandomizedNonceKey> {
    let derived = hmac::sign(&hmac::Key::new(HMAC_SHA256, secret.as_bytes()), b"attempts to sign in");
    RandomizedNonceKey::new(&AES_256_GCM, derived.as_ref()).ok()
}

#[cfg(test)]
#[path = "../../../tests/unit/http/attempt.rs"]
mod tests;
