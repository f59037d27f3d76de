//! Dangers that every laboratory and every field trip knows: what a rule says against each in whatever words, and what a
//! step says that runs it.
//!
//! The tables hold word classes; what ties a rule to a step is the danger, and where a row asks for it a thing of both.

mod apart;
mod habits;
mod people;
mod rows;
mod stuffs;
mod tools;

use std::ops::Range;

use super::acts::{Broken, same};
use super::deeds::order;
use super::names::{CHEMICALS, is_a};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};
use rows::{Danger, Deed, Says};

/// So many sentences of rules are heeded: more are no lesson's.
const MOST_RULES: usize = 48;
/// So far behind the verb its first word may stand, and each further one behind the one before.
const FAR: usize = 9;
const NEAR: usize = 4;

/// Words that tie nothing together.
const NO_TIE: &str = "and or but clear anything something thing class classroom lab room lesson student pupil child friend time way other purpose \
    reason moment point part area place side experiment activity partner people person anyone nobody everyone everybody \
    anybody someone yourself eye face hand finger thumb skin mouth head body end top bottom foot front edge middle metre cm \
    keep stay stays put leave go come get take use must should shall never always not only well away wear kept worn open \
    close closed shut sit stand work hold first second minute hour day group team share turn look see watch two one three \
    four step home back teacher adult everything nothing whole half line left right \
    sink drain plughole toilet gully basin waste";

/// A sentence of a rule.
struct Rule<'l, 'c> {
    text: &'l Text<'c>,
    range: Range<usize>,
    /// Whether it denies something.
    denies: bool,
    /// Whether something ends it.
    ends: bool,
    /// What it speaks of.
    things: Vec<String>,
}

impl Rule<'_, '_> {
    fn has(&self, words: List) -> bool {
        self.range.clone().any(|t| words.has(self.text.word(t)))
    }

    fn find(&self, words: List) -> Option<usize> {
        self.range.clone().find(|t| words.has(self.text.word(*t)))
    }
}

/// The rules against a danger, each with the first step that runs it.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let rules: Vec<Rule<'l, 'c>> = lesson.safety().flat_map(rules).take(MOST_RULES).collect();
    let broken = |rule: &Rule<'l, 'c>| {
        let first = |at: usize, run: &dyn Fn(&Text) -> Option<usize>| {
            lesson.steps().find_map(|(index, step)| Some((rule.text, at, index, step, run(step)?)))
        };
        let one = |at: Option<usize>, is: &dyn Fn(&Text, usize) -> bool| {
            first(at?, &|step| (0..step.tokens.len()).find(|t| is(step, *t)))
        };
        let mut dangers = people::DANGERS.iter().chain(stuffs::DANGERS).chain(habits::DANGERS);
        dangers
            .find_map(|danger| first(danger.rules_at(rule)?, &|step| run_at(rule, danger, step)))
            .or_else(|| one(tools::tool(rule), &|step, at| tools::handled(lesson, rule, step, at)))
            .or_else(|| one(apart::marker(rule), &|step, at| apart::joined(rule, step, at)))
    };
    rules.iter().filter_map(broken).collect()
}

fn rules<'l, 'c>(text: &'l Text<'c>) -> Vec<Rule<'l, 'c>> {
    let mut found = Vec::new();
    for range in text.sentences() {
        let open = range.clone().any(|t| {
            lists!("unless except optional if otherwise", text.word(t))
                || lists!("may can could might", text.word(t))
                    && (phrases::is_pupil(text.word(t.wrapping_sub(1))) || lists!("be", text.word(t + 1)))
                    && !lists!("not never only", text.word(t + 1))
                    && !(range.start..t).any(|n| phrases::is_denial(text.word(n)))
        });
        if open || phrases::is_question(text, range.start) {
            continue;
        }
        let denies = range.clone().any(|t| {
            phrases::is_denial(text.word(t)) && !lists!("without less rather instead", text.word(t))
                || lists!("forbidden prohibited banned dangerous unsafe", text.word(t))
        });
        // "Electrodes stay in the beaker; nobody lifts one out"
        let pronoun = range.clone().any(|t| lists!("one it them", text.word(t)));
        let before = range.start.checked_sub(1).filter(|_| pronoun).map(|last| text.sentence(last).start);
        let named = things(text, before.unwrap_or(range.start)..range.end);
        let ends = range.clone().any(|t| lists!("until till", text.word(t)));
        found.push(Rule { text, denies, ends, things: named, range });
    }
    found
}

