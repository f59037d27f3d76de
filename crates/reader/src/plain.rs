//! Converts plain text to parts: joins wrapped lines, and marks page headers as asides.

use std::collections::{HashMap, HashSet};

use crate::amount;
use crate::asides::is_notice;
use crate::builder::{Built, Line, Part};
use crate::characters;
use crate::document::{Form, Kind};
use crate::error::{MAX_BLOCKS, MAX_LINES, MAX_TEXT, ReadError};
use crate::facts;
use crate::marks::{self, Mark};
use crate::pages;
use crate::time;
use crate::words;

/// Maximum width of the widest line of a text that was wrapped.
const MAX_WIDTH: usize = 110;
/// Minimum width of the widest line of a text that was wrapped.
const MIN_WIDTH: usize = 60;
/// Minimum length of a line that may continue on the next one, if the width of the text gives no clue.
pub(crate) const MIN_WRAPPED: usize = 55;
/// Minimum width of a line in a step, if the next line may continue the step because it begins with an amount.
const MIN_STEP: usize = 30;
/// Maximum number of hyphenated words that are collected. No lesson has that many.
const MAX_HYPHENATED: usize = 50_000;
/// Marks the end of a page.
const PAGE: char = '\u{c}';

/// Normalizes line breaks, and removes page breaks.
pub(crate) fn normalised(text: &str) -> String {
    characters::plain(text).replace(PAGE, "\n\n")
}

/// A line as it was written.
#[derive(Debug, Clone, Copy)]
struct Written<'t> {
    /// Number of the line.
    at: usize,
    text: &'t str,
    /// White space in front, with four columns for a tab.
    indent: usize,
    width: usize,
    is_apart: bool,
    /// Whether tabs, wide gaps or bars separate cells.
    has_cells: bool,
}

/// A line that may have been joined from several.
struct Joined {
    at: usize,
    text: String,
    indent: usize,
    /// The last line: its indentation, its width, and whether it continues another line.
    last: Last,
    mark: Option<Mark>,
    is_apart: bool,
    has_cells: bool,
}

#[derive(Clone, Copy)]
struct Last {
    indent: usize,
    width: usize,
    is_continuation: bool,
}

pub(crate) fn parts(text: &str) -> Result<Built, ReadError> {
    if text.len() > MAX_TEXT {
        return Err(ReadError::TooMuchText);
    }
    if text.matches(PAGE).count() > MAX_LINES {
        return Err(ReadError::TooManyBlocks);
    }
    let text = characters::plain(text).replace(PAGE, &format!("\n{PAGE}\n"));
    let lines: Vec<&str> = text.split('\n').take(MAX_LINES + 1).collect();
    if lines.len() > MAX_LINES {
        return Err(ReadError::TooManyBlocks);
    }
    let asides = asides(&lines);
    let mut parts: Vec<(usize, Part)> = Vec::new();
    let mut written = Vec::new();
    let mut is_apart = true;
    for (at, line) in lines.iter().enumerate() {
        match asides.get(&at) {
            Some(true) => parts.push((at, aside(line))),
            Some(false) => {}
            None if line.trim().is_empty() || line.starts_with(PAGE) => is_apart = true,
            None => {
                written.push(measured(at, line, is_apart));
                is_apart = false;
            }
        }
    }
    parts.extend(joined(&written).into_iter().map(|joined| (joined.at, line(joined))));
    if parts.len() > MAX_BLOCKS {
        return Err(ReadError::TooManyBlocks);
    }
    parts.sort_by_key(|(at, _)| *at);
    Ok(Built { parts: parts.into_iter().map(|(_, part)| part).collect(), notices: Vec::new() })
}

fn measured(at: usize, line: &str, is_apart: bool) -> Written<'_> {
    let text = line.trim();
    let space = line.split(|character: char| !character.is_whitespace()).next().unwrap_or_default();
    let indent = space.chars().map(|character| if character == '\t' { 4 } else { 1 }).sum();
    let has_cells = line.trim_start().contains('\t') || ["    ", " | "].iter().any(|gap| text.contains(gap));
    Written { at, text, indent, width: line.trim_end().chars().count(), is_apart, has_cells }
}

fn aside(line: &str) -> Part {
    let form = Form { is_aside: true, ..Form::default() };
    Part::Line(Line { kind: Kind::Paragraph, level: 0, text: line.trim().to_owned(), form, picture: None })
}

