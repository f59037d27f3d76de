//! Facts in sentences: "This is a 60-minute lesson for Year 7, worked in groups of three."
//!
//! A sentence keeps its words where they are. What it says besides is read only if it can mean nothing else.

use std::ops::Range;

use serde_json::{Value, json};

use super::{group_size, is_grade, labelled};
use crate::marks;
use crate::time;
use crate::words;

/// The fields that sentences state.
pub(crate) const FIELDS: [&str; 3] = ["durationMinutes", "grade", "groupSize"];

/// What one sentence states.
#[derive(Debug)]
struct Stated {
    minutes: Option<u32>,
    grade: Option<String>,
    group_size: Option<u32>,
    /// Whether the year is that of the lesson, and not only of somebody.
    is_of_lesson: bool,
}

/// Returns the value of a field that texts state, if they do not state several.
pub(crate) fn stated<'t>(field: &str, texts: impl Iterator<Item = &'t str>) -> Option<Value> {
    only(texts.flat_map(sentences).filter_map(|sentence| {
        let stated = stated_in(&sentence);
        let count = [stated.minutes.is_some(), stated.grade.is_some(), stated.group_size.is_some()];
        let has_several = count.into_iter().filter(|is| *is).count() > 1;
        match field {
            "durationMinutes" => stated.minutes.map(|minutes| json!(minutes)),
            // "In pairs" alone can be one step, and "for Year 7" a part of the class.
            "groupSize" => stated.group_size.filter(|_| has_several).map(|size| json!(size)),
            _ => stated.grade.filter(|_| has_several || stated.is_of_lesson).map(Value::String),
        }
    }))
}

/// Divides a text at the ends of sentences. "7. Klasse" is none.
fn sentences(text: &str) -> Vec<String> {
    /// Longer texts tell more than facts.
    const MAX_LENGTH: usize = 600;
    let text = labelled(text, 0).map_or(text, |found| found.value);
    if text.len() > MAX_LENGTH {
        return Vec::new();
    }
    let plain = text.replace(['’', 'ʼ'], "'").replace(" d'", " de ");
    let is_end = |at: &usize| {
        let (before, after) = plain.split_at(*at);
        after.strip_prefix(' ').is_some_and(|next| next.starts_with(|next: char| !next.is_lowercase()))
            && !before.trim_end_matches('.').ends_with(|last| marks::latin_digit(last).is_some())
    };
    let ends = plain.match_indices(['.', '!', '?', '؟']).map(|(at, sign)| at + sign.len()).filter(is_end);
    let mut start = 0;
    let ends: Vec<usize> = ends.chain([plain.len()]).collect();
    let sentence = |end| plain.get(std::mem::replace(&mut start, end)..end).unwrap_or_default().trim().to_owned();
    ends.into_iter().map(sentence).collect()
}

/// A sentence and its words.
struct Sentence<'t> {
    text: &'t str,
    words: Vec<Range<usize>>,
}

impl<'t> Sentence<'t> {
    fn new(text: &'t str) -> Self {
        let mut words: Vec<Range<usize>> = Vec::new();
        let mut is_inside = false;
        for (at, character) in text.char_indices() {
            if character.is_whitespace() {
                is_inside = false;
            } else if let Some(word) = words.last_mut().filter(|_| is_inside) {
                word.end = at + character.len_utf8();
            } else {
                words.push(at..at + character.len_utf8());
                is_inside = true;
            }
        }
        Self { text, words }
    }

