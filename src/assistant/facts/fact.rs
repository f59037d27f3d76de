//! Facts, and how they are read from texts.

use std::ops::Range;

use crate::domain::path::FieldPath;

/// Maximum number of statements of one kind, such as group sizes, that are read from one document. Others are ignored.
pub const MAX_FACTS: usize = 1000;
/// Maximum length of a number in a text, in bytes. Statements with longer numbers are ignored.
const MAX_NUMBER: usize = 100;
/// Maximum length of a quote, in characters. The full text is in the document.
pub const MAX_QUOTE: usize = 200;

#[derive(Debug)]
pub struct Text<'c> {
    pub path: FieldPath,
    pub text: &'c str,
}

#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Fact<T> {
    pub path: FieldPath,
    /// Word before the quote, in lower case and at most 200 characters. Empty at the start of a text or clause.
    pub before: String,
    /// Words of the statement, verbatim. A quote of more than 200 characters is cut off.
    pub quote: String,
    /// Byte range of the number in the text. A fix replaces this range. It is empty if no number is written.
    pub number: Range<usize>,
    pub written: String,
    pub value: T,
}

/// A statement in a text: byte range of the quote, byte range of the number, and value.
pub type Reading<T> = (Range<usize>, Range<usize>, T);

/// Returns the facts that `read` finds in texts, in their order and up to the maximum.
pub fn in_texts<'t, 'c: 't, T>(
    texts: impl IntoIterator<Item = &'t Text<'c>>,
    read: impl Fn(&str) -> Vec<Reading<T>>,
) -> Vec<Fact<T>> {
    let facts = texts.into_iter().flat_map(|Text { path, text }| {
        let readings = read(text).into_iter().filter(|(_, number, _)| number.len() <= MAX_NUMBER);
        readings.filter_map(move |(quote, number, value)| {
            let before = shortened(&word_before(text.get(..quote.start)?));
            let (quote, written) = (shortened(text.get(quote)?), text.get(number.clone())?.to_owned());
            Some(Fact { path: path.clone(), before, quote, number, written, value })
        })
    });
    facts.take(MAX_FACTS).collect()
}

/// Returns the sentence around a byte of a text. If the sentence is long, returns only 300 bytes before and after the
/// byte. So the work for many statements stays proportional to the length of the text.
pub fn sentence_at(text: &str, at: usize) -> &str {
    const NEAR: usize = 300;
    let (start, end) = (text.floor_char_boundary(at.saturating_sub(NEAR)), text.ceil_char_boundary(at + NEAR));
    let (before, after) = (text.get(start..at).unwrap_or_default(), text.get(at..end).unwrap_or_default());
    let ends =
        |text: &str, place: usize| text.get(place + 1..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
    let first = before.rmatch_indices(['.', '!', '?']).find(|(place, _)| ends(before, *place));
    let last = after.match_indices(['.', '!', '?']).find(|(place, _)| ends(after, *place));
    let start = first.map_or(start, |(place, _)| start + place + 1);
    text.get(start..last.map_or(end, |(place, _)| at + place)).unwrap_or_default()
}

pub fn shortened(text: &str) -> String {
    text.chars().take(MAX_QUOTE).collect()
}

/// Returns the last word of a text, in lower case: "for" in "Magnets for". Returns an empty string if the text ends
/// with punctuation. Includes an opening parenthesis directly before the word.
fn word_before(text: &str) -> String {
    let text = text.trim_end();
    let start =
        text.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + usize::from(!text[at..].starts_with('(')));
    text.get(start..).unwrap_or_default().to_lowercase()
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/facts/fact.rs"]
mod tests;
