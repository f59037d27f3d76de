//! Rows of the tables of dangers.

use crate::assistant::facts::lists::{List, list};

/// Whether a rule denies something or asks for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    Denied,
    Asked,
    Either,
}

/// What a rule says against a danger, and what runs it.
pub(super) struct Danger {
    pub(super) says: Says,
    /// Of each of these the sentence of the rule has a word.
    pub(super) rule: &'static [List],
    /// Of these it has none.
    pub(super) not: List,
    /// Whether the step must speak of a thing of the rule.
    pub(super) tied: bool,
    /// Any of these runs the danger.
    pub(super) done: &'static [Deed],
}

/// An order in a step.
pub(super) struct Deed {
    pub(super) verbs: &'static [&'static str],
    /// What follows the verb, one after the other.
    pub(super) then: &'static [List],
    /// Whether the first of it follows at once.
    pub(super) next: bool,
    /// Of each of these the sentence has a word.
    pub(super) with: &'static [List],
    /// Whether these words may stand in another sentence of the step.
    pub(super) anywhere: bool,
    /// Of these it has none.
    pub(super) spared: List,
}

pub(super) const DANGER: Danger = Danger { says: Says::Denied, rule: &[], not: list!(""), tied: false, done: &[] };
pub(super) const DEED: Deed =
    Deed { verbs: &[], then: &[], next: false, with: &[], anywhere: false, spared: list!("") };
