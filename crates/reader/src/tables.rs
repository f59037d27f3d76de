//! Tables become rows. Tables that only arrange text become what is in their cells.

use crate::blocks::FORMED;
use crate::builder::{Line, Part, TableRow};
use crate::document::{Form, Kind};
use crate::facts;
use crate::time;
use crate::words;

/// Adds the lines of parts, with those of tables.
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

/// Returns whether the first cell names what is in the second.
fn is_label_row(row: &TableRow) -> bool {
    let [label, value] = row.cells.as_slice() else { return false };
    let text = plain_text(label);
    let name = time::of_heading(&text).map_or_else(|| text.clone(), |timed| timed.rest);
    let is_known = words::heading(name.trim_end_matches(':')).is_some();
    let has_time = name != text && text.len() < 60;
    (is_known || has_time || value.len() > 1) && !label.is_empty()
}

fn table(mut rows: Vec<TableRow>, lines: &mut Vec<Line>) {
    rows.retain(|row| row.cells.iter().any(|cell| !cell.is_empty()));
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let pairs = rows.iter().filter(|row| row.cells.len() == 2).count();
    let labelled = rows.iter().filter(|row| is_label_row(row)).count();
    let is_head =
        |row: &TableRow| row.is_head || row.cells.iter().all(|cell| !words::columns(&plain_text(cell)).is_empty());
    let is_bold = |row: &TableRow| {
        let lines = row.cells.iter().flatten();
        row.cells.iter().all(|cell| !cell.is_empty())
            && lines.into_iter().all(|part| matches!(part, Part::Line(line) if line.form.is_bold))
    };
    if columns > 1 && rows.len() > 1 && rows.iter().skip(1).all(|row| !is_bold(row)) {
        rows.iter_mut().take(1).for_each(|row| row.is_head |= is_bold(row));
    }
    if let Some(facts) = facts_below(&rows) {
        lines.extend(facts);
        return;
    }
    let has_head = columns > 1 && rows.first().is_some_and(|row| row.cells.len() == columns && is_head(row));
    let is_layout = columns == 2 && !has_head && labelled * 2 > pairs;
    for row in rows {
        let full = row.cells.iter().filter(|cell| !cell.is_empty()).count();
        let has_nested = row.cells.iter().flatten().any(|part| matches!(part, Part::Table(_)));
        if full == 1 && (row.cells.len() == 1 || is_layout) {
            spanning(row.cells.into_iter().flatten().collect(), columns, lines);
        } else if is_layout || has_nested {
            unfold(row.cells, lines);
        } else if !fact_pairs(&row, lines) {
            let is_aside =
                row.cells.iter().flatten().all(|part| matches!(part, Part::Line(line) if line.form.is_aside));
            let cells = row.cells.iter().map(|cell| plain_text(cell)).collect();
            let form = Form { cells, is_aside, is_head: row.is_head, ..Form::default() };
            lines.push(Line { kind: Kind::Row, level: 0, text: String::new(), form, picture: None });
            lines.extend(pictures(row.cells));
        }
    }
}

/// Returns facts whose labels are above them: "Grade | Time", and below it "4 | 60 minutes".
fn facts_below(rows: &[TableRow]) -> Option<Vec<Line>> {
    let [labels, values] = rows else { return None };
    let texts = |row: &TableRow| row.cells.iter().map(|cell| plain_text(cell)).collect::<Vec<_>>();
    let (labels, values) = (texts(labels), texts(values));
    let meanings: Option<Vec<_>> = labels.iter().map(|label| words::heading(label.trim_end_matches(':'))).collect();
    let is_usable = labels.len() == values.len()
        && labels.len() > 1
        && values.iter().all(|value| value.len() < 200 && !value.contains('\n'));
    let facts = meanings?.iter().filter(|meaning| meaning.is_fact()).count();
    if !is_usable || facts * 2 <= labels.len() {
        return None;
    }
    let line = |(label, value): (&String, &String)| {
        let text = format!("{}: {value}", label.trim_end_matches(':'));
        Line { kind: Kind::Paragraph, level: 0, text, form: Form::default(), picture: None }
    };
    Some(labels.iter().zip(&values).map(line).collect())
}

/// Returns the pictures of a row, whose texts are in its cells.
fn pictures(cells: Vec<Vec<Part>>) -> impl Iterator<Item = Line> {
    let lines = cells.into_iter().flatten().filter_map(|part| match part {
        Part::Line(line) => Some(line),
        Part::Table(_) => None,
    });
    lines.filter(|line| line.picture.is_some()).map(|line| Line { text: String::new(), ..line })
}

