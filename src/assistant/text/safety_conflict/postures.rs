//! How everybody is to stand or sit, and a step in which they do not: "everyone stays standing behind the rope", and a step
//! that has them lie on the boards; "stay seated", and a step in which they jump up.

use std::ops::Range;

use super::deeds::order;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// A way to be, and what ends it: verbs with a word that must follow, if any.
struct Posture {
    words: List,
    ended: &'static [(&'static str, &'static str)],
}

static POSTURES: [Posture; 2] = [
    Posture {
        words: list!("standing upright feet"),
        ended: &[
            ("lie", "flat down on face stomach belly full"),
            ("lay", "down"),
            ("kneel", ""),
            ("crouch", ""),
            ("squat", ""),
            ("crawl", ""),
            ("sit", "down on in at"),
        ],
    },
    Posture {
        words: list!("seated sitting seat seats"),
        ended: &[
            ("stand", "up"),
            ("get", "up"),
            ("jump", "up"),
            ("run", "to across around round along from"),
            ("walk", "to across around round along about over"),
            ("hop", ""),
            ("skip", "to across around round along"),
            ("lie", "down flat on"),
        ],
    },
];

/// What nobody is to pass.
static BARRIERS: List = list!("rope line barrier tape fence rail railing railings cone cones cord screen");

/// The rule and its token, the step and its index and token.
type Broken<'l, 'c> = (&'l Text<'c>, usize, usize, &'l Text<'c>, usize);

/// The rules of how to stand, each with the first step that does otherwise.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let mut found = Vec::new();
    for rule in lesson.safety() {
        for sentence in rule.sentences() {
            let Some(at) = stays(rule, &sentence) else { continue };
            found.extend(lesson.steps().find_map(|(index, step)| {
                let done = (0..step.tokens.len()).find(|t| ends(rule, at, step, *t))?;
                Some((rule, at, index, step, done))
            }));
        }
    }
    found
}

/// Where a sentence tells everybody to stay as they are.
fn stays(rule: &Text, sentence: &Range<usize>) -> Option<usize> {
    let scoped = sentence.clone().any(|t| {
        lists!("unless except until if when while whenever during before after once apart anyone who", rule.word(t))
    });
    // "The waiting pupils", "the children in the circle"
    let partly = |at: usize| {
        (sentence.start..at).any(|t| {
            lists!("waiting watching those other others spectators", rule.word(t))
                || phrases::is_pupil(rule.word(t)) && lists!("in on at with from of near", rule.word(t + 1))
        })
    };
    let at = sentence.clone().find(|at| {
        phrases::verb(rule.word(*at), &["stay", "remain", "keep", "stand", "sit"]).is_some()
            && !phrases::is_denied(rule, *at)
    })?;
    (!scoped && !partly(at) && !phrases::is_question(rule, at)).then_some(at)
}

/// Feet and seats tell one only where one is on or in them: "keep your feet dry" does not.
fn is_posture(rule: &Text, at: usize) -> bool {
    !lists!("feet seat seats", rule.word(at)) || (at.saturating_sub(3)..at).any(|t| lists!("on in", rule.word(t)))
}

/// The places that tokens name with these prepositions, each with its words.
fn places<'t>(text: &'t Text, tokens: Range<usize>, prepositions: List) -> Vec<[&'t str; 2]> {
    let named = |t: &usize| {
        prepositions.has(text.word(*t))
            && lists!("the your a", text.word(t + 1))
            && text.word(t.wrapping_sub(1)) != "look"
    };
    let known =
        |place: &[&str; 2]| !place.iter().any(|word| lists!("feet seat seats edge board boards hand hands", word));
    tokens.filter(named).map(|t| [text.word(t + 2), text.word(t + 3)]).filter(known).collect()
}

/// Whether a rule is about one place and the sentence of a step about another: "seated on the bus", "at the lake".
fn is_elsewhere(rule: &Text, at: usize, step: &Text, done: usize) -> bool {
    let kept = places(rule, at..phrases::clause_end(rule, at), list!("on in at with"));
    let others = places(step, step.sentence(done), list!("on in at along around round across over"));
    !kept.is_empty()
        && others.iter().any(|other| !kept.iter().flatten().any(|word| !word.is_empty() && other.contains(word)))
}

