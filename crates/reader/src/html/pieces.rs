//! Divides HTML into tags, comments and text.
//!
//! The tokenizer compares each attribute of a tag with all attributes before it. So tags with many attributes are
//! refused before they reach the tokenizer. The end of a tag is found exactly as in the HTML standard, because a
//! different result could be exploited.

use crate::error::ReadError;

/// Maximum number of attributes of an element. Real documents have fewer.
const MAX_ATTRIBUTES: usize = 250;

#[derive(Clone, Copy)]
enum At {
    Name,
    Between,
    Attribute,
    AfterAttribute,
    BeforeValue,
    Value,
    Quoted(u8),
}

/// The kind of the piece at the beginning of a text, and its length in bytes.
pub(super) enum Piece {
    Text(usize),
    Tag(usize),
    /// A comment or a declaration. It ends at this offset or at a later `>`.
    Comment(usize),
}

/// Returns the piece that a text begins with, and its length.
pub(super) fn first(html: &str) -> Result<Piece, ReadError> {
    let is_letter = |at: usize| html.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic);
    let next_tag = || html.bytes().skip(1).position(|byte| byte == b'<').map_or(html.len(), |place| place + 1);
    if html.starts_with('<') && is_letter(1) {
        Ok(Piece::Tag(tag(html, 1)?))
    } else if html.starts_with("</") && is_letter(2) {
        Ok(Piece::Tag(tag(html, 2)?))
    } else if html.starts_with("<!") || html.starts_with("<?") || html.starts_with("</") && !html.starts_with("</>") {
        Ok(Piece::Comment(end(html)))
    } else {
        Ok(Piece::Text(next_tag()))
    }
}

/// Returns the length up to the next `>`.
pub(super) fn end(html: &str) -> usize {
    html.find('>').map_or(html.len(), |place| place + 1)
}

fn tag(html: &str, name: usize) -> Result<usize, ReadError> {
    let (mut at, mut count) = (At::Name, 0);
    for (place, byte) in html.bytes().enumerate().skip(name) {
        let is_space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        at = match (at, byte) {
            (At::Quoted(quote), _) if byte == quote => At::Between,
            (At::Quoted(_), _) => at,
            (_, b'>') => return Ok(place + 1),
            (At::BeforeValue, b'"' | b'\'') => At::Quoted(byte),
            (At::BeforeValue, _) if is_space => at,
            (At::BeforeValue, _) => At::Value,
            (At::Value, _) if is_space => At::Between,
            (At::Value, _) => at,
            (_, b'/') => At::Between,
            (At::Attribute | At::AfterAttribute, b'=') => At::BeforeValue,
            (At::Name, _) if is_space => At::Between,
            (At::Attribute, _) if is_space => At::AfterAttribute,
            (At::Name | At::Attribute, _) => at,
            (At::Between | At::AfterAttribute, _) if is_space => at,
            (At::Between | At::AfterAttribute, _) => {
                count += 1;
                At::Attribute
            }
        };
        if count > MAX_ATTRIBUTES {
            return Err(ReadError::Damaged);
        }
    }
    Ok(html.len())
}

/// Returns the text after the content of an element such as `script`, which ends only at its own end tag.
pub(super) fn behind<'h>(html: &'h str, name: &str) -> &'h str {
    let is_end = |at: &usize| {
        let found = html.as_bytes().get(at + 2..at + 2 + name.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    };
    let end = html.match_indices("</").map(|(at, _)| at).find(is_end);
    end.and_then(|at| html.get(at..)).unwrap_or_default()
}