fn line(joined: Joined) -> Part {
    let form = Form { is_apart: joined.is_apart, ..Form::default() };
    let level = u8::try_from(joined.indent).unwrap_or(u8::MAX);
    Part::Line(Line { kind: Kind::Paragraph, level, text: joined.text, form, picture: None })
}

/// Finds page numbers, copyright notices, and repeated headers and footers. Returns for each of these lines, by line
/// number, whether the line stays as a separate block (true), or is removed because it is a repetition (false).
fn asides(lines: &[&str]) -> HashMap<usize, bool> {
    const MIN_HEADER: usize = 6;
    /// Number of lines that can follow each other at the edge of a page: a header, a footer and a page number.
    const MAX_ROUNDS: usize = 3;
    let is_space = |character: char| character.is_whitespace() && character != PAGE;
    let text = |at: usize| lines.get(at).map_or("", |line| line.trim_matches(is_space));
    let full: Vec<usize> = (0..lines.len()).filter(|at| !text(*at).is_empty()).collect();
    let has_pages = full.iter().any(|at| text(*at).starts_with(PAGE));
    // Lines that differ only in their digits.
    let mut alike: HashMap<String, Vec<usize>> = HashMap::new();
    for at in full.iter().filter(|at| text(**at).len() >= MIN_HEADER && !text(**at).starts_with(PAGE)) {
        let key = text(*at).chars().map(|character| if character.is_ascii_digit() { '#' } else { character });
        alike.entry(key.collect()).or_default().push(*at);
    }
    alike.retain(|_, places| places.len() > 1);
    let repeated: HashSet<usize> = alike.values().flatten().copied().collect();
    let beside =
        |place: usize| [place.checked_sub(1), Some(place + 1)].map(|at| at.and_then(|at| full.get(at)).copied());
    let is_beside_repeated = |place: usize| beside(place).into_iter().flatten().any(|at| repeated.contains(&at));
    let are_apart: Vec<usize> =
        full.iter().copied().filter(|at| is_number(text(*at)) && is_between_blanks(lines, *at)).collect();
    let are_beside: Vec<usize> =
        (0..).zip(&full).filter(|(place, _)| is_beside_repeated(*place)).map(|(_, at)| *at).collect();
    let are_beside: Vec<usize> = are_beside.into_iter().filter(|at| is_number(text(*at))).collect();
    // A single number may be an answer. Without page breaks and headers, page numbers must start from 1.
    let counts = |numbers: &[usize], first: Option<u32>| {
        let values: Vec<u32> = numbers.iter().filter_map(|at| marks::digits(text(*at))).collect();
        let first = first.or(values.first().copied()).unwrap_or(1);
        numbers.len() > 1 && values.iter().zip(first..).all(|(value, page)| *value == page)
    };
    let mut numbers: HashSet<usize> = HashSet::new();
    numbers.extend(are_apart.iter().filter(|_| has_pages || counts(&are_apart, Some(1))));
    numbers.extend(are_beside.iter().filter(|_| counts(&are_beside, None)));
    let mut found: HashMap<usize, bool> = numbers.iter().map(|at| (*at, true)).collect();
    let counted: Vec<(usize, u32)> = full.iter().filter_map(|at| Some((*at, pages::page_of(text(*at))?))).collect();
    let is_whole = counted.iter().all(|(at, _)| pages::is_count(text(*at)));
    if (counted.len() > 1 || is_whole) && counted.is_sorted_by(|(_, page), (_, next)| page < next) {
        // These lines differ only in their numbers, so only the first one is kept.
        found.extend((0..).zip(&counted).map(|(place, (at, _))| (*at, place == 0)));
        numbers.extend(counted.iter().map(|(at, _)| *at));
    }
    let mut headers = running(&full, text);
    // Headers that may be text of the lesson, so none of them is removed.
    let mut own: HashSet<usize> = HashSet::new();
    let are_pages = has_pages || !numbers.is_empty();
    let ends = [full.first(), full.last()].map(|at| at.map_or("", |at| text(*at)));
    let is_edge = |at: &usize, headers: &HashSet<usize>| {
        numbers.contains(at) || headers.contains(at) || text(*at).starts_with(PAGE) || is_notice(text(*at))
    };
    for _ in 0..MAX_ROUNDS {
        let edges: HashSet<usize> = (0..)
            .zip(&full)
            .filter(|(place, _)| beside(*place).iter().any(|at| at.map_or(are_pages, |at| is_edge(&at, &headers))))
            .map(|(_, at)| *at)
            .collect();
        for places in alike.values() {
            let are_edges: Vec<usize> =
                places.iter().copied().filter(|at| edges.contains(at) && !numbers.contains(at)).collect();
            headers.extend(are_edges.iter().filter(|_| are_edges.len() > 1));
            // A line that begins or ends the document and occurs again is a header or footer if it has columns or
            // occurs often.
            let first = places.first().map_or("", |at| text(*at));
            let is_same = places.iter().all(|at| text(*at) == first);
            let is_often = first.contains('\t') || first.contains("    ") || places.len() > 2;
            if are_pages && ends.contains(&first) && is_same && is_often {
                own.extend(places.iter().filter(|at| !headers.contains(at)));
            }
        }
        headers.extend(&own);
    }
    found.extend(full.iter().filter(|at| is_notice(text(**at))).map(|at| (*at, true)));
    for places in alike.values() {
        let places: Vec<&usize> = places.iter().filter(|at| headers.contains(at)).collect();
        for (count, at) in places.iter().enumerate() {
            // Only exact repetitions are removed. "Page 2" does not repeat "Page 1".
            let is_repeat = count > 0 && places.first().is_some_and(|first| text(**first) == text(**at));
            found.insert(**at, !is_repeat || own.contains(at));
        }
    }
    found
}