/// What tokens speak of.
fn things(text: &Text, range: Range<usize>) -> Vec<String> {
    let mut words = phrases::content_words(text, range);
    words.retain(|word| word.len() > 2 && !lists!(NO_TIE, word) && !phrases::is_denial(word));
    words
}

impl Danger {
    /// Where a rule speaks against this danger.
    fn rules_at(&self, rule: &Rule) -> Option<usize> {
        let polar = match self.says {
            Says::Denied => rule.denies,
            Says::Asked => !rule.denies,
            Says::Either => true,
        };
        let first = self.rule.first()?;
        (polar && !rule.has(self.not) && self.rule.iter().all(|words| rule.has(*words))).then(|| rule.find(*first))?
    }
}

/// Where a step runs the danger that a rule speaks against.
fn run_at(rule: &Rule, danger: &Danger, step: &Text) -> Option<usize> {
    if rule.ends && (0..step.tokens.len()).any(|t| lists!("after once over finished done signal", step.word(t))) {
        return None;
    }
    let done = |deed: &Deed| {
        (0..step.tokens.len())
            .find(|at| deed.is_done(step, *at) && !is_spared(step, *at) && (!danger.tied || is_tied(rule, step, *at)))
    };
    danger.done.iter().find_map(done)
}

/// Whether a step asks for what the verb at a token says: "pour it out", "it is poured out".
fn is_asked_for(step: &Text, at: usize) -> bool {
    order(step, at).is_some() || !phrases::is_denied(step, at) && super::passive(step, at).is_some()
}

impl Deed {
    fn is_done(&self, step: &Text, at: usize) -> bool {
        if phrases::verb(step.word(at), self.verbs).is_none() || !is_asked_for(step, at) {
            return false;
        }
        let sentence = step.sentence(at);
        let said = |words: List, range: Range<usize>| range.into_iter().find(|t| words.has(step.word(*t)));
        let with = if self.anywhere { 0..step.tokens.len() } else { sentence.clone() };
        if said(self.spared, with.clone()).is_some()
            || !self.with.iter().all(|words| said(*words, with.clone()).is_some())
        {
            return false;
        }
        let mut last = at;
        for (index, words) in self.then.iter().enumerate() {
            let far = if index > 0 {
                NEAR
            } else if self.next {
                2
            } else {
                FAR
            };
            let range = last + 1..sentence.end.min(last + far + 1);
            let Some(found) = said(*words, range) else { return false };
            if (last + 1..found).any(|t| lists!("and then , ; : before after", step.word(t))) {
                return false;
            }
            last = found;
        }
        true
    }
}

/// Whether a sentence of a step is none to pupils, or of what is not so.
fn is_spared(step: &Text, at: usize) -> bool {
    step.sentence(at).any(|t| {
        phrases::is_teacher(step, t)
            || lists!(
                "photo picture video drawing diagram imagine pretend instead not never don't compare difference teacher's",
                step.word(t)
            )
    })
}

/// Whether a sentence of a step speaks of a thing of the rule.
fn is_tied(rule: &Rule, step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let pronoun = sentence.clone().any(|t| lists!("it them they one", step.word(t)));
    let range = if pronoun { 0..step.tokens.len() } else { sentence };
    let general =
        rule.has(list!("chemical chemicals anything nothing everything solution solutions residue residues waste"));
    range.clone().any(|t| {
        let lemma = step.lemma(t);
        rule.things.iter().any(|thing| same(thing, lemma) || is_a(lemma, thing))
    }) || general && range.clone().any(|t| lists!(CHEMICALS, step.word(t)))
}

#[cfg(test)]
mod tests;
