//! The steps of a lesson: items of lists, rows of tables, and phases, which consist of a heading and the blocks below
//! it.

use serde_json::{Map, Value, json};

use crate::document::{Form, Kind};
use crate::fill::{Entry, Placed};
use crate::headings::{is_numbered_phase, name_and_time};
use crate::marks;
use crate::time::{self, Span, Timed};
use crate::words;

/// A part of the steps: a heading with the blocks below it, or the blocks above the first heading.
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

/// Minimum number of items for which a numbered list is a series of steps, and not the parts of one step.
const MIN_SERIES: usize = 3;

pub(crate) fn read(placed: &[Placed<'_>]) -> Vec<Entry> {
    phases(placed).iter().flat_map(steps).filter_map(Step::entry).collect()
}

fn phases<'p, 'd>(placed: &'p [Placed<'d>]) -> Vec<Phase<'p, 'd>> {
    let mut phases = Vec::new();
    let mut open = Phase::default();
    let mut level = u8::MAX;
    for current in placed {
        let (name, timed) = name_and_time(current.block);
        // In a phase that has a time, a deeper heading without a time is an ordinary line.
        let is_inside = open.timed.is_some() && current.block.level > level && timed.is_none();
        let is_heading = current.block.kind == Kind::Heading && !is_inside;
        if !is_heading && !current.block.form.is_label {
            open.body.push(current);
        } else if current.is_label && timed.is_none() && !is_day(name) && !is_numbered_phase(name) {
            phases.push(std::mem::take(&mut open));
        } else {
            level = current.block.level;
            let text = current.block.text.get(marks::without(&current.block.text)).unwrap_or_default();
            // A range of minutes is not taken as the time of the phase, so it stays in the name.
            let name = if time::before_range(text).is_some() { text } else { name };
            let name = if is_plain_number(name) { String::new() } else { name.to_owned() };
            let next = Phase { heading: Some(current), name, timed: timed.cloned(), body: Vec::new() };
            phases.push(std::mem::replace(&mut open, next));
        }
    }
    phases.push(open);
    phases
}

/// Returns whether a heading consists only of a number, such as "Step 2".
fn is_plain_number(name: &str) -> bool {
    let first = name.split_whitespace().next().unwrap_or_default();
    words::is("stepwords", first) && name.split_whitespace().count() == 2 && is_numbered_phase(name)
}

fn steps(phase: &Phase<'_, '_>) -> Vec<Step> {
    let items = || phase.body.iter().filter(|placed| placed.block.kind == Kind::Item);
    let top = items().map(|placed| placed.block.level).min().unwrap_or(0);
    let items = || items().filter(|placed| placed.block.level == top);
    let is_timed = |placed: &&&Placed<'_>| time::of_step(placed.text).is_some();
    let timed = items().filter(is_timed).count();
    let lines = phase.body.iter().filter(is_timed).count();
    let are_timed = lines > 1 && lines * 2 >= phase.body.len();
    let has_rows = phase.body.iter().any(|placed| placed.block.kind == Kind::Row);
    let is_ordered = items().any(|placed| placed.block.form.is_ordered);
    let is_list = is_ordered || has_rows || are_timed || timed > 0 && timed * 2 >= items().count();
    // A heading such as "Day 2" is not a step itself, but has steps below it.
    let is_day = is_ordered && phase.heading.is_some_and(|heading| is_day(&heading.block.text));
    // Items that state their own times are steps. So are numbered items, unless the heading names a phase.
    let are_steps = timed > 1 && timed * 2 >= items().count();
    let is_phase = words::heading(&phase.name).is_some_and(|meaning| meaning.key == "phase");
    let is_series = is_ordered && items().count() >= MIN_SERIES && !is_day && !is_phase && !phase.name.is_empty();
    let is_whole = phase.timed.is_some() && !is_day && !are_steps && !is_series || !is_list;
    let Some(heading) = phase.heading else { return each(&phase.body, top) };
    let mut steps = if is_whole { Vec::new() } else { each(&phase.body, top) };
    let sum = |steps: &[Step]| steps.iter().filter_map(|step| step.minutes).sum::<u32>();
    let is_sum = phase.timed.as_ref().is_none_or(|timed| is_whole || sum(&steps) == timed.minutes);
    if is_series && !are_steps && phase.timed.is_some() {
        // The time of the heading becomes a separate step above the others.
        steps.insert(0, Step { minutes: phase.timed.as_ref().map(|timed| timed.minutes), ..Step::default() });
    }
    if is_whole {
        let mut step = Step { minutes: phase.timed.as_ref().map(|timed| timed.minutes), ..Step::default() };
        phase.body.iter().for_each(|placed| step.add(placed));
        steps.push(step);
    }
    // A heading above numbered steps is prepended to the first step.
    if let Some(first) = steps.first_mut() {
        first.blocks.push(heading.at);
        let text = heading.block.text.get(marks::without(&heading.block.text)).unwrap_or_default();
        // A time stays in the heading if it is not the sum of the times below it.
        let is_kept = is_day || are_steps && !is_sum;
        first.name(if is_kept { text.trim_end_matches([':', ' ']) } else { &phase.name });
        match phase.timed.as_ref().filter(|_| !is_kept) {
            None if !is_kept && phase.name.is_empty() => first.dropped.push(heading.block.text.clone()),
            timed => {
                first.dropped.extend(timed.iter().map(|timed| timed.taken.clone()));
                let start = marks::without(&heading.block.text).start;
                first.dropped.extend(heading.block.text.get(..start).map(str::to_owned));
            }
        }
    }
    steps
}

