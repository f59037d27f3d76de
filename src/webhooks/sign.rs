//! Signatures according to Standard Webhooks: HMAC-SHA256 of id, time and body. Each secret adds one signature.

use aws_lc_rs::hmac::{self, Key};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

const PREFIX: &str = "whsec_";

/// Valid lengths of a secret, in bytes, according to Standard Webhooks.
const LENGTHS: std::ops::RangeInclusive<usize> = 24..=64;

/// Secrets that sign events. While a new secret replaces an old one, both are in use.
#[derive(Clone)]
pub struct Secrets(Vec<Key>);

impl Secrets {
    /// Reads secrets that are separated by spaces; `None` if there are none or any of them is invalid.
    pub fn read(text: &str) -> Option<Self> {
        let key = |secret: &str| {
            let bytes = BASE64_STANDARD.decode(secret.strip_prefix(PREFIX)?).ok()?;
            // Zeros are refused, because a broken random generator may produce only zeros.
            let is_zero = bytes.iter().all(|byte| *byte == 0);
            (LENGTHS.contains(&bytes.len()) && !is_zero).then(|| Key::new(hmac::HMAC_SHA256, &bytes))
        };
        let keys: Vec<Key> = text.split_whitespace().map(key).collect::<Option<_>>()?;
        (!keys.is_empty()).then_some(Self(keys))
    }

    /// Returns the value of the header `webhook-signature`. `seconds` is the time of the request, in seconds since
    /// 1970.
    pub fn signatures(&self, id: &str, seconds: i64, body: &str) -> String {
        let signed = format!("{id}.{seconds}.{body}");
        let signature = |key: &Key| format!("v1,{}", BASE64_STANDARD.encode(hmac::sign(key, signed.as_bytes())));
        self.0.iter().map(signature).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
#[path = "../../tests/unit/webhooks/sign.rs"]
mod tests;
