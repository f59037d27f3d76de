//! Random tokens that grant access: session cookies and codes of sign-in links. Stores contain only their digests.

use std::fmt;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::hex;

/// Number of random bytes.
pub const BYTES: usize = 32;

/// A random text. `Debug` omits it.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken(String);

impl SecretToken {
    /// Creates the text of these random bytes.
    pub fn new(random: &[u8; BYTES]) -> Self {
        Self(URL_SAFE_NO_PAD.encode(random))
    }

    /// Parses `text` as a token; `None` if it is malformed.
    pub fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == BYTES).then(|| Self(text.to_owned()))
    }

    /// Returns the SHA-256 of the text in hexadecimal digits. The text cannot be recovered from it.
    pub fn digest(&self) -> String {
        hex::digits(digest(&SHA256, self.0.as_bytes()).as_ref())
    }

    /// Returns the text, which is secret.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretToken(…)")
    }
}