    /// Returns the text of some words, without signs around it.
    fn span(&self, words: Range<usize>) -> &'t str {
        let found = self.words.get(words).and_then(|words| Some(words.first()?.start..words.last()?.end));
        let text = found.and_then(|range| self.text.get(range)).unwrap_or_default();
        text.trim_matches(|character: char| character.is_ascii_punctuation() || matches!(character, '،' | '–' | '—'))
    }

    fn word(&self, at: usize) -> &'t str {
        self.span(at..at + 1)
    }

    fn is(&self, list: &str, at: usize) -> bool {
        words::is(list, self.word(at))
    }

    /// Returns the end of the longest or shortest run of words from a place on that is what is asked.
    fn run(&self, at: usize, is_shortest: bool, is: impl Fn(&str) -> bool) -> Option<usize> {
        const MAX_WORDS: usize = 6;
        let mut ends = at + 1..=(at + MAX_WORDS).min(self.words.len());
        let is = |end: &usize| is(self.span(at..*end));
        if is_shortest { ends.find(is) } else { ends.rev().find(is) }
    }

    /// Returns whether words are one end of a range, as in "Year 7 or 8".
    fn is_in_range(&self, words: Range<usize>) -> bool {
        const AND: [&str; 6] = ["and", "und", "et", "y", "e", "و"];
        let is_number = |at: usize| {
            let word = self.word(at);
            let is_digit = |character: char| marks::latin_digit(character).is_some();
            word.contains(is_digit) || ["numbers", "pairs"].iter().any(|list| words::number(list, word).is_some())
        };
        let is_joint = |at: usize| {
            let raw = self.words.get(at).and_then(|range| self.text.get(range.clone())).unwrap_or_default();
            self.is("until", at) || AND.contains(&raw) || matches!(raw, "-" | "–" | "—" | "/" | "&" | "+")
        };
        let is_second = words.start > 1 && is_joint(words.start - 1) && is_number(words.start - 2);
        is_second || is_joint(words.end) && is_number(words.end + 1)
    }

    /// Returns whether a place is behind a word such as "this" or "a", or where the sentence begins.
    fn is_determined(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        before.is_none_or(|before| {
            let is_one = words::number("numbers", self.word(before)) == Some(1);
            is_one || self.is("articles", before) || self.is("this", before)
        })
    }

    /// Returns the end of the name of a lesson: "lesson", "science lesson".
    fn lesson(&self, at: usize) -> Option<usize> {
        let at = if self.is("subjects", at) { at + 1 } else { at };
        self.is("lesson", at).then_some(at + 1)
    }

    /// Returns the minutes of a lesson that begin at a place, or whose name begins there: "60-minute lesson",
    /// "a lesson of 60 minutes", "This lesson takes 60 minutes".
    fn minutes(&self, at: usize) -> Option<u32> {
        let minutes = |text: &str| time::minutes(&text.replace('-', " "), false);
        let is_time = |text: &str| minutes(text).is_some();
        let Some(end) = self.lesson(at) else {
            let end = self.run(at, true, is_time).filter(|end| self.lesson(*end).is_some());
            return minutes(self.span(at..end?)).filter(|_| self.is_determined(at) && !self.is_in_range(at..at + 1));
        };
        let is_one = at > 0 && words::number("numbers", self.word(at - 1)) == Some(1);
        let is_subject = at <= 1 && self.is_determined(at);
        // "A part of the lesson takes 10 minutes" says nothing about all of it.
        let is_said = self.is("lasting", end) && (is_one || is_subject) || self.is("lasts", end) && is_subject;
        let (start, end) = (end + 1, self.run(end + 1, false, is_time).filter(|_| is_said)?);
        minutes(self.span(start..end)).filter(|_| !self.is_in_range(start..end))
    }

    /// Returns the school year that begins at a place, and whether it is that of the lesson.
    fn grade(&self, at: usize) -> Option<(String, bool)> {
        // The "a" of "a Year 7 lesson" is an ordinal elsewhere.
        let end = self.run(at, true, is_grade).filter(|_| !self.is("articles", at))?;
        let is_article = at > 0 && self.is("articles", at - 1);
        let before = at.checked_sub(if is_article { 2 } else { 1 });
        let is_for = before.is_some_and(|before| self.is("for", before));
        let is_behind_lesson = is_for && before.and_then(|before| self.lesson(before.checked_sub(1)?)).is_some();
        let is_of_lesson = is_behind_lesson || self.lesson(end).is_some();
        let is_usable = (is_for || is_of_lesson) && !self.is_in_range(at..end);
        is_usable.then(|| (self.span(at..end).to_owned(), is_of_lesson))
    }

    /// Returns how many work together, in words that begin at a place: "in pairs", "in groups of three".
    fn group_size(&self, at: usize) -> Option<u32> {
        let end = self.run(at, false, |text| group_size(text, false).is_some()).filter(|_| self.is("together", at))?;
        let is_number = |at: &usize| {
            let word = self.word(*at);
            marks::digits(word).is_some() || words::number("numbers", word).is_some_and(|number| number > 1)
        };
        // "In two groups" says something else.
        let has_first = |number: usize| (at..number).any(|before| self.is("grouping", before));
        let is_of = (at..end).find(is_number).is_none_or(has_first);
        group_size(self.span(at..end), false).filter(|_| is_of && !self.is_in_range(at..end))
    }
}

fn stated_in(text: &str) -> Stated {
    let sentence = Sentence::new(text);
    let places = || 0..sentence.words.len();
    let grades: Vec<(String, bool)> = places().filter_map(|at| sentence.grade(at)).collect();
    Stated {
        minutes: only(places().filter_map(|at| sentence.minutes(at))),
        group_size: only(places().filter_map(|at| sentence.group_size(at))),
        is_of_lesson: grades.iter().any(|(_, is_of_lesson)| *is_of_lesson),
        grade: only(grades.into_iter().map(|(grade, _)| grade)),
    }
}

/// Returns the value that all are.
fn only<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}