/// Adds a cell that reaches over the whole table: mostly a heading of what follows.
fn spanning(parts: Vec<Part>, columns: usize, lines: &mut Vec<Line>) {
    if let ([Part::Line(line)], true) = (parts.as_slice(), columns > 1) {
        let is_short =
            line.text.split_whitespace().count() <= 8 && !line.text.ends_with('.') && !line.text.contains('\n');
        let is_plain = facts::labelled(&line.text, line.form.label).is_none();
        if is_short
            && is_plain
            && line.kind == Kind::Paragraph
            && (line.form.is_bold || words::heading(&line.text).is_some())
        {
            lines.push(Line { kind: Kind::Heading, level: FORMED - 1, ..line.clone() });
            return;
        }
    }
    flatten(parts, lines);
}

/// Adds the cells of a row one after the other, the first as a heading of the others.
fn unfold(cells: Vec<Vec<Part>>, lines: &mut Vec<Line>) {
    let mut cells = cells.into_iter();
    let Some(label) = cells.next() else { return };
    let name = plain_text(&label).replace('\n', " ");
    let meaning = words::heading(name.trim_end_matches(':'));
    let is_fact = meaning.is_some_and(|meaning| meaning.is_fact());
    let rest: Vec<Part> = cells.flatten().collect();
    let is_short = name.len() <= 90 && !name.contains('\n') && !name.trim().is_empty();
    match rest.as_slice() {
        [Part::Line(value)] if is_fact && value.kind == Kind::Paragraph && !value.text.contains('\n') => {
            let text = format!("{}: {}", name.trim_end_matches(':'), value.text);
            lines.push(Line { text, form: Form { is_bold: false, label: 0, ..value.form.clone() }, ..value.clone() });
        }
        _ if is_short => {
            let form = Form { is_bold: true, ..Form::default() };
            lines.push(Line { kind: Kind::Heading, level: FORMED, text: name, form, picture: None });
            flatten(rest, lines);
        }
        _ => {
            flatten(label, lines);
            flatten(rest, lines);
        }
    }
}

/// Adds a row of facts with their labels: "Grade | 5 | Time | 60 min". Returns whether the row is one.
fn fact_pairs(row: &TableRow, lines: &mut Vec<Line>) -> bool {
    let texts: Vec<String> = row.cells.iter().map(|cell| plain_text(cell)).collect();
    let is_fact = |text: &str| words::heading(text.trim_end_matches(':')).is_some_and(|meaning| meaning.is_fact());
    let are_pairs = texts.len() >= 2 && texts.len().is_multiple_of(2);
    let is_value = |text: &String| !is_fact(text) && !text.trim().is_empty() && text.len() < 200;
    let is_known = |text: &str| words::heading(text.trim_end_matches(':')).is_some();
    let are_facts = are_pairs
        && texts.chunks_exact(2).all(|pair| matches!(pair, [label, value] if is_known(label) && is_value(value)))
        && texts.chunks_exact(2).any(|pair| matches!(pair, [label, _] if is_fact(label)));
    // Each cell has its own label: "Grade: 5 | Time: 60 min".
    let is_labelled = |text: &String| facts::labelled(text, 0).is_some() || facts::unlabelled(text).is_some();
    let has_fact = |text: &String| {
        facts::labelled(text, 0).is_some_and(|found| found.meaning.is_fact()) || facts::unlabelled(text).is_some()
    };
    let are_labelled = texts.len() > 1
        && texts.iter().all(|text| text.trim().is_empty() || is_labelled(text))
        && texts.iter().filter(|text| has_fact(text)).count() > 1;
    if !are_facts && !are_labelled {
        return false;
    }
    let facts: Vec<String> =
        if are_facts { texts.chunks_exact(2).map(|pair| pair.join(": ").replace("::", ":")).collect() } else { texts };
    let full = facts.into_iter().filter(|text| !text.trim().is_empty());
    let form = || Form::default();
    lines.extend(full.map(|text| Line { kind: Kind::Paragraph, level: 0, text, form: form(), picture: None }));
    true
}

/// Finds the heads of tables: rows of which each cell says what is below it.
pub(crate) fn find_heads(lines: &mut [Line]) {
    let mut is_first = true;
    let mut columns = 0;
    for line in lines {
        if line.kind != Kind::Row {
            is_first = true;
            continue;
        }
        is_first |= line.form.cells.len() != columns;
        columns = line.form.cells.len();
        let is_known =
            line.form.cells.iter().filter(|cell| !cell.trim().is_empty()).all(|cell| !words::columns(cell).is_empty());
        line.form.is_head |= is_first && is_known && columns > 1;
        is_first = false;
    }
}
