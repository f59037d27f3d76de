//! Fuzzes tokens, with any text as a token, as the header and claims of a signed token, and as the keys of a
//! provider.

#![no_main]

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use libfuzzer_sys::fuzz_target;

#[path = "../../tests/it/support/parsers.rs"]
#[expect(dead_code, reason = "the other targets ask for the rest")]
mod parsers;

fuzz_target!(|text: &str| {
    parsers::token(text, |secret, message| sign(&Key::new(HMAC_SHA256, secret), message).as_ref().to_vec());
});
