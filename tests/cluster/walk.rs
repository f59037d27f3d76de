//! What an investigation with one hand may look like: after an answer that was lost, either of two ways, and no other.

use crate::phase::Ending;

/// One thing that is asked.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    Write(u64),
    Undo,
    Redo,
}

/// An investigation as it may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stand {
    /// Of each record, from version 1: the version that it was made on, and the value that it wrote.
    records: Vec<(usize, u64)>,
    version: usize,
}

/// All ways in which it may stand, and what was asked so far.
pub struct Walk {
    may_stand: Vec<Stand>,
    asked: u64,
}

impl Default for Walk {
    fn default() -> Self {
        Self { may_stand: vec![Stand { records: Vec::new(), version: 0 }], asked: 0 }
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
    /// What to ask next.
    pub fn next(&mut self) -> Step {
        self.asked += 1;
        match self.asked % 7 {
            3 | 5 | 6 => Step::Undo,
            4 => Step::Redo,
            _ => Step::Write(self.asked),
        }
    }

    /// Takes an answer in: where it stands, by version and value.
    ///
    /// # Errors
    /// Where no way leads there.
    pub fn was_answered(
        &mut self,
        step: Step,
        ending: Ending,
        stands: (Option<u64>, Option<u64>),
    ) -> Result<(), String> {
        match ending {
            Ending::Refused => {}
            Ending::Unknown => {
                let with: Vec<Stand> = self.may_stand.iter().map(|stand| stand.after(step)).collect();
                self.may_stand.extend(with);
                self.may_stand.dedup();
            }
            Ending::Acknowledged(_) => {
                let before = std::mem::take(&mut self.may_stand);
                let is_there = |stand: &Stand| stands == (Some(stand.version as u64), Some(stand.value()));
                self.may_stand = before.iter().map(|stand| stand.after(step)).filter(is_there).collect();
                if self.may_stand.is_empty() {
                    return Err(format!("{step:?} led to {stands:?}, from one of {before:?}"));
                }
            }
        }
        Ok(())
    }
}

impl Stand {
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
