//! Names of documents, series, and persons.

use super::{fold, is};

/// Returns whether a line is a letterhead: it names the kind of the document, the subject or the teacher, and is above
/// the title, such as "Lesson plan – Chemistry".
pub(crate) fn is_letterhead(text: &str) -> bool {
    const MAX_LENGTH: usize = 60;
    const MAX_REST: usize = 3;
    if text.len() > MAX_LENGTH {
        return false;
    }
    let folded = fold(text);
    let words: Vec<&str> = folded.split(' ').collect();
    let begins = |count: usize| words.get(..count).is_some_and(|first| is("documents", &first.join(" ")));
    // "Worksheet 3: Magnets" is no letterhead, because it has a title.
    let kind = (1..=words.len()).rev().find(|count| begins(*count)).filter(|_| !text.contains(':'));
    is_author(text)
        || kind.is_some_and(|kind| words.len() - kind <= MAX_REST)
        || is("subjects", text)
        || is_of_series(&words)
}

/// Returns whether words only give the number of a part in a series: "Investigation 3", "TP n° 4", "Lesson 3.2".
fn is_of_series(words: &[&str]) -> bool {
    let [kind, sign @ .., number] = words else { return false };
    let is_sign = matches!(sign, [] | ["n°" | "no" | "nr" | "#" | "num"]);
    let number = number.trim_start_matches('#');
    let is_part = |part: &str| !part.is_empty() && part.chars().all(char::is_numeric);
    is("series", kind) && is_sign && number.split(['.', '-']).all(is_part)
}

/// Returns whether a text, such as the header of a column, names the people who do something: "Teacher",
/// "Schülertätigkeit".
pub(crate) fn has_person(text: &str) -> bool {
    const MIN_BEGINNING: usize = 5;
    let begins = |word: &str| {
        let ends = word.char_indices().map(|(at, _)| at).skip(MIN_BEGINNING);
        ends.filter_map(|at| word.get(..at)).any(|beginning| is("persons", beginning))
    };
    fold(text).split([' ', '\'', '/']).any(|word| is("persons", word) || begins(word))
}

/// Returns whether a text is the name of a teacher, or of the author of the lesson: "Ms Khan", "By Aisha Khan".
pub(crate) fn is_author(text: &str) -> bool {
    const MAX_NAME: usize = 3;
    let text = text.rsplit_once(':').map_or(text, |(_, name)| name).trim();
    let ends = text.match_indices(' ').map(|(at, _)| at).take(MAX_NAME);
    let by = ends.filter(|at| text.get(..*at).is_some_and(|by| is("bylines", by))).last();
    let name: Vec<&str> = text.get(by.unwrap_or(0)..).unwrap_or_default().split_whitespace().collect();
    let is_name = |word: &&str| !word.starts_with(char::is_lowercase) && word.chars().all(|part| !part.is_numeric());
    let is_titled = name.first().is_some_and(|first| is("honorifics", first));
    (1..=MAX_NAME).contains(&name.len()) && (is_titled || by.is_some() && name.iter().all(is_name))
}
