//! Facts: typed statements read from texts, each with its path and a verbatim quote.
//!
//! Pure functions of the content. The patterns read English; texts in other languages yield no facts. A fact is only
//! what a text states. Whether two statements agree is decided by the schema's rules.

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

/// Maximum number of facts of one kind in one document; a text with more is no lesson.
const MAX_FACTS: usize = 1000;

/// A statement read from a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<T> {
    /// The path of the text.
    pub path: FieldPath,
    /// The word before the quote, in lower case; empty at the start of a text or clause.
    pub before: String,
    /// The words that state it, verbatim.
    pub quote: String,
    /// The bytes of the text that hold its number, which a fix replaces.
    pub number: Range<usize>,
    /// The number as the text writes it.
    pub written: String,
    /// The stated value.
    pub value: T,
}

/// A statement in a text: the bytes of the quote, the bytes of the number, and the value.
pub type Reading<T> = (Range<usize>, Range<usize>, T);

/// Reads every text of the content with `read`, in reading order.
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

/// The last word of a text, in lower case; empty after punctuation other than a bracket: "for" in "Magnets for".
fn word_before(text: &str) -> String {
    let text = text.trim_end();
    let start =
        text.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + usize::from(!text[at..].starts_with('(')));
    text.get(start..).unwrap_or_default().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::word_before;

    #[test]
    fn the_word_before_a_quote_is_that_of_its_clause() {
        for (before, word) in
            [("Magnets for ", "for"), ("", ""), ("Lab: ", ""), ("Two (", "("), ("As a", "a"), ("pay 5 ", "5")]
        {
            assert_eq!(word_before(before), word, "{before}");
        }
    }
}
