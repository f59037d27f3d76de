//! Inserts no-break spaces, so that a line never ends inside a number with its unit, a short equation, or a formula in
//! right-to-left text.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::language::{Direction, is_to_left};

/// Longest word that can be a unit symbol, in characters.
const LONGEST_UNIT: usize = 3;

/// Longest formula that stays in one line, in characters.
pub const LONGEST_FORMULA: usize = 24;

/// Longest equation that stays in one line, in characters. A longer one is split before one of [`RELATIONS`].
const LONGEST_EQUATION: usize = 14;

/// Relation signs between the sides of an equation, and operators inside a side.
const RELATIONS: [&str; 3] = ["=", "≈", "→"];
const OPERATIONS: [&str; 8] = [":", "·", "×", "÷", "+", "−", "±", "/"];

/// Longest run of letters and symbols that is searched for a formula, in bytes. A longer one is a sentence.
const LONGEST_RUN: usize = 200;

/// Returns a text in which no line ends between a number and its unit, in a short equation, or after the letter of
/// “x-axis”.
pub fn unbroken(text: &str) -> Cow<'_, str> {
    let words = words(text);
    let mut kept = vec![None; words.len()];
    for (pair, kept) in words.windows(2).zip(&mut kept) {
        let &[(_, before), (_, after)] = pair else { continue };
        *kept = (is_measure(before, after) || is_ph(before, after)).then_some('\u{a0}');
    }
    let mut at = 0;
    while at < words.len() {
        let length = equation(words.get(at..).unwrap_or_default());
        keep_equation(words.get(at..at + length).unwrap_or_default(), kept.get_mut(at..).unwrap_or_default());
        at += length;
    }
    let mut whole = String::new();
    let mut from = 0;
    for (&(start, word), kept) in words.iter().zip(kept) {
        let end = start + word.len();
        let hyphen = hyphen(word).map(|place| (start + place, '\u{2011}'));
        let space =
            kept.filter(|_| text.get(end..).is_some_and(|rest| rest.starts_with(' '))).map(|space| (end, space));
        for (place, sign) in hyphen.into_iter().chain(space) {
            whole.push_str(text.get(from..place).unwrap_or_default());
            whole.push(sign);
            from = place + 1;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(whole)
}

/// Splits a text at white space. Returns each word with its byte offset. Words may be empty.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut at = 0;
    let pieces = text.split_inclusive(char::is_whitespace).map(|piece| {
        let start = at;
        at += piece.len();
        (start, piece.trim_end_matches(char::is_whitespace))
    });
    pieces.collect()
}

/// Returns whether a number is followed by its unit.
fn is_measure(before: &str, after: &str) -> bool {
    let sign = |letter: &char| letter.is_alphabetic() || "°%‰".contains(*letter);
    let length = after.chars().take_while(sign).take(LONGEST_UNIT + 1).count();
    before.ends_with(char::is_numeric) && (1..=LONGEST_UNIT).contains(&length)
}

fn is_ph(before: &str, after: &str) -> bool {
    before.trim_start_matches('(') == "pH" && after.starts_with(char::is_numeric)
}

/// Returns the byte offset of the hyphen in a word such as “x-axis”.
fn hyphen(word: &str) -> Option<usize> {
    let (letter, rest) = word.split_once('-')?;
    let alone = letter.trim_start_matches(['(', '"', '„', '“', '«']);
    let is_letter = alone.chars().count() == 1 && alone.chars().all(char::is_alphabetic);
    (is_letter && rest.starts_with(char::is_alphabetic)).then_some(letter.len())
}

/// Returns the number of leading words that form an equation, a relation sign with its right side, or a product;
/// otherwise 1.
fn equation(words: &[(usize, &str)]) -> usize {
    let operand = |at: usize| {
        let (_, word) = words.get(at)?;
        let has_unit = words.get(at + 1).is_some_and(|(_, unit)| is_measure(word, unit) && is_unit(unit));
        if has_unit { Some(at + 2) } else { is_operand(word).then_some(at + 1) }
    };
    let is_result = words.get(1).is_some_and(|(_, word)| word.starts_with(char::is_numeric));
    let is_side = is_result && words.first().is_some_and(|(_, sign)| RELATIONS.contains(sign));
    let Some(mut end) = operand(usize::from(is_side)) else { return 1 };
    loop {
        // Sentence punctuation also ends an equation.
        let is_over = words.get(end - 1).is_some_and(|(_, word)| word.ends_with(['.', ',', ';', '?', '!']));
        let is_sign = words.get(end).is_some_and(|(_, sign)| RELATIONS.contains(sign) || OPERATIONS.contains(sign));
        match operand(end + 1).filter(|_| is_sign && !is_over) {
            Some(next) => end = next,
            None => return if is_side || end > 2 { end } else { 1 },
        }
    }
}

