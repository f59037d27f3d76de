//! Keys by which lists are sorted, grouped and filtered. This module computes the keys, and stores only compare them
//! byte by byte. So the order is the same on every store.

use std::borrow::Cow;

use serde_json::Value;

use super::content::Content;
use super::search;
use super::text::{beginning, hash};

/// Keys of one investigation for sorting and grouping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortKeys {
    /// Group key. It sorts groups by curriculum, ignoring case and accents. The group without a curriculum comes last.
    pub group: String,
    /// Sort key of the curriculum.
    pub curriculum: String,
    /// Sort key of the title.
    pub title: String,
    /// Sort key of the grade.
    pub grade: String,
}

/// Content fields by which lists can be sorted.
const ORDERED_BY: [&str; 3] = ["curriculum", "title", "grade"];

impl SortKeys {
    /// Computes the keys of an investigation with this content.
    pub fn of(content: &Content) -> Self {
        let [curriculum, title, grade] = ORDERED_BY.map(|field| text_of(content, field));
        let folded = |text: Option<&str>| text.map(search::fold).unwrap_or_default();
        Self {
            group: group_key(curriculum.as_deref()),
            curriculum: shortened(&folded(curriculum.as_deref())).to_owned(),
            title: shortened(&folded(title.as_deref())).to_owned(),
            grade: grade.map(|text| shortened(&grade_key(&search::fold(&text))).to_owned()).unwrap_or_default(),
        }
    }
}

/// Maximum length of the text in a key, in bytes. Keys are limited because indexes and cursors contain them.
const MAX_KEY: usize = 200;

fn shortened(key: &str) -> &str {
    beginning(key, MAX_KEY)
}

/// Returns the text or number in a field as text for filters and groups, without surrounding white space; `None` if the
/// field is missing, blank or of another type.
pub fn text_of<'c>(content: &'c Content, field: &str) -> Option<Cow<'c, str>> {
    match content.get(field)? {
        Value::String(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(Cow::Borrowed),
        Value::Number(number) => Some(Cow::Owned(number.to_string())),
        _ => None,
    }
}

fn group_key(curriculum: Option<&str>) -> String {
    match curriculum {
        // The hash distinguishes groups whose normalized names are equal, or equal up to the maximum length.
        Some(text) => format!("0{}\u{1}{:016x}", shortened(&search::fold(text)), hash(text)),
        None => "1".to_owned(),
    }
}

/// Returns the sort key of a grade. The order is: earlier than kindergarten, kindergarten, numbers, other names
/// alphabetically.
fn grade_key(folded: &str) -> String {
    let words: Vec<&str> = search::words_in(folded).collect();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let names = |known: &[&str]| words.iter().any(|word| known.contains(word));
    let number = words.iter().position(is_number);
    let rank = match number {
        Some(_) => 2,
        None if names(&["pre", "prek", "preschool", "pk", "nursery"]) => 0,
        None if names(&["k", "kindergarten", "reception"]) => 1,
        None => 3,
    };
    // "Grade 5" and "5" are the same grade, so the key begins with the number. The words before the number follow.
    let (before, from_number) = words.split_at(number.unwrap_or(0));
    let ordered = from_number.iter().chain(before).map(|word| natural(word));
    format!("{rank} {}", ordered.collect::<Vec<_>>().join(" "))
}

/// Returns the sort key of a word. Runs of digits are sorted as numbers, so that `9b` comes before `10a`.
fn natural(word: &str) -> String {
    let mut key = String::new();
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            let number = rest[..digits].trim_start_matches('0');
            key.push_str(&format!("{:0>4}{number}", number.len()));
            rest = &rest[digits..];
        } else {
            let end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            key.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    key
}
