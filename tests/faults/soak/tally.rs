//! Results of the requests of a soak, and the memory of the service.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::caller::Outcome;

/// Error codes that the workers may get. `store_unavailable` and `internal_error` are not allowed, because no fault
/// concerns the store except that the service is killed.
const OF_THE_CONTRACT: [&str; 17] = [
    "busy",
    "changed_meanwhile",
    "chat_not_found",
    "investigation_not_found",
    "link_exists",
    "link_not_found",
    "model_failed",
    "no_proposal_taken",
    "not_resolved",
    "nothing_to_redo",
    "nothing_to_undo",
    "revision_mismatch",
    "route_not_found",
    "stopping",
    "too_many_changes",
    "validation_failed",
    "version_not_found",
];

/// Counts that all workers share. Cheap to clone.
#[derive(Clone, Default)]
pub struct Tally(Arc<Mutex<Counts>>);

#[derive(Default)]
pub struct Counts {
    /// Number of successful requests, by operation.
    pub done: BTreeMap<&'static str, u64>,
    /// Number of failures, by code.
    pub failed: BTreeMap<String, u64>,
    /// Number of requests without a connection or without a response.
    pub unanswered: u64,
    pub aborted: u64,
    pub histories: u64,
    /// Number of operations in all histories.
    pub operations: u64,
    /// Number of faults, by name.
    pub faults: BTreeMap<&'static str, u64>,
    /// Descriptions of everything that is wrong.
    pub wrong: Vec<String>,
}

impl Tally {
    pub fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records the result of a request.
    pub fn note(&self, operation: &'static str, outcome: &Outcome) {
        let mut counts = self.counts();
        match outcome {
            Outcome::Done(_) => *counts.done.entry(operation).or_default() += 1,
            Outcome::NotConnected | Outcome::Unanswered => counts.unanswered += 1,
            Outcome::Wrong(words) => counts.wrong.push(format!("{operation}: {words}")),
            Outcome::Failed { code, said } => {
                if !OF_THE_CONTRACT.contains(&code.as_str()) {
                    counts.wrong.push(format!("{operation}: {code}: {said}"));
                }
                *counts.failed.entry(code.clone()).or_default() += 1;
            }
        }
    }
}

/// Samples of the resident memory of one process, in MiB.
#[derive(Default)]
pub struct Memory(Vec<f64>);

impl Memory {
    /// Adds a sample of the memory of a process.
    pub fn look(&mut self, id: u32) {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.split_whitespace().next()?.parse().ok());
        self.0.extend(kib.map(|kib: f64| kib / 1024.0));
    }

    /// Returns the medians of the middle third and of the last third. The first third is ignored, because the caches
    /// still grow.
    pub fn thirds(&self) -> (f64, f64) {
        let third = self.0.len() / 3;
        (median(self.0.iter().skip(third).take(third)), median(self.0.iter().skip(2 * third)))
    }

    /// Returns true if the memory has grown by no more than a tenth plus 8 MiB.
    pub fn is_flat(&self) -> bool {
        // A short soak ends before the caches are full.
        if self.0.len() < 30 {
            return true;
        }
        let (middle, last) = self.thirds();
        last <= middle * 1.1 + 8.0
    }

    pub fn samples(&self) -> usize {
        self.0.len()
    }
}

fn median<'a>(samples: impl Iterator<Item = &'a f64>) -> f64 {
    let mut sorted: Vec<f64> = samples.copied().collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
