//! Remembers for which inputs a rule found nothing, so that an edit runs only the rules that it can affect.
//!
//! The inputs of a rule are the fields and facts that its conditions read. A rule is a pure function of its inputs, so
//! equal inputs give an equal result. Findings are not remembered, because they also quote other values.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};

use quick_cache::sync::Cache;

use super::input::Input;
use super::rule::Rule;
use crate::assistant::facts::{Facts, amounts};
use crate::domain::content::Content;

/// Maximum number of remembered results. A result takes some tens of bytes.
const MAX_RESULTS: usize = 8 * 1024;

/// Results of rules that found nothing, by the hash of the rule's inputs.
pub struct Passes {
    inputs: Vec<Input>,
    /// Indexes of each rule's inputs in `inputs`; `None` if they are known only when the rule runs.
    by_rule: Vec<Option<Vec<usize>>>,
    /// Hashes with a key of this process, so that nobody can construct two inputs with the same hash. By chance, two
    /// inputs have the same hash once in 10^19.
    hasher: RandomState,
    /// Cost of each rule that found nothing, in units of the meter.
    units: Cache<u64, u64>,
}

impl Passes {
    pub fn new(rules: &[Rule]) -> Self {
        let distinct: BTreeSet<&Input> = rules.iter().filter_map(Rule::inputs).flatten().collect();
        let inputs: Vec<Input> = distinct.into_iter().cloned().collect();
        let indexes = |of_rule: BTreeSet<&Input>| {
            of_rule.into_iter().filter_map(|input| inputs.binary_search(input).ok()).collect::<Vec<_>>()
        };
        let by_rule = rules.iter().map(|rule| rule.inputs().map(indexes)).collect();
        Self { inputs, by_rule, hasher: RandomState::new(), units: Cache::new(MAX_RESULTS) }
    }

    /// Returns a hash of each rule's inputs, in the order of the rules; `None` for a rule that must run.
    pub fn hashes(&self, content: &Content, facts: &Facts) -> Vec<Option<u64>> {
        let hash = |input: &Input| match input {
            Input::Field(field) => self.hasher.hash_one(content.get(field)),
            Input::Facts(function) => self.hasher.hash_one(facts.returned_by(function)),
            Input::Amounts(list) => self.hasher.hash_one(amounts(content, list)),
        };
        let hashes: Vec<u64> = self.inputs.iter().map(hash).collect();
        let of_rule = |(rule, inputs): (usize, &Option<Vec<usize>>)| {
            let inputs = inputs.as_ref()?.iter().map(|index| hashes.get(*index));
            Some(self.hasher.hash_one((rule, inputs.collect::<Vec<_>>())))
        };
        self.by_rule.iter().enumerate().map(of_rule).collect()
    }

    /// Returns the cost of the rule in units, if it found nothing for inputs with this hash.
    pub fn get(&self, hash: u64) -> Option<u64> {
        self.units.get(&hash)
    }

    /// Remembers that a rule found nothing for inputs with this hash, and its cost in units.
    pub fn insert(&self, hash: u64, units: u64) {
        self.units.insert(hash, units);
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/passes.rs"]
mod tests;