/// Returns whether a heading names one of several lessons: "Day 2", "2. Stunde (45 min)".
pub(crate) fn is_day(heading: &str) -> bool {
    let folded = words::fold(heading);
    let mut first = folded.split_whitespace().take(2);
    let (one, two) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let is_number = |word: &str| marks::digits(word.trim_end_matches('.')).is_some();
    words::is("days", one) && is_number(two) || is_number(one) && words::is("days", two)
}

/// Returns a step for each list item with the blocks below it, for each row, and for each other paragraph.
fn each(body: &[&Placed<'_>], top: u8) -> Vec<Step> {
    let columns = Columns::of(body);
    let is_counted = is_counted(body);
    // If several lines begin with a time, each time belongs to the step on its line.
    let are_timed = body.iter().filter(|placed| time::leading(placed.text).is_some()).count() > 1;
    let spans: Vec<Span> = body.iter().filter_map(|placed| Some(time::spanned(placed.text)?.0)).collect();
    let are_spanned = Span::are_in_order(&spans);
    let mut steps: Vec<Step> = Vec::new();
    for placed in body.iter().filter(|placed| !placed.block.form.is_head) {
        let block = placed.block;
        let is_below = block.kind == Kind::Item && block.level > top;
        // A line that consists only of a time is the time of the step above it.
        let is_time = block.kind != Kind::Row && time::minutes(placed.text, false).is_some();
        match steps.last_mut().filter(|last| is_below || is_time && last.minutes.is_none()) {
            Some(last) => last.add(placed),
            None if block.kind == Kind::Row => steps.push(of_row(placed, &columns)),
            None => steps.push(of_line(placed, is_counted, are_timed, are_spanned)),
        }
    }
    steps
}

/// Returns whether the paragraphs begin with 1, 2, 3 and so on, without any punctuation.
fn is_counted(body: &[&Placed<'_>]) -> bool {
    const MIN_COUNT: usize = 2;
    let begins = |(place, placed): (usize, &&Placed<'_>)| {
        let (number, rest) = placed.text.split_once(' ').unwrap_or_default();
        placed.block.kind == Kind::Paragraph && rest.starts_with(char::is_uppercase) && is_number(number, place)
    };
    body.len() >= MIN_COUNT && body.iter().enumerate().all(begins)
}

/// Returns whether a text is the number of the item at index `place`.
fn is_number(text: &str, place: usize) -> bool {
    marks::digits(text.trim_end_matches(['.', ')'])).is_some_and(|number| number as usize == place + 1)
}

fn of_line(placed: &Placed<'_>, is_counted: bool, is_timed: bool, is_spanned: bool) -> Step {
    let mut step = Step { blocks: vec![placed.at], ..Step::default() };
    let (number, text) = placed.text.split_once(' ').filter(|_| is_counted).unwrap_or(("", placed.text));
    step.dropped.push(number.to_owned());
    let spanned = || Some(time::spanned(text).filter(|_| is_spanned)?.1);
    match time::leading(text).filter(|_| is_timed).or_else(spanned) {
        Some(timed) => step.timed(timed),
        None => step.take(text),
    }
    step
}

/// The meanings of the columns in a table of steps.
#[derive(Default)]
struct Columns {
    time: Option<usize>,
    /// Whether times are spans, such as "0–10" and "10–25".
    are_spans: bool,
    number: Option<usize>,
}

impl Columns {
    fn of(body: &[&Placed<'_>]) -> Self {
        let rows = body.iter().map(|placed| &placed.block.form).filter(|form| !form.cells.is_empty());
        let (heads, rows): (Vec<_>, Vec<_>) = rows.partition(|form| form.is_head);
        let width = rows.first().map_or(0, |form| form.cells.len());
        let column = |at: usize, is: fn(&str, usize) -> bool| {
            let is_one = |(place, form): (usize, &&Form)| form.cells.get(at).is_some_and(|cell| is(cell, place));
            (width > 1 && rows.iter().enumerate().all(is_one)).then_some(at)
        };
        let number = column(0, is_number);
        let time = match heads.first() {
            Some(head) => head.cells.iter().position(|cell| words::is_column(cell, "time")),
            None => column(width.saturating_sub(1), |cell, _| time::minutes(cell, true).is_some())
                .or_else(|| column(0, |cell, _| time::span(cell).is_some())),
        };
        let times = rows.iter().filter_map(|form| form.cells.get(time?));
        let spans: Vec<Span> = times.filter_map(|cell| time::span(cell)).collect();
        Self { time, number, are_spans: Span::are_in_order(&spans) }
    }

    /// Returns the minutes in a cell that contains nothing else.
    fn minutes(&self, at: usize, cell: &str) -> Option<u32> {
        let is_time = Some(at) == self.time;
        let span = || Some(time::span(cell).filter(|_| is_time && self.are_spans)?.minutes());
        time::minutes(cell, is_time).or_else(span)
    }
}

fn of_row(placed: &Placed<'_>, columns: &Columns) -> Step {
    let mut step = Step { blocks: vec![placed.at], ..Step::default() };
    let cells = || placed.block.form.cells.iter().enumerate().filter(|(_, cell)| !cell.is_empty());
    // Without a time column, the only time in a row may be in the cell that names the phase.
    let timed = cells().filter(|(_, cell)| time::of_step(cell).is_some()).count();
    let has_one = timed == 1 && columns.time.is_none();
    for (at, cell) in cells() {
        let minutes = columns.minutes(at, cell).filter(|_| step.minutes.is_none());
        if Some(at) == columns.number {
            step.dropped.push(cell.clone());
        } else if let Some(minutes) = minutes {
            step.minutes = Some(minutes);
            step.dropped.push(cell.clone());
        } else if has_one && step.minutes.is_none() {
            step.take(cell);
        } else {
            step.lines.push(cell.clone());
        }
    }
    step
}

impl Step {
    /// Adds a block below the step: another line, or the time of the step.
    fn add(&mut self, placed: &Placed<'_>) {
        self.blocks.push(placed.at);
        let is_free = self.minutes.is_none() && placed.block.kind != Kind::Row;
        match time::minutes(placed.text, false).filter(|_| is_free) {
            Some(minutes) => {
                self.minutes = Some(minutes);
                self.dropped.push(placed.text.to_owned());
            }
            None => self.lines.push(placed.whole()),
        }
    }

    /// Takes the first line of the step. A time in it becomes the minutes of the step.
    fn take(&mut self, text: &str) {
        match time::of_step(text).filter(|timed| !timed.rest.is_empty()) {
            Some(timed) => self.timed(timed),
            None => self.lines.push(text.to_owned()),
        }
    }

    fn timed(&mut self, timed: Timed) {
        self.minutes = Some(timed.minutes);
        self.dropped.push(timed.taken);
        self.lines.push(timed.rest);
    }

    /// Inserts a name before the text of the step.
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
