//! Parses durations in texts.

mod span;

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;

use crate::marks::{digits, latin_digit};
use crate::words;
pub(crate) use span::{Span, span};

/// Maximum length of a time, in bytes.
const MAX_LENGTH: usize = 80;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(f64),
    Minutes,
    Hours,
    Lessons,
    Times,
    /// Words that do not change the duration: "about", "and", "of".
    Filler,
}

/// Returns the minutes in a text, if the text contains nothing else: "45 min", "1 h 20", "2 × 50 minutes", "double
/// lesson (90 minutes)". A number without a unit is accepted only if `is_labelled`.
pub(crate) fn minutes(text: &str, is_labelled: bool) -> Option<u32> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    let text = words::without_end("totals", text.trim().trim_end_matches(['.', ',', ';']));
    if let Some(span) = span(text).filter(|span| span.is_clock) {
        return Some(span.minutes());
    }
    if let Some((before, inner)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let inside = minutes(inner, false);
        // In "2 periods (45 min each)", the time is the length of each lesson.
        if let (Some(inside), Some(count)) = (inside, count_of_each(before, inner)) {
            return Some(inside * count);
        }
        let outside = minutes(before, false).or_else(|| Some(span(before)?.minutes()));
        return match (inside, outside) {
            (Some(inside), Some(outside)) => (inside == outside).then_some(inside),
            (Some(inside), None) => is_count_of_lessons(&tokens(before)?, inside).then_some(inside),
            (None, outside) => outside.filter(|_| tokens(before).and(tokens(inner)).is_some()),
        };
    }
    let mut tokens = tokens(text)?;
    tokens.retain(|token| *token != Token::Filler);
    // In "class periods", both words mean lessons, so they count once.
    tokens.dedup_by(|next, token| *token == Token::Lessons && next == token);
    // "Two 50-minute periods" are 2 × 50 minutes.
    if let [Token::Number(_), Token::Number(_), Token::Minutes | Token::Hours, Token::Lessons] = tokens.as_slice() {
        tokens.insert(1, Token::Times);
    }
    if tokens.len() > 2 {
        tokens.pop_if(|last| *last == Token::Lessons);
    }
    sum(&tokens, is_labelled)
}

/// Returns the number of lessons if the time in parentheses is the length of each lesson.
fn count_of_each(before: &str, inner: &str) -> Option<u32> {
    const MAX_LESSONS: u32 = 50;
    let has_each = inner.split_whitespace().any(|word| words::is("each", word));
    let first = before.split_whitespace().next().filter(|_| has_each)?;
    let count = digits(first).or_else(|| words::number("numbers", first))?;
    let rest = tokens(before)?;
    let are_lessons = rest.iter().skip(1).all(|token| *token == Token::Lessons) && rest.len() > 1;
    (are_lessons && (1..=MAX_LESSONS).contains(&count)).then_some(count)
}

/// Returns whether the tokens before a time in parentheses are a number of lessons that can take this time together.
fn is_count_of_lessons(tokens: &[Token], minutes: u32) -> bool {
    /// Minimum length of a lesson, in minutes. Two lessons cannot take 60 minutes together, so "2 lessons (60 min)" may
    /// mean 60 minutes each.
    const MIN_LESSON: f64 = 35.0;
    // "Lesson 2 (60 min)" is the second lesson, not two lessons.
    let is_name = matches!(tokens, [Token::Lessons, Token::Number(_), ..]);
    !is_name
        && tokens.iter().all(|token| match token {
            Token::Number(number) => *number == 1.0 || f64::from(minutes) >= MIN_LESSON * number,
            Token::Lessons | Token::Filler => true,
            _ => false,
        })
}

fn sum(tokens: &[Token], is_labelled: bool) -> Option<u32> {
    let mut rest = tokens.iter().peekable();
    let (mut total, mut times, mut has_hours, mut has_any) = (0.0, 1.0, false, false);
    while let Some(token) = rest.next() {
        let Token::Number(number) = token else { return None };
        match rest.peek() {
            Some(Token::Minutes) => total += number,
            Some(Token::Hours) => {
                total += number * 60.0;
                has_hours = true;
            }
            Some(Token::Times | Token::Lessons) if !has_any && times == 1.0 => {
                times = *number;
                rest.next();
                continue;
            }
            // In "1 h 15", the number without a unit is minutes.
            None if has_hours => total += number,
            None if is_labelled && !has_any => total += number,
            _ => return None,
        }
        has_any = true;
        rest.next();
    }
    let minutes = total * times;
    let is_whole = has_any && minutes.fract() == 0.0 && (1.0..=10_000.0).contains(&minutes);
    // Cannot truncate: the number was checked to be whole and in range.
    is_whole.then_some(minutes as u32)
}

