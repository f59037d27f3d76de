//! The steps of a lesson: items of lists, rows of tables, and phases with what is below their headings.

use serde_json::{Map, Value, json};

use crate::document::Kind;
use crate::fill::{Entry, Placed};
use crate::headings::{is_numbered_phase, name_of};
use crate::time::{self, Timed};
use crate::words;

/// A part of the steps under a heading of its own, or above the first.
#[derive(Default)]
struct Phase<'p, 'd> {
    heading: Option<&'p Placed<'d>>,
    name: String,
    timed: Option<Timed>,
    body: Vec<&'p Placed<'d>>,
}

#[derive(Default)]
struct Step {
    lines: Vec<String>,
    minutes: Option<u32>,
    blocks: Vec<usize>,
    dropped: Vec<String>,
}

pub(crate) fn read(placed: &[Placed<'_>]) -> Vec<Entry> {
    let phases = phases(placed);
    phases.iter().flat_map(steps).filter_map(Step::entry).collect()
}

fn phases<'p, 'd>(placed: &'p [Placed<'d>]) -> Vec<Phase<'p, 'd>> {
    let mut phases = vec![Phase::default()];
    let mut level = u8::MAX;
    for current in placed {
        if current.block.kind != Kind::Heading {
            if let Some(phase) = phases.last_mut() {
                phase.body.push(current);
            }
            continue;
        }
        let (name, timed) = name_of(current.block);
        // A heading inside a phase that has its time is a line of it.
        let is_inside =
            phases.last().is_some_and(|phase| phase.timed.is_some() && current.block.level > level && timed.is_none());
        match phases.last_mut().filter(|_| is_inside) {
            Some(phase) => phase.body.push(current),
            None if current.is_label && timed.is_none() => {
                level = u8::MAX;
                phases.push(Phase::default());
            }
            None => {
                level = current.block.level;
                let name = if is_plain_number(&name) { String::new() } else { name };
                phases.push(Phase { heading: Some(current), name, timed, body: Vec::new() });
            }
        }
    }
    phases
}

/// Returns whether a heading only counts: "Step 2".
fn is_plain_number(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    words::is("stepwords", first) && name.split_whitespace().count() == 2 && is_numbered_phase(name)
}

fn steps(phase: &Phase<'_, '_>) -> Vec<Step> {
    let is_item = |placed: &&&Placed<'_>| placed.block.kind == Kind::Item;
    let top = phase.body.iter().filter(is_item).map(|placed| placed.block.level).min().unwrap_or(0);
    let items = || phase.body.iter().filter(|placed| placed.block.kind == Kind::Item && placed.block.level == top);
    let timed = items().filter(|placed| time::of_step(placed.text).is_some()).count();
    let has_rows = phase.body.iter().any(|placed| placed.block.kind == Kind::Row);
    let is_list =
        items().any(|placed| placed.block.form.is_ordered) || timed > 0 && timed * 2 >= items().count() || has_rows;
    let Some(heading) = phase.heading.filter(|_| phase.timed.is_some() || !is_list) else {
        let mut steps = each(&phase.body, top);
        // A heading over numbered steps stands in front of the first.
        if let (Some(first), Some(heading)) = (steps.first_mut(), phase.heading) {
            first.blocks.push(heading.at);
            if phase.name.is_empty() {
                first.dropped.push(heading.block.text.clone());
            } else {
                first.name(&phase.name);
                first.dropped.extend(mark(heading));
            }
        }
        return steps;
    };
    let mut step = Step { blocks: vec![heading.at], ..Step::default() };
    step.dropped.extend(mark(heading));
    if phase.name.is_empty() && phase.timed.is_none() {
        step.dropped = vec![heading.block.text.clone()];
    }
    step.dropped.extend(phase.timed.iter().map(|timed| timed.taken.clone()));
    step.minutes = phase.timed.as_ref().map(|timed| timed.minutes);
    for placed in &phase.body {
        let alone = time::minutes(placed.text, false)
            .filter(|_| step.minutes.is_none() && placed.block.kind == Kind::Paragraph);
        step.blocks.push(placed.at);
        match alone {
            Some(minutes) => {
                step.minutes = Some(minutes);
                step.dropped.push(placed.text.to_owned());
            }
            None if placed.block.kind == Kind::Row => step.lines.push(placed.block.form.cells.join(" ")),
            None => step.lines.push(placed.text.to_owned()),
        }
    }
    step.name(&phase.name);
    vec![step]
}

/// Returns the mark in front of a heading.
fn mark(heading: &Placed<'_>) -> Option<String> {
    let start = crate::marks::mark(&heading.block.text).map(|(_, start)| start)?;
    heading.block.text.get(..start).map(str::to_owned)
}

