//! The words of lessons, in five languages at once: which heading means which field, which words are units.
//!
//! A document is not asked for its language. Words of different languages rarely mean different fields.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const LANGUAGES: [&str; 5] = [
    include_str!("languages/en.txt"),
    include_str!("languages/de.txt"),
    include_str!("languages/fr.txt"),
    include_str!("languages/es.txt"),
    include_str!("languages/ar.txt"),
];

/// What a heading or a label says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// A field, such as `materials` or `variables.dependent`; `phase`; or `other` for what has no field.
    pub(crate) key: &'static str,
    /// Whether it counts only if nothing else in the document says the same.
    pub(crate) is_weak: bool,
}

impl Meaning {
    /// Whether it is about the lesson as a whole, in a few words.
    pub(crate) fn is_fact(self) -> bool {
        matches!(self.key, "title" | "grade" | "durationMinutes" | "groupSize" | "curriculum" | "language")
    }
}

#[derive(Default)]
struct Words {
    headings: HashMap<String, Meaning>,
    columns: HashMap<String, Vec<&'static str>>,
    sets: HashMap<&'static str, HashSet<String>>,
    numbers: HashMap<(&'static str, String), u32>,
    leadins: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    let lines = LANGUAGES.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
    let entries: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    // Articles are needed to fold the others.
    for (key, list) in entries.iter().filter(|(key, _)| *key == "articles") {
        words.sets.entry(key).or_default().extend(list.split('|').map(fold));
    }
    for (key, list) in entries {
        for word in list.split('|').map(str::trim).filter(|word| !word.is_empty()) {
            words.add(key, word);
        }
    }
    words
});

impl Words {
    fn add(&mut self, key: &'static str, word: &'static str) {
        match key {
            "numbers" | "pairs" => {
                if let Some((name, value)) = word.rsplit_once(' ') {
                    self.numbers.insert((key, fold(name)), value.parse().unwrap_or(0));
                }
            }
            "leadins" => self.leadins.push(fold(word)),
            "minutes" | "hours" | "lessons" | "groups" | "grouping" | "grades" | "gradenames" | "each" | "joins"
            | "about" | "mail" | "documents" | "units" | "containers" | "things" | "short" | "stepwords"
            | "articles" => {
                self.sets.entry(key).or_default().insert(fold(word));
            }
            _ => match key.strip_prefix("column.") {
                Some(column) => self.columns.entry(self.key(word)).or_default().push(column),
                None => {
                    let is_weak = word.ends_with('?');
                    let key_of = self.key(word.trim_end_matches('?'));
                    let meaning = self.headings.entry(key_of).or_insert(Meaning { key, is_weak });
                    // What is plain in one language is plain.
                    meaning.is_weak &= is_weak || meaning.key != key;
                }
            },
        }
    }

    /// Returns what headings with the same meaning have in common.
    fn key(&self, text: &str) -> String {
        let text = without_brackets(text);
        let folded = fold(&text);
        let folded = folded.replace("'ll", " will");
        let mut words: Vec<String> = folded.split_whitespace().map(stem).collect();
        let articles = self.sets.get("articles");
        while words.len() > 1 && words.first().is_some_and(|first| articles.is_some_and(|set| set.contains(first))) {
            words.remove(0);
        }
        words.join(" ")
    }
}

/// Returns a text in lower case, without accents and punctuation.
pub(crate) fn fold(text: &str) -> String {
    let plain: String = text.nfkd().filter(|character| !is_combining_mark(*character) && *character != 'ـ').collect();
    let mut folded = String::with_capacity(plain.len());
    for character in plain.to_lowercase().chars() {
        match character {
            '’' | '‘' | 'ʼ' => folded.push('\''),
            '\'' | '/' | '.' | '-' | '#' | '°' => folded.push(character),
            '&' => folded.push_str(" & "),
            _ if character.is_alphanumeric() => folded.push(character),
            _ => folded.push(' '),
        }
    }
    let words = folded.split_whitespace().map(|word| word.trim_matches(['.', '-', '\'']));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Returns a word without its plural and possessive, and one sign for each "and".
fn stem(word: &str) -> String {
    const AND: [&str; 6] = ["and", "und", "et", "y", "e", "و"];
    if AND.contains(&word) {
        return "&".to_owned();
    }
    let word = word.strip_suffix("'s").unwrap_or(word).replace('\'', "");
    let is_plural = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    if is_plural { word.trim_end_matches('s').to_owned() } else { word }
}

pub(crate) fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let kept = text.chars().filter(|character| {
        let is_kept = depth == 0;
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        is_kept && depth == 0
    });
    kept.collect()
}

