//! Remembers for which inputs a rule found nothing, so that an edit runs only the rules that it can affect.
//!
//! The inputs of a rule are the fields and facts that its conditions read. A rule is a pure function of its inputs, so
//! equal inputs give an equal result. Findings are not remembered, because they also quote other values.

use std::hash::{BuildHasher as _, RandomState};

use quick_cache::sync::Cache;

use super::input::Input;
use super::rule::Rule;
use crate::assistant::facts::Facts;

/// Maximum number of remembered results. A result takes some tens of bytes.
const MAX_RESULTS: usize = 8 * 1024;

/// Results of rules that found nothing.
pub struct Passes {
    /// Inputs of each rule; `None` if they are known only when the rule runs.
    inputs: Vec<Option<Vec<Input>>>,
    key: RandomState,
    /// Cost of each rule that found nothing, in units of the meter, by the hash of the rule and its inputs.
    pub units: Cache<u64, u64>,
}

impl Passes {
    pub fn new(rules: &[Rule]) -> Self {
        let inputs = |rule: &Rule| rule.inputs().map(|inputs| inputs.into_iter().cloned().collect());
        Self { inputs: rules.iter().map(inputs).collect(), key: RandomState::new(), units: Cache::new(MAX_RESULTS) }
    }

    /// Returns a hash of each rule and its inputs, in the order of the rules; `None` for a rule that must run.
    pub fn hashes(&self, facts: &Facts) -> Vec<Option<u64>> {
        let hash = |input: &Input| match input {
            Input::Field(field) => self.key.hash_one(facts.hash_of(field)),
            Input::Facts(function) => self.key.hash_one(facts.returned_by(function)),
            Input::Amounts(list) => self.key.hash_one(facts.amounts_of(list)),
        };
        let of_rule = |(rule, inputs): (usize, &Option<Vec<Input>>)| {
            let inputs = inputs.as_ref()?.iter().map(hash).collect::<Vec<_>>();
            Some(self.key.hash_one((rule, inputs)))
        };
        self.inputs.iter().enumerate().map(of_rule).collect()
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/rules/passes.rs"]
mod tests;
