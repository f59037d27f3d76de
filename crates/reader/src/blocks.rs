//! Parts become blocks: tables that only arrange text are undone, lines with several facts are split, and lines that
//! are set as headings become headings.

use std::mem::take;

use crate::asides::{is_form, set_aside};
use crate::builder::{Built, Line};
use crate::characters::squeezed;
use crate::document::{Block, Document, Form, Kind, Picture};
use crate::error::{MAX_BLOCKS, MAX_CELLS, ReadError};
use crate::facts;
use crate::headings::{is_numbered_phase, named};
use crate::marks::{self, Capitals, Mark};
use crate::numbered::number_headings;
use crate::tables::{find_heads, flatten, join_facts};
use crate::time;
use crate::words;

/// Level of headings that only their form shows. Those with levels of their own are above them.
pub(crate) const FORMED: u8 = 8;

pub(crate) fn document(built: Built) -> Result<Document, ReadError> {
    let mut lines = Vec::new();
    flatten(built.parts, &mut lines);
    let mut lines = each(join_facts(each(lines, split)?), split_facts)?;
    lines.retain(|line| line.kind != Kind::Paragraph || !is_form(&line.text));
    set_aside(&mut lines);
    number_headings(&mut lines);
    let marks = take_marks(&mut lines);
    find_headings(&mut lines, &marks);
    find_captions(&mut lines);
    find_heads(&mut lines);
    let mut document = Document { notices: built.notices, ..Document::default() };
    for (at, line) in lines.into_iter().enumerate() {
        let id = format!("b{}", at + 1);
        if let Some(bytes) = line.picture {
            document.pictures.push(Picture { block: id.clone(), bytes });
        }
        let cells: Vec<String> = line.form.cells.iter().map(|cell| squeezed(cell)).collect();
        let text = if line.kind == Kind::Row { cells.join("\t") } else { squeezed(&line.text) };
        let level = if matches!(line.kind, Kind::Heading | Kind::Item) { line.level } else { 0 };
        let label = line.form.label.min(text.len());
        let label = if text.is_char_boundary(label) { label } else { 0 };
        let (name, timed) = named(&text);
        let form = Form { cells, label, name, timed, ..line.form };
        document.blocks.push(Block { id, kind: line.kind, level, text, field: None, label: false, below: 0, form });
    }
    Ok(document)
}

/// Replaces each line by others, as long as there are not too many.
fn each(lines: Vec<Line>, replace: fn(Line) -> Vec<Line>) -> Result<Vec<Line>, ReadError> {
    let (mut all, mut cells) = (Vec::new(), 0);
    for line in lines {
        all.extend(replace(line));
        cells += all.last().map_or(0, |last| last.form.cells.len());
        if all.len() > MAX_BLOCKS || cells > MAX_CELLS {
            return Err(ReadError::TooManyBlocks);
        }
    }
    Ok(all)
}

/// Makes a line of each line of a paragraph. Lines of list items and cells stay together.
fn split(line: Line) -> Vec<Line> {
    if line.kind != Kind::Paragraph || !line.text.contains('\n') && facts::inner_label(&line.text).is_none() {
        return vec![line];
    }
    let bold = line.form.label;
    let mut start = 0;
    let mut is_apart = line.form.is_apart;
    let mut lines = Vec::new();
    for text in line.text.split('\n').flat_map(sentences) {
        let label = if line.form.is_bold { 0 } else { bold.saturating_sub(start).min(text.len()) };
        let is_bold = line.form.is_bold || label == text.len() && label > 0;
        start += text.len() + 1;
        if text.trim().is_empty() {
            is_apart = true;
        } else {
            let removed = text.len() - text.trim_start().len();
            let label = if is_bold { 0 } else { label.saturating_sub(removed) };
            let form = Form { label, is_bold, is_apart: take(&mut is_apart), ..line.form.clone() };
            lines.push(Line { kind: line.kind, level: line.level, text: text.trim().to_owned(), form, picture: None });
        }
        // The count of all lines refuses the document.
        if lines.len() > MAX_BLOCKS {
            break;
        }
    }
    lines
}

/// Divides a line before a label inside it.
fn sentences(text: &str) -> Vec<&str> {
    let parts = facts::inner_label(text).and_then(|at| text.split_at_checked(at));
    parts.map_or_else(|| vec![text], |(before, after)| vec![before, after])
}

