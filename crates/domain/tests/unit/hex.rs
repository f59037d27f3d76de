//! Unit tests of `crates/domain/src/hex.rs`.

use super::*;

#[test]
fn every_byte_has_two_digits() {
    assert_eq!((digits(&[0, 10, 127, 255]), digits(&[])), ("000a7fff".to_owned(), String::new()));
}
