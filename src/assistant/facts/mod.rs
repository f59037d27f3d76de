//! Reads facts from texts: typed statements, each with its path and a verbatim quote.
//!
//! All functions are pure. The patterns match English; texts in other languages yield no facts. A fact is only what a
//! text states. The rules of the schema decide whether two facts agree.

pub mod amount;
pub mod grade;
pub mod group_size;
pub mod lesson_length;
pub mod number;
pub mod pattern;
pub mod standard_code;
pub mod step_minutes;
pub mod step_reference;

use std::ops::Range;

use serde_json::Value;

use super::rules::quotes;
use crate::domain::content::{self, Content};
use crate::domain::path::FieldPath;

/// Maximum number of statements of one kind, such as group sizes, that are read from one document. Others are ignored.
const MAX_FACTS: usize = 1000;

/// A statement that was read from a text, such as "groups of four".
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<T> {
    /// Path of the text.
    pub path: FieldPath,
    /// Word before the quote, in lower case. Empty at the start of a text or clause.
    pub before: String,
    /// Words of the statement, verbatim. A quote of more than 200 characters is cut off.
    pub quote: String,
    /// Byte range of the number in the text. A fix replaces this range. It is empty if no number is written.
    pub number: Range<usize>,
    /// Number as written in the text.
    pub written: String,
    /// Value that the text states.
    pub value: T,
}

/// A statement in a text: byte range of the quote, byte range of the number, and value.
pub type Reading<T> = (Range<usize>, Range<usize>, T);

/// Returns the statements that `read` finds in all texts of the content, in document order.
pub fn facts<T>(content: &Content, read: impl Fn(&str) -> Vec<Reading<T>>) -> Vec<Fact<T>> {
    let mut facts = Vec::new();
    content::for_each_leaf(content, &mut |path, leaf| {
        let Value::String(text) = leaf else { return };
        if facts.len() >= MAX_FACTS {
            return;
        }
        let room = MAX_FACTS - facts.len();
        facts.extend(read(text).into_iter().take(room).filter_map(|(quote, number, value)| {
            let before = word_before(text.get(..quote.start)?);
            let (quote, written) = (quotes::shortened(text.get(quote)?), text.get(number.clone())?.to_owned());
            Some(Fact { path: path.clone(), before, quote, number, written, value })
        }));
    });
    facts
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
#[path = "../../../tests/unit/assistant/facts/mod.rs"]
mod tests;
