//! Cues: what a rule says and what a step says against it, in word classes, where both speak of one thing: "nobody leaves
//! the hot plate without watching it", and a step that goes to the library while it runs.
//!
//! A row holds the words of the rule, the verbs of an order in the step, and its other words; the thing ties them together.

mod apart;
mod rows;
mod special;

use std::ops::Range;

use super::acts::{Broken, same};
use super::deeds::order;
use super::names::{CHEMICALS, is_a};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};
use rows::{ROWS, Row, Says};

/// So many sentences of rules are heeded: more are no lesson's.
const MOST_RULES: usize = 48;

/// Words that tie nothing together.
const NO_TIE: &str = "anything something thing class classroom lab room lesson student pupil child friend time way other purpose \
    reason moment point part area place side experiment activity partner people person anyone nobody everyone everybody \
    anybody someone yourself eye face hand finger thumb skin mouth head body end top bottom foot front edge middle metre cm \
    keep stay stays put leave go come get take use must should shall never always not only well away wear kept worn open \
    close closed shut sit stand work hold first second minute hour day group team share turn look see watch two one three \
    four step home back teacher adult everything nothing whole half line left right \
    sink drain plughole toilet gully basin waste";

/// A sentence of a rule.
pub(super) struct Rule<'l, 'c> {
    text: &'l Text<'c>,
    range: Range<usize>,
    /// Whether it denies something.
    denies: bool,
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

/// The rules with the first step that holds a cue against each.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let rules: Vec<Rule<'l, 'c>> = lesson.safety().flat_map(rules).take(MOST_RULES).collect();
    let mut found = Vec::new();
    for rule in &rules {
        let row = ROWS.iter().find_map(|row| {
            let at = row.fits(rule)?;
            let (index, step, done) =
                lesson.steps().find_map(|(index, step)| Some((index, step, against(rule, row, step)?)))?;
            Some((rule.text, at, index, step, done))
        });
        found.extend(row.or_else(|| special::find(lesson, rule)));
    }
    found
}

fn rules<'l, 'c>(text: &'l Text<'c>) -> Vec<Rule<'l, 'c>> {
    let mut found = Vec::new();
    for range in text.sentences() {
        let open = range.clone().any(|t| {
            lists!("unless except optional if otherwise until", text.word(t))
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
        found.push(Rule { text, denies, things: things(text, range.clone()), range });
    }
    found
}

/// What tokens speak of.
fn things(text: &Text, range: Range<usize>) -> Vec<String> {
    let mut words = phrases::content_words(text, range);
    words.retain(|word| word.len() > 2 && !lists!(NO_TIE, word) && !phrases::is_denial(word));
    words
}

impl Row {
    /// Where a rule says what the row is about.
    fn fits(&self, rule: &Rule) -> Option<usize> {
        let polar = match self.says {
            Says::Denied => rule.denies,
            Says::Asked => !rule.denies,
            Says::Either => true,
        };
        let first = self.rule.first()?;
        let at = rule.find(*first)?;
        let near = |denial: usize| at - denial <= 3 && lists!("no without never", rule.text.word(denial));
        let denied = !self.denied || phrases::denial(rule.text, at).is_some_and(near);
        (polar && denied && !rule.has(self.not) && self.rule.iter().all(|words| rule.has(*words))).then_some(at)
    }
}

/// Where a step does what a row holds against a rule.
fn against(rule: &Rule, row: &Row, step: &Text) -> Option<usize> {
    (0..step.tokens.len()).find(|at| {
        let verb = phrases::verb(step.word(*at), row.verbs).is_some();
        if !verb {
            return false;
        }
        let sentence = step.sentence(*at);
        // What an order says may begin before it: "straight from the pond we sit down".
        let range = if row.whole { sentence.clone() } else { *at + 1..sentence.end };
        let has = |words: List| range.clone().any(|t| words.has(step.word(t)) && !phrases::is_denied(step, t));
        row.step.iter().all(|words| has(*words))
            && !sentence.clone().any(|t| row.spared.has(step.word(t)))
            && order(step, *at).is_some()
            && !is_spared(step, *at)
            && (!row.tied || is_tied(rule, step, *at))
    })
}

/// Whether a sentence of a step is none to pupils, or of what is not so.
pub(super) fn is_spared(step: &Text, at: usize) -> bool {
    step.sentence(at).any(|t| {
        phrases::is_teacher(step, t)
            || lists!(
                "photo picture video drawing diagram imagine pretend instead not never don't compare difference teacher's",
                step.word(t)
            )
    })
}

/// Whether a sentence of a step speaks of a thing of the rule.
pub(super) fn is_tied(rule: &Rule, step: &Text, at: usize) -> bool {
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
