//! Finds headings: lines that are formatted like headings, or whose text is a known heading.

use super::FORMED;
use crate::builder::Line;
use crate::document::Kind;
use crate::facts;
use crate::headings::is_numbered_phase;
use crate::marks::Mark;
use crate::time;
use crate::words;

/// Turns lines into headings if they are formatted like headings, or if their text is a known heading.
pub(super) fn find_headings(lines: &mut [Line], marks: &[Option<Mark>]) {
    let mark = |at: usize| marks.get(at).copied().flatten();
    // For each kind of list mark, the mark of the most recent heading that begins with this kind.
    let mut last: Vec<Mark> = Vec::new();
    let mut levels: Vec<Option<u8>> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let is_next = mark(at).is_some_and(|mark| last.iter().any(|last| last.leads_to(mark)));
        let is_heading = match line.kind {
            _ if line.form.is_aside || !is_short(line) => false,
            Kind::Paragraph => {
                let next = below(lines, at).and_then(|below| lines.get(below));
                is_heading(line, levels.last().is_some_and(Option::is_some))
                    || stands_out(line, next)
                    || next.is_some_and(|next| is_timed_name(line, next))
            }
            Kind::Item => {
                has_below(lines, at, marks) && is_numbered_heading(line, mark(at), is_next) || is_bold_word(line)
            }
            _ => false,
        };
        if let Some(mark) = mark(at).filter(|_| is_heading) {
            last.retain(|last| !last.is_like(mark));
            last.push(mark);
        }
        levels.push(is_heading.then(|| level(mark(at))));
    }
    for (line, level) in lines.iter_mut().zip(levels) {
        if let Some(level) = level {
            line.kind = Kind::Heading;
            line.level = level;
        }
    }
}

/// Returns the level of a heading by its list mark. The order is that of outlines: Roman numerals, then capital
/// letters, numbers and lower-case letters. A heading without a mark has the level of capital letters.
fn level(mark: Option<Mark>) -> u8 {
    match mark {
        Some(Mark::Roman(_)) => FORMED - 1,
        Some(Mark::Number(_)) => FORMED + 1,
        Some(Mark::Lower(_)) => FORMED + 2,
        _ => FORMED,
    }
}

fn is_short(line: &Line) -> bool {
    const MAX_BYTES: usize = 90;
    const MAX_WORDS: usize = 10;
    let text = line.text.trim();
    let is_short = text.len() <= MAX_BYTES && text.split_whitespace().count() <= MAX_WORDS;
    // A heading can end with a time, as in "Warm-up: 5 min". The time is not the value of a label, so only the name
    // before it is checked.
    let name = name_of(text);
    let is_label = facts::labelled(&name, line.form.label.min(name.len())).is_some();
    is_short && !text.contains('\n') && !text.ends_with([',', ';']) && !is_label
}

/// Returns the text of a heading without its time and trailing punctuation.
pub(crate) fn name_of(text: &str) -> String {
    let timed = time::of_heading(text);
    let phase = || {
        time::before_range(text)
            .filter(|name| words::heading(name).is_some_and(|meaning| meaning.key == "phase"))
            .unwrap_or(text)
            .to_owned()
    };
    let name = timed.map_or_else(phase, |timed| timed.rest);
    name.trim_end_matches([':', '!', '?', '.', ' ', '…']).to_owned()
}

fn is_heading(line: &Line, is_below_heading: bool) -> bool {
    const MAX_PHASE: usize = 4;
    let text = line.text.trim();
    let name = name_of(text);
    if words::heading(&name).is_some() {
        // In lower case, a known heading such as "method" may be an ordinary word in a list.
        return line.form.is_bold || text.ends_with(':') || !text.starts_with(char::is_lowercase);
    }
    if facts::unlabelled(text).is_some() || words::begins_lead_in(text) {
        return false;
    }
    let has_letters = text.contains(char::is_alphabetic);
    // Capitals directly below a heading, such as "WEAR GOGGLES" below "SAFETY", are its content and not another
    // heading.
    let is_set = line.form.is_bold || line.form.is_title || is_capitals(text) && !is_below_heading;
    // A bold name with its time: "**Activity 1: Cards** (5 min)".
    let is_timed_label = time::of_heading(text).is_some() && line.form.label >= name.len();
    let is_phase = is_numbered_phase(&name) && text.split_whitespace().count() <= MAX_PHASE;
    is_set && has_letters && !text.ends_with('.') || is_timed_label || is_phase
}

