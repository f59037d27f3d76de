//! What is done so many times, where a constant counts it by another word: trials, drops of a ruler, throws of a quadrat. A
//! part of `count_mismatch`.

use super::count_mismatch::Placed;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::units::Dimension;

/// "Number of drops: 5", where a ruler is dropped ten times: these are trials, no liquid.
pub fn dropped<'l, 'c>(lesson: &'l Lesson<'c>, steps: &[Placed]) -> Vec<Placed<'l, 'c>> {
    let of_things = |(text, step): &Placed| {
        step.noun.as_ref().is_some_and(|noun| noun.head == "trial")
            && step.clause.clone().any(|at| lists!("drop release fall", text.lemma(at)))
    };
    if !steps.iter().any(of_things) {
        return Vec::new();
    }
    let drops = |text: &'l Text<'c>| {
        // "Number of drops: 5", "five drops from each height"
        let bare = |m: &Mention| m.noun.as_ref().is_none_or(|noun| m.per.as_ref() == Some(&noun.head));
        let counted = mentions(text).into_iter().filter(|m| m.dimension == Some(Dimension::Drops)).filter(bare);
        counted.map(move |mention| {
            let noun = Phrase { head: "trial".to_owned(), modifiers: Vec::new(), tokens: mention.tokens.clone() };
            (text, Mention { dimension: None, noun: Some(noun), ..mention })
        })
    };
    let solid = |text: &&Text| text.find(&["drops", "of"]).is_none();
    lesson.controlled().filter(solid).flat_map(drops).collect()
}

/// Whether a step does so often what a constant counts: "three trials on each surface", "pull it over every surface five
/// times"; "ten quadrats", "throw the quadrat twelve times"; "three rolls from each mark", "let it go five times from the low mark".
pub fn is_done(constant: &Mention, noun: &Phrase, (text, step): &Placed) -> bool {
    // "Ten times in all" are those of several levels.
    let in_all = text.sentence(step.tokens.start).any(|at| lists!("total all altogether", text.word(at)));
    let times = |done: &Phrase| text.word(done.tokens.end.wrapping_sub(1)) == "times" && !in_all;
    let framed = || {
        matches!(noun.head.as_str(), "quadrat" | "hoop" | "frame")
            && step.clause.clone().any(|at| text.lemma(at) == noun.head)
    };
    // "Five times from the low mark and five times from the high mark"
    let tried = step.noun.as_ref().is_some_and(|done| done.head == "trial");
    let alike = || match (&constant.per, &step.per) {
        (Some(one), Some(other)) => nouns::same_noun(one, other),
        (Some(one), None) => tried && step.clause.clone().any(|at| nouns::same_noun(text.lemma(at), one)),
        _ => false,
    };
    let counted =
        || noun.head == "trial" || tried && lists!("roll run drop launch throw test release toss race", &noun.head);
    step.noun.as_ref().is_some_and(times) && (framed() || counted() && alike())
}
