//! How often a step takes so much of a substance: "four 30 cm lengths of string", "use the same volume for all five
//! dilutions", "do the same with the other four bottles". A part of `material_quantity`.

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::numbers;
use crate::assistant::facts::quantities::unit_at;
use crate::assistant::facts::units::Dimension;

/// So many portions are made at most; more of them are no work for one lesson.
const MOST: f64 = 12.0;

/// How many portions of an amount a step takes in all, where it says so.
pub fn times(step: &Text, mention: &Mention) -> Option<f64> {
    lengths(step, mention).or_else(|| again(step, mention)).filter(|times| (2.0..=MOST).contains(times))
}

/// "Four 30 cm lengths of string"
fn lengths(step: &Text, mention: &Mention) -> Option<f64> {
    let before = step.numerals().iter().find(|numeral| numeral.tokens.end == mention.tokens.start)?;
    let noun = mention.noun.as_ref()?;
    let share = (mention.tokens.end..noun.tokens.start)
        .any(|at| lists!("lengths pieces portions samples strips lots amounts", step.word(at)));
    (share && mention.dimension != Some(Dimension::Temperature)).then(|| before.single())?
}

/// "Use the same volume of acid for all five dilutions", "do the same with the other four bottles", after the amount.
fn again(step: &Text, mention: &Mention) -> Option<f64> {
    let own = step.sentence(mention.tokens.start);
    let used = |at: usize| lists!("add pour put measure weigh drop stir tip squeeze pipette fill mix", step.word(at));
    if mention.per.is_some() || mention.dimension == Some(Dimension::Length) || !own.clone().any(used) {
        return None;
    }
    (own.end..step.tokens.len()).find_map(|at| {
        let sentence = step.sentence(at);
        if step.has_at(at, &["the", "same"]) && lists!("amount volume mass quantity", step.word(at + 2)) {
            let named = || nouns::phrase(&step.tokens, at + 4, false);
            let fits = |noun| named().is_some_and(|named| named.fits(noun));
            let other = step.word(at + 3) == "of" && !mention.noun.as_ref().is_some_and(fits);
            return all_after(step, at + 3..sentence.end).filter(|_| !other);
        }
        let begins = at == sentence.start
            && (step.has_at(at, &["do", "the", "same"])
                || step.has_at(at, &["do", "this"])
                || step.word(at) == "repeat");
        let anew = !(at + 3..sentence.end).any(|at| lists!("same reuse without instead half", step.word(at)));
        if begins && anew { others_after(step, at + 1..sentence.end) } else { None }
    })
}

/// Five in "for all five dilutions", "in each of the five tubes".
fn all_after(step: &Text, tokens: std::ops::Range<usize>) -> Option<f64> {
    let end = tokens.end;
    tokens.clone().find_map(|at| {
        let each = step.word(at) == "of" && lists!("each every all", step.word(at.wrapping_sub(1)));
        let begin = match step.word(at) {
            "all" if step.word(at + 1) != "of" => at + 1,
            _ if each => at + 1,
            _ => return None,
        };
        let begin = begin + usize::from(lists!("the your these our", step.word(begin)));
        let others = usize::from(lists!("other remaining", step.word(begin)));
        let numeral = numbers::numeral(&step.tokens, begin + others).filter(|numeral| numeral.tokens.start < end)?;
        numeral.single().map(|count| count + others as f64)
    })
}

/// What each takes so much of its own: what is lowered into one cup after the other shares it.
const VESSELS: &str =
    "cup jar bottle tube beaker dish pot dilution flask glass bowl tray bag vessel container can pan bucket tub plant";

/// Five in "with the other four bottles": these, and the one before.
fn others_after(step: &Text, tokens: std::ops::Range<usize>) -> Option<f64> {
    let end = tokens.end;
    tokens.clone().find_map(|at| {
        let other = lists!("with for to in into", step.word(at))
            && step.word(at + 1) == "the"
            && lists!("other remaining", step.word(at + 2));
        let numeral = numbers::numeral(&step.tokens, at + 3).filter(|numeral| other && numeral.tokens.start < end)?;
        let things = nouns::phrase(&step.tokens, numeral.tokens.end, true)?;
        numeral.single().filter(|_| lists!(VESSELS, &things.head)).map(|others| others + 1.0)
    })
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
            ("Dilute acid", 15, "mL", "Add 5 mL of acid. Use the same volume of acid for all five dilutions."),
            ("Vinegar", 60, "mL", "Pour 20 mL of vinegar in. Put the same amount into each of the other four jars."),
            ("Vinegar", 60, "mL", "Add 20 mL of vinegar to the first jar. Do the same with the other four jars."),
            ("Salt", 10, "g", "Stir in 4 g of salt. Repeat for the other three cups."),
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