/// Returns the tokens of a text; `None` if a word cannot be part of a time.
fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let length = if latin_digit(first).is_some() {
            let end = rest.find(|character: char| latin_digit(character).is_none() && !matches!(character, '.' | ','));
            rest.get(..end.unwrap_or(rest.len()))?.trim_end_matches(['.', ',']).len()
        } else if first.is_alphabetic() {
            let end = rest.find(|character: char| !character.is_alphabetic() && !matches!(character, '.'));
            end.unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at_checked(length)?;
        // Skips the hyphen in "50-minute".
        rest = after.trim_start().trim_start_matches(|next| next == '-' && first.is_numeric());
        if latin_digit(first).is_some() {
            let latin: String = word.chars().map(|character| latin_digit(character).unwrap_or('.')).collect();
            // "1.000" and "1,000" can mean one or a thousand.
            let is_ambiguous = latin.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 3);
            tokens.push(Token::Number(latin.parse().ok().filter(|_| !is_ambiguous)?));
        } else {
            tokens.push(token(word, &tokens)?);
        }
    }
    Some(tokens)
}

fn token(word: &str, before: &[Token]) -> Option<Token> {
    // Only words are looked up. No word list contains punctuation marks, and a text can have many of them.
    let is_word = word.starts_with(char::is_alphanumeric);
    let lists = if is_word { words::lists(word) } else { &[] };
    let is = |list: &str| lists.contains(&list);
    let is_after_number = matches!(before.last(), Some(Token::Number(_)));
    if is_after_number && (is("minutes") || matches!(word, "'" | "’" | "′")) {
        return Some(Token::Minutes);
    }
    if is_after_number && is("hours") {
        return Some(Token::Hours);
    }
    if matches!(word, "×" | "x" | "X" | "*") {
        return Some(Token::Times);
    }
    if is("lessons") {
        return Some(Token::Lessons);
    }
    // Without its accent, the French "à" would be read as the "a" of "a lesson", which means one.
    if word == "à" {
        return Some(Token::Filler);
    }
    if is_word && let Some(number) = words::number("numbers", word) {
        return Some(Token::Number(f64::from(number)));
    }
    let is_filler = ["about", "joins", "each", "ends"].into_iter().any(is)
        || matches!(word, "and" | "und" | "et" | "y" | "à" | "a" | "~" | "≈" | "," | "of" | "و");
    is_filler.then_some(Token::Filler)
}

/// A text that states its own duration, split into this duration and the rest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Timed {
    pub(crate) minutes: u32,
    pub(crate) rest: String,
    /// The part of the text that states the duration.
    pub(crate) taken: String,
}

/// Returns the time of a step, and the step without it. The time is in parentheses, before a colon or dash, or after a
/// dash or a sentence.
pub(crate) fn of_step(text: &str) -> Option<Timed> {
    in_brackets(text)
        .or_else(|| in_front(text))
        .or_else(|| behind(text, is_sign))
        .or_else(|| between(text))
        .or_else(|| behind_phase(text))
}

/// Returns the time between the name of a phase and what happens in it: "Opening: 5 min. Show a nail."
fn behind_phase(text: &str) -> Option<Timed> {
    let colon = text.char_indices().take(MAX_LENGTH).find(|(_, character)| *character == ':')?.0;
    let is_phase = words::heading(text.get(..colon)?).is_some_and(|meaning| meaning.key == "phase");
    let after = text.get(colon + 1..).filter(|_| is_phase)?;
    let mut near = after.char_indices().take(MAX_LENGTH);
    let (length, end) = near.find(|(_, character)| matches!(character, '.' | ',' | ';' | '–' | '—'))?;
    timed(text, colon + 1..colon + 1 + length + end.len_utf8())
}

