//! What is predicted of one of two things that a condition sets against each other: "if the water is warm instead of cold, the
//! yeast will make more gas".

use std::ops::Range;

use super::entities::Entity;
use super::ranks::{Rank, pieces, rank};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;

/// What the one of them is ranked by.
pub(super) fn ranks(text: &Text, sentence: &Range<usize>) -> Vec<Rank> {
    let Some((one, other, rest)) = told_apart(text, sentence) else { return Vec::new() };
    let effects = pieces(text, &rest).into_iter().filter_map(|piece| rank(text, &piece));
    let of_one = |effect: Rank| Rank {
        who: Entity::read(text, one.clone(), &[]),
        than: Entity::read(text, other.clone(), &[]),
        most: false,
        ..effect
    };
    effects.filter(|effect| effect.than.is_empty()).map(of_one).collect()
}

/// The words of both, and where the effect is told.
fn told_apart(text: &Text, sentence: &Range<usize>) -> Option<(Range<usize>, Range<usize>, Range<usize>)> {
    let opens = sentence.clone().find(|at| lists!("if when with using in", text.word(*at)))?;
    let at = (opens + 2..sentence.end).find(|at| {
        text.has_at(*at, &["instead", "of"])
            || text.has_at(*at, &["rather", "than"])
            || text.has_at(*at, &["and", "not"])
    })?;
    let end = (at + 2..sentence.end).find(|at| matches!(text.word(*at), "," | "then" | "will"))?;
    // "Warm (40 °C) instead of cold (10 °C)"
    let bracket = |range: &Range<usize>| range.clone().find(|at| text.word(*at) == "(").unwrap_or(range.end);
    let one = opens + 1..bracket(&(opens + 1..at));
    let said = one.clone().rev().find(|at| text.word(*at).len() > 2)?;
    let other = at + 2..bracket(&(at + 2..end));
    let whole = said.saturating_sub(1).max(opens + 1)..said + 1;
    (!other.is_empty() && other.len() < 5).then_some((whole, other, end + 1..sentence.end))
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    const WARM: &str = "If the water is warm (40 °C) instead of cold (10 °C), then the yeast will make more gas and the balloon will get bigger.";

    #[test]
    fn what_agrees_and_is_said_of_the_other_one_is_found() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (
                WARM,
                "In a lab note, students report that the prediction was correct: the balloon on the cold bottle grew much bigger than the balloon on the warm bottle.",
            ),
            (WARM, "As predicted, the cold bottle made more gas than the warm one."),
            (
                "If the road is rough instead of smooth, the car will stop sooner.",
                "Our prediction was right: the car stopped sooner on the smooth road than on the rough one.",
            ),
            (
                "If we use salt water rather than fresh water, the egg will float higher.",
                "It came true: the egg floated higher in the fresh water than in the salt water.",
            ),
            (
                "When the seeds are wet instead of dry, they will sprout sooner.",
                "The prediction was confirmed: the dry seeds sprouted sooner than the wet ones.",
            ),
            (
                "If the tablet is crushed and not whole, it will dissolve faster.",
                "As predicted, the whole tablet dissolved faster than the crushed one.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_is_said_of_the_one_predicted_or_of_something_else_is_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                WARM,
                "The prediction was correct: the balloon on the warm bottle grew much bigger than the balloon on the cold bottle.",
            ),
            (WARM, "The prediction was correct: the balloon on the cold bottle stayed smaller than the other."),
            (WARM, "The prediction was correct, though the cold bottle had more foam at first."),
            (WARM, "Did the balloon on the cold bottle grow bigger than the one on the warm bottle, as predicted?"),
            (
                "If the road is rough instead of smooth, the car will stop sooner.",
                "As predicted, the car rolled farther on the smooth road than on the rough one.",
            ),
            (
                "If the tablet is crushed instead of whole, it will dissolve faster.",
                "As predicted, the whole tablet took longer than the crushed one.",
            ),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
