//! Digests of texts.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use crate::domain::hex;

pub fn digest_of(bytes: &[u8]) -> String {
    hex::digits(digest(&SHA256, bytes).as_ref())
}

/// Returns the source for a content security policy that allows exactly this inline style sheet or script.
pub fn inline_source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(digest(&SHA256, text.as_bytes())))
}