/// Returns a heading without the range of minutes after it: "Closing" of "Closing: 5–10 min".
pub(crate) fn before_range(text: &str) -> Option<&str> {
    let mut signs = near_end(text).filter(|(at, sign)| *at > 0 && is_sign(text.get(..*at).unwrap_or_default(), *sign));
    let name = |(at, sign): (usize, char)| {
        let (first, second) = words::range(text.get(at + sign.len_utf8()..)?.trim())?;
        let is_range = digits(first).is_some() && minutes(second, false).is_some();
        text.get(..at).map(str::trim_end).filter(|name| is_range && !name.is_empty())
    };
    signs.find_map(name)
}

/// Returns whether a text states how long it takes, and contains other text as well.
pub(crate) fn is_timed(text: &str) -> bool {
    of_step(text).or_else(|| leading(text)).is_some_and(|timed| !timed.rest.is_empty())
        || spanned(text).is_some_and(|(span, _)| span.is_clock)
}

/// Returns the span in front of a step, and the step without it.
pub(crate) fn spanned(text: &str) -> Option<(Span, Timed)> {
    const MAX_FRONT: usize = 40;
    let ends = text.char_indices().take(MAX_FRONT).filter(|(_, character)| is_around(*character));
    let found = ends.filter_map(|(at, character)| {
        let (taken, rest) = text.split_at_checked(at + character.len_utf8())?;
        let rest = rest.trim_start_matches(is_around).to_owned();
        let span = span(taken.trim_matches(is_around)).filter(|_| !rest.is_empty())?;
        Some((span, Timed { minutes: span.minutes(), rest, taken: taken.trim().to_owned() }))
    });
    found.last()
}

/// Returns whether a text ends with a time in parentheses, so that it does not continue on the next line.
pub(crate) fn ends_timed(text: &str) -> bool {
    let inner = text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once('('));
    inner.is_some_and(|(_, inner)| minutes(inner, false).is_some())
}

/// Returns the time of a heading, which needs no punctuation: "Starter 5 min".
pub(crate) fn of_heading(text: &str) -> Option<Timed> {
    of_step(text).or_else(|| behind(text, |_, character| character.is_whitespace()))
}

/// Returns the time that a text begins with, without punctuation: "10 min Pour the water".
pub(crate) fn leading(text: &str) -> Option<Timed> {
    const MAX_WORDS: usize = 3;
    let ends = text.match_indices(' ').map(|(at, _)| at).take(MAX_WORDS);
    let is_end = |at: &usize| text.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_uppercase));
    ends.filter(is_end).filter_map(|at| timed(text, 0..at)).last()
}

fn timed(text: &str, place: Range<usize>) -> Option<Timed> {
    let taken = text.get(place.clone())?.trim();
    let minutes = minutes(taken.trim_matches(is_around), false)?;
    let before = text.get(..place.start)?.trim_end();
    let after = text.get(place.end..)?.trim_start();
    if is_in_range(before, taken, after) {
        return None;
    }
    let is_joined = before.is_empty() || after.is_empty() || after.starts_with(['.', ',', ':', ';', '!', '?']);
    let rest = if is_joined { format!("{before}{after}") } else { format!("{before} {after}") };
    Some(Timed { minutes, rest, taken: taken.to_owned() })
}

/// Returns whether a time is one end of a range, as in "5 – 10 min". Such a time is ignored.
fn is_in_range(before: &str, taken: &str, after: &str) -> bool {
    let is_digit = |character: char| latin_digit(character).is_some();
    let is_dash = |character: char| matches!(character, '–' | '—' | '-');
    let second = after.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    let is_first = taken.ends_with(is_dash) && minutes(second.trim_end_matches(is_around), false).is_some();
    let (first, word) = before.rsplit_once(' ').unwrap_or_default();
    let first = if words::is("until", word) { first } else { before.trim_end_matches(is_dash).trim_end() };
    let is_joined = first.len() < before.len() || taken.starts_with(is_dash);
    // "Step 2 – 10 min" is not a range.
    let name = first.trim_end_matches(is_digit).trim_end();
    let name = name.rsplit(' ').next().unwrap_or_default();
    let is_number = first.ends_with(is_digit) && !(name.starts_with(char::is_uppercase) && taken.starts_with(is_dash));
    let starts = || near_end(first).filter(|(_, sign)| *sign == ' ').map(|(at, _)| at).chain([0]);
    let is_time = || starts().filter_map(|at| first.get(at..)).any(|end| minutes(end, false).is_some());
    is_first || is_joined && (is_number || is_time())
}

