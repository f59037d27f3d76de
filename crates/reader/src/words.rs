//! The words of lessons, in five languages at once: which heading means which field, which words are units.
//!
//! The language of a document is not determined. If a word has different meanings in two languages, the meaning in the
//! first language applies.

mod names;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

pub(crate) use names::{has_person, is_author, is_letterhead};

const LANGUAGES: [&str; 5] = [
    include_str!("languages/en.txt"),
    include_str!("languages/de.txt"),
    include_str!("languages/fr.txt"),
    include_str!("languages/es.txt"),
    include_str!("languages/ar.txt"),
];

/// The meaning of a heading or label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// A field, such as `materials` or `variables.dependent`, or `phase`. For text without a field: `preparation` for
    /// what happens before the lesson, `aside` for remarks to teachers and readers, and `other` for the rest.
    pub(crate) key: &'static str,
    /// Whether the meaning applies only if no other heading in the document has the same meaning.
    pub(crate) is_weak: bool,
}

impl Meaning {
    /// Whether it names a short fact about the lesson as a whole.
    pub(crate) fn is_fact(self) -> bool {
        matches!(self.key, "title" | "grade" | "durationMinutes" | "groupSize" | "curriculum" | "language")
    }
}

#[derive(Default)]
struct Words {
    headings: HashMap<String, Meaning>,
    columns: HashMap<String, Vec<&'static str>>,
    /// The word lists that contain each word, or each group of a few words.
    lists: HashMap<String, Vec<&'static str>>,
    numbers: HashMap<String, Vec<(&'static str, u32)>>,
    /// Endings of the names of schools.
    schools: Vec<String>,
    languages: HashMap<String, &'static str>,
    leadins: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let mut words = Words::default();
    let lines = LANGUAGES.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with('#'));
    let entries: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(':')).collect();
    // Articles are added first, because the words of the other lists are stored without them.
    let (articles, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| *key == "articles");
    for (key, list) in articles.into_iter().chain(others) {
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
                    self.numbers.entry(fold(name)).or_default().push((key, value.parse().unwrap_or(0)));
                }
            }
            "languages" => self.languages.extend(word.rsplit_once(' ').map(|(name, code)| (fold(name), code))),
            "leadins" => self.leadins.push(fold(word)),
            "schools" => self.schools.push(fold(word)),
            "minutes" | "hours" | "lessons" | "groups" | "grouping" | "grades" | "gradenames" | "each" | "joins"
            | "about" | "mail" | "documents" | "units" | "containers" | "compounds" | "things" | "short"
            | "stepwords" | "articles" | "ratings" | "things first" | "until" | "clock" | "for" | "persons"
            | "subjects" | "inside" | "honorifics" | "bylines" | "levels" | "figures" | "then" | "days" | "ends"
            | "subjectlines" | "sizes" | "series" | "and" | "closings" | "totals" | "sheet" => {
                self.lists.entry(fold(word)).or_default().push(key);
            }
            _ => match key.strip_prefix("column.") {
                Some(column) => self.columns.entry(stems(&self.own(word))).or_default().push(column),
                None => {
                    let is_weak = word.ends_with('?');
                    let words = self.own(word.trim_end_matches('?'));
                    // Both the exact form and the stem are stored, because "Questions" can have another meaning than
                    // "question".
                    for form in [words.join(" "), stems(&words)] {
                        let meaning = self.headings.entry(form).or_insert(Meaning { key, is_weak });
                        // A meaning that is unambiguous in one language is regarded as unambiguous in all languages.
                        meaning.is_weak &= is_weak || meaning.key != key;
                    }
                }
            },
        }
    }

    /// Returns the words of a heading, without articles in front and without parentheses.
    fn own(&self, text: &str) -> Vec<String> {
        // "Warm-up" and "warm up", "Mots-clés" and "mots clés" are the same.
        let folded = fold(&without_brackets(text)).replace("'ll", " will").replace('-', " ");
        let mut words: Vec<String> = folded.split_whitespace().map(str::to_owned).collect();
        let is_article = |word: &&String| self.lists.get(*word).is_some_and(|lists| lists.contains(&"articles"));
        let articles = words.iter().take_while(is_article).count();
        words.drain(..articles.min(words.len().saturating_sub(1)));
        words
    }

    fn meaning(&self, words: &[String]) -> Option<Meaning> {
        self.headings.get(&words.join(" ")).or_else(|| self.headings.get(&stems(words))).copied()
    }
}

