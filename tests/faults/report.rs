//! The table of results, with a line for each fault and backend.

use std::collections::BTreeSet;

use crate::round::Count;

/// Path of the documentation page that is updated.
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operators/faults.md");

/// Results of one fault on one backend.
#[derive(Default)]
pub struct Line {
    pub fault: &'static str,
    pub backend: &'static str,
    pub done: String,
    /// Messages of the service. Each has a phrase that says what the service reacted to or when, such as "to an update"
    /// or "at the start".
    pub said: Vec<(&'static str, String)>,
    pub count: Count,
    /// Whether the service recovered, as text; `None` if this was not tested.
    pub back: Option<String>,
    pub wrong: Vec<String>,
}

impl Line {
    pub fn new(fault: &'static str, backend: &'static str) -> Self {
        Self { fault, backend, ..Self::default() }
    }

    /// Adds the results of a check.
    pub fn add(&mut self, count: Count) {
        self.count.acknowledged += count.acknowledged;
        self.count.lost += count.lost;
    }

    /// Adds a message of the service, unless the line already has it.
    pub fn hear(&mut self, to: &'static str, said: impl Into<String>) {
        let said = said.into();
        if !self.said.iter().any(|(_, before)| *before == said) {
            self.said.push((to, said));
        }
    }

    /// Returns the row for the terminal, with everything that was done and answered.
    fn full(&self) -> String {
        let Self { fault, backend, done, said, count: Count { acknowledged, lost }, back, .. } = self;
        let said = if said.is_empty() {
            "nothing: no request failed".to_owned()
        } else {
            let said = said.iter().map(|(to, said)| format!("{to}: “{}”", said.replace('|', "\\|").replace('\n', " ")));
            said.collect::<Vec<_>>().join("<br>")
        };
        let back = back.as_deref().unwrap_or("no");
        if self.is_not_tried() {
            return format!("| {fault} | {backend} | {done} | | | | |\n");
        }
        format!("| {fault} | {backend} | {done} | {said} | {acknowledged} | {lost} | {back} |\n")
    }

    /// Returns the row of the page for operators.
    fn short(&self) -> String {
        let Self { fault, backend, done, count: Count { acknowledged, lost }, back, .. } = self;
        if self.is_not_tried() {
            return format!("| {fault} | {backend} | | | {done} |\n");
        }
        let back = back.as_deref().unwrap_or("no");
        format!("| {fault} | {backend} | {acknowledged} | {lost} | {back} |\n")
    }

    fn is_not_tried(&self) -> bool {
        self.done.starts_with("not tried")
    }
}

/// Returns the whole table in Markdown, for the terminal.
pub fn full_table(lines: &[Line]) -> String {
    let head = "| fault | store | what was done | what the service said | acknowledged | lost | came back by itself |\n\
                |---|---|---|---|--:|--:|---|\n";
    lines.iter().fold(head.to_owned(), |text, line| text + &line.full())
}

/// Returns the table of the page for operators, which has only the figures.
pub fn short_table(lines: &[Line]) -> String {
    let head = "| fault | store | acknowledged | lost | came back by itself |\n\
                |---|---|--:|--:|---|\n";
    lines.iter().fold(head.to_owned(), |text, line| text + &line.short())
}

pub fn wrong(lines: &[Line]) -> Vec<String> {
    let mut all = BTreeSet::new();
    for line in lines {
        let lost = (line.count.lost > 0).then(|| format!("{} acknowledged writes were lost", line.count.lost));
        let words = line.wrong.iter().cloned().chain(lost);
        all.extend(words.map(|words| format!("{}, {}: {words}", line.fault, line.backend)));
    }
    all.into_iter().collect()
}

/// Updates the rows between the comments `<!-- {mark} -->` and `<!-- /{mark} -->` in `docs/operators/faults.md`. A row
/// of `table` replaces the row of the page that has the same first two cells.
pub fn write_rows(mark: &str, table: &str) -> Result<(), String> {
    let page = std::fs::read_to_string(PAGE).map_err(|e| format!("{PAGE}: {e}"))?;
    let begins = |row: &str| row.split('|').take(3).map(str::trim).collect::<Vec<_>>().join("|");
    let between = page.split(&format!("<!-- {mark} -->\n")).nth(1).unwrap_or_default();
    let between = between.split(&format!("<!-- /{mark} -->")).next().unwrap_or_default();
    let row = |old: &str| table.lines().find(|new| begins(new) == begins(old)).unwrap_or(old).to_owned() + "\n";
    write(mark, &between.lines().map(row).collect::<String>())
}

/// Replaces the text between the marks `mark` in `docs/operators/faults.md`.
pub fn write(mark: &str, text: &str) -> Result<(), String> {
    let page = PAGE;
    let old = std::fs::read_to_string(page).map_err(|e| format!("{page}: {e}"))?;
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- /{mark} -->"));
    let parts = old.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{page} has no {begin}"))?;
    std::fs::write(page, format!("{before}{begin}{text}{end}{after}")).map_err(|e| format!("{page}: {e}"))
}
