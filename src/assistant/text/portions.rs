//! How often a step takes so much of a substance: "four 30 cm lengths of string". A part of `material_quantity`.

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns::Phrase;
use crate::assistant::facts::numbers;
use crate::assistant::facts::quantities::unit_at;
use crate::assistant::facts::units::Dimension;

/// So many portions are made at most; more of them are no work for one lesson.
const MOST: f64 = 12.0;

/// How many portions of an amount a step takes in all, where it says so.
pub fn times(step: &Text, mention: &Mention) -> Option<f64> {
    lengths(step, mention).filter(|times| (2.0..=MOST).contains(times))
}

/// "Four 30 cm lengths of string"
fn lengths(step: &Text, mention: &Mention) -> Option<f64> {
    let before = step.numerals().iter().find(|numeral| numeral.tokens.end == mention.tokens.start)?;
    let noun = mention.noun.as_ref()?;
    let share = (mention.tokens.end..noun.tokens.start)
        .any(|at| lists!("lengths pieces portions samples strips lots amounts", step.word(at)));
    (share && mention.dimension != Some(Dimension::Temperature)).then(|| before.single())?
}

/// "Three pieces of string, each 50 cm long": how much they are in all, of what, where the amount is a length.
pub fn in_pieces(step: &Text, mention: &Mention) -> Option<(f64, Phrase)> {
    let noun = mention.noun.as_ref().filter(|noun| lists!("piece length strip", &noun.head))?;
    let count = mention.numeral.single().filter(|count| (2.0..=MOST).contains(count))?;
    let (head, modifiers) = noun.modifiers.split_last()?;
    let substance = Phrase { head: head.clone(), modifiers: modifiers.to_vec(), tokens: noun.tokens.clone() };
    let end = noun.tokens.end;
    let begin = end + usize::from(step.word(end) == ",");
    let begin = begin + usize::from(lists!("each of all", step.word(begin)));
    let numeral = numbers::numeral(&step.tokens, begin).filter(|_| begin > end)?;
    let (unit, after) = unit_at(step.text, &step.tokens, numeral.tokens.end)?;
    let alone = lists!("long each in", step.word(after)) || step.tokens.get(after).is_none_or(|next| !next.is_word());
    let each = unit.to_base(numeral.single()?);
    (unit.dimension == Dimension::Length && alone).then_some((count * each, substance))
}

#[cfg(test)]
mod tests {
    use super::super::material_quantity;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn needed(name: &str, quantity: i64, unit: &str, step: &str) -> usize {
        let materials = [json!({ "name": name, "quantity": quantity, "unit": unit })];
        let content = json!({ "materials": materials, "steps": [{ "text": step }] });
        material_quantity::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn portions_that_are_more_than_there_is_are_found() {
        for (name, quantity, unit, step) in [
            ("String", 1, "m", "Cut four 30 cm lengths of string."),
            ("String", 1, "m", "Cut three pieces of string, each 50 cm long."),
            ("String", 100, "cm", "Cut three pieces of string of 40 cm."),
            ("Spaghetti", 20, "strands", "Tie thirty strands together."),
            ("Bread", 3, "slices", "Put four slices in the bags."),
        ] {
            assert_eq!(needed(name, quantity, unit, step), 1, "{name} | {step}");
        }
    }

    #[test]
    fn portions_for_which_there_is_enough_or_of_something_else_are_passed_over() {
        for (name, quantity, unit, step) in [
            ("Dilute acid", 25, "mL", "Add 5 mL of acid. Use the same volume of acid for all five dilutions."),
            ("Water", 50, "mL", "Pour in 50 mL of water. Do the same with the other two liquids."),
            ("Water", 50, "mL", "Pour in 50 mL of water. Use the same volume of oil in all three cups."),
            ("Water", 50, "mL", "Pour in 50 mL of water. Repeat with the other two tablets in the same water."),
            ("Water", 100, "mL", "Pour in 50 mL of water. Lower the stone in. Repeat with the other four stones."),
            ("Water", 50, "mL", "Look at 50 mL of water. Repeat for the other three cups."),
            ("String", 2, "m", "Cut three pieces of string, each 50 cm long."),
            ("String", 1, "m", "Cut three pieces of string; each pupil measures 50 cm of floor."),
            ("Flour", 1, "bag", "Label three bags."),
            ("Paper", 2, "sheets", "The book has thirty sheets."),
        ] {
            assert_eq!(needed(name, quantity, unit, step), 0, "{name} | {step}");
        }
    }
}