/// Whether the word at a token is a barrier; a tape measure is none.
fn is_barrier(text: &Text, at: usize) -> bool {
    BARRIERS.has(text.word(at))
        && !lists!("measure measures", text.word(at + 1))
        && text.word(at.wrapping_sub(1)) != "measuring"
}

/// Whether a step tells the time at which a barrier may be passed.
fn is_cleared(step: &Text, done: usize) -> bool {
    let cleared =
        |t: usize| lists!("when once after signal clear all-clear turn turns told says signals", step.word(t));
    (0..done).any(cleared) || step.sentence(done).any(cleared)
}

/// Whether the verb at a token of a step ends what a rule demands.
fn ends(rule: &Text, at: usize, step: &Text, done: usize) -> bool {
    let end = phrases::clause_end(rule, at).min(at + 7);
    let (verb_end, word) = (phrases::clause_end(step, done), step.word(done));
    let follows = |words: &str| words.is_empty() || lists(words, step.word(done + 1));
    let held = |t: usize| lists!("stay remain keep stays remains keeps staying", rule.word(at)) && t < at + 5;
    let risen = || {
        let posture = POSTURES
            .iter()
            .find(|known| (at + 1..end).any(|t| held(t) && known.words.has(rule.word(t)) && is_posture(rule, t)));
        posture.is_some_and(|known| {
            known.ended.iter().any(|(verb, words)| phrases::is_form_of(word, verb) && follows(words))
        })
    };
    let passed = || {
        let behind = (at + 1..end).find(|t| rule.word(*t) == "behind" && rule.word(t + 1) == "the");
        let barrier = behind.and_then(|behind| (behind + 2..end).find(|t| is_barrier(rule, *t)));
        barrier.is_some_and(|barrier| {
            phrases::verb(
                word,
                &["climb", "step", "duck", "cross", "jump", "go", "crawl", "walk", "pass", "slip", "lean"],
            )
            .is_some()
                && (done + 1..verb_end.min(done + 5))
                    .any(|t| is_barrier(step, t) && step.lemma(t) == rule.lemma(barrier))
                && (phrases::is_form_of(word, "cross")
                    || (done + 1..done + 3).any(|t| lists!("over under across past beyond through", step.word(t))))
        })
    };
    let spared =
        || step.sentence(done).any(|t| phrases::is_teacher(step, t) || lists!("imagine pretend photo", step.word(t)));
    (risen() && !is_elsewhere(rule, at, step, done) || passed() && !is_cleared(step, done))
        && order(step, done).is_some()
        && !spared()
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn who_does_not_stay_as_told_is_found() {
        for (rule, step) in [
            ("Everyone stays standing and behind the rope.", "Lie flat on the boards and look down."),
            ("Stay on your feet on the jetty.", "Kneel at the edge and dip the jar."),
            ("Everybody remains seated on the bus and at the table.", "Jump up and look at the far bank."),
            ("Stay behind the rope.", "Step over the rope and pick up the rocket."),
        ] {
            assert_eq!(count(rule, &[step]), 1, "{rule} {step}");
        }
    }

    #[test]
    fn who_stays_or_is_told_of_something_else_is_passed_over() {
        for (rule, step) in [
            ("Everyone stays standing and behind the rope.", "Stand at the rope and lay the card on the table."),
            ("Stay seated while the glue dries.", "Stand up and fetch the tray."),
            ("Stay seated.", "Stand the bottle on the tray and walk through the questions."),
            ("Stay behind the rope.", "The teacher steps over the rope."),
            ("Keep your feet dry.", "Kneel on the mat."),
            ("Remain seated on the bus.", "At the lake, walk along the shore and count birds."),
            ("Stay on your feet at the hotplate.", "Sit in a circle on the carpet and tell what you saw."),
            ("The waiting pupils stay behind the line.", "Step over the line and throw the glider."),
            ("Stay behind the rope.", "When the all-clear is given, walk past the rope."),
            ("The children in the circle remain seated.", "Walk around the circle with the bulb."),
            ("Stay behind the tape.", "Walk along past the tape measure."),
        ] {
            assert_eq!(count(rule, &[step]), 0, "{rule} {step}");
        }
    }
}
