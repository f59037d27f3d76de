//! Decodes bytes to text.

use crate::error::ReadError;

pub(crate) struct Decoded {
    pub(crate) text: String,
    /// Whether the encoding was guessed, because the bytes are not UTF-8 and do not begin with the mark of UTF-16.
    pub(crate) is_guessed: bool,
}

/// The characters of the bytes 0x80 to 0x9F in Windows-1252, as browsers read it.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes by the byte order mark, or else as UTF-8, or else as Windows-1252.
pub(crate) fn decode(bytes: &[u8]) -> Decoded {
    let known = |text: String| Decoded { text, is_guessed: false };
    let plain = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match bytes {
        [0xff, 0xfe, rest @ ..] => known(utf16(rest, u16::from_le_bytes)),
        [0xfe, 0xff, rest @ ..] => known(utf16(rest, u16::from_be_bytes)),
        _ => match std::str::from_utf8(plain) {
            Ok(text) => known(text.to_owned()),
            Err(_) => Decoded { text: plain.iter().copied().map(windows_1252).collect(), is_guessed: true },
        },
    }
}

/// Returns whether bytes begin with a byte order mark of UTF-16.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let pairs = bytes.chunks_exact(2).filter_map(|pair| <[u8; 2]>::try_from(pair).ok());
    char::decode_utf16(pairs.map(unit)).map(|result| result.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252.get(usize::from(byte) - 0x80).copied().unwrap_or_default(),
        _ => char::from(byte),
    }
}

/// Refuses unsupported files by their magic bytes, even if the declared media type is supported.
pub(crate) fn refuse_foreign(bytes: &[u8]) -> Result<(), ReadError> {
    /// UTF-16 stream names of encrypted Office files, which are wrapped in the old compound file format.
    const ENCRYPTED: &[u8] = b"E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e";
    if bytes.starts_with(b"%PDF-") {
        return Err(ReadError::Pdf);
    }
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]) {
        let is_encrypted = bytes.windows(ENCRYPTED.len()).any(|window| window == ENCRYPTED);
        return Err(if is_encrypted { ReadError::Encrypted } else { ReadError::OldOffice });
    }
    if bytes.starts_with(b"{\\rtf") {
        return Err(ReadError::OtherType);
    }
    Ok(())
}
