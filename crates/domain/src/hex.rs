//! Bytes as lower-case hexadecimal digits, two per byte.

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

/// Returns the bytes that [`digits`] writes as `text`; `None` if there are none.
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| DIGITS.iter().position(|known| *known == digit).and_then(|place| u8::try_from(place).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(value(*high)? << 4 | value(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

/// Decodes the `%xx` sequences of a part of an address; `None` if a sequence or the resulting UTF-8 is invalid.
pub fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}
