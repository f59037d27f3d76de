//! Writes bytes as lower-case hexadecimal digits, two per byte.

const DIGITS: [u8; 16] = *b"0123456789abcdef";

/// Returns the two hexadecimal digits of a byte, as ASCII.
pub const fn pair(byte: u8) -> [u8; 2] {
    [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 15) as usize]]
}

/// Returns the bytes as hexadecimal digits.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| pair(*byte)).map(char::from).collect()
}

#[cfg(test)]
#[path = "../tests/unit/hex.rs"]
mod tests;