fn split_facts(line: Line) -> Vec<Line> {
    let is_text = matches!(line.kind, Kind::Paragraph | Kind::Heading) && !line.form.is_aside;
    let start = marks::mark(&line.text)
        .filter(|_| line.kind == Kind::Paragraph && !facts::is_grade(&line.text))
        .map_or(0, |(_, start)| start);
    let inner = line.text.get(start..).unwrap_or_default();
    let is_item = start > 0;
    let is_labelled = |part: &&str| facts::labelled(part, 0).is_some_and(|found| found.meaning.is_fact());
    let is_fact = |part: &&str| is_labelled(part) || facts::unlabelled(part).is_some();
    let are_facts = |parts: &[&str]| match line.kind {
        _ if is_item => parts.len() > 1 && parts.iter().all(is_labelled),
        // "Explain – 5 min" is one heading.
        Kind::Heading => parts.iter().filter(|part| is_fact(part)).count() > 1,
        _ => parts.len() > 1,
    };
    let parts = facts::split_number(inner).map(Vec::from);
    if let Some(parts) = parts.or_else(|| facts::split(inner).filter(|parts| are_facts(parts))).filter(|_| is_text) {
        let form = Form { is_bold: false, is_title: false, ..line.form.clone() };
        let bold = |part: &str| if line.text.starts_with(part) { line.form.label.min(part.len()) } else { 0 };
        return parts
            .into_iter()
            .map(|part| Line {
                kind: Kind::Paragraph,
                text: part.to_owned(),
                form: Form { label: bold(part), ..form.clone() },
                ..line.clone()
            })
            .collect();
    }
    // A heading with a year and a teacher behind it stays the title.
    let is_paragraph = is_text && line.kind == Kind::Paragraph;
    if let Some(parts) = facts::byline::split(inner).filter(|_| is_paragraph && !is_item) {
        let line = |part: facts::byline::Part<'_>| {
            let form = Form { is_aside: part.is_aside, is_apart: line.form.is_apart, ..Form::default() };
            Line { kind: Kind::Paragraph, text: part.text.to_owned(), form, ..line.clone() }
        };
        return parts.into_iter().map(line).collect();
    }
    // Tabs, and wide gaps, separate cells.
    let parts = inner.split('\t').flat_map(|part| part.split("    ")).map(str::trim);
    let cells: Vec<&str> = parts.filter(|cell| !cell.is_empty()).take(MAX_CELLS + 1).collect();
    // Behind a label, a gap is a space.
    if let [label, value] = cells.as_slice()
        && is_text
        && label.ends_with(':')
    {
        return vec![Line { text: format!("{label} {value}"), ..line }];
    }
    if is_paragraph && cells.len() > 1 && words::heading(&inner.replace('\t', " ")).is_none() {
        let cells = cells.into_iter().map(str::to_owned).collect();
        let form = Form { cells, is_ordered: start > 0, ..line.form };
        return vec![Line { kind: Kind::Row, form, ..line }];
    }
    // "4 pairs", a tab, and "goggles".
    let is_amount = cells.first().is_some_and(|first| {
        first.starts_with(|first: char| first.is_numeric()) && first.split_whitespace().count() <= MAX_AMOUNT
    });
    if line.kind == Kind::Item && cells.len() == 2 && is_amount {
        let cells = cells.into_iter().map(str::to_owned).collect();
        return vec![Line { kind: Kind::Row, form: Form { cells, ..line.form }, ..line }];
    }
    vec![line]
}

/// Words of the longest amount.
const MAX_AMOUNT: usize = 3;

/// Takes the marks of list items off, and returns them. The level of an item comes from its indentation, and from the
/// kinds of marks around it.
fn take_marks(lines: &mut [Line]) -> Vec<Option<Mark>> {
    let mut open: Vec<(u8, Mark)> = Vec::new();
    let mut marks = Vec::with_capacity(lines.len());
    let capitals = Capitals::of(lines.iter().map(|line| line.text.as_str()));
    for line in lines {
        let is_text = line.kind == Kind::Paragraph && !facts::is_grade(&line.text);
        // Word and browsers have no mark in the text, but some people write one into an item.
        let is_usable = |mark: Mark| is_text || line.kind == Kind::Item && mark == Mark::Bullet;
        // "H. Marlow" is a name, and "A. Materials" none.
        let is_name = |mark: Mark, start: usize| {
            let text = line.text.get(start..).unwrap_or_default();
            capitals.is_initial(mark) && words::heading(&name_of(text.trim())).is_none()
        };
        let found = marks::mark(&line.text).filter(|(mark, start)| is_usable(*mark) && !is_name(*mark, *start));
        let found = found.map(|(mark, start)| (capitals.read(mark, marks.last().copied().flatten()), start));
        marks.push(found.map(|(mark, _)| mark));
        let Some((mark, start)) = found else {
            if line.kind != Kind::Picture {
                open.clear();
            }
            continue;
        };
        line.text.drain(..start);
        line.form.label = line.form.label.saturating_sub(start);
        if line.kind == Kind::Item {
            continue;
        }
        open.retain(|(indent, _)| *indent <= line.level);
        match open.iter().position(|(indent, other)| other.is_like(mark) && *indent == line.level) {
            Some(place) => open.truncate(place + 1),
            None => open.push((line.level, mark)),
        }
        line.kind = Kind::Item;
        line.level = u8::try_from(open.len()).unwrap_or(u8::MAX);
        (line.form.is_ordered, line.form.number) = (mark.is_ordered(), mark.number());
    }
    marks
}

