//! Signatures of texts that the service gives to clients and later receives back. The secret of the store signs texts
//! for several purposes, so each text begins with its purpose.

use aws_lc_rs::hmac::{self, HMAC_SHA256, Key};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

/// Returns the signature of a text, as URL-safe base64.
pub fn sign(secret: &str, text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(hmac::sign(&key(secret), text.as_bytes()))
}

/// Returns whether `signature` is that of a text.
pub fn is_signed(secret: &str, text: &str, signature: &str) -> bool {
    let signature = BASE64_URL_SAFE_NO_PAD.decode(signature);
    signature.is_ok_and(|signature| hmac::verify(&key(secret), text.as_bytes(), &signature).is_ok())
}

fn key(secret: &str) -> Key {
    Key::new(HMAC_SHA256, secret.as_bytes())
}
