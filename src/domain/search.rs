//! Words to search by: the same on every store, because they are made here.
//!
//! A word is a run of letters and digits, with case folded and accents taken off.

use std::collections::HashSet;

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::content::{self, Content};

/// A text with case folded, accents taken off and compatibility forms replaced.
pub fn fold(text: &str) -> String {
    // What all of that comes to for most texts.
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // By way of upper case: it makes one of the letters that have several lower forms (ß and ss, σ and ς). Lower case
    // comes before that too: it makes one of those that have several upper forms (ẞ and SS).
    let lower = text.nfkd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase);
    lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkd().filter(|c| !is_accent(*c)).collect()
}

/// Marks that a word may be written with or without: accents, the points of Hebrew, the vowel signs of Arabic.
/// The vowel signs of Indic and other scripts are marks too, but make words of their own.
fn is_accent(c: char) -> bool {
    let latin_greek_cyrillic = matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let hebrew =
        matches!(c, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}');
    let arabic = matches!(c, '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}');
    latin_greek_cyrillic || hebrew || arabic
}

/// The words of a text, in their order.
pub fn words(text: &str) -> Vec<String> {
    words_in(&fold(text)).map(str::to_owned).collect()
}

/// The words of a folded text, in their order.
fn words_in(folded: &str) -> impl Iterator<Item = &str> {
    let apart =
        |c: char| if c.is_ascii() { !c.is_ascii_alphanumeric() } else { !c.is_alphanumeric() && !is_combining_mark(c) };
    folded.split(apart).filter(|word| !word.is_empty()).map(shortened)
}

/// Words count up to this many bytes, the same on every store: search engines cut what is longer, each elsewhere.
const MAX_WORD: usize = 200;

fn shortened(word: &str) -> &str {
    word.get(..word.floor_char_boundary(MAX_WORD)).unwrap_or(word)
}

/// Every word of the content's texts and numbers, each once, joined by single spaces.
pub fn index_text(content: &Content) -> String {
    index_text_of(content.values())
}

/// Every word of the texts and numbers in these values, each once, joined by single spaces.
pub fn index_text_of<'v>(values: impl Iterator<Item = &'v Value>) -> String {
    let mut texts = String::new();
    let mut add = |text: &str| {
        let start = texts.len();
        if text.is_ascii() {
            // What folding comes to, without a text of its own.
            texts.push_str(text);
            texts.get_mut(start..).into_iter().for_each(str::make_ascii_lowercase);
        } else {
            texts.push_str(&fold(text));
        }
        texts.push(' ');
    };
    content::for_each_value(values, &mut |leaf| match leaf {
        Value::String(text) => add(text),
        Value::Number(number) => add(&number.to_string()),
        _ => {}
    });
    // Most words stand there often: they are counted out before they are put in order.
    let words: HashSet<&str> = words_in(&texts).collect();
    let mut words: Vec<&str> = words.into_iter().collect();
    words.sort_unstable();
    words.join(" ")
}