/// Returns the lines that consist of the same name, of two or more words, and a page number: "Outdoor Science 17".
/// Numbered parts of a lesson are not included: they start from 1, and have no gap before the number.
fn running<'t>(full: &[usize], text: impl Fn(usize) -> &'t str) -> HashSet<usize> {
    let mut named: HashMap<&str, Vec<(usize, u32, bool)>> = HashMap::new();
    for at in full {
        let counted = || {
            let (name, page) = text(*at).rsplit_once([' ', '\t'])?;
            let is_gap = name.ends_with("  ") || text(*at).contains('\t');
            let page = Some(page).filter(|page| page.len() <= 3).and_then(marks::digits)?;
            Some((name.trim_end(), (*at, page, is_gap)))
        };
        if let Some((name, place)) = counted().filter(|(name, _)| name.contains(' ')) {
            named.entry(name).or_default().push(place);
        }
    }
    named.retain(|_, places| {
        let pages = || places.iter().map(|(_, page, _)| *page);
        let is_first = pages().next().is_some_and(|first| first > 1) || places.iter().all(|(_, _, is_gap)| *is_gap);
        is_first && places.len() > 1 && pages().zip(pages().skip(1)).all(|(page, next)| next == page + 1)
    });
    named.into_values().flatten().map(|(at, ..)| at).collect()
}

/// Returns whether a line is the number of a page: "14", "– 3 –", "Page 2".
fn is_number(line: &str) -> bool {
    let text = line.to_lowercase();
    let inner = text.trim_matches(['-', '–', ' ']);
    let is_number = !inner.is_empty() && inner.len() <= 3 && marks::digits(inner).is_some();
    let is_named = |word: &str| {
        inner
            .strip_prefix(word)
            .is_some_and(|rest| rest.trim().starts_with(|first: char| first.is_ascii_digit()) && rest.len() < 12)
    };
    is_number || pages::NAMES.iter().any(|word| is_named(word))
}

fn is_between_blanks(lines: &[&str], at: usize) -> bool {
    let is_blank = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_none_or(|line| line.trim().is_empty());
    is_blank(at.checked_sub(1)) && is_blank(Some(at + 1))
}

fn joined(lines: &[Written<'_>]) -> Vec<Joined> {
    let width = lines.iter().map(|line| line.width).max().unwrap_or(0);
    let words = lines
        .iter()
        .flat_map(|line| line.text.split(|character: char| !character.is_alphanumeric() && character != '-'));
    let hyphenated: HashSet<&str> =
        words.filter(|word| word.trim_matches('-').contains('-')).take(MAX_HYPHENATED).collect();
    let mut joined: Vec<Joined> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        // A document with this many parts is refused later.
        if joined.len() > MAX_BLOCKS {
            break;
        }
        let mark = marks::mark(line.text).map(|(mark, _)| mark);
        let last = Last { indent: line.indent, width: line.width, is_continuation: false };
        let next = lines.get(place + 1).and_then(|next| Some(marks::mark(next.text)?.0));
        match joined.last_mut().filter(|current| continues(current, line, mark, width, next)) {
            Some(current) => {
                join(&mut current.text, line.text, &hyphenated);
                current.last = Last { is_continuation: true, ..last };
            }
            None => joined.push(Joined {
                at: line.at,
                text: line.text.to_owned(),
                indent: line.indent,
                last,
                mark,
                is_apart: line.is_apart,
                has_cells: line.has_cells,
            }),
        }
    }
    joined
}

