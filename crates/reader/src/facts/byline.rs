//! Lines that say who wrote a lesson, and for which year: "By Ms Khan, Year 8, May 2024".

use super::{is_grade, parts};
use crate::marks;
use crate::words;

/// A part of a byline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part<'t> {
    pub(crate) text: &'t str,
    /// Whether the part names a person or a day, so that it does not describe the lesson.
    pub(crate) is_aside: bool,
}

/// Splits a byline at its commas and dashes: short parts, of which one is a school year, and another a person or a day.
pub(crate) fn split(text: &str) -> Option<Vec<Part<'_>>> {
    const MAX_LENGTH: usize = 120;
    const MAX_WORDS: usize = 5;
    if text.len() > MAX_LENGTH || text.ends_with(['.', '!', '?', ':']) {
        return None;
    }
    let part = |text| Part { text, is_aside: words::is_author(text) || is_day(text) || is_document(text) };
    let found: Vec<Part<'_>> =
        parts(text, &[';', '|', '·'], &[", ", "، ", " – ", " — ", " - "]).into_iter().map(part).collect();
    let is_short = found.iter().all(|part| part.text.split_whitespace().count() <= MAX_WORDS);
    let has_grade = found.iter().any(|part| !part.is_aside && is_grade(part.text));
    (is_short && has_grade && found.iter().any(|part| part.is_aside)).then_some(found)
}

/// Returns whether a text says what kind of document it is: "Practical worksheet".
fn is_document(text: &str) -> bool {
    let mut words = text.split_whitespace();
    words::is("documents", text) || words.next_back().is_some_and(|last| words::is("documents", last))
}

/// Returns whether a text is a day or a month: "May 2024", "12/05/2024".
fn is_day(text: &str) -> bool {
    const MAX_WORDS: usize = 3;
    let last = text.rsplit(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    let is_year = last.chars().count() == 4 && marks::digits(last).is_some_and(|year| (1950..2100).contains(&year));
    is_year && text.split_whitespace().count() <= MAX_WORDS
}