/// Finds the captions of pictures: lines right below them that are set so, or begin as captions do.
fn find_captions(lines: &mut [Line]) {
    let mut is_below = false;
    for line in lines {
        let is_line = matches!(line.kind, Kind::Paragraph | Kind::Heading);
        line.form.is_caption = is_below && is_line && (line.form.is_caption || words::is_caption(&line.text));
        if line.form.is_caption {
            (line.kind, line.level) = (Kind::Paragraph, 0);
        }
        // A picture that is only linked has a caption as well, which is about nothing else.
        is_below = line.kind == Kind::Picture;
    }
}

/// Makes headings of lines that are set as headings, or say nothing but what headings say.
fn find_headings(lines: &mut [Line], marks: &[Option<Mark>]) {
    let mark = |at: usize| marks.get(at).copied().flatten();
    // The last mark of each kind in front of a heading.
    let mut last: Vec<Mark> = Vec::new();
    let mut levels: Vec<Option<u8>> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let is_next = mark(at).is_some_and(|mark| last.iter().any(|last| last.leads_to(mark)));
        let is_heading = match line.kind {
            _ if line.form.is_aside || !is_short(line) => false,
            Kind::Paragraph => {
                is_heading(line, levels.last().is_some_and(Option::is_some))
                    || stands_out(line, below(lines, at).and_then(|below| lines.get(below)))
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

/// Returns the level of a heading, by the order of marks in outlines.
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
    // A time behind a name is not a value of a label.
    let name = name_of(text);
    let is_label = facts::labelled(&name, line.form.label.min(name.len())).is_some();
    is_short && !text.contains('\n') && !text.ends_with([',', ';']) && !is_label
}

/// Returns the text of a heading without its time and the signs at its end.
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
        // "method" in a list of words is none.
        return line.form.is_bold || text.ends_with(':') || !text.starts_with(char::is_lowercase);
    }
    if facts::unlabelled(text).is_some() || words::begins_lead_in(text) {
        return false;
    }
    let has_letters = text.contains(char::is_alphabetic);
    // "WEAR GOGGLES" below "SAFETY" is what the heading is about.
    let is_set = line.form.is_bold || line.form.is_title || is_capitals(text) && !is_below_heading;
    // A bold name with its time: "**Activity 1: Cards** (5 min)".
    let is_timed_label = time::of_heading(text).is_some() && line.form.label >= name.len();
    let is_phase = is_numbered_phase(&name) && text.split_whitespace().count() <= MAX_PHASE;
    is_set && has_letters && !text.ends_with('.') || is_timed_label || is_phase
}

/// Returns whether a few words stand right above text, and below a blank line.
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

fn is_bold_word(line: &Line) -> bool {
    line.form.is_bold && words::heading(&name_of(line.text.trim())).is_some()
}

/// Returns the place of the next line that is not a picture.
fn below(lines: &[Line], at: usize) -> Option<usize> {
    (at + 1..lines.len()).find(|place| lines.get(*place).is_some_and(|line| line.kind != Kind::Picture))
}

/// Returns whether something else is below an item. Numbered lines one after the other are a list, whatever they say.
fn has_below(lines: &[Line], at: usize, marks: &[Option<Mark>]) -> bool {
    let Some(below) = below(lines, at) else { return false };
    let (Some(line), Some(next)) = (lines.get(at), lines.get(below)) else { return false };
    let mark = |at: usize| marks.get(at).copied().flatten();
    let is_same_list = mark(at).zip(mark(below)).is_some_and(|(mark, next)| mark.leads_to(next));
    next.kind != Kind::Item || next.level > line.level || mark(at).is_some() && !is_same_list
}

/// Returns whether a numbered line says that it is a heading, or looks so.
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