/// Returns whether `line` continues `current`, the line before it. `next` is the mark of the line after it.
fn continues(current: &Joined, line: &Written<'_>, mark: Option<Mark>, width: usize, next: Option<Mark>) -> bool {
    let ends_sentence =
        current.text.ends_with(['.', '!', '?', ':', ';', '…', '"', '”', '»', '؟']) || time::ends_timed(&current.text);
    let is_lower = line.text.starts_with(char::is_lowercase);
    if mark.is_none() && !line.is_apart && current.text.ends_with('-') && is_lower {
        return true;
    }
    // A line that begins with a digit can continue the line above if that line is long and does not end a sentence.
    // Otherwise, the digit may number an item of a list, as in "2 Stir."
    let ends_open = !ends_sentence && current.last.width >= MIN_WRAPPED;
    let start = marks::without(&current.text).start;
    let is_after_heading = words::heading(current.text.get(start..).unwrap_or_default()).is_some();
    // A line such as "15 cm above it" continues a numbered step.
    let is_measured = || {
        let mut words = line.text.split_whitespace();
        let is_number = words.next().and_then(|word| marks::digits(&word.replace(['.', ','], ""))).is_some();
        is_number && words.next().is_some_and(|word| amount::is_unit(word.trim_end_matches(['.', ',', ';', ')'])))
    };
    let is_in_step = current.mark.is_some_and(Mark::is_ordered) && current.last.width >= MIN_STEP && !line.is_apart;
    if is_in_step && !ends_sentence && is_measured() {
        return true;
    }
    // "(10 minutes)" alone on a line belongs to the step above.
    let is_time =
        || line.text.starts_with(['(', '[']) && time::of_step(line.text).is_some_and(|timed| timed.rest.is_empty());
    if current.mark.is_some() && !line.is_apart && is_time() {
        return true;
    }
    // A line that could be a heading is the end of the sentence above it in two cases:
    // - It has a full stop, and begins in lower case or is in a list item.
    // - The list continues below it.
    let is_listed = current.mark.zip(next).is_some_and(|(mark, next)| mark.leads_to(next));
    let has_stop = line.text.ends_with('.') && (is_lower || current.mark.is_some());
    let is_end = !line.is_apart && !ends_sentence && (has_stop || is_listed);
    let is_new = mark.is_some()
        || is_after_heading
        || line.has_cells
        || current.has_cells
        || line.text.starts_with(|first: char| first.is_ascii_digit()) && !ends_open
        || words::heading(line.text).is_some() && !is_end
        || facts::labelled(line.text, 0).is_some()
        // "Term: meaning" below another line of this form.
        || facts::has_label(line.text) && current.mark.is_none() && facts::has_label(&current.text)
        || facts::unlabelled(line.text).is_some();
    if is_new {
        return false;
    }
    let is_open = is_lower && !ends_sentence;
    let is_wrapped_text = (MIN_WIDTH..=MAX_WIDTH).contains(&width);
    let is_full = |share: usize| {
        if is_wrapped_text {
            current.last.width >= 30 && current.last.width * 100 >= width * share
        } else {
            current.last.width >= MIN_WRAPPED && is_open
        }
    };
    if line.is_apart {
        return is_open && (current.mark.is_some() || is_full(80));
    }
    let is_hanging = line.indent > current.indent;
    // The lines of a list item are indented to its text. A line with less indentation begins a new item.
    if current.last.is_continuation && line.indent < current.last.indent {
        return false;
    }
    match current.mark {
        Some(_) => is_hanging || is_open || !ends_sentence && is_full(80),
        None if is_hanging && !current.last.is_continuation => is_open || !ends_sentence && is_full(50),
        None => is_open && is_full(50) || is_wrapped_text && !ends_sentence && is_full(80),
    }
}

/// Adds a line. A word that was hyphenated at the line break is joined, unless it is hyphenated elsewhere in the text.
fn join(text: &mut String, line: &str, hyphenated: &HashSet<&str>) {
    const AND: [&str; 8] = ["and", "or", "und", "oder", "et", "ou", "y", "to"];
    let next = line.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    let last =
        text.trim_end_matches('-').rsplit(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
    let is_divided = text.ends_with('-') && !last.is_empty() && next.starts_with(char::is_lowercase);
    if is_divided && !AND.contains(&next) {
        if !hyphenated.contains(format!("{last}-{next}").as_str()) {
            text.pop();
        }
    } else {
        text.push(' ');
    }
    text.push_str(line);
}
