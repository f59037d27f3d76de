//! Converts tables to rows. Layout tables are replaced by the contents of their cells.

use std::collections::BTreeMap;

use crate::blocks::{FORMED, name_of};
use crate::builder::{Line, Part, TableRow};
use crate::document::{Form, Kind};
use crate::facts;
use crate::time;
use crate::words;

/// Appends the lines of the parts, including those in tables.
pub(crate) fn flatten(parts: Vec<Part>, lines: &mut Vec<Line>) {
    for part in parts {
        match part {
            Part::Line(line) => lines.push(line),
            Part::Table(rows) => table(rows, lines),
        }
    }
}

fn plain_text(parts: &[Part]) -> String {
    let text = |part: &Part| match part {
        Part::Line(line) => line.text.clone(),
        Part::Table(rows) => {
            let cells = rows.iter().flat_map(|row| &row.cells).map(|cell| plain_text(cell));
            cells.collect::<Vec<_>>().join(" ")
        }
    };
    parts.iter().map(text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns whether a row consists of a label and the content that it names.
fn is_label_row(row: &TableRow) -> bool {
    let [label, value] = row.cells.as_slice() else { return false };
    let text = plain_text(label);
    let has_time = text.len() < MAX_LABEL && time::of_heading(&text).is_some();
    !text.is_empty() && (words::heading(&name_of(&text)).is_some() || has_time || value.len() > 1)
}

/// Maximum length of the label of a row, in bytes.
const MAX_LABEL: usize = 90;

fn table(mut rows: Vec<TableRow>, lines: &mut Vec<Line>) {
    rows.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
    let mut start = 0;
    while let Some(facts) = rows.get(start..).and_then(facts_below) {
        lines.extend(facts);
        start += 2;
    }
    rows.drain(..start);
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    // Rows of only two cells in a wider table: a label, and content across the other columns.
    let is_short = |row: &TableRow| {
        row.cells.len() == 2 && columns > 2 && row.cells.first().is_some_and(|cell| plain_text(cell).len() < MAX_LABEL)
    };
    let is_known =
        |row: &TableRow| row.cells.first().is_some_and(|cell| words::heading(&name_of(&plain_text(cell))).is_some());
    let parts = rows.iter().filter(|row| is_short(row) && is_known(row)).count();
    let is_part = |row: &TableRow| is_short(row) && (parts > 1 || is_known(row)) && facts_of(row, false).is_none();
    let are_facts: Vec<bool> = rows.iter().map(|row| facts_of(row, false).is_some()).collect();
    let pairs = rows.iter().filter(|row| row.cells.len() == 2).count();
    let labelled = rows.iter().filter(|row| is_label_row(row)).count();
    let is_bold = |row: &TableRow| {
        let mut parts = row.cells.iter().flatten();
        let is_full = row.cells.iter().all(|cell| !cell.is_empty());
        is_full && parts.all(|part| matches!(part, Part::Line(line) if line.form.is_bold))
    };
    let has_more = columns > 1 && rows.len() > 1 && rows.iter().skip(1).all(|row| !is_bold(row));
    rows.iter_mut().take(1).for_each(|row| row.is_head |= has_more && is_bold(row));
    let is_head =
        |row: &TableRow| row.is_head || row.cells.iter().all(|cell| !words::columns(&plain_text(cell)).is_empty());
    let has_head = columns > 1 && rows.first().is_some_and(|row| row.cells.len() == columns && is_head(row));
    let is_layout = columns == 2 && !has_head && labelled * 2 > pairs;
    if is_head_of_lists(&rows) {
        lists(&rows, columns, lines);
        return;
    }
    for (at, row) in rows.into_iter().enumerate() {
        let is_among_facts =
            [at.checked_sub(1), Some(at + 1)].iter().flatten().any(|at| are_facts.get(*at) == Some(&true));
        let full = row.cells.iter().filter(|cell| !cell.is_empty()).count();
        let has_nested = row.cells.iter().flatten().any(|part| matches!(part, Part::Table(_)));
        if full == 1 && (row.cells.len() == 1 || is_layout) {
            flatten(row.cells.into_iter().flatten().collect(), lines);
        } else if let Some(facts) = facts_of(&row, is_among_facts) {
            lines.extend(facts);
        } else if is_layout || has_nested || is_part(&row) {
            unfold(row.cells, lines);
        } else {
            let mut parts = row.cells.iter().flatten();
            let is_aside = parts.all(|part| matches!(part, Part::Line(line) if line.form.is_aside));
            let cells = row.cells.iter().map(|cell| plain_text(cell)).collect();
            let form = Form { cells, is_aside, is_head: row.is_head, ..Form::default() };
            lines.push(Line { kind: Kind::Row, level: 0, text: String::new(), form, picture: None });
            lines.extend(pictures(row.cells.into_iter().flatten()));
        }
    }
}

/// Returns whether each column is a list for one recipient: "Per group | For the teacher".
fn is_head_of_lists(rows: &[TableRow]) -> bool {
    let is_label = |cell: &Vec<Part>| words::is_for_whom(&plain_text(cell));
    rows.first().is_some_and(|head| head.cells.len() > 1 && head.cells.iter().all(is_label))
}

/// Adds the columns one after the other, each with its header as a label above its items.
fn lists(rows: &[TableRow], columns: usize, lines: &mut Vec<Line>) {
    for column in 0..columns {
        for (place, cell) in rows.iter().filter_map(|row| row.cells.get(column)).enumerate() {
            let text = plain_text(cell);
            let (kind, level) = if place == 0 { (Kind::Paragraph, 0) } else { (Kind::Item, 1) };
            let texts = text.split('\n').filter(|text| !text.is_empty());
            lines.extend(texts.map(|text| Line { kind, level, ..text_line(text.to_owned()) }));
            lines.extend(pictures(cell.clone()));
        }
    }
}

/// Returns the facts in the first two rows, if the first has the labels and the second their values: "Grade | Time"
/// above "4 | 60 minutes".
fn facts_below(rows: &[TableRow]) -> Option<Vec<Line>> {
    let [labels, values, rest @ ..] = rows else { return None };
    let count = labels.cells.len();
    // If the third row has as many cells as the first two, this is an ordinary table.
    let is_usable = values.cells.len() == count && rest.first().is_none_or(|next| next.cells.len() != count);
    let texts = |row: &TableRow| row.cells.iter().map(|cell| plain_text(cell)).collect::<Vec<_>>();
    if is_usable { facts_in_columns(&texts(labels), &texts(values)) } else { None }
}

/// Replaces two lines with the same number of cells with facts, if the labels are in the first and the values in the
/// second.
pub(crate) fn join_facts(lines: Vec<Line>) -> Vec<Line> {
    let cells = |line: &Line| {
        let is_text = line.kind == Kind::Paragraph && !line.form.is_aside;
        if is_text { facts::cells(&line.text).into_iter().map(str::to_owned).collect() } else { Vec::new() }
    };
    let mut found: BTreeMap<usize, Vec<Line>> = BTreeMap::new();
    let mut rest = lines.iter().map(cells);
    let (mut before, mut labels, mut values) =
        (Vec::new(), rest.next().unwrap_or_default(), rest.next().unwrap_or_default());
    for at in 0..lines.len() {
        let next: Vec<String> = rest.next().unwrap_or_default();
        let is_alone = [&before, &next].iter().all(|other| other.len() != labels.len());
        let facts = if is_alone { facts_in_columns(&labels, &values) } else { None };
        found.extend(facts.map(|facts| (at, facts)));
        (before, labels, values) = (labels, values, next);
    }
    let mut joined = Vec::with_capacity(lines.len());
    let mut is_value = false;
    for (at, line) in lines.into_iter().enumerate() {
        match found.remove(&at) {
            _ if std::mem::take(&mut is_value) => {}
            Some(facts) => {
                joined.extend(facts);
                is_value = true;
            }
            None => joined.push(line),
        }
    }
    joined
}

/// Converts labels and the values below them to facts, if half of the labels name facts.
fn facts_in_columns(labels: &[String], values: &[String]) -> Option<Vec<Line>> {
    if labels.len() < 2 || labels.len() != values.len() {
        return None;
    }
    let pairs: Vec<[String; 2]> = labels.iter().cloned().zip(values.iter().cloned()).map(<[String; 2]>::from).collect();
    let least = pairs.len().div_ceil(2).max(2);
    facts(&pairs, least, least)
}

/// Returns the facts of a row: "Grade | 5 | Time | 60 min", or "Grade: 5 | Time: 60 min". Next to such a row, one known
/// label is enough.
fn facts_of(row: &TableRow, is_among_facts: bool) -> Option<Vec<Line>> {
    let texts: Vec<String> = row.cells.iter().map(|cell| plain_text(cell)).collect();
    let (pairs, rest) = texts.as_chunks::<2>();
    let is_fact = |text: &String| {
        let labelled = facts::labelled(text, 0);
        labelled.map_or_else(|| facts::unlabelled(text).is_some(), |found| found.meaning.is_fact())
    };
    let full = || texts.iter().filter(|text| !text.is_empty());
    let is_known = |text: &String| {
        is_fact(text) || facts::has_label(text) || words::is("subjects", text) || facts::split(text).is_some()
    };
    let facts_found = full().filter(|text| is_fact(text)).count();
    let are_labelled = full().all(|text| facts::has_label(text));
    let least = if are_labelled { usize::from(!is_among_facts) } else { 2 };
    let are_facts = full().count() > 1 && full().all(is_known) && facts_found >= least;
    let lines = || are_facts.then(|| full().cloned().map(text_line).collect());
    let least = usize::from(!is_among_facts || pairs.len() < 2);
    facts(pairs, least, 1).filter(|_| rest.is_empty()).or_else(lines)
}

/// Returns pairs of labels and values as lines, if enough of the labels are known, and enough of them name facts.
fn facts(pairs: &[[String; 2]], least: usize, least_known: usize) -> Option<Vec<Line>> {
    const MAX_VALUE: usize = 200;
    let name = |label: &str| label.trim_end_matches([':', ' ']).to_owned();
    let meaning = |text: &str| words::heading(&name(text));
    let is_fact = |text: &str| meaning(text).is_some_and(|meaning| meaning.is_fact());
    let is_value = |text: &str| {
        // "Date" beside "Time" is a label as well.
        let is_other = meaning(text).is_some_and(|meaning| meaning.key == "other");
        let is_name = is_fact(text) || is_other || !words::columns(text).is_empty();
        !is_name && text.len() < MAX_VALUE && !text.contains('\n')
    };
    let is_label = |text: &str| !name(text).is_empty() && text.len() < MAX_LABEL && !name(text).contains([':', '\n']);
    let pairs = || pairs.iter().filter(|[label, value]| !label.is_empty() || !value.is_empty());
    let are_pairs = pairs().all(|[label, value]| is_label(label) && is_value(value));
    let known = pairs().filter(|[label, _]| meaning(label).is_some_and(|meaning| meaning.key != "phase")).count();
    let facts = pairs().filter(|[label, value]| is_fact(label) && !value.is_empty()).count();
    let line = |[label, value]: &[String; 2]| text_line(format!("{}: {value}", name(label)).trim().to_owned());
    (are_pairs && known >= least_known && facts >= least).then(|| pairs().map(line).collect())
}

fn text_line(text: String) -> Line {
    Line { kind: Kind::Paragraph, level: 0, text, form: Form::default(), picture: None }
}

/// Returns the pictures of a row as lines without text, because the cells of the row already contain the text.
fn pictures(parts: impl IntoIterator<Item = Part>) -> impl Iterator<Item = Line> {
    let line = |part| match part {
        Part::Line(line) if line.picture.is_some() => Some(Line { text: String::new(), ..line }),
        _ => None,
    };
    parts.into_iter().filter_map(line)
}

/// Adds the cells of a row one after the other. The first cell becomes a heading above the others.
fn unfold(cells: Vec<Vec<Part>>, lines: &mut Vec<Line>) {
    let mut cells = cells.into_iter();
    let Some(label) = cells.next() else { return };
    let text = plain_text(&label).replace('\n', " ");
    if text.is_empty() || text.len() > MAX_LABEL {
        flatten(label, lines);
    } else {
        let form = Form { is_bold: true, ..Form::default() };
        lines.push(Line { kind: Kind::Heading, level: FORMED, text, form, picture: None });
    }
    flatten(cells.flatten().collect(), lines);
}

/// Maximum number of words in a column header, if one of the headers may be unknown.
const MAX_HEAD: usize = 4;

/// Finds table headers: rows in which each cell names the column below it.
pub(crate) fn find_heads(lines: &mut [Line]) {
    let mut is_first = true;
    let mut columns = 0;
    for line in lines {
        if line.kind != Kind::Row {
            // Pictures follow the row that contains them.
            is_first |= line.kind != Kind::Picture;
            continue;
        }
        is_first |= line.form.cells.len() != columns;
        columns = line.form.cells.len();
        let full = || line.form.cells.iter().filter(|cell| !cell.trim().is_empty());
        let known = full().filter(|cell| !words::columns(cell).is_empty()).count();
        // In a row of three or more short names, one name may be missing from the known column headers.
        let is_name = |cell: &String| cell.split_whitespace().count() <= MAX_HEAD && !cell.contains(char::is_numeric);
        let least = if full().count() > 2 && full().all(is_name) { full().count() - 1 } else { full().count() };
        line.form.is_head |= is_first && known >= least && columns > 1;
        is_first = false;
    }
}
