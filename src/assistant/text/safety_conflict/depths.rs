//! How deep pupils may go into the water, told by parts of the body: "not above the ankles", and a step in which they wade
//! out hip-deep.

use std::ops::Range;

use super::deeds::order;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// Parts of the body from below.
static PARTS: [List; 9] = [
    list!("toe toes foot feet sole"),
    list!("ankle ankles"),
    list!("shin shins calf calves"),
    list!("knee knees"),
    list!("thigh thighs"),
    list!("hip hips"),
    list!("waist waists belly navel tummy stomach"),
    list!("chest chests armpit armpits"),
    list!("shoulder shoulders neck necks chin"),
];

/// Words of water, and of being in it.
static WATER: List = list!(
    "water stream river pond brook creek burn beck lake sea surf ford wade wades waded wading deep deeper in into shallows"
);
const GOES: &[&str] =
    &["wade", "walk", "go", "step", "stand", "move", "head", "paddle", "climb", "enter", "get", "kneel", "work"];

/// The rule and its token, the step and its index and token.
type Broken<'l, 'c> = (&'l Text<'c>, usize, usize, &'l Text<'c>, usize);

/// The rules of how deep one may go, each with the first step that goes deeper.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let deeper = |rule: &'l Text<'c>| {
        let (at, most) = rule.sentences().into_iter().find_map(|sentence| limit(rule, &sentence))?;
        lesson.steps().find_map(|(index, step)| Some((rule, at, index, step, goes_to(step, most)?)))
    };
    lesson.safety().filter_map(deeper).collect()
}

/// How high up the body the part is that a word names: "hip" and "hip-deep".
fn rank(word: &str) -> Option<usize> {
    let part = ["-deep", "-high"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
    PARTS.iter().position(|names| names.has(part))
}

/// "Nobody goes in above the ankle", "no deeper than the knees", "to the ankles only".
fn limit(rule: &Text, sentence: &Range<usize>) -> Option<(usize, usize)> {
    let has = |words: List| sentence.clone().any(|t| words.has(rule.word(t)));
    let (at, most) = sentence.clone().find_map(|at| Some((at, rank(rule.word(at))?)))?;
    let scoped =
        has(list!("unless except if until apart trousers shoes socks shorts cover covered teacher adult hair"));
    if scoped || !has(WATER) || phrases::is_question(rule, at) {
        return None;
    }
    let near = |words: List| (at.saturating_sub(5).max(sentence.start)..at).any(|t| words.has(rule.word(t)));
    let beyond = near(list!("above over beyond past deeper higher further farther")) && phrases::is_denied(rule, at);
    let within = near(list!("to below under")) && has(list!("only maximum most stay stays keep keeps limit"));
    (beyond || within).then_some((at, most))
}

/// Where a step goes deeper than to a part.
fn goes_to(step: &Text, most: usize) -> Option<usize> {
    (0..step.tokens.len()).find(|at| rank(step.word(*at)).is_some_and(|rank| rank > most) && is_gone_to(step, *at))
}

/// Whether pupils go into the water up to the part of the body at a token: "at chest height" tells where a thing is held.
fn is_gone_to(step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let has = |words: List| sentence.clone().any(|t| words.has(step.word(t)));
    let before =
        |at: usize, words: List| (at.saturating_sub(4).max(sentence.start)..at).any(|t| words.has(step.word(t)));
    let covered = (at.saturating_sub(3).max(sentence.start)..at)
        .any(|t| lists!("at above over", step.word(t)) && before(t, list!("water stream river pond lake sea it")));
    let deep = lists!("- deep high", step.word(at + 1))
        || step.word(at).ends_with("-deep")
        || before(at, list!("to reaches past"))
        || covered;
    let held = lists!("height level", step.word(at + 1))
        || (phrases::clause_start(step, at)..at).any(|t| {
            step.word(t) == "pole" || phrases::verb(step.word(t), &["hold", "carry", "keep", "stretch"]).is_some()
        });
    let goes = sentence.clone().any(|t| phrases::verb(step.word(t), GOES).is_some() && order(step, t).is_some());
    let ashore =
        |t: usize| lists!("on along", step.word(t)) && (t + 1..t + 4).any(|t| lists!("bank shore jetty", step.word(t)));
    let spared = sentence.clone().any(|t| phrases::is_teacher(step, t) || ashore(t));
    deep && !held && goes && has(WATER) && !spared && !phrases::is_denied(step, at)
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn who_goes_deeper_than_allowed_is_found() {
        for (rule, step) in [
            (
                "Nobody goes into the water deeper than the ankles.",
                "Wade out to the middle of the stream, where it is hip-deep, and hold the net downstream.",
            ),
            (
                "Nobody goes in above the ankle.",
                "Two pupils wade out till the water is at their waists and stretch the tape.",
            ),
            ("Wade to the knees only.", "Step into the river up to your chest and read the pole."),
            ("Do not wade in past your knees.", "Walk in until the pond reaches up to your hips."),
            ("Stay in water below the knee.", "Go into the sea up to the waist."),
        ] {
            assert_eq!(count(rule, &[step]), 1, "{rule} {step}");
        }
    }

    #[test]
    fn who_stays_within_or_is_dry_is_passed_over() {
        for (rule, step) in [
            ("Nobody goes into the water deeper than the ankles.", "Wade in up to your ankles."),
            (
                "Nobody goes into the water deeper than the ankles.",
                "Hold the ball at your waist and let it go into the water.",
            ),
            ("Do not wade in past your knees.", "The teacher wades in up to the hips."),
            ("Do not wade in past your knees.", "Never go into the water up to your waist."),
            ("Shorts must not end above the knee.", "Go into the sea up to the waist."),
            ("Do not wade in past your knees.", "Stand in the stream and hold the flow meter at waist height."),
            ("Do not wade in past your knees.", "Stand on the bank of the river, the pole at your shoulder."),
            (
                "Go in to the ankles only; the water is cold.",
                "Step into the pool and stretch the line at chest height.",
            ),
        ] {
            assert_eq!(count(rule, &[step]), 0, "{rule} {step}");
        }
    }
}