/// Returns the normalized words of a heading, which are equal for headings with the same meaning.
fn stems(words: &[String]) -> String {
    words.iter().map(|word| stem(word)).collect::<Vec<_>>().join(" ")
}

/// Returns a text in lower case, without accents and punctuation.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut push = |character: char| match character {
        '’' | '‘' | 'ʼ' => folded.push('\''),
        '\'' | '/' | '.' | '-' | '#' | '°' => folded.push(character),
        '&' => folded.push_str(" & "),
        _ if character.is_alphanumeric() => folded.push(character),
        _ => folded.push(' '),
    };
    // Most texts are ASCII, which needs no Unicode tables.
    if text.is_ascii() {
        text.chars().for_each(|character| push(character.to_ascii_lowercase()));
    } else {
        let plain = text.nfkd().filter(|character| !is_combining_mark(*character) && *character != 'ـ');
        plain.flat_map(char::to_lowercase).for_each(push);
    }
    let mut words = String::with_capacity(folded.len());
    for word in folded.split_whitespace().map(|word| word.trim_matches(['.', '-', '\''])) {
        if !word.is_empty() && !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

/// Works like [`fold`], for one word. Most words are folded already.
fn folded(word: &str) -> Cow<'_, str> {
    let is_folded = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is_folded { Cow::Borrowed(word) } else { Cow::Owned(fold(word)) }
}

/// Returns a word without plural and possessive endings. Replaces "and" in any language by the same symbol.
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

/// Maximum length of a heading, in bytes. No known heading is longer.
const MAX_HEADING: usize = 100;
const MAX_WORDS: usize = 12;

/// Returns the meaning of a heading, if the text contains nothing else.
pub(crate) fn heading(text: &str) -> Option<Meaning> {
    if text.len() > MAX_HEADING || text.contains('\n') {
        return None;
    }
    let words = WORDS.own(text);
    if words.len() > MAX_WORDS {
        return None;
    }
    // A heading that says the same thing twice, such as "Grade / age group".
    let twice = || {
        let key = stems(&words);
        let mut parts = key.split(['/', '&']).map(|part| WORDS.headings.get(part.trim()).copied());
        let first = parts.next()??;
        parts.all(|part| part.is_some_and(|part| part.key == first.key)).then_some(first)
    };
    // A heading that also says who gets something, such as "Material pro Gruppe" and "Questions for the pupils".
    let for_each = || {
        let each = words.iter().rposition(|word| is("each", word) || is("for", word))?;
        let whom = |count: &usize| is_for_whom(&words.get(*count..).unwrap_or_default().join(" "));
        (1..=each).rev().filter(whom).find_map(|count| WORDS.meaning(words.get(..count)?))
    };
    // A heading with its unit, such as "Duration in minutes".
    let measured = || {
        let (_, name) = words.split_last().filter(|(last, _)| is("minutes", last))?;
        let inside = name.iter().rev().take_while(|word| is("inside", word)).count();
        WORDS.meaning(name.get(..name.len() - inside)?).filter(|meaning| meaning.key == "durationMinutes")
    };
    WORDS.meaning(&words).or_else(twice).or_else(for_each).or_else(measured)
}

/// Returns whether a heading or label introduces the answers to questions.
pub(crate) fn is_answers(text: &str) -> bool {
    heading(text).is_some_and(|meaning| meaning.key == "answers")
}