/// Returns a step for each item of a list with what is below it, for each row, and for each other paragraph.
fn each(body: &[&Placed<'_>], top: u8) -> Vec<Step> {
    let rows: Vec<&&Placed<'_>> = body.iter().filter(|placed| placed.block.kind == Kind::Row).collect();
    let columns = columns(&rows);
    let counted = counted(body);
    // In a list of times, each is that of its step.
    let are_timed = body.iter().filter(|placed| time::leading(placed.text).is_some()).count() > 1;
    let mut steps: Vec<Step> = Vec::new();
    let mut is_lead_in = false;
    for (place, placed) in body.iter().enumerate() {
        let block = placed.block;
        match block.kind {
            Kind::Row if block.form.is_head => {}
            Kind::Row => {
                steps.push(of_row(placed, &columns));
                is_lead_in = false;
            }
            Kind::Item
                if block.level > top && !steps.is_empty()
                    || is_lead_in && block.kind == Kind::Item && !block.form.is_ordered =>
            {
                if let Some(step) = steps.last_mut() {
                    step.lines.push(placed.text.to_owned());
                    step.blocks.push(placed.at);
                }
            }
            _ => {
                let mut text = placed.text;
                let mut step = Step { blocks: vec![placed.at], ..Step::default() };
                if counted {
                    let (number, rest) = text.split_once(' ').unwrap_or(("", text));
                    step.dropped.push(number.to_owned());
                    text = rest;
                }
                let alone = time::minutes(text, false);
                match (alone, steps.last_mut()) {
                    // A time below a step is its time, and never a step of its own.
                    (Some(minutes), Some(last)) if last.minutes.is_none() => {
                        last.minutes = Some(minutes);
                        last.blocks.push(placed.at);
                        last.dropped.push(text.to_owned());
                        continue;
                    }
                    _ => match time::leading(text).filter(|_| are_timed) {
                        Some(timed) => {
                            step.take(&timed.rest);
                            step.minutes = Some(timed.minutes);
                            step.dropped.push(timed.taken);
                        }
                        None => step.take(text),
                    },
                }
                let is_next_bullet = body
                    .get(place + 1)
                    .is_some_and(|next| next.block.kind == Kind::Item && !next.block.form.is_ordered);
                is_lead_in = block.kind == Kind::Paragraph && text.ends_with(':') && is_next_bullet;
                steps.push(step);
            }
        }
    }
    steps
}

/// Returns whether the paragraphs begin with 1, 2, 3 and so on, without any sign.
fn counted(body: &[&Placed<'_>]) -> bool {
    const MIN_COUNT: usize = 2;
    let begins = |place: usize, placed: &&Placed<'_>| {
        let (number, rest) = placed.text.split_once(' ')?;
        let is_text = rest.starts_with(char::is_uppercase);
        (is_text && crate::marks::digits(number)? as usize == place + 1).then_some(())
    };
    body.len() >= MIN_COUNT
        && body
            .iter()
            .enumerate()
            .all(|(place, placed)| placed.block.kind == Kind::Paragraph && begins(place, placed).is_some())
}

/// What the columns of a table of steps hold.
#[derive(Default)]
struct Columns {
    time: Option<usize>,
    number: Option<usize>,
}

fn columns(rows: &[&&Placed<'_>]) -> Columns {
    let (heads, rows): (Vec<&&Placed<'_>>, Vec<&&Placed<'_>>) = rows.iter().partition(|row| row.block.form.is_head);
    let Some(first) = rows.first() else { return Columns::default() };
    let width = first.block.form.cells.len();
    let cell = |row: &Placed<'_>, at: usize| row.block.form.cells.get(at).cloned().unwrap_or_default();
    let all = |at: usize, is: &dyn Fn(usize, &str) -> bool| {
        rows.iter().enumerate().all(|(place, row)| row.block.form.cells.len() == width && is(place, &cell(row, at)))
    };
    let number = (width > 1
        && all(0, &|place, cell| {
            crate::marks::digits(cell.trim_end_matches(['.', ')'])).is_some_and(|number| number as usize == place + 1)
        }))
    .then_some(0);
    if let Some(head) = heads.first() {
        let cells = &head.block.form.cells;
        return Columns { time: cells.iter().position(|cell| words::is_column(cell, "time")), number };
    }
    let last = width.saturating_sub(1);
    let is_time = |_: usize, cell: &str| time::minutes(cell, true).is_some();
    let time = (width > 1 && Some(last) != number && all(last, &is_time)).then_some(last);
    Columns { time, number }
}

fn of_row(placed: &Placed<'_>, columns: &Columns) -> Step {
    let mut step = Step { blocks: vec![placed.at], ..Step::default() };
    // A time beside the name of a phase.
    let timed = placed.block.form.cells.iter().filter(|cell| time::of_step(cell).is_some()).count();
    let timed = if columns.time.is_some() { 0 } else { timed };
    for (at, cell) in placed.block.form.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
        let is_time = Some(at) == columns.time;
        let minutes = time::minutes(cell, is_time).filter(|_| step.minutes.is_none());
        if Some(at) == columns.number {
            step.dropped.push(cell.clone());
        } else if let Some(minutes) = minutes {
            step.minutes = Some(minutes);
            step.dropped.push(cell.clone());
        } else if timed == 1 && step.minutes.is_none() {
            step.take(cell);
        } else {
            step.lines.push(cell.clone());
        }
    }
    if step.minutes.is_none() && step.lines.len() == 1 {
        let lines = std::mem::take(&mut step.lines);
        lines.iter().for_each(|line| step.take(line));
    }
    step
}

impl Step {
    /// Adds the first line, without its time.
    fn take(&mut self, text: &str) {
        match time::of_step(text).filter(|timed| !timed.rest.is_empty()) {
            Some(timed) => {
                self.minutes = Some(timed.minutes);
                self.dropped.push(timed.taken);
                self.lines.push(timed.rest);
            }
            None => self.lines.push(text.to_owned()),
        }
    }

    /// Puts a name in front.
    fn name(&mut self, name: &str) {
        match self.lines.first_mut() {
            _ if name.is_empty() => {}
            Some(first) => *first = format!("{name}: {first}"),
            None => self.lines.push(name.to_owned()),
        }
    }

    fn entry(self) -> Option<Entry> {
        let text = self.lines.join("\n");
        if text.trim().is_empty() {
            return None;
        }
        let mut value = Map::new();
        value.insert("text".to_owned(), Value::String(text));
        value.extend(self.minutes.map(|minutes| ("minutes".to_owned(), json!(minutes))));
        Some(Entry { value: Value::Object(value), blocks: self.blocks, dropped: self.dropped })
    }
}
