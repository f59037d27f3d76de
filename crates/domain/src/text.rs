//! Parts and hashes of texts.

/// Returns the beginning of a text, at most this many bytes, without splitting a character.
pub fn beginning(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Returns the FNV-1a hash of a text. Unlike a hash of the standard hasher, this hash is the same in all releases and
/// on all machines.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Returns how many letters two words have in common at their beginning and at their end.
pub fn common_letters(one: &str, other: &str) -> usize {
    let from_front = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let from_back = one.chars().rev().zip(other.chars().rev()).take_while(|(a, b)| a == b).count();
    from_front + from_back
}
