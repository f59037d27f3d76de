//! Computes the words for the full-text search, so that they are the same on every store.
//!
//! A word is a sequence of letters and digits. Folding removes case, accents and invisible characters.
//!
//! Scripts such as Han and Thai have no spaces between words, so their texts are searched by pairs of characters: a
//! text is found if it contains each pair of neighboring characters in the query. Single characters would find almost
//! every long text, and whole words would need a dictionary of each language. A pair begins with its first character,
//! so a query of one character is found as the beginning of a pair.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::content::Content;
use super::size::MAX_CONTENT;
use super::text::beginning;

/// Maximum size of a text after [`fold`], in bytes: of one value, and of one whole content. Text beyond this size
/// cannot be found. Folding makes Hangul up to three times as long, and so three times [`MAX_CONTENT`] is enough for
/// what a person may write. Only some ligatures become even longer: up to eleven times as long.
pub const MAX_FOLDED: usize = 3 * MAX_CONTENT;

/// Folds a text: removes differences of case, accents and Unicode compatibility forms, and invisible characters.
/// Returns up to [`MAX_FOLDED`] bytes.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len().min(MAX_FOLDED));
    add_folded(text, &mut folded);
    folded
}

/// Appends a text to `folded`, up to a total of [`MAX_FOLDED`] bytes.
fn add_folded(text: &str, folded: &mut String) {
    let mut rest = text;
    while !rest.is_empty() && folded.len() < MAX_FOLDED {
        // Runs of ASCII take a fast path, with the same result: no ASCII character combines with the character before
        // it, and normalization moves no accent across an ASCII character.
        let (plain, others) = rest.split_at(rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()));
        let start = folded.len();
        folded.push_str(beginning(plain, MAX_FOLDED - start));
        folded.get_mut(start..).unwrap_or_default().make_ascii_lowercase();
        let (others, next) = others.split_at(others.find(|c: char| c.is_ascii()).unwrap_or(others.len()));
        // Converting to upper case makes letters with several lower-case forms equal (ß and ss, σ and ς). Converting to
        // lower case before that makes letters with several upper-case forms equal (ẞ and SS).
        let is_kept = |c: &char| !is_accent(*c) && !is_invisible(*c);
        let lower = others.nfkd().filter(is_kept).flat_map(char::to_lowercase);
        let same = lower.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkd().filter(is_kept);
        for c in same {
            let plain = plain_letters(c);
            if folded.len() + plain.map_or(c.len_utf8(), str::len) > MAX_FOLDED {
                return;
            }
            match plain {
                Some(letters) => folded.push_str(letters),
                None => folded.push(c),
            }
        }
        rest = next;
    }
}

/// Returns whether a character is a mark that may be omitted in writing: an accent, a point of Hebrew, or a vowel sign
/// or lengthening stroke of Arabic. Vowel signs of Indic and other scripts are marks as well, but words that differ in
/// them are different words.
fn is_accent(c: char) -> bool {
    let latin_greek_cyrillic = matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}');
    let hebrew =
        matches!(c, '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}');
    let arabic = matches!(c, '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}' | '\u{6df}'..='\u{6e4}');
    latin_greek_cyrillic || hebrew || arabic
}

/// Returns whether a character is not displayed, such as a soft hyphen. Unicode calls these characters default
/// ignorable.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}')
        || c >= '\u{115f}'
            && matches!(c, '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
                | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the plain letters that people write for a lower-case letter with a stroke, a hook or a ligature. Unicode has
/// no decomposition of these letters.
fn plain_letters(c: char) -> Option<&'static str> {
    if !('æ'..='ʋ').contains(&c) {
        return None;
    }
    Some(match c {
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        'ƀ' | 'ɓ' => "b",
        'ƈ' | 'ȼ' => "c",
        'đ' | 'ð' | 'ɖ' | 'ɗ' => "d",
        'ǝ' | 'ə' | 'ɛ' | 'ɇ' => "e",
        'ƒ' => "f",
        'ǥ' | 'ɠ' => "g",
        'ħ' => "h",
        'ı' | 'ɨ' => "i",
        'ɉ' => "j",
        'ƙ' => "k",
        'ł' | 'ƚ' => "l",
        'ŋ' | 'ɲ' => "n",
        'ø' | 'ɔ' | 'ɵ' => "o",
        'ɍ' => "r",
        'ŧ' | 'ƭ' => "t",
        'ʉ' => "u",
        'ʋ' => "v",
        'ƴ' | 'ɏ' => "y",
        'ƶ' | 'ȥ' => "z",
        _ => return None,
    })
}

