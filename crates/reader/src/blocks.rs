//! Parts become blocks: tables that only arrange text are undone, lines with several facts are split, and lines that
//! are set as headings become headings.

use crate::builder::{Built, Line};
use crate::characters::squeezed;
use crate::document::{Block, Document, Form, Kind, Picture};
use crate::error::{MAX_BLOCKS, MAX_CELLS, ReadError};
use crate::facts;
use crate::headings::is_numbered_phase;
use crate::marks::{self, Mark};
use crate::tables::{find_heads, flatten};
use crate::time;
use crate::words;

/// Level of headings that only their form shows. Those with levels of their own are above them.
pub(crate) const FORMED: u8 = 8;

pub(crate) fn document(built: Built) -> Result<Document, ReadError> {
    let mut lines = Vec::new();
    flatten(built.parts, &mut lines);
    set_aside_mail(&mut lines);
    let mut lines = each(each(lines, split)?, split_facts)?;
    set_links_aside(&mut lines);
    let marks = take_marks(&mut lines);
    find_headings(&mut lines, &marks);
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
        let form = Form { cells, label, ..line.form };
        document.blocks.push(Block { id, kind: line.kind, level, text, field: None, form });
    }
    Ok(document)
}

/// Sets the head of an e-mail aside. Two of its lines must be there.
fn set_aside_mail(lines: &mut [Line]) {
    const MAX_HEAD: usize = 8;
    let is_head = |line: &Line| {
        line.text.split_once(':').is_some_and(|(name, value)| words::is("mail", name) && !value.trim().is_empty())
    };
    let count = lines.iter().take(MAX_HEAD).take_while(|line| is_head(line)).count();
    let has_address = lines.iter().take(count).any(|line| line.text.contains('@'));
    if count > 1 && has_address {
        lines.iter_mut().take(count).for_each(|line| line.form.is_aside = true);
    }
    // What follows "-- " is a signature.
    let last = lines.iter().rposition(|line| matches!(line.text.trim(), "--" | "-- "));
    if let Some(last) = last.filter(|_| count > 1 && has_address) {
        lines.iter_mut().skip(last).for_each(|line| line.form.is_aside = true);
    }
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

/// Sets lists of links aside. One link alone can be a material.
fn set_links_aside(lines: &mut [Line]) {
    const MIN_LINKS: usize = 3;
    for run in lines.chunk_by_mut(|one, next| one.form.is_linked == next.form.is_linked) {
        if run.len() >= MIN_LINKS {
            run.iter_mut().for_each(|line| line.form.is_aside |= line.form.is_linked);
        }
    }
}

/// Makes a line of each line of a paragraph. Lines of list items and cells stay together.
fn split(line: Line) -> Vec<Line> {
    if line.kind != Kind::Paragraph || !line.text.contains('\n') {
        return vec![line];
    }
    let bold = line.form.label;
    let mut start = 0;
    let mut lines = Vec::new();
    for text in line.text.split('\n') {
        let label = if line.form.is_bold { 0 } else { bold.saturating_sub(start).min(text.len()) };
        let is_bold = line.form.is_bold || label == text.len() && label > 0;
        start += text.len() + 1;
        if !text.trim().is_empty() {
            let removed = text.len() - text.trim_start().len();
            let label = if is_bold { 0 } else { label.saturating_sub(removed) };
            let form = Form { label, is_bold, is_apart: lines.is_empty() && line.form.is_apart, ..line.form.clone() };
            lines.push(Line { kind: line.kind, level: line.level, text: text.trim().to_owned(), form, picture: None });
        }
        // The count of all lines refuses the document.
        if lines.len() > MAX_BLOCKS {
            break;
        }
    }
    lines
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
    if let Some(parts) = facts::split(inner).filter(|parts| is_text && are_facts(parts)) {
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
    if is_text && line.kind == Kind::Paragraph && cells.len() > 1 && words::heading(&inner.replace('\t', " ")).is_none()
    {
        let cells = cells.into_iter().map(str::to_owned).collect();
        let form = Form { cells, is_ordered: start > 0, ..line.form };
        return vec![Line { kind: Kind::Row, form, ..line }];
    }
    vec![line]
}

/// Takes the marks of list items off, and returns them. The level of an item comes from its indentation, and from the
/// kinds of marks around it.
fn take_marks(lines: &mut [Line]) -> Vec<Option<Mark>> {
    let mut open: Vec<(u8, std::mem::Discriminant<Mark>)> = Vec::new();
    let mut marks = Vec::with_capacity(lines.len());
    for line in lines {
        let found = marks::mark(&line.text).filter(|_| line.kind == Kind::Paragraph && !facts::is_grade(&line.text));
        let Some((mark, start)) = found else {
            if line.kind != Kind::Picture {
                open.clear();
            }
            // Word and browsers have no mark in the text, but some people write one into an item.
            if let Some((mark, start)) =
                marks::mark(&line.text).filter(|(mark, _)| line.kind == Kind::Item && *mark == Mark::Bullet)
            {
                line.text.drain(..start);
                marks.push(Some(mark));
            } else {
                marks.push(None);
            }
            continue;
        };
        let class = std::mem::discriminant(&mark);
        open.retain(|(indent, _)| *indent <= line.level);
        match open.iter().position(|(indent, other)| *other == class && *indent == line.level) {
            Some(place) => open.truncate(place + 1),
            None => open.push((line.level, class)),
        }
        line.kind = Kind::Item;
        line.level = u8::try_from(open.len()).unwrap_or(u8::MAX);
        line.form.is_ordered = mark.is_ordered();
        line.form.label = line.form.label.saturating_sub(start);
        line.text.drain(..start);
        marks.push(Some(mark));
    }
    marks
}

/// A line with what is around it.
struct Place<'l> {
    line: &'l Line,
    mark: Option<Mark>,
    /// The line before, unless it is a heading.
    before: Option<&'l Line>,
    /// The heading right above.
    heading: Option<&'l Line>,
    next: Option<&'l Line>,
    next_mark: Option<Mark>,
    /// Whether the document has headings with Roman numerals, and so others below them.
    has_roman: bool,
    /// Whether its mark continues those of headings.
    is_next_heading: bool,
}

/// Makes headings of lines that are set as headings, or say nothing but what headings say.
fn find_headings(lines: &mut [Line], marks: &[Option<Mark>]) {
    let has_roman = marks.iter().flatten().filter(|mark| matches!(mark, Mark::Roman(_))).count() > 1;
    let mark = |at: usize| marks.get(at).copied().flatten();
    let mut last: Vec<Mark> = Vec::new();
    let mut found: Vec<Option<u8>> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let above = at.checked_sub(1).and_then(|at| lines.get(at));
        let is_below_heading =
            found.last().is_some_and(Option::is_some) || above.is_some_and(|above| above.kind == Kind::Heading);
        let place = Place {
            line,
            mark: mark(at),
            before: above.filter(|_| !is_below_heading),
            heading: above.filter(|_| is_below_heading),
            next: lines.get(at + 1),
            next_mark: mark(at + 1),
            has_roman,
            is_next_heading: mark(at).is_some_and(|mark| last.iter().any(|last| last.leads_to(mark))),
        };
        let is_text = matches!(line.kind, Kind::Paragraph | Kind::Item) && !line.form.is_aside;
        let is_heading = is_text && place.is_heading();
        if let Some(mark) = mark(at).filter(|_| is_heading) {
            last.retain(|last| std::mem::discriminant(last) != std::mem::discriminant(&mark));
            last.push(mark);
        }
        found.push(is_heading.then(|| place.level()));
    }
    for (line, level) in lines.iter_mut().zip(found) {
        if let Some(level) = level {
            line.kind = Kind::Heading;
            line.level = level;
        }
    }
}

