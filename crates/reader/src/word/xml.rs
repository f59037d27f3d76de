//! Reads the XML parts of a Word document.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use crate::error::{MAX_BYTES, MAX_DEPTH, MAX_PIECES, ReadError};

/// Maximum size of a value that is read, in bytes.
const MAX_VALUE: usize = 64 * 1024;
/// Maximum size of the name of an element or a part, in bytes.
pub(super) const MAX_NAME: usize = 256;

/// An XML part, which is unpacked while it is read. So it is never in memory as a whole.
pub(super) struct Part<'p> {
    pub(super) bytes: Box<dyn BufRead + 'p>,
    pub(super) pieces: Pieces,
}

/// Counts the pieces of all parts of a file.
pub(super) type Pieces = Rc<Cell<usize>>;

/// The events of a part, with limits.
pub(super) struct Events<'p> {
    reader: Reader<Bounded<Box<dyn BufRead + 'p>>>,
    pieces: Pieces,
    event: Vec<u8>,
    depth: usize,
}

/// A reader that fails after `left` more bytes. `left` is reset before each event, so it limits the size of one event.
struct Bounded<R> {
    inner: R,
    left: usize,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.saturating_sub(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 { Err(io::Error::other(ReadError::TooLarge)) } else { self.inner.fill_buf() }
    }

    fn consume(&mut self, count: usize) {
        self.left = self.left.saturating_sub(count);
        self.inner.consume(count);
    }
}

impl<'p> Events<'p> {
    pub(super) fn new(part: Part<'p>) -> Self {
        let mut reader = Reader::from_reader(Bounded { inner: part.bytes, left: 0 });
        reader.config_mut().expand_empty_elements = true;
        Self { reader, pieces: part.pieces, event: Vec::new(), depth: 0 }
    }

    /// Returns the next event, or nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Event<'_>>, ReadError> {
        self.event.clear();
        self.pieces.set(self.pieces.get() + 1);
        if self.pieces.get() > MAX_PIECES {
            return Err(ReadError::TooManyPieces);
        }
        self.reader.get_mut().left = MAX_BYTES;
        let event = self.reader.read_event_into(&mut self.event).map_err(|error| match error {
            quick_xml::Error::Io(error) => read_error(&error),
            _ => ReadError::Damaged,
        })?;
        match &event {
            Event::Start(start) if start.name().as_ref().len() > MAX_NAME => return Err(ReadError::Damaged),
            Event::Start(_) => self.depth += 1,
            Event::End(_) => self.depth = self.depth.saturating_sub(1),
            Event::DocType(_) => return Err(ReadError::Doctype),
            Event::Eof if self.depth > 0 => return Err(ReadError::Damaged),
            Event::Eof => return Ok(None),
            _ => {}
        }
        if self.depth > MAX_DEPTH { Err(ReadError::TooDeep) } else { Ok(Some(event)) }
    }
}

/// Returns why a part cannot be unpacked.
pub(super) fn read_error(error: &io::Error) -> ReadError {
    let limit = error.get_ref().and_then(|inner| inner.downcast_ref::<ReadError>());
    limit.copied().unwrap_or(ReadError::Damaged)
}

/// Counts the bytes in memory that come from parts other than the text: relationships, styles, list levels. Refuses
/// more than `MAX_BYTES`.
#[derive(Debug, Default)]
pub(super) struct Kept(usize);

impl Kept {
    /// Counts a value with this approximate size in memory, in bytes.
    pub(super) fn add(&mut self, bytes: usize) -> Result<(), ReadError> {
        self.0 = self.0.saturating_add(bytes);
        if self.0 > MAX_BYTES { Err(ReadError::TooLarge) } else { Ok(()) }
    }
}

/// Returns an attribute by its name without a prefix.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    // The checks for duplicates are off, because they would compare each attribute with all attributes before it.
    let mut attributes = start.attributes();
    let found =
        attributes.with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    let value = Some(found).filter(|found| found.value.len() <= MAX_VALUE)?;
    Some(value.normalized_value(XmlVersion::Explicit1_0).ok()?.into_owned())
}

/// Returns whether a property such as `<w:b/>` is on.
pub(super) fn is_on(start: &BytesStart<'_>) -> bool {
    !matches!(attribute(start, "val").as_deref(), Some("0" | "false" | "off" | "none"))
}

pub(super) fn reference(reference: &BytesRef<'_>) -> Option<char> {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return Some(character);
    }
    match reference.xml10_content().as_ref() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => None,
    }
}
