//! Converts the parts of a document (lines and tables) to blocks: unwraps tables that only arrange text, splits lines
//! that contain several facts, and turns lines that are formatted like headings into headings.

mod headings;

use std::mem::take;

use crate::asides::{is_form, is_of_sheet, is_to_fill_in, set_aside, without_room};
use crate::builder::{Built, Line};
use crate::characters::squeezed;
use crate::document::{Block, Document, Form, Kind, Picture};
use crate::error::{MAX_BLOCKS, MAX_CELLS, ReadError};
use crate::facts;
use crate::headings::{is_numbered_phase, named};
use crate::marks::{self, Capitals, Mark};
use crate::numbered::number_headings;
use crate::tables::{find_heads, flatten, join_facts};
use crate::words;
use headings::find_headings;
pub(crate) use headings::name_of;

/// Level of headings that are recognized only by their formatting. Headings with an explicit level rank above them.
pub(crate) const FORMED: u8 = 8;

pub(crate) fn document(built: Built) -> Result<Document, ReadError> {
    let mut lines = Vec::new();
    flatten(built.parts, &mut lines);
    let mut lines = each(with_definitions(lines), split)?;
    lines.iter_mut().for_each(|line| line.form.is_aside |= line.kind != Kind::Row && is_to_fill_in(&line.text));
    let mut lines = each(join_facts(lines), split_facts)?;
    lines.retain(|line| line.kind != Kind::Paragraph || !is_form(&line.text));
    set_aside(&mut lines);
    number_headings(&mut lines);
    let marks = take_marks(&mut lines);
    find_headings(&mut lines, &marks);
    find_captions(&mut lines);
    find_heads(&mut lines);
    lines.retain(|line| !line.form.is_of_sheet || !is_of_sheet(&line.text));
    let mut document = Document { notices: built.notices, ..Document::default() };
    for (at, line) in lines.into_iter().enumerate() {
        let id = format!("b{}", at + 1);
        if let Some(bytes) = line.picture {
            document.pictures.push(Picture { block: id.clone(), bytes });
        }
        let cells: Vec<String> = line.form.cells.iter().map(|cell| squeezed(cell)).collect();
        let text = if line.kind == Kind::Row { cells.join("\t") } else { squeezed(without_room(&line.text)) };
        let level = if matches!(line.kind, Kind::Heading | Kind::Item) { line.level } else { 0 };
        let label = line.form.label.min(text.len());
        let label = if text.is_char_boundary(label) { label } else { 0 };
        let (name, timed) = named(&text);
        let form = Form { cells, label, name, timed, ..line.form };
        document.blocks.push(Block { id, kind: line.kind, level, text, field: None, label: false, below: 0, form });
    }
    Ok(document)
}

/// Replaces each line by the lines that `replace` returns. Fails if there are too many.
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

/// Joins each term of a definition list with the definition below it. A known heading is not joined, but stays a
/// heading above its text.
fn with_definitions(lines: Vec<Line>) -> Vec<Line> {
    let mut joined: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let is_term = |term: &&mut Line| {
            let is_heading = words::heading(&name_of(&term.text)).is_some() || is_numbered_phase(&term.text);
            term.form.is_term && !line.form.is_term && line.kind == Kind::Paragraph && !is_heading
        };
        match joined.last_mut().filter(is_term) {
            Some(term) => {
                let sign =
                    if term.text.ends_with(|last: char| last.is_alphanumeric() || last == ')') { ":" } else { "" };
                term.text = format!("{}{sign} {}", term.text, line.text);
                term.form.is_term = false;
            }
            None => joined.push(line),
        }
    }
    joined
}

/// Splits a paragraph at its line breaks. List items and cells are not split.
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
        // The function `each` refuses a document with more lines than this.
        if lines.len() > MAX_BLOCKS {
            break;
        }
    }
    lines
}

/// Splits a text before a label in the middle of it.
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
        let whole = |part| facts::split_class(part).map_or_else(|| vec![part], Vec::from);
        return parts
            .into_iter()
            .flat_map(whole)
            .map(|part| Line {
                kind: Kind::Paragraph,
                text: part.to_owned(),
                form: Form { label: bold(part), ..form.clone() },
                ..line.clone()
            })
            .collect();
    }
    // Only paragraphs are split here. A heading that also contains a year and a teacher's name is still the title.
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
    // A gap between a label and its value does not separate cells. A space replaces the gap.
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
    // A list item such as "4 pairs", a tab, and "goggles" becomes a row with an amount.
    let is_amount = cells.first().is_some_and(|first| {
        first.starts_with(|first: char| first.is_numeric()) && first.split_whitespace().count() <= MAX_AMOUNT
    });
    if line.kind == Kind::Item && cells.len() == 2 && is_amount {
        let cells = cells.into_iter().map(str::to_owned).collect();
        return vec![Line { kind: Kind::Row, form: Form { cells, ..line.form }, ..line }];
    }
    vec![line]
}

/// Maximum number of words in an amount.
const MAX_AMOUNT: usize = 3;

/// Removes the list marks (bullets, numbers, letters) from the lines, and returns them. The level of an item is
/// determined by its indentation, and by the kinds of marks around it.
fn take_marks(lines: &mut [Line]) -> Vec<Option<Mark>> {
    let mut open: Vec<(u8, Mark)> = Vec::new();
    let mut marks = Vec::with_capacity(lines.len());
    let capitals = Capitals::of(lines.iter().map(|line| line.text.as_str()));
    for line in lines {
        let is_text = line.kind == Kind::Paragraph && !facts::is_grade(&line.text);
        // The text of a list item from Word or a browser has no mark, but some people type a bullet into it.
        let is_usable = |mark: Mark| is_text || line.kind == Kind::Item && mark == Mark::Bullet;
        // "H. Marlow" is a name, but "A. Materials" is not.
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

/// Finds the captions of pictures: lines directly below a picture that have the style of a caption or begin like one.
fn find_captions(lines: &mut [Line]) {
    let mut is_below = false;
    for line in lines {
        let is_line = matches!(line.kind, Kind::Paragraph | Kind::Heading);
        line.form.is_caption = is_below && is_line && (line.form.is_caption || words::is_caption(&line.text));
        if line.form.is_caption {
            (line.kind, line.level) = (Kind::Paragraph, 0);
        }
        // A linked picture also has a caption.
        is_below = line.kind == Kind::Picture;
    }
}
