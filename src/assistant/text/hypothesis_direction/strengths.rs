//! How much there is of a stuff, told by how strong it is: "the more vinegar, the more mass is lost", and "as predicted, the
//! chalk lost the least mass in undiluted vinegar and the most in plain water".

use std::ops::Range;

use super::marks::{Mark, marks};
use super::parts::{pieces, same};
use crate::assistant::facts::directions::without_reason;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::Dimension;

/// Words before a stuff of which there is nothing else.
const MUCH: &str = "undiluted pure neat concentrated strong strongest straight full-strength";
/// Words before water in which there is nothing else.
const NONE: &str = "plain pure tap distilled clean fresh deionised deionized unsalted unsweetened";
/// Words with which less is what another sentence calls more.
const LOSSES: &str =
    "lose loses lost losing loss drop dropped shrank shrink left remaining remained remain kept keep keeps";

/// Whether a sentence that says that it agrees has the effect where there is none of the cause.
pub(super) fn is_turned_round(hypothesis: &Text, text: &Text, sentence: &Range<usize>) -> bool {
    let Some((cause, effect)) = pair(hypothesis) else { return false };
    let lost = |text: &Text, mut range: Range<usize>| range.any(|at| lists!(LOSSES, text.word(at)));
    // "Faster in salt water than in plain water" tells of both.
    let compares = sentence.clone().any(|at| lists!("than compared unlike against", text.word(at)));
    if compares || lost(text, sentence.clone()) != lost(hypothesis, 0..hypothesis.tokens.len()) {
        return false;
    }
    let verdicts = pieces(text, sentence).into_iter().flat_map(|piece| halves(text, piece)).filter_map(|piece| {
        let much = is_much(text, &piece, &cause)?;
        // "The least mass", and "the most"
        let amount = matches!(effect.dimension, Dimension::Amount | Dimension::Weight);
        let of_it = |mark: &Mark| {
            let shared = mark.of.is_empty() || mark.of.iter().any(|of| effect.of.contains(of));
            mark.dimension == Dimension::Amount && amount && shared
        };
        let told = marks(text, piece).into_iter().filter(|mark| !mark.plain && (same(&effect, mark) || of_it(mark)));
        let [mark] = &told.collect::<Vec<_>>()[..] else { return None };
        Some((cause.up == effect.up) != (much == mark.up))
    });
    let verdicts: Vec<bool> = verdicts.collect();
    !verdicts.is_empty() && verdicts.iter().all(|turned| *turned)
}

/// The two parts of "the least in vinegar and the most in plain water".
fn halves(text: &Text, piece: Range<usize>) -> Vec<Range<usize>> {
    match piece.clone().find(|at| text.word(*at) == "and" && text.word(at + 1) == "the") {
        Some(and) => vec![piece.start..and, and + 1..piece.end],
        None => vec![piece],
    }
}

/// "The more vinegar there is, the more mass will be lost": the amount of a stuff, and what goes with it.
fn pair(hypothesis: &Text) -> Option<(Mark, Mark)> {
    hypothesis.sentences().into_iter().find_map(|sentence| {
        let said = without_reason(hypothesis, sentence);
        // "The more mass it will lose" has a word of loss behind.
        let all = marks(hypothesis, said);
        let ([cause, effect] | [cause, effect, _]) = &all[..] else { return None };
        let stuff = cause.dimension == Dimension::Amount && !cause.size && !cause.of.is_empty();
        (stuff && !effect.plain && !cause.of.iter().any(|of| of == "water")).then(|| (cause.clone(), effect.clone()))
    })
}

/// Whether a piece is of much of the stuff, or of water in which there is none of it.
fn is_much(text: &Text, piece: &Range<usize>, cause: &Mark) -> Option<bool> {
    piece.clone().find_map(|at| {
        let before = text.word(at.wrapping_sub(1));
        if lists!(MUCH, before) && cause.of.contains(&stem(text.lemma(at))) {
            return Some(true);
        }
        (text.word(at) == "water" && lists!(NONE, before)).then_some(false)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    #[test]
    fn an_effect_where_there_is_none_of_the_cause_is_found() {
        for (hypothesis, assessment) in [
            (
                "The more vinegar there is in the cup, the more mass the chalk will lose.",
                "As we predicted, the chalk lost the least mass in undiluted vinegar and the most in plain water.",
            ),
            (
                "The more salt there is in the water, the faster the ice will melt.",
                "As predicted, the ice melted fastest in plain water.",
            ),
            (
                "The more sugar we add, the more bubbles the yeast will make.",
                "Our prediction was right: most bubbles came off in tap water.",
            ),
        ] {
            assert_eq!(found(hypothesis, assessment).0, 1, "{assessment}");
        }
    }

    #[test]
    fn an_effect_where_there_is_much_of_the_cause_is_passed_over() {
        for (hypothesis, assessment) in [
            (
                "The more vinegar there is in the cup, the more mass the chalk will lose.",
                "As we predicted, the chalk lost the most mass in undiluted vinegar and the least in plain water.",
            ),
            (
                "The more vinegar there is in the cup, the more mass the chalk will lose.",
                "As we predicted, the chalk had the least mass at the end in undiluted vinegar.",
            ),
            (
                "The more salt there is in the water, the faster the ice will melt.",
                "As predicted, the ice melted slowest in plain water.",
            ),
            (
                "The more salt there is in the water, the slower the seeds sprout.",
                "As predicted, the seeds sprouted fastest in plain water.",
            ),
            (
                "The more salt there is in the water, the faster the ice will melt.",
                "As predicted, the ice melted faster in salt water than in plain water.",
            ),
            (
                "The more salt there is in the water, the faster the ice will melt.",
                "As predicted, the ice melted faster compared with plain water.",
            ),
            (
                "The more sugar we add, the more bubbles the yeast will make.",
                "Why did most bubbles come off in tap water?",
            ),
        ] {
            assert_eq!(found(hypothesis, assessment).0, 0, "{assessment}");
        }
    }
}
