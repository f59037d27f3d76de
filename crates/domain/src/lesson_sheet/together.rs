//! What stays together in a line: a number with its unit, and a formula in a text that is read from right to left.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::language::{Direction, is_to_left};

/// Longest word that is taken for the sign of a unit, in characters.
const LONGEST_UNIT: usize = 3;

/// Longest formula that stays in one line, in characters.
pub const LONGEST_FORMULA: usize = 24;

/// Longest run of letters and signs in which a formula is looked for, in bytes. A longer one is a sentence.
const LONGEST_RUN: usize = 200;

/// Returns a text in which no line ends between a number and its unit.
pub fn unbroken(text: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let mut from = 0;
    for (place, _) in text.match_indices(' ') {
        let (before, after) = (text.get(from..place).unwrap_or_default(), text.get(place + 1..).unwrap_or_default());
        let sign = |letter: &char| letter.is_alphabetic() || "°%‰".contains(*letter);
        let length = after.chars().take_while(sign).take(LONGEST_UNIT + 1).count();
        if before.ends_with(char::is_numeric) && (1..=LONGEST_UNIT).contains(&length) {
            whole.push_str(before);
            whole.push('\u{a0}');
            from = place + 1;
        }
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    whole.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(whole)
}

/// A part of a text that is read from right to left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'t> {
    /// Text that flows as a whole.
    Flowing(&'t str),
    /// What is read from left to right, such as `55 °C` or `t = 0 min`. Its signs would else change places.
    Formula(&'t str),
}

/// Splits a text that is read in this direction. The parts together are the text.
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

/// Returns a run without the signs around it, which belong to the text.
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

/// Returns whether a run has more than a plain number, which keeps its order anyway.
fn is_formula(run: &str) -> bool {
    let is_plain = |sign: char| sign.is_numeric() || sign.is_whitespace() || ".,:/–-×()[]".contains(sign);
    !run.is_empty() && (!run.chars().all(is_plain) || run.starts_with('-'))
}
