//! Finds web and e-mail addresses in texts, so that readers can open them.

use crate::printable::is_unseen;

/// Schemes of the addresses that can be opened.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

/// Maximum length of an address, in bytes. A longer address is treated as text.
const MAX_ADDRESS: usize = 2000;

/// A part of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Text without an address.
    Text(&'t str),
    /// An address that begins with `https://`, `http://` or `mailto:`.
    Address(&'t str),
}

/// Splits a text into addresses and the text between them. The pieces in order, joined, are the whole text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest, mut from) = (Vec::new(), text, 0);
    while let Some(at) = next_scheme(rest, from) {
        let address = rest.get(at..).map(address).unwrap_or_default();
        if address.is_empty() {
            from = at + 1;
            continue;
        }
        let (before, found) = rest.split_at(at);
        pieces.extend((!before.is_empty()).then_some(Piece::Text(before)));
        pieces.push(Piece::Address(address));
        (rest, from) = (found.strip_prefix(address).unwrap_or_default(), 0);
    }
    pieces.extend((!rest.is_empty()).then_some(Piece::Text(rest)));
    pieces
}

/// Returns the first byte offset, from `from` on, at which a scheme begins a word.
fn next_scheme(text: &str, from: usize) -> Option<usize> {
    let colons = text.match_indices(':').map(|(colon, _)| colon);
    let starts = colons.filter_map(|colon| {
        let before = text.get(..colon)?;
        let scheme = before.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
        let start = colon - scheme;
        let begins_word = !before.get(..start)?.ends_with(char::is_alphanumeric);
        (start >= from && begins_word && scheme_of(text.get(start..)?).is_some()).then_some(start)
    });
    starts.into_iter().next()
}

fn scheme_of(text: &str) -> Option<&'static str> {
    SCHEMES.into_iter().find(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)))
}

/// Returns the address that a text begins with; an empty text if there is only a scheme.
fn address(text: &str) -> &str {
    let scheme = scheme_of(text).unwrap_or_default();
    let end = text.find(ends).unwrap_or(text.len());
    let mut address = text.get(..end).unwrap_or_default();
    // Sentence punctuation and a bracket around the address are not part of it.
    while let Some(last) = address.chars().next_back() {
        let opens = |open: char, close: char| address.matches(open).count() >= address.matches(close).count();
        let is_inside = match last {
            ')' => opens('(', ')'),
            ']' => opens('[', ']'),
            last => !".,;:!?'’*_…·".contains(last),
        };
        if is_inside {
            break;
        }
        address = address.strip_suffix(last).unwrap_or_default();
    }
    let rest = address.get(scheme.len()..).unwrap_or_default();
    let has_host = rest.starts_with(|first: char| first.is_alphanumeric() || first == '[');
    let is_address = has_host && (scheme != "mailto:" || rest.contains('@')) && address.len() <= MAX_ADDRESS;
    if is_address { address } else { "" }
}

/// Returns whether a character ends an address: white space, quotes, sentence punctuation of other scripts, invisible
/// characters, and characters that change the text direction.
fn ends(character: char) -> bool {
    character.is_whitespace()
        || is_unseen(character)
        || "<>\"`|{}\\^“”„«»‹›،؛؟、。，；：！？（）「」『』【】".contains(character)
}