/// Returns what a heading says, if it says nothing else.
pub(crate) fn heading(text: &str) -> Option<Meaning> {
    /// Longer than any heading that is known.
    const MAX_HEADING: usize = 100;
    if text.len() > MAX_HEADING || text.contains('\n') {
        return None;
    }
    let key = WORDS.key(text);
    // "Grade / age group" says the same twice.
    let twice = || {
        let mut parts = key.split(['/', '&']).map(|part| WORDS.headings.get(part.trim()).copied());
        let first = parts.next()??;
        parts.all(|part| part.is_some_and(|part| part.key == first.key)).then_some(first)
    };
    // "Material pro Gruppe"
    let each = key.split_whitespace().skip(1).find(|word| is("each", word));
    let for_each = || WORDS.headings.get(key.split_once(&format!(" {}", each?))?.0).copied();
    WORDS.headings.get(&key).copied().or_else(twice).or_else(for_each)
}

/// Returns what a heading says with a few words more, as in "Safety in the lab" and "Anchoring phenomenon".
pub(crate) fn longer_heading(text: &str) -> Option<Meaning> {
    const MAX_WORDS: usize = 8;
    let key = WORDS.key(text);
    let words: Vec<&str> = key.split_whitespace().collect();
    if !(2..=MAX_WORDS).contains(&words.len()) {
        return None;
    }
    let find = |words: &[&str]| WORDS.headings.get(&words.join(" ")).copied().filter(|meaning| !meaning.is_weak);
    let parts = (1..words.len()).rev().flat_map(|count| {
        let (head, _) = words.split_at(count);
        let (_, tail) = words.split_at(words.len() - count);
        // "Challenge question" is one, "Questions about safety" is none.
        [find(head).filter(|meaning| meaning.key != "drivingQuestion"), find(tail)]
    });
    let usable = |meaning: &Meaning| !matches!(meaning.key, "other" | "title");
    parts.flatten().find(|meaning| usable(meaning) && !meaning.is_fact())
}

/// Returns whether the head of a column can mean a thing, such as `amount`.
pub(crate) fn is_column(text: &str, column: &str) -> bool {
    columns(text).contains(&column)
}

pub(crate) fn columns(text: &str) -> &'static [&'static str] {
    let is_short = text.len() <= 80;
    let exact = if is_short { WORDS.columns.get(&WORDS.key(text)) } else { None };
    // "Amount per pair"
    let first = || WORDS.columns.get(fold(text).split_whitespace().next().map(stem)?.as_str());
    let has_each = || fold(text).split_whitespace().any(|word| is("each", word));
    exact.or_else(|| if is_short && has_each() { first() } else { None }).map_or(&[], Vec::as_slice)
}

/// Returns whether a word, or a few words, are in a list of the languages.
pub(crate) fn is(list: &str, word: &str) -> bool {
    WORDS.sets.get(list).is_some_and(|set| set.contains(&fold(word)))
}

pub(crate) fn number(list: &'static str, word: &str) -> Option<u32> {
    WORDS.numbers.get(&(list, fold(word))).copied()
}

/// Returns whether a text only leads over to a list, such as "Students will be able to:".
pub(crate) fn is_lead_in(text: &str) -> bool {
    const MAX_WORDS: usize = 16;
    let folded = fold(text);
    let is_open = text.trim_end().ends_with([':', '…', ',']) || !text.trim_end().ends_with(['.', '!', '?']);
    let is_known = WORDS.leadins.iter().any(|leadin| folded.starts_with(leadin.as_str()));
    is_open && is_known && folded.split_whitespace().count() <= MAX_WORDS
}
