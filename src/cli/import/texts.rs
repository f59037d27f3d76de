//! Reads a stream of JSON texts, one on each line. Only one text is in memory at a time.

use std::io::{self, BufRead};

/// A byte order mark in UTF-8, which some editors write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

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
        while let Some(bytes) = self.next_line()? {
            self.line += 1;
            let text = bytes.as_deref().map(|bytes| match self.line {
                1 => bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes),
                _ => bytes,
            });
            let text = text.map(<[u8]>::trim_ascii);
            if text.is_none_or(|text| !text.is_empty()) {
                return Ok(Some(Text { line: self.line, bytes: text.map(<[u8]>::to_vec) }));
            }
        }
        Ok(None)
    }

    /// Reads a line. The outer `None` is the end of the stream, and the inner one a line that is too long.
    fn next_line(&mut self) -> io::Result<Option<Option<Vec<u8>>>> {
        let mut line = Some(Vec::new());
        let mut has_begun = false;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(has_begun.then_some(line));
            }
            has_begun = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = end.and_then(|end| buffer.get(..end)).unwrap_or(buffer);
            match &mut line {
                Some(bytes) if bytes.len() + part.len() <= self.max_length => bytes.extend_from_slice(part),
                line => *line = None,
            }
            let taken = part.len() + usize::from(end.is_some());
            self.input.consume(taken);
            if end.is_some() {
                return Ok(Some(line));
            }
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/import/texts.rs"]
mod tests;
