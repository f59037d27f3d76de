//! What is common to the XML parts of a Word document.

use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;

use crate::error::{MAX_DEPTH, ReadError};

/// The events of a part, with limits.
pub(super) struct Events<'x> {
    reader: Reader<&'x [u8]>,
    depth: usize,
}

impl<'x> Events<'x> {
    pub(super) fn new(text: &'x str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { reader, depth: 0 }
    }

    /// Returns the next event, or nothing at the end.
    pub(super) fn next(&mut self) -> Result<Option<Event<'x>>, ReadError> {
        let event = self.reader.read_event().map_err(|_| ReadError::Damaged)?;
        match event {
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

/// Returns an attribute by its name without a prefix.
pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = start.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(found.normalized_value(XmlVersion::Explicit1_0).ok()?.into_owned())
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
