//! Possible states of an investigation that only one worker changes. After a lost answer, the request was either
//! executed or not; no other state is possible.

use crate::phase::Ending;

#[derive(Debug, Clone, Copy)]
pub enum Step {
    Write(u64),
    Undo,
    Redo,
}

/// A possible state of an investigation.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    /// Version records, starting with version 1. Each has the number of its parent version, and its value.
    records: Vec<(usize, u64)>,
    version: usize,
}

/// All possible states, and the number of requests so far.
pub struct Walk {
    possible: Vec<State>,
    asked: u64,
}

impl Default for Walk {
    fn default() -> Self {
        Self { possible: vec![State { records: Vec::new(), version: 0 }], asked: 0 }
    }
}

impl Step {
    pub fn url(self) -> Option<&'static str> {
        match self {
            Step::Write(_) => None,
            Step::Undo => Some("undo"),
            Step::Redo => Some("redo"),
        }
    }

    pub fn value(self) -> u64 {
        if let Step::Write(value) = self { value } else { 0 }
    }
}

impl Walk {
    /// Returns the next request.
    pub fn next(&mut self) -> Step {
        self.asked += 1;
        match self.asked % 7 {
            3 | 5 | 6 => Step::Undo,
            4 => Step::Redo,
            _ => Step::Write(self.asked),
        }
    }

    /// Updates the possible states with the result of a request. `stands` is the version and value in the response.
    pub fn was_answered(
        &mut self,
        step: Step,
        ending: Ending,
        stands: (Option<u64>, Option<u64>),
    ) -> Result<(), String> {
        match ending {
            Ending::Refused => {}
            Ending::Unknown => {
                let with: Vec<State> = self.possible.iter().map(|state| state.after(step)).collect();
                self.possible.extend(with);
                self.possible.dedup();
            }
            Ending::Acknowledged(_) => {
                let before = std::mem::take(&mut self.possible);
                let is_there = |state: &State| stands == (Some(state.version as u64), Some(state.value()));
                self.possible = before.iter().map(|state| state.after(step)).filter(is_there).collect();
                if self.possible.is_empty() {
                    return Err(format!("{step:?} led to {stands:?}, from one of {before:?}"));
                }
            }
        }
        Ok(())
    }
}

impl State {
    fn value(&self) -> u64 {
        self.record(self.version).map_or(0, |(_, value)| value)
    }

    fn record(&self, version: usize) -> Option<(usize, u64)> {
        self.records.get(version.checked_sub(1)?).copied()
    }

    fn after(&self, step: Step) -> Self {
        let mut after = self.clone();
        match step {
            Step::Write(value) => {
                after.records.push((self.version, value));
                after.version = after.records.len();
            }
            Step::Undo => after.version = self.record(self.version).map_or(self.version, |(parent, _)| parent),
            Step::Redo => {
                let newest = self.records.iter().rposition(|(parent, _)| *parent == self.version);
                after.version = newest.map_or(self.version, |place| place + 1);
            }
        }
        after
    }
}
