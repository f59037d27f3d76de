//! Reads a stream of JSON texts, either one text per line or the elements of one array. Only one text is in memory at a
//! time.

use std::io::{self, BufRead};

/// A JSON text with its line number.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    /// Number of the line where the text starts, counted from 1.
    pub line: u64,
    /// Bytes of the text; `None` if the text exceeds the maximum length.
    pub bytes: Option<Vec<u8>>,
}

/// Why reading stopped early.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The stream failed.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The array is malformed at this line, for this reason.
    #[error("line {0}: the array is broken here; {1}")]
    Array(u64, &'static str),
}

/// Reader of JSON texts from a stream.
pub struct Texts<R> {
    input: R,
    line: u64,
    max_length: usize,
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Unknown,
    Lines,
    /// Inside an array. The value is true if at least one element has been read.
    Array(bool),
    End,
}

impl<R: BufRead> Texts<R> {
    /// Creates a reader of `input`. `max_length` is the maximum length of a text, in bytes.
    pub fn of(input: R, max_length: usize) -> Self {
        Self { input, line: 1, max_length, format: Format::Unknown }
    }

    /// Returns the next text; `None` at the end of the stream.
    ///
    /// # Errors
    /// [`Unreadable`] if the stream fails or the array is malformed.
    pub fn next_text(&mut self) -> Result<Option<Text>, Unreadable> {
        if self.format == Format::Unknown {
            self.format = match self.skip_whitespace()? {
                Some(b'[') => {
                    self.input.consume(1);
                    Format::Array(false)
                }
                _ => Format::Lines,
            };
        }
        match self.format {
            Format::Array(begun) => self.next_element(begun),
            Format::Lines => self.next_line(),
            Format::Unknown | Format::End => Ok(None),
        }
    }

    /// Skips white space. Returns the next byte without consuming it; `None` at the end of the stream.
    fn skip_whitespace(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.input.fill_buf()?;
            let Some(byte) = buffer.first().copied() else { return Ok(None) };
            if !byte.is_ascii_whitespace() {
                return Ok(Some(byte));
            }
            self.line += u64::from(byte == b'\n');
            self.input.consume(1);
        }
    }

    fn next_line(&mut self) -> Result<Option<Text>, Unreadable> {
        if self.skip_whitespace()?.is_none() {
            return Ok(None);
        }
        let begin = self.line;
        let mut text = LimitedBuffer::new(self.max_length);
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = end.and_then(|end| buffer.get(..end)).unwrap_or(buffer);
            text.add(part);
            let taken = part.len() + usize::from(end.is_some());
            self.input.consume(taken);
            if end.is_some() {
                self.line += 1;
                break;
            }
        }
        Ok(Some(Text { line: begin, bytes: text.bytes() }))
    }

    fn next_element(&mut self, begun: bool) -> Result<Option<Text>, Unreadable> {
        let mut first = self.skip_whitespace()?;
        if begun && first == Some(b',') {
            self.input.consume(1);
            first = self.skip_whitespace()?;
            if first == Some(b']') {
                return Err(Unreadable::Array(self.line, "an element must follow the comma"));
            }
        } else if begun && first.is_some_and(|byte| byte != b']') {
            return Err(Unreadable::Array(self.line, "elements must be parted by a comma"));
        }
        match first {
            Some(b']') => {
                self.input.consume(1);
                self.format = Format::End;
                match self.skip_whitespace()? {
                    None => Ok(None),
                    Some(_) => Err(Unreadable::Array(self.line, "nothing may follow its end")),
                }
            }
            Some(b'{' | b'[') => {
                self.format = Format::Array(true);
                self.element().map(Some)
            }
            Some(_) => Err(Unreadable::Array(self.line, "its elements must be objects")),
            None => Err(Unreadable::Array(self.line, "it has no end")),
        }
    }

    /// Reads an object or array up to its closing bracket, without parsing its content.
    fn element(&mut self) -> Result<Text, Unreadable> {
        let begin = self.line;
        let mut text = LimitedBuffer::new(self.max_length);
        let (mut depth, mut in_text, mut escaped) = (0_u64, false, false);
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Err(Unreadable::Array(begin, "an element has no end"));
            }
            let mut length = 0;
            let mut ended = false;
            for byte in buffer {
                length += 1;
                self.line += u64::from(*byte == b'\n');
                match byte {
                    _ if escaped => escaped = false,
                    b'\\' if in_text => escaped = true,
                    b'"' => in_text = !in_text,
                    b'{' | b'[' if !in_text => depth += 1,
                    b'}' | b']' if !in_text => {
                        depth = depth.saturating_sub(1);
                        ended = depth == 0;
                    }
                    _ => {}
                }
                if ended {
                    break;
                }
            }
            text.add(buffer.get(..length).unwrap_or_default());
            self.input.consume(length);
            if ended {
                return Ok(Text { line: begin, bytes: text.bytes() });
            }
        }
    }
}

/// Bytes of a text up to a limit. If the limit is exceeded, no bytes are stored.
struct LimitedBuffer {
    bytes: Option<Vec<u8>>,
    max_length: usize,
}

impl LimitedBuffer {
    fn new(max_length: usize) -> Self {
        Self { bytes: Some(Vec::new()), max_length }
    }

    fn add(&mut self, part: &[u8]) {
        match &mut self.bytes {
            Some(bytes) if bytes.len() + part.len() <= self.max_length => bytes.extend_from_slice(part),
            bytes => *bytes = None,
        }
    }

    fn bytes(self) -> Option<Vec<u8>> {
        self.bytes
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/import/texts.rs"]
mod tests;
