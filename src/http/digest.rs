//! Digests that replace long or secret texts.

use aws_lc_rs::digest::{SHA256, digest};

use crate::domain::hex;

pub fn digest_of(bytes: &[u8]) -> String {
    hex::digits(digest(&SHA256, bytes).as_ref())
}
