//! Reads a stream of JSON texts, one on each line. Only one text is in memory at a time.

use std::io::{self, BufRead, Read};

/// A byte order mark in UTF-8, which some editors write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Maximum size of one line of an imported file, in bytes.
pub const MAX_TEXT: usize = 256 * 1024 * 1024;

/// A JSON text with its line number.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    /// Number of the line, counted from 1.
    pub line: u64,
    /// Bytes of the text; `None` if the text exceeds the maximum length.
    pub bytes: Option<Vec<u8>>,
}

pub struct Texts<R> {
    input: R,
    line: u64,
    max_length: usize,
}

impl<R: BufRead> Texts<R> {
    /// `max_length` is in bytes.
    pub fn of(input: R, max_length: usize) -> Self {
        Self { input, line: 0, max_length }
    }

    /// Returns the text on the next line that is not blank; `None` at the end of the stream.
    pub fn next_text(&mut self) -> io::Result<Option<Text>> {
        loop {
            let mut bytes = Vec::new();
            // Reads one byte more than the maximum. This byte is the line break, or it shows that the line is too long.
            let most = u64::try_from(self.max_length).unwrap_or(u64::MAX).saturating_add(1);
            if self.input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(None);
            }
            self.line += 1;
            let line = self.line;
            if bytes.len() > self.max_length && !bytes.ends_with(b"\n") {
                self.input.skip_until(b'\n')?;
                return Ok(Some(Text { line, bytes: None }));
            }
            let text = if line == 1 { bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes) } else { &bytes };
            let text = text.trim_ascii();
            if !text.is_empty() {
                return Ok(Some(Text { line, bytes: Some(text.to_vec()) }));
            }
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/import/texts.rs"]
mod tests;