/// Returns the text that a heading or a column header contains in addition to its name: "per group" of "Materials (per
/// group)" and of "Quantity per group". A plural marker and a unit of time are part of the name: "Aim(s)", "Time
/// (min)".
pub(crate) fn beside_name(text: &str) -> Option<&str> {
    let inner = text.find(['(', '[']).zip(text.rfind([')', ']'])).and_then(|(from, to)| text.get(from + 1..to));
    let is_part = |inner: &&str| matches!(fold(inner).as_str(), "s" | "n" | "en" | "es" | "e") || is("minutes", inner);
    let each = || {
        let starts = text.match_indices(char::is_whitespace).map(|(at, space)| at + space.len());
        let mut rests = std::iter::once(0).chain(starts).filter_map(|start| text.get(start..));
        rests.find(|rest| rest.split_whitespace().next().is_some_and(|word| is("each", word)))
    };
    match inner {
        Some(inner) => Some(inner).filter(|inner| inner.contains(char::is_alphanumeric) && !is_part(inner)),
        None => each(),
    }
}

/// Returns the code of a language, such as `de`.
pub(crate) fn language(name: &str) -> Option<&'static str> {
    WORDS.languages.get(&fold(name)).copied()
}

/// Returns the meaning of a heading that has a few more words, as in "Safety in the lab" and "Anchoring phenomenon".
pub(crate) fn longer_heading(text: &str) -> Option<Meaning> {
    const MAX_WORDS: usize = 8;
    if text.len() > MAX_HEADING {
        return None;
    }
    let words = WORDS.own(text);
    if !(2..=MAX_WORDS).contains(&words.len()) {
        return None;
    }
    let find = |words: &[String]| WORDS.meaning(words).filter(|meaning| !meaning.is_weak);
    let parts = (1..words.len()).rev().flat_map(|count| {
        let (head, _) = words.split_at(count);
        let (_, tail) = words.split_at(words.len() - count);
        // "Challenge question" is a question heading, "Questions about safety" is not.
        [find(head).filter(|meaning| meaning.key != "drivingQuestion"), find(tail)]
    });
    let usable = |meaning: &Meaning| !matches!(meaning.key, "other" | "title" | "aside" | "preparation");
    parts.flatten().find(|meaning| usable(meaning) && !meaning.is_fact())
}

/// Returns whether the header of a column can mean `column`, such as `amount`.
pub(crate) fn is_column(text: &str, column: &str) -> bool {
    columns(text).contains(&column)
}

pub(crate) fn columns(text: &str) -> &'static [&'static str] {
    let is_short = text.len() <= 80;
    let get = |words: &[String]| WORDS.columns.get(&stems(words));
    // If there are two names, the first applies, as in "Social form / media".
    let first_of = || get(&WORDS.own(text.split_once('/')?.0));
    let exact = if is_short { get(&WORDS.own(text)).or_else(first_of) } else { None };
    // A name that is followed by a recipient, such as "Amount per pair".
    let first = || WORDS.columns.get(fold(text).split_whitespace().next().map(stem)?.as_str());
    let has_each = || fold(text).split_whitespace().any(|word| is("each", word));
    // A recipient alone, such as "Per group of 4", means an amount.
    let is_share = || is_short && has_each() && is_for_whom(text);
    let found = exact.or_else(|| if is_short && has_each() { first() } else { None });
    found.map_or_else(|| if is_share() { &["amount"] } else { &[] as &[_] }, Vec::as_slice)
}

/// Returns the word lists, of all languages, that contain a word or a few words.
pub(crate) fn lists(word: &str) -> &'static [&'static str] {
    let lists = if word.len() > MAX_HEADING { None } else { WORDS.lists.get(folded(word).as_ref()) };
    lists.map_or(&[], Vec::as_slice)
}

/// Returns whether the word list `list` contains a word, or a few words, in any language.
pub(crate) fn is(list: &str, word: &str) -> bool {
    lists(word).contains(&list)
}

/// Returns the ends of a range: "2–3", "2 to 3".
pub(crate) fn range(text: &str) -> Option<(&str, &str)> {
    let by_word = || {
        let mut gaps = text.match_indices(' ').zip(text.match_indices(' ').skip(1));
        gaps.find_map(|((from, _), (to, _))| {
            let word = text.get(from..to).filter(|word| is("until", word))?;
            Some((text.get(..from)?, text.get(from + word.len()..)?))
        })
    };
    text.split_once(['–', '—', '-']).or_else(by_word).map(|(first, second)| (first.trim(), second.trim()))
}

