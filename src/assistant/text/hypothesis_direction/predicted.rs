//! What a hypothesis says goes which way, and whether another sentence has it go the other.

use std::ops::Range;

use super::claims::{Claim, claims, pieces};
use super::{Opposed, compares};
use crate::assistant::facts::directions::{self, Clause, Relation};
use crate::assistant::facts::lesson::{Role, Text};
use crate::assistant::facts::poles::{self, Dimension, Form, Pole};
use crate::assistant::facts::stances::Stance;

/// What the hypothesis says.
pub(super) struct Predicted {
    relations: Vec<Relation>,
    claims: Vec<Claim>,
    /// The words of each of its clauses.
    clauses: Vec<Vec<String>>,
}

impl Predicted {
    pub fn read(hypothesis: &Text) -> Self {
        let mut read = Self { relations: Vec::new(), claims: Vec::new(), clauses: Vec::new() };
        for sentence in hypothesis.sentences() {
            let said = directions::without_reason(hypothesis, sentence);
            let relation = directions::relation(hypothesis, said.clone());
            match &relation {
                Some(relation) if relation.cause.poles.iter().any(|pole| pole.form != Form::Plain) => {
                    read.claims.extend(of_the_effect(relation));
                }
                _ => read.claims.extend(claims(hypothesis, &said)),
            }
            read.relations.extend(relation);
            let clauses =
                pieces(hypothesis, &said).into_iter().map(|piece| directions::clause(hypothesis, piece).words);
            read.clauses.extend(clauses);
        }
        read
    }

    pub fn opposed(&self, text: &Text, sentence: &Range<usize>, stance: Stance) -> Opposed {
        let mut said = directions::without_reason(text, sentence.clone());
        // "Our hypothesis was confirmed, since it fell": the reason is what tells.
        if stance == Stance::Agrees && !compares(text, &said) {
            said = sentence.clone();
        }
        if let Some(relation) = directions::relation(text, said.clone()) {
            return self.relations.iter().map(|known| opposed(known, &relation, stance)).max().unwrap_or(Opposed::No);
        }
        let opposed =
            claims(text, &said).iter().map(|claim| self.denied_by(claim, stance)).max().unwrap_or(Opposed::No);
        // What a step sees may come and go within it.
        let fleeting = matches!(text.role, Role::Step(_)) && stance == Stance::States;
        if fleeting { opposed.min(Opposed::Maybe) } else { opposed }
    }

    /// Whether a claim goes against one of the hypothesis, and with none.
    fn denied_by(&self, claim: &Claim, stance: Stance) -> Opposed {
        // The smallest of one thing is not the most of another.
        let apart = |known: &Claim| {
            (claim.elliptical || known.elliptical)
                && !known.of.is_empty()
                && !claim.of.is_empty()
                && !shares(&known.of, &claim.of)
        };
        let alike = |known: &&Claim| {
            !apart(known)
                && known.pole.dimension == claim.pole.dimension
                && (stance == Stance::Agrees || !known.follows && !claim.follows)
                && (known.pole.dimension != Dimension::Amount || shares(&known.words, &claim.words))
        };
        let within = |one: &[String], other: &[String]| !one.is_empty() && one.iter().all(|word| other.contains(word));
        let known = || self.claims.iter().filter(alike);
        let same = |known: &Claim| within(&claim.words, &known.words) || within(&known.words, &claim.words);
        if known().any(|known| known.pole.up == claim.pole.up && same(known)) {
            return Opposed::No;
        }
        known().map(|known| self.goes_against(known, claim, stance)).max().unwrap_or(Opposed::No)
    }