/// Returns the characters at the end of a text in reverse order, as long as they belong to words that can be part of a
/// time.
fn near_end(text: &str) -> impl Iterator<Item = (usize, char)> {
    const LISTS: [&str; 9] = ["minutes", "hours", "lessons", "about", "joins", "each", "ends", "until", "clock"];
    let can_be = |word: &str| {
        let is_listed = || words::lists(word).iter().any(|list| LISTS.contains(list));
        word.len() <= 2 || is_listed() || matches!(word, "and" | "und") || words::number("numbers", word).is_some()
    };
    let is_gap = |character: char| !character.is_alphabetic() && !is_combining_mark(character);
    let mut start = text.len();
    for (at, gap) in text.rmatch_indices(is_gap).take(MAX_LENGTH) {
        if !text.get(at + gap.len()..start).is_some_and(can_be) {
            break;
        }
        start = at;
    }
    text.char_indices().rev().take(MAX_LENGTH).take_while(move |(at, _)| *at >= start)
}

fn is_around(character: char) -> bool {
    character.is_whitespace() || "()[]:;–—-,·|".contains(character)
}

fn in_brackets(text: &str) -> Option<Timed> {
    const MAX_BRACKETS: usize = 16;
    let opens = text.char_indices().filter(|(_, character)| matches!(character, '(' | '[')).take(MAX_BRACKETS);
    let mut found = opens.filter_map(|(start, _)| {
        let mut near = text.get(start..)?.char_indices().take(MAX_LENGTH).skip(1);
        // A time has no brackets inside.
        let (length, _) =
            near.find(|(_, sign)| "()[]".contains(*sign)).filter(|(_, sign)| matches!(sign, ')' | ']'))?;
        let end = start + length;
        timed(text, start..end + 1).or_else(|| beside(text, start + 1..end))
    });
    // If there are two times, neither of them is the time of the step.
    found.next().filter(|_| found.next().is_none())
}

/// Returns the time in parentheses that also contain other text: "(10 min, all together)".
fn beside(text: &str, inside: Range<usize>) -> Option<Timed> {
    let inner = text.get(inside.clone())?;
    let (first, last) = (inner.find([',', ';'])?, inner.rfind([',', ';'])?);
    let other = |at: Range<usize>| !inner.get(at).unwrap_or_default().split(' ').any(|word| words::is("minutes", word));
    let front = || timed(text, inside.start..inside.start + first + 1).filter(|_| other(first..inner.len()));
    let back = || timed(text, inside.start + last..inside.end).filter(|_| other(0..last));
    let timed = front().or_else(back)?;
    Some(Timed { rest: timed.rest.replace("( ", "(").replace(" )", ")"), ..timed })
}

fn in_front(text: &str) -> Option<Timed> {
    const MAX_FRONT: usize = 24;
    let signs = text.char_indices().take(MAX_FRONT);
    let is_end = |(at, character): &(usize, char)| {
        let after = text.get(at + character.len_utf8()..).unwrap_or_default();
        ":–—-\t".contains(*character) && after.starts_with(char::is_whitespace)
    };
    let found = signs.filter(is_end).filter_map(|(at, sign)| timed(text, 0..at + sign.len_utf8()));
    found.last()
}

/// Returns whether the punctuation mark `sign`, which follows the text `before`, can precede a time.
fn is_sign(before: &str, sign: char) -> bool {
    match sign {
        '–' | '—' | '-' => before.ends_with(char::is_whitespace),
        ':' | ';' | ',' | '\t' | '\n' => true,
        ' ' => before.ends_with(['.', '!', '?']),
        _ => false,
    }
}

/// Returns the time between a dash and a colon: "Discussion – 20 min: compare".
fn between(text: &str) -> Option<Timed> {
    let colon = text.char_indices().take(MAX_LENGTH).find(|(_, character)| *character == ':')?.0;
    let dash = text.get(..colon)?.rfind([',', '–', '—', '-']).filter(|at| *at > 0)?;
    timed(text, dash..colon)
}

fn behind(text: &str, is_sign: fn(&str, char) -> bool) -> Option<Timed> {
    let signs = near_end(text).filter(|(at, sign)| *at > 0 && is_sign(text.get(..*at).unwrap_or_default(), *sign));
    signs.filter_map(|(at, _)| timed(text, at..text.len())).last()
}