impl Place<'_> {
    fn level(&self) -> u8 {
        match self.mark {
            Some(Mark::Roman(_)) => FORMED - 1,
            Some(Mark::Number(_)) if self.has_roman => FORMED + 1,
            Some(Mark::Lower(_)) if self.has_roman => FORMED + 2,
            _ => FORMED,
        }
    }

    fn is_heading(&self) -> bool {
        let line = self.line;
        let text = line.text.trim();
        let count = text.split_whitespace().count();
        let is_long = text.len() > 90 || count > 10 || text.contains('\n');
        if is_long || facts::labelled(text, line.form.label).is_some() || text.ends_with([',', ';']) {
            return false;
        }
        let timed = time::of_heading(text);
        let name = timed.as_ref().map_or(text, |timed| timed.rest.as_str());
        let name = name.trim_end_matches([':', '!', '?', '.', ' ', '…']);
        let is_known = words::heading(name).is_some();
        if line.kind == Kind::Item {
            let is_timed = timed.is_some_and(|timed| !timed.rest.ends_with(['.', '!', '?']));
            return self.is_numbered_heading(is_known, is_timed && count <= 8) || line.form.is_bold && is_known;
        }
        if is_known {
            return !self.is_in_word_list(text);
        }
        if facts::unlabelled(text).is_some() || words::begins_lead_in(text) {
            return false;
        }
        let letters = text.chars().filter(|character| character.is_alphabetic()).count();
        let is_set = line.form.is_bold || line.form.is_title || is_capitals(text);
        // A bold name with its time: "**Activity 1: Cards** (5 min)".
        let is_timed_label =
            timed.as_ref().is_some_and(|timed| line.form.label > 0 && line.form.label >= timed.rest.len());
        is_set && letters > 0 && !text.ends_with('.') && !self.is_emphasis()
            || is_timed_label
            || is_numbered_phase(name) && count <= 4
            || count <= 5 && text.starts_with(char::is_uppercase) && self.stands_out(text)
    }

    /// Returns whether a line is one of several that have a word or two: "dissolve", "method", "filter".
    fn is_in_word_list(&self, text: &str) -> bool {
        let is_word = |line: &Line| line.kind == Kind::Paragraph && line.text.split_whitespace().count() <= 2;
        let is_lower = text.starts_with(char::is_lowercase) && !text.ends_with(':');
        is_lower && !self.line.form.is_bold && self.before.is_some_and(is_word)
    }

    /// Returns whether a line in bold or capitals is what the heading above it is about, or ends the document. In steps
    /// and materials it names a part.
    fn is_emphasis(&self) -> bool {
        let Some(heading) = self.heading else { return self.next.is_none() && self.before.is_some() };
        let name = heading.text.trim_end_matches([':', '!', '?', '.', ' ', '…']);
        let have_parts = ["steps", "phase", "materials", "title", "other"];
        words::heading(name).is_some_and(|meaning| !have_parts.contains(&meaning.key))
    }

    /// Returns whether a numbered line is a heading: it has something else below it, and says or looks so. Numbered
    /// lines one after the other are a list, whatever they say.
    fn is_numbered_heading(&self, is_known: bool, is_timed: bool) -> bool {
        let text = self.line.text.trim();
        let count = text.split_whitespace().count();
        let is_numbered = self.mark.is_some_and(Mark::is_ordered) || self.line.form.is_ordered;
        let is_same_list = self.mark.zip(self.next_mark).is_some_and(|(mark, next)| mark.leads_to(next));
        let has_below = self.next.is_some_and(|next| {
            next.kind != Kind::Item || next.level > self.line.level || self.mark.is_some() && !is_same_list
        });
        let is_open = !text.ends_with(['.', '!', '?', ';']);
        let is_letter = matches!(self.mark, Some(Mark::Roman(_) | Mark::Upper(_))) && count <= 8;
        let is_set = self.line.form.is_bold || is_capitals(text) && count <= 8;
        let is_outline = self.has_roman && count <= 3 && self.next.is_some_and(|next| next.kind == Kind::Paragraph);
        let looks_so = is_letter || is_outline || self.is_next_heading && count <= 6;
        is_numbered && has_below && (is_known || is_set || is_timed || is_open && looks_so)
    }

    /// Returns whether a few words stand out without being set as a heading: above text and below a blank line, or
    /// between a list and a paragraph.
    fn stands_out(&self, text: &str) -> bool {
        let Some(next) = self.next else { return false };
        let is_longer = matches!(next.kind, Kind::Paragraph | Kind::Item) && next.text.len() > text.len();
        if let Some(label) = text.strip_suffix(':') {
            let is_alone = next.kind == Kind::Paragraph && next.form.is_apart && self.next_mark.is_none();
            return self.line.form.is_apart && is_alone && is_longer && !label.contains(':');
        }
        if text.ends_with(['.', '!', '?', ')']) || text.contains(':') {
            return false;
        }
        let is_after_list = self.before.is_some_and(|before| before.kind == Kind::Item);
        let is_between = is_after_list && next.kind == Kind::Paragraph && next.text.len() > 2 * text.len();
        is_between || self.line.form.is_apart && !next.form.is_apart && (is_longer || self.next_mark.is_some())
    }
}

fn is_capitals(text: &str) -> bool {
    let letters = text.chars().filter(|character| character.is_alphabetic()).count();
    letters > 2 && text == text.to_uppercase() && text != text.to_lowercase()
}
