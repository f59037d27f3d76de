//! The table of results, with a line for each fault.

use std::fmt;
use std::time::Duration;

use crate::checks::Found;
use crate::faults::{BACK, Fault};
use crate::phase::{COPIES, Phase};

/// Maximum duration of any request. The service gives up after 14 s, and the machine may be busy.
const LONGEST_ANSWER: Duration = Duration::from_secs(20);

/// Results of one fault.
pub struct Line {
    fault: &'static str,
    acknowledged: u64,
    lost: u64,
    doubled: u64,
    without_service: [Duration; COPIES],
    wrong: Vec<String>,
}

impl Line {
    /// Creates the line of a completed phase.
    pub fn of(phase: &Phase, without_service: [Duration; COPIES], fault: Fault, found: Found) -> Self {
        let mut ledger = phase.ledger();
        let mut wrong = std::mem::take(&mut ledger.faults);
        for (copy, (time, (red, must))) in
            without_service.iter().zip(ledger.was_red.iter().zip(fault.turns_red())).enumerate()
        {
            if *time > BACK {
                wrong.push(format!("copy {} was away for {} s", copy + 1, time.as_secs()));
            }
            if must && !red {
                wrong.push(format!("copy {} never said that it is not ready", copy + 1));
            }
        }
        if ledger.longest_answer > LONGEST_ANSWER {
            wrong.push(format!("an answer took {} s", ledger.longest_answer.as_secs()));
        }
        let mut line =
            Self { fault: phase.name, acknowledged: ledger.acknowledged, lost: 0, doubled: 0, without_service, wrong };
        line.add(found);
        line
    }

    /// Adds the results of another check.
    pub fn add(&mut self, found: Found) {
        self.lost = self.lost.max(found.lost);
        self.doubled = self.doubled.max(found.doubled);
        self.wrong.extend(found.faults);
    }

    pub fn wrong(self) -> Vec<String> {
        self.wrong.into_iter().map(|words| format!("{}: {words}", self.fault)).collect()
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, acknowledged, lost, doubled, without_service, .. } = self;
        let [first, second] = without_service.map(|time| time.as_secs_f64());
        write!(f, "| {fault} | {acknowledged} | {lost} | {doubled} | {first:.1} | {second:.1} |")
    }
}

pub fn table(lines: &[Line]) -> String {
    let head = "| fault | acknowledged | lost | doubled | s without service, copy 1 | copy 2 |\n\
                |---|--:|--:|--:|--:|--:|\n";
    lines.iter().fold(head.to_owned(), |text, line| format!("{text}{line}\n"))
}

/// Describes the results of the webhook deliveries.
pub fn of_webhook(events: usize, again: usize) -> String {
    format!("Of {events} events each came to the webhook, in their order; {again} times something came again.\n")
}

/// Replaces the text between the comments `cluster` and `/cluster` in `docs/operators/postgresql.md` with the table.
pub fn write(table: &str) -> Result<(), String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operators/postgresql.md");
    let old = std::fs::read_to_string(page).map_err(|e| format!("{page}: {e}"))?;
    let (begin, end) = ("<!-- cluster -->\n", "<!-- /cluster -->");
    let parts = old.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{page} has no {begin}"))?;
    std::fs::write(page, format!("{before}{begin}{table}{end}{after}")).map_err(|e| format!("{page}: {e}"))
}