/// Returns whether a label says who gets a part of the materials: "Per group", "For the teacher only".
pub(crate) fn is_for_whom(text: &str) -> bool {
    const MAX_LABEL: usize = 60;
    if text.len() > MAX_LABEL {
        return false;
    }
    let folded = fold(&without_brackets(text));
    let is_known = |word: &str| {
        lists(word).iter().any(|list| ["each", "for", "persons", "articles", "joins"].contains(list))
            || number("numbers", word).is_some()
    };
    // "l'enseignant" is split into two words: an article and a noun.
    let words = || folded.split([' ', '\'']);
    let has_each = words().any(|word| is("each", word) || is("for", word));
    let is_size =
        |word: &str| has_each && (is("groups", word) || word.chars().all(|character| character.is_ascii_digit()));
    words().any(|word| is("persons", word)) && words().all(|word| is_known(word) || is_size(word))
}

/// Returns whether a text names a school, also at the end of a word as in "Realschule". "Batteries" is not a school,
/// although it ends with "IES".
pub(crate) fn is_school(text: &str) -> bool {
    const MAX_LENGTH: usize = 300;
    const MIN_END: usize = 6;
    let is_name = |word: &str, end: &str| word == end || end.len() >= MIN_END && word.ends_with(end);
    let is_end = |word: &str| WORDS.schools.iter().any(|end| is_name(word, end));
    text.len() <= MAX_LENGTH && fold(text).split_whitespace().any(is_end)
}

/// Returns whether a text begins with several words that are one entry of the word list `list`, in any language.
pub(crate) fn begins(list: &str, text: &str) -> bool {
    const MAX_WORDS: usize = 4;
    let ends = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]).skip(1).take(MAX_WORDS - 1);
    ends.filter_map(|at| text.get(..at)).any(|words| is(list, words))
}

/// Returns a text without the words at its end that are one entry of the word list `list`, in any language.
pub(crate) fn without_end<'t>(list: &str, text: &'t str) -> &'t str {
    const MAX_WORDS: usize = 3;
    let gaps = text.match_indices(' ').rev().take(MAX_WORDS).filter_map(|(at, _)| text.split_at_checked(at));
    gaps.filter(|(_, end)| is(list, end)).last().map_or(text, |(before, _)| before.trim_end_matches([' ', ',']))
}

pub(crate) fn number(list: &'static str, word: &str) -> Option<u32> {
    let numbers = if word.len() > MAX_HEADING { None } else { WORDS.numbers.get(folded(word).as_ref()) }?;
    // If languages define different numbers for the word, the number of the last language applies.
    numbers.iter().rev().find(|(key, _)| *key == list).map(|(_, number)| *number)
}

/// Returns whether a text begins like an introduction to a list, such as "Students will be able to:".
pub(crate) fn begins_lead_in(text: &str) -> bool {
    const MAX_LENGTH: usize = 200;
    if text.len() > MAX_LENGTH {
        return false;
    }
    let folded = fold(text);
    let rests = WORDS.leadins.iter().filter_map(|leadin| folded.strip_prefix(leadin.as_str()));
    rests.into_iter().any(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Returns whether a text only introduces a list. Without a colon or similar at its end, a list item must follow.
pub(crate) fn is_lead_in(text: &str, has_item_below: bool) -> bool {
    let text = text.trim_end();
    let is_open = text.ends_with([':', '…']) || has_item_below && !text.ends_with(['.', '!', '?']);
    is_open && begins_lead_in(text)
}

/// Returns whether a text says what a picture shows: "Fig. 2: The filter", "Abb. 1 Der Aufbau".
pub(crate) fn is_caption(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_figure = words.next().is_some_and(|first| is("figures", first));
    is_figure && words.next().is_some_and(|second| second.starts_with(|first: char| first.is_numeric()))
}