    fn goes_against(&self, known: &Claim, claim: &Claim, stance: Stance) -> Opposed {
        let lacks = |words: &[String], word: &String| !words.contains(word);
        let own = |one: &[String], other: &[String]| -> Vec<String> {
            one.iter().filter(|word| lacks(other, word)).cloned().collect()
        };
        let agrees = stance == Stance::Agrees;
        let (mine, theirs) = (own(&known.words, &claim.words), own(&claim.words, &known.words));
        let same_set = mine.is_empty() && theirs.is_empty() && !known.words.is_empty();
        if known.pole.up != claim.pole.up {
            let contained =
                !known.words.is_empty() && !claim.words.is_empty() && (mine.is_empty() || theirs.is_empty());
            let two_sided = matches!(known.pole.dimension, Dimension::Buoyancy | Dimension::Attraction);
            return match (agrees && contained, same_set && (two_sided || known.words.len() > 1), same_set) {
                (true, _, _) | (_, true, _) => Opposed::Surely,
                (_, _, true) => Opposed::Maybe,
                _ => Opposed::No,
            };
        }
        let of_two = |claim: &Claim| claim.pole.form == Form::Most || !claim.than.is_empty();
        if !of_two(known) || !of_two(claim) || mine.is_empty() || theirs.is_empty() {
            return Opposed::No;
        }
        // "A is warmer than B", and "B is warmer than A".
        let turned = shares(&mine, &claim.than) && shares(&theirs, &known.than);
        let other_subject = shares(&theirs, &known.than)
            || self.clauses.iter().any(|words| shares(words, &theirs) && !shares(words, &mine));
        match (turned, agrees && other_subject) {
            (true, _) | (_, true) => Opposed::Surely,
            _ => Opposed::No,
        }
    }
}

/// The effect of a cause that goes up: with "the more we heat it, the softer it gets" goes "it got softer".
fn of_the_effect(relation: &Relation) -> Option<Claim> {
    let [pole] = relation.effect.poles[..] else { return None };
    let rises = relation.cause.poles.iter().all(|pole| pole.up);
    let words = relation.effect.words.iter().chain(&relation.cause.words).cloned().collect();
    rises.then_some(Claim { words, than: Vec::new(), pole, of: Vec::new(), elliptical: false, follows: false })
}

fn shares(one: &[String], other: &[String]) -> bool {
    let begins = |one: &str, other: &str| other.len() > 3 && one.starts_with(other);
    one.iter().any(|one| other.iter().any(|other| one == other || begins(one, other) || begins(other, one)))
}

/// Whether two relations go against each other: the same cause, and effects that go apart.
fn opposed(known: &Relation, said: &Relation, stance: Stance) -> Opposed {
    let (mut with, mut against) = (false, Opposed::No);
    for (cause, of_cause) in matching(&known.cause, &said.cause, Stance::States) {
        for (effect, of_effect) in matching(&known.effect, &said.effect, stance) {
            if (cause.0.up == effect.0.up) == (cause.1.up == effect.1.up) {
                with = true;
                continue;
            }
            let sure = stance == Stance::Agrees || of_cause && of_effect;
            let maybe = of_cause || of_effect;
            let opposed = match (sure, maybe) {
                (true, _) => Opposed::Surely,
                (_, true) => Opposed::Maybe,
                _ => Opposed::No,
            };
            against = against.max(opposed);
        }
    }
    if with { Opposed::No } else { against }
}

/// The poles of one dimension in both clauses, and whether they are said of the same for sure.
fn matching<'a>(one: &'a Clause, other: &'a Clause, stance: Stance) -> Vec<((&'a Pole, &'a Pole), bool)> {
    // "As predicted, the count fell": of what was counted.
    let shared = shares(&one.words, &other.words) || stance == Stance::Agrees && other.words.is_empty();
    let is_bare = |clause: &Clause| clause.words.iter().all(|word| poles::measure(word).is_some());
    let bare = is_bare(one) || is_bare(other);
    let mut found = Vec::new();
    for pole in &one.poles {
        for same in other.poles.iter().filter(|same| same.dimension == pole.dimension) {
            let vague = pole.dimension == Dimension::Amount;
            if shared || !vague {
                found.push(((pole, same), shared || bare));
            }
        }
    }
    found
}