/// Returns whether a word is a number, a letter, or a formula such as “n(H₂O)”, and not a word of natural language.
fn is_operand(word: &str) -> bool {
    let bare = word.trim_matches(|sign: char| "()[].,;:?!-−".contains(sign));
    let mut letters = bare.chars();
    let Some(first) = letters.next() else { return false };
    let is_short = letters.all(|letter| !letter.is_alphabetic() || is_small(letter));
    let is_function = first.is_alphabetic() && bare.chars().nth(1) == Some('(');
    let is_formula = bare.contains(is_small) || bare.chars().skip(1).any(char::is_uppercase);
    bare == "pH" || first.is_alphanumeric() && (is_short || is_function || is_formula)
}

fn is_unit(word: &str) -> bool {
    word.chars().all(|sign| sign.is_alphanumeric() || "°%‰/²³⁻·.,;)?!".contains(sign))
}

/// Returns whether a character is a superscript or subscript.
fn is_small(letter: char) -> bool {
    matches!(letter, '²' | '³' | '¹' | '\u{2070}'..='\u{209c}' | '\u{1d62}'..='\u{1d6a}')
}

/// Keeps the words of an equation together: all of them if they are few, or else each side, if it is short.
fn keep_equation(words: &[(usize, &str)], kept: &mut [Option<char>]) {
    let sizes: Vec<usize> = words.iter().map(|(_, word)| word.chars().count() + 1).collect();
    let length =
        |from: usize, to: usize| sizes.get(from..to).map_or(0, |side| side.iter().sum::<usize>()).saturating_sub(1);
    let is_short = length(0, words.len()) <= LONGEST_EQUATION;
    let mut from = 0;
    for to in 1..=words.len() {
        let is_split =
            to == words.len() || !is_short && words.get(to).is_some_and(|(_, sign)| RELATIONS.contains(sign));
        if !is_split {
            continue;
        }
        if length(from, to) <= LONGEST_FORMULA {
            kept.iter_mut().take(to - 1).skip(from).for_each(|space| *space = Some('\u{a0}'));
        }
        from = to;
    }
}

/// A part of a text that is read from right to left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    /// Ordinary text. It needs no markup of its own, because it has the direction of the text around it.
    Flowing(&'t str),
    /// A formula inside right-to-left text, such as `55 °C` or `t = 0 min`. A formula is read from left to right. As
    /// part of the text around it, its symbols would be reordered.
    Formula(&'t str),
}

/// Splits a text that is read in this direction. The parts in order, joined, are the whole text.
pub fn parts(text: &str, direction: Direction) -> Vec<Part<'_>> {
    let ends = |character: char| is_to_left(character) || "\n«»“”".contains(character);
    let (mut parts, mut flowing, mut at) = (Vec::new(), 0, 0);
    for run in text.split_inclusive(ends).take_while(|_| direction == Direction::Rtl) {
        let found = if run.len() > LONGEST_RUN { "" } else { formula(run.trim_end_matches(ends)) };
        if let Some(start) = run.find(found).map(|place| at + place).filter(|_| is_formula(found)) {
            let end = start + found.len();
            parts.extend(text.get(flowing..start).filter(|before| !before.is_empty()).map(Part::Flowing));
            parts.push(Part::Formula(found));
            flowing = end;
        }
        at += run.len();
    }
    parts.extend(text.get(flowing..).filter(|rest| !rest.is_empty()).map(Part::Flowing));
    parts
}

/// Returns a run without the surrounding punctuation, which belongs to the text.
fn formula(run: &str) -> &str {
    let is_sign = |sign: char| sign.is_whitespace() || ".,;:!?…·–—\"'".contains(sign);
    let mut run = run.trim_matches(is_sign);
    loop {
        let (opened, closed) = (run.matches('(').count(), run.matches(')').count());
        let inside = run.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).filter(|rest| !rest.contains(')'));
        let inner = match opened.cmp(&closed) {
            Ordering::Equal => inside,
            Ordering::Greater => run.strip_prefix('('),
            Ordering::Less => run.strip_suffix(')'),
        };
        match inner {
            Some(inner) => run = inner.trim_matches(is_sign),
            None => return run,
        }
    }
}

/// Returns whether a run is more than a plain number. A plain number keeps its order anyway.
fn is_formula(run: &str) -> bool {
    let is_plain = |sign: char| sign.is_numeric() || sign.is_whitespace() || ".,:/–-×()[]".contains(sign);
    !run.is_empty() && (!run.chars().all(is_plain) || run.starts_with('-'))
}
