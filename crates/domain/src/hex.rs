//! Bytes as lower-case hexadecimal digits, two per byte.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serializer};

const DIGITS: [u8; 16] = *b"0123456789abcdef";

/// Returns the bytes as hexadecimal digits.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| pair(*byte)).map(char::from).collect()
}

/// Returns whether a text is a SHA-256 as [`digits`] writes it.
pub fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| DIGITS.contains(&byte))
}

/// Returns the two digits of a byte, as ASCII.
pub(crate) fn pair(byte: u8) -> [u8; 2] {
    [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]
}

/// Writes the digits of bytes, for `#[serde(with = "hex")]`.
pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&digits(bytes))
}

/// Reads the bytes of a SHA-256, for `#[serde(with = "hex")]`.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(deserializer)?;
    if !is_sha256(&text) {
        return Err(D::Error::custom("a digest is not a SHA-256 in lower-case hexadecimal digits"));
    }
    let byte = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).map_err(D::Error::custom);
    (0..text.len()).step_by(2).map(byte).collect()
}