/// Returns whether a character belongs to a script that is written without spaces between words: Thai and Lao, Burmese,
/// Khmer and their relatives, Han, Kana, Bopomofo and Yi.
fn is_unspaced(c: char) -> bool {
    c >= '\u{e00}'
        && matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{1950}'..='\u{19df}'
            | '\u{1a20}'..='\u{1aaf}' | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}'
            | '\u{3031}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{a4cf}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aadf}' | '\u{f900}'..='\u{faff}'
            | '\u{1aff0}'..='\u{1b16f}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns the folded words of a search, in their order.
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut words = Vec::new();
    runs_in(&folded).for_each(|run| for_each_word(run, Side::Search, &mut |word| words.push(word.to_owned())));
    words
}

/// Returns the words of a folded text, in their order. Does not divide texts without spaces.
pub fn words_in(folded: &str) -> impl Iterator<Item = &str> {
    runs_in(folded).map(|word| beginning(word, MAX_WORD))
}

fn runs_in(folded: &str) -> impl Iterator<Item = &str> {
    let apart =
        |c: char| if c.is_ascii() { !c.is_ascii_alphanumeric() } else { !c.is_alphanumeric() && !is_combining_mark(c) };
    folded.split(apart).filter(|run| !run.is_empty())
}

/// Whether words are stored in the search index, or looked up in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Index,
    Search,
}

/// Calls `visit` with each word of a run of letters and digits.
fn for_each_word<'t>(run: &'t str, side: Side, visit: &mut impl FnMut(&'t str)) {
    let mut rest = run;
    while let Some(first) = rest.chars().next() {
        let unspaced = is_unspaced(first);
        // Divides the run where a script with spaces meets one without, but not before a mark, which belongs to the
        // character before it. Most runs are ASCII, and are not divided.
        let changes = |c: char| is_unspaced(c) != unspaced && !is_combining_mark(c);
        let end = if rest.is_ascii() { None } else { rest.find(changes) };
        let (part, next) = rest.split_at(end.unwrap_or(rest.len()));
        if unspaced {
            pairs_in(part, side, visit);
        } else {
            visit(beginning(part, MAX_WORD));
        }
        rest = next;
    }
}

/// Calls `visit` with each pair of neighboring characters. Marks, such as accents, belong to the character before them.
/// For the index, also calls `visit` with the last character alone. So each character begins an indexed word, and a
/// query of one character finds all of them.
fn pairs_in<'t>(part: &'t str, side: Side, visit: &mut impl FnMut(&'t str)) {
    let is_start = |(place, c): &(usize, char)| *place == 0 || !is_combining_mark(*c);
    let starts: Vec<usize> = part.char_indices().filter(is_start).map(|(place, _)| place).collect();
    for (number, start) in starts.iter().enumerate() {
        let is_last = number + 1 == starts.len();
        if is_last && number > 0 && side == Side::Search {
            break;
        }
        let end = starts.get(number + 2).copied().unwrap_or(part.len());
        visit(beginning(part.get(*start..end).unwrap_or_default(), MAX_WORD));
    }
}

/// Returns the folded words of all texts and numbers in `content`, each once and in alphabetical order, separated by
/// single spaces. Ignores text after the first [`MAX_FOLDED`] bytes.
pub fn index_words(content: &Content) -> String {
    let mut folded = String::new();
    content.values().for_each(|value| add_texts(value, &mut folded));
    // The first eight bytes of a word as a number: they sort like the word, and are faster to compare.
    let start = |word: &str| {
        let mut key = [0; 8];
        key.iter_mut().zip(word.bytes()).for_each(|(digit, byte)| *digit = byte);
        u64::from_be_bytes(key)
    };
    // Drops most repeated words before sorting, because sorting is slower. Each entry of `seen` remembers only the
    // latest of several words, so some repeated words stay until they are removed after sorting.
    let mut seen = [""; 1021];
    let mut words: Vec<(u64, &str)> = Vec::new();
    let mut add = |word| {
        let start = start(word);
        if std::mem::replace(&mut seen[(start % 1021) as usize], word) != word {
            words.push((start, word));
        }
    };
    runs_in(&folded).for_each(|run| for_each_word(run, Side::Index, &mut add));
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