/// Returns whether a line has only a few words, follows a blank line, and has text or a list directly below it.
fn stands_out(line: &Line, next: Option<&Line>) -> bool {
    const MAX_WORDS: usize = 5;
    let text = line.text.trim();
    let plain = words::without_brackets(text);
    let is_name = text.starts_with(char::is_uppercase) && !plain.contains(['.', '!', '?', ':', ')']);
    let is_above = next.is_some_and(|next| {
        !next.form.is_apart && (next.kind == Kind::Item || next.kind == Kind::Paragraph && next.text.len() > text.len())
    });
    let is_other = facts::unlabelled(text).is_some() || words::begins_lead_in(text);
    is_name && is_above && !is_other && line.form.is_apart && plain.split_whitespace().count() <= MAX_WORDS
}

/// Returns whether a line consists of a few words and a time, with a sentence or a list directly below it: "Closing (10
/// min)".
fn is_timed_name(line: &Line, next: &Line) -> bool {
    const MAX_WORDS: usize = 5;
    let text = line.text.trim();
    let is_sentence = next.kind == Kind::Paragraph
        && !next.form.is_apart
        && next.text.len() > text.len()
        && next.text.ends_with(['.', '?', '!', ':', '؟'])
        && time::of_step(&next.text).is_none();
    let name = name_of(text);
    time::ends_timed(text)
        && (is_sentence || next.kind == Kind::Item)
        && !name.starts_with(char::is_lowercase)
        && !name.contains(['.', ':', ';', '?', '!'])
        && name.split_whitespace().count() <= MAX_WORDS
}

fn is_bold_word(line: &Line) -> bool {
    line.form.is_bold && words::heading(&name_of(line.text.trim())).is_some()
}

/// Returns the index of the next line that is not a picture.
fn below(lines: &[Line], at: usize) -> Option<usize> {
    (at + 1..lines.len()).find(|place| lines.get(*place).is_some_and(|line| line.kind != Kind::Picture))
}

/// Returns whether the line below a list item is anything but the next item of the same list. Consecutive numbered
/// lines are one list, regardless of their texts.
fn has_below(lines: &[Line], at: usize, marks: &[Option<Mark>]) -> bool {
    let Some(below) = below(lines, at) else { return false };
    let (Some(line), Some(next)) = (lines.get(at), lines.get(below)) else { return false };
    let mark = |at: usize| marks.get(at).copied().flatten();
    let is_same_list = mark(at).zip(mark(below)).is_some_and(|(mark, next)| mark.leads_to(next));
    next.kind != Kind::Item || next.level > line.level || mark(at).is_some() && !is_same_list
}

/// Returns whether a numbered line is a heading: because its text is a known heading, or by its formatting.
fn is_numbered_heading(line: &Line, mark: Option<Mark>, is_next: bool) -> bool {
    const MAX_WORDS: usize = 8;
    let text = line.text.trim();
    let is_short = text.split_whitespace().count() <= MAX_WORDS;
    let is_open = !text.ends_with(['.', '!', '?', ';']);
    let is_timed = time::of_heading(text).is_some_and(|timed| !timed.rest.ends_with(['.', '!', '?']));
    let is_letter = matches!(mark, Some(Mark::Roman(_) | Mark::Upper(_)));
    let looks_so = is_capitals(text) || is_timed || is_open && (is_letter || is_next);
    let is_known = words::heading(&name_of(text)).is_some();
    line.form.is_ordered && (is_known || line.form.is_bold || is_short && looks_so)
}

fn is_capitals(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    letters > 2 && text == text.to_uppercase() && text != text.to_lowercase()
}
