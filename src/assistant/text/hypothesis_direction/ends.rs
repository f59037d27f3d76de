//! At which of two levels something is said to be the most, and at which the least: "the nail with 10 turns held the most
//! clips and the one with 40 turns the fewest", "the flask without sugar gave the largest balloon".

use std::ops::Range;

use super::marks::placed;
use super::values::{Value, Valued, most};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::lists;

/// Words with which the ends are of a part of it, or only supposed.
const OTHER: &str = "difference between would could might should if loss lost left remaining remained change except";

impl Valued {
    /// Whether the two ends stand at two levels of what is predicted, and the other way.
    pub(super) fn is_turned_at_ends(&self, text: &Text, sentence: &Range<usize>, values: &[Value]) -> bool {
        let [first, second] = most(text, sentence)[..] else { return false };
        if first.1 == second.1 || sentence.clone().any(|at| lists!(OTHER, text.word(at))) {
            return false;
        }
        let mut levels = values.to_vec();
        levels.extend(none(text, sentence, values));
        levels.sort_by_key(|level| level.at);
        let [one, other] = &levels[..] else { return false };
        let led = |level: &Value| {
            let before = text.word(level.at.wrapping_sub(1));
            level.level || lists!("the in a", before)
        };
        if !led(one) || !led(other) || !one.is_like(other) {
            return false;
        }
        let starts = |at: &usize| lists!(", ; : ( that because since when as", text.word(*at));
        let window = if one.at < first.0 && first.0 < other.at && other.at < second.0 {
            one.at + 1..other.at
        } else if first.0 < one.at && one.at < second.0 && second.0 < other.at {
            // "Takes the longest in the 2.0 M acid and the shortest in the 0.5 M acid"
            let start = (sentence.start..first.0).rev().find(starts).map_or(sentence.start, |sign| sign + 1);
            start..one.at
        } else {
            return false;
        };
        let marks = placed(text, window);
        let mut said = marks.iter().filter(|(_, mark)| !mark.plain);
        match (said.next(), said.next()) {
            (Some((at, mark)), None) => *at == first.0 && self.is_denied(one, other, mark),
            _ => false,
        }
    }
}

/// "The flask without sugar", "with no sugar", beside "the flask with 8 g of sugar": there is none of it.
fn none(text: &Text, sentence: &Range<usize>, values: &[Value]) -> Option<Value> {
    let [known] = values else { return None };
    let at = sentence.clone().find(|at| lists!("without no", text.word(*at)))?;
    let of = (at + 1..at + 4).map(|at| stem(text.lemma(at))).find(|noun| known.nouns.contains(noun))?;
    Some(Value { at, number: 0.0, dimension: known.dimension, nouns: vec![of], level: true })
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    const SUGAR: &str =
        "The more sugar the yeast is given, the more gas it will produce, so the balloon will be larger.";
    const ACID: &str = "The higher the concentration of the acid, the shorter the time until the magnesium is gone.";

    #[test]
    fn ends_that_are_said_to_agree_and_stand_the_other_way_are_found() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (
                SUGAR,
                "Students explain why the results confirm the hypothesis: the flask with 8 g of sugar gave the smallest balloon and the flask without sugar gave the largest.",
            ),
            (
                SUGAR,
                "As we predicted, the flask without sugar blew up the largest balloon and the one with 8 g of sugar the smallest.",
            ),
            (
                SUGAR,
                "Our prediction came true: with 8 g of sugar the yeast made the least gas and with no sugar the most.",
            ),
            (
                SUGAR,
                "The hypothesis holds: the bottle with 2 g of sugar gave the most gas and the bottle with 8 g of sugar the least.",
            ),
            (
                ACID,
                "The prediction is confirmed when the ribbon takes the longest in the 2.0 M acid and the shortest in the 0.5 M acid.",
            ),
            (ACID, "As predicted, the 2.0 M acid needed the longest time and the 0.5 M acid the shortest."),
            (
                ACID,
                "Our prediction was right, because the time was the longest in 2.0 M acid and the shortest in 0.5 M acid.",
            ),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "It was just as predicted: the tablet took the longest at 60 °C and the shortest at 20 °C.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn ends_that_stand_as_predicted_or_are_of_something_else_are_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                SUGAR,
                "The results confirm the hypothesis: the flask with 8 g of sugar gave the largest balloon and the flask without sugar gave the smallest.",
            ),
            (SUGAR, "As predicted, with 8 g of sugar the yeast made the most gas and with no sugar the least."),
            (
                SUGAR,
                "As predicted, the flask with 8 g of sugar was the last to stop and the flask without sugar the first.",
            ),
            (
                ACID,
                "The prediction is confirmed when the ribbon takes the longest in the 0.5 M acid and the shortest in the 2.0 M acid.",
            ),
            (
                ACID,
                "Is the prediction confirmed if the ribbon takes the longest in the 2.0 M acid and the shortest in the 0.5 M acid?",
            ),
            (ACID, "As predicted, the flame was the tallest in the 2.0 M acid and the smallest in the 0.5 M acid."),
            (
                "The hotter the water, the faster the tablet dissolves.",
                "As predicted, the tablet took the longest at 20 °C and the shortest at 60 °C.",
            ),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
