//! What is done so many times, where a constant counts it by another word: trials, drops of a ruler, throws of a quadrat. A
//! part of `count_mismatch`.

use super::count_mismatch::Placed;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::units::Dimension;

/// "Number of drops: 5", where a ruler is dropped ten times: these are trials, no liquid.
pub fn dropped<'l, 'c>(lesson: &'l Lesson<'c>, steps: &[Placed]) -> Vec<Placed<'l, 'c>> {
    let of_things = |(text, step): &Placed| {
        step.noun.as_ref().is_some_and(|noun| noun.head == "trial")
            && step.clause.clone().any(|at| text.lemma(at) == "drop")
    };
    if !steps.iter().any(of_things) {
        return Vec::new();
    }
    let drops = |text: &'l Text<'c>| {
        let counted = mentions(text).into_iter().filter(|m| m.dimension == Some(Dimension::Drops) && m.noun.is_none());
        counted.map(move |mention| {
            let noun = Phrase { head: "trial".to_owned(), modifiers: Vec::new(), tokens: mention.tokens.clone() };
            (text, Mention { dimension: None, noun: Some(noun), ..mention })
        })
    };
    let solid = |text: &&Text| text.find(&["drops", "of"]).is_none();
    lesson.controlled().filter(solid).flat_map(drops).collect()
}

/// Whether a step does so often what a constant counts: "three trials on each surface", "pull it over every surface five
/// times"; "ten quadrats", "throw the quadrat twelve times".
pub fn is_done(constant: &Mention, noun: &Phrase, (text, step): &Placed) -> bool {
    let times = |done: &Phrase| text.word(done.tokens.end.wrapping_sub(1)) == "times";
    let framed = || {
        matches!(noun.head.as_str(), "quadrat" | "hoop" | "frame")
            && step.clause.clone().any(|at| text.lemma(at) == noun.head)
    };
    let alike = || matches!((&constant.per, &step.per), (Some(one), Some(other)) if nouns::same_noun(one, other));
    step.noun.as_ref().is_some_and(times) && (framed() || noun.head == "trial" && alike())
}
