//! Computes the words for the full-text search, so that they are the same on every store.
//!
//! A word is a sequence of letters and digits. Case and accents are removed by folding.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::content::Content;
use super::size::MAX_CONTENT;

/// Maximum size of a text after [`fold`], in bytes: of one value, and of one whole content. Text beyond this size
/// cannot be found. Folding makes Hangul up to three times as long, so all that a person may write is found, except some
/// ligatures that become eleven times as long.
pub const MAX_FOLDED: usize = 3 * MAX_CONTENT;

/// Folds a text: removes the differences of case, accents and Unicode compatibility forms. Returns up to [`MAX_FOLDED`]
/// bytes.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len().min(MAX_FOLDED));
    add_folded(text, &mut folded);
    folded
}

/// Appends a text to `folded`, up to [`MAX_FOLDED`] bytes in all.
fn add_folded(text: &str, folded: &mut String) {
    let mut rest = text;
    while !rest.is_empty() && folded.len() < MAX_FOLDED {
        // Runs of ASCII take a fast path, with the same result: nothing combines with an ASCII character before it, and
        // no accents change places across it.
        let (plain, others) = rest.split_at(rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()));
        let start = folded.len();
        folded.push_str(start_of(plain, MAX_FOLDED - start));
        folded.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
        let (others, next) = others.split_at(others.find(|c: char| c.is_ascii()).unwrap_or(others.len()));
        // Converting to upper case makes letters with several lower-case forms equal (ß and ss, σ and ς). Converting to
        // lower case before that makes letters with several upper-case forms equal (ẞ and SS).
        let lower = others.nfkd().filter(|c| !is_accent(*c)).flat_map(char::to_lowercase);
        let same = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkd().filter(|c| !is_accent(*c));
        for c in same {
            if folded.len() + c.len_utf8() > MAX_FOLDED {
                return;
            }
            folded.push(c);
        }
        rest = next;
    }
}

fn start_of(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// Returns whether a character is a mark that may be omitted in writing: an accent, a point of Hebrew, or a vowel sign
/// of Arabic. Vowel signs of Indic and other scripts are marks as well, but words that differ in them are different
/// words.
fn is_accent(c: char) -> bool {
    let latin_greek_cyrillic = matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let hebrew =
        matches!(c, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}');
    let arabic = matches!(c, '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}');
    latin_greek_cyrillic || hebrew || arabic
}

/// Returns the folded words of a text, in their order.
pub fn words(text: &str) -> Vec<String> {
    words_in(&fold(text)).map(str::to_owned).collect()
}

/// Returns the words of a folded text, in their order.
pub fn words_in(folded: &str) -> impl Iterator<Item = &str> {
    let apart =
        |c: char| if c.is_ascii() { !c.is_ascii_alphanumeric() } else { !c.is_alphanumeric() && !is_combining_mark(c) };
    folded.split(apart).filter(|word| !word.is_empty()).map(|word| start_of(word, MAX_WORD))
}

/// Returns the folded words of all texts and numbers in `content`, each once and in alphabetical order, separated by
/// single spaces. Ignores text after the first [`MAX_FOLDED`] bytes.
pub fn index_words(content: &Content) -> String {
    let mut folded = String::new();
    content.values().for_each(|value| add_texts(value, &mut folded));
    // The first eight bytes of a word, as a number, are in the order of the words and faster to compare.
    let start = |word: &str| word.bytes().chain([0; 8]).take(8).fold(0, |key: u64, byte| key << 8 | u64::from(byte));
    // Sorting is faster without most repetitions. A word whose place was taken by another remains, so no content takes
    // longer than sorting does.
    let mut seen = [""; 1021];
    let mut words: Vec<(u64, &str)> = words_in(&folded)
        .map(|word| (start(word), word))
        .filter(|(start, word)| std::mem::replace(&mut seen[(start % 1021) as usize], *word) != *word)
        .collect();
    words.sort_unstable();
    words.dedup();
    words.into_iter().map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// Appends each text and number inside `value` to `folded`, followed by a space.
fn add_texts(value: &Value, folded: &mut String) {
    let mut add = |text: &str| {
        add_folded(text, folded);
        folded.push(' ');
    };
    match value {
        Value::String(text) => add(text),
        Value::Number(number) => add(&number.to_string()),
        Value::Array(elements) => elements.iter().for_each(|element| add_texts(element, folded)),
        Value::Object(members) => members.values().for_each(|member| add_texts(member, folded)),
        Value::Bool(_) | Value::Null => {}
    }
}

/// Maximum size of a word, in bytes. Without this limit, the search indexes of the stores would truncate words at
/// different lengths.
const MAX_WORD: usize = 200;
