//! Things with a number of their own: the third beaker. A part of `material_quantity`.

use super::material_quantity::{from_elsewhere, is_of_something, more};
use super::{Match, amounts, together};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::numbers;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::phrases::lists;

/// Whether something may be found at a token.
pub fn begins(step: &Text, at: usize) -> bool {
    numbers::ordinal(&step.tokens, at).is_some() || together::begins(step, at)
}

/// The sentences with something like "third" in them: in all others [`ordinals_alone`] finds nothing.
pub fn with_ordinals(step: &Text) -> Vec<std::ops::Range<usize>> {
    let has =
        |sentence: &std::ops::Range<usize>| sentence.clone().any(|at| numbers::ordinal(&step.tokens, at).is_some());
    step.sentences().into_iter().filter(has).collect()
}

/// What is found at a token; nothing where it [begins] with none.
pub fn find(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    ordinal(lesson, step, at).or_else(|| together::find(lesson, step, at))
}

/// "The third beaker", where there are two.
fn ordinal(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let (needed, range) = numbers::ordinal(&step.tokens, at).filter(|(number, _)| (2..=12).contains(number))?;
    // "After every second one" is a rhythm.
    if step.word(at + 1) == "time" || step.word(at.wrapping_sub(1)) == "every" || step.word(at.wrapping_sub(1)) == "-" {
        return None;
    }
    let noun = nouns::phrase(&step.tokens, range.end, false).filter(|noun| noun.tokens.start == range.end)?;
    // What is named after the noun belongs to it no more: "the second burner ethanol".
    // "The fourth, fifth and sixth clips"
    let listed = at >= 2
        && matches!(step.word(at - 1), "and" | ",")
        && (at - 2..at).any(|before| numbers::ordinal(&step.tokens, before).is_some());
    // "A second cupful" is no cup.
    let measure = noun.tokens.clone().any(|at| step.word(at).ends_with("ful") || step.word(at).ends_with("fuls"));
    if from_elsewhere(step, at)
        || measure
        || is_of_something(step, &noun)
        || !listed && nouns::is_plural(step.word(noun.tokens.end.wrapping_sub(1)))
        || other_lessons::is_for_all(step, noun.tokens.end)
    {
        return None;
    }
    // "Leave the fourth cup bare"
    let shorter = || nouns::phrase(step.tokens.get(..noun.tokens.end.checked_sub(1)?)?, range.end, false);
    let left = || amounts::fitting(lesson, &shorter().filter(|_| step.word(at.wrapping_sub(2)) == "leave")?);
    let (material, have) = amounts::fitting(lesson, &noun).or_else(left)?;
    let what = step.words(&(at..noun.tokens.end));
    // The tenth place of the one frame needs no ten of them.
    let (index, new) = (needed as f64 > have && needed as f64 <= 3.0 * have + 1.0)
        .then(|| more(lesson, step, at, &material, needed as f64, have, what))?;
    // "Second block, 30 min, at noon" is no block of wood.
    let told =
        || matches!(step.word(noun.tokens.end), ":" | "is" | "gets" | "keeps" | "stays" | "goes" | "has" | "remains");
    // "With the second, third and fourth tile": the row begins with what stands before.
    let is_joint = |at: usize| matches!(step.word(at), "," | "and" | "the");
    let mut at = at;
    while let Some(before) = (0..at).rev().find(|before| !is_joint(*before)) {
        let ordinal = numbers::ordinal(&step.tokens, before).is_some_and(|(_, range)| range.end == before + 1);
        if before + 1 == at || !ordinal {
            break;
        }
        at = before;
    }
    // "Read the second voltmeter", "it goes on the third sheet"
    let read = || lists!("read check watch note", step.word(at.wrapping_sub(2)));
    let goes = || {
        lists!("goes go belongs", step.word(at.wrapping_sub(3)))
            && lists!("on onto in into to under", step.word(at.wrapping_sub(2)))
    };
    let article = lists!("the a your", step.word(at.wrapping_sub(1)));
    let used = || lists!("with using", step.word(at.wrapping_sub(2)));
    let by_another = || {
        let does = at.wrapping_sub(2);
        lists!("another other one partner", step.word(at.wrapping_sub(3))) && hands::names_a_deed(step, does)
    };
    let row = || is_last_of_a_row(step, at, needed);
    let sure = told()
        || article && (read() || used() || goes() || row() || by_another())
        || hands::is_handled(step, &(at..noun.tokens.end));
    Some((index, new.sure_if(sure)))
}

/// Whether a sentence tells the things off one by one: "Mayflies go in the first tray, shrimps in the second and the rest
/// in the third tray", "set up the second syringe while the first is emptied".
fn is_last_of_a_row(step: &Text, at: usize, last: i64) -> bool {
    let told = |number: i64| {
        step.sentence(at).any(|at| {
            step.word(at.wrapping_sub(1)) == "the"
                && numbers::ordinal(&step.tokens, at).is_some_and(|(known, _)| known == number)
        })
    };
    (1..last).all(told)
}

/// "Line up the pans. Cotton in the first, feathers in the second, sponge in the third."
pub fn ordinals_alone(lesson: &Lesson, step: &Text, sentence: &std::ops::Range<usize>) -> Option<(usize, Match)> {
    // "The first in the paper, the second in the wool and the third in the foil"
    let inside = |at: usize| {
        let ordinal = numbers::ordinal(&step.tokens, at);
        ordinal.is_some_and(|(_, range)| matches!(step.word(range.end), "in" | "into" | "on" | "under"))
    };
    let row = sentence.clone().filter(|at| inside(*at)).count() > 2;
    let alone = |at: usize| {
        let (number, range) = numbers::ordinal(&step.tokens, at)?;
        let next = step.tokens.get(range.end);
        let goes = ["and", "add", "goes", "put", "pour", "stir", "place", "gets"];
        let counts = || numbers::numeral(&step.tokens, range.end).is_some();
        (step.word(at.wrapping_sub(1)) == "the"
            && (row && inside(at) || next.is_none_or(|token| !token.is_word() || token.is_one_of(&goes) || counts())))
        .then_some(number)
    };
    let numbers: Vec<i64> = sentence.clone().filter_map(alone).collect();
    let needed = numbers.iter().copied().max().filter(|most| (2..=12).contains(most))?;
    let least = numbers.iter().copied().min().filter(|least| *least <= 2)?;
    if from_elsewhere(step, sentence.start) {
        return None;
    }
    let before = sentence.start.checked_sub(1).map_or(sentence.start, |before| step.sentence(before).start);
    let first = sentence.clone().find(|at| alone(*at) == Some(least))?;
    // "Leave one cup plain. To the second add …"
    let introduced = |at: usize| least == 2 && matches!(step.word(at.wrapping_sub(1)), "one" | "first");
    let (material, have) = (before..first).rev().find_map(|at| {
        // "One tablespoon of salt into the second" counts no spoons.
        let measure = |noun: &Phrase| lists!("teaspoon tablespoon spoon spoonful cup pinch drop scoop", &noun.head);
        let noun = nouns::phrase(&step.tokens, at, least == 1)
            .filter(|noun| !is_of_something(step, noun) && (least == 1 || !measure(noun)))?;
        let plural = nouns::is_plural(step.word(noun.tokens.end.wrapping_sub(1)));
        // "Put a thermometer through each lid: the first in …"
        let spread = || {
            matches!(step.word(at.wrapping_sub(1)), "a" | "an" | "one")
                && (noun.tokens.end..noun.tokens.end + 3).any(|at| matches!(step.word(at), "each" | "every"))
        };
        let told = if least == 1 { plural || spread() } else { introduced(at) };
        // In "leave one cup plain" the last word tells what becomes of it.
        let shorter = || nouns::phrase(step.tokens.get(..noun.tokens.end.checked_sub(1)?)?, at, false);
        let fitting = |noun: &Phrase| amounts::fitting(lesson, noun);
        let begins = told && noun.tokens.start == at;
        if begins { fitting(&noun).or_else(|| fitting(&shorter().filter(|_| least == 2)?)) } else { None }
    })?;
    let what = format!("\"the {}\"", step.word(sentence.clone().rev().find(|at| alone(*at) == Some(needed))?));
    (needed as f64 > have).then(|| more(lesson, step, sentence.start, &material, needed as f64, have, &what))
}

#[cfg(test)]
mod tests {
    use super::super::material_quantity;
    use super::*;
    use serde_json::{Value, json};

    fn found(name: &str, quantity: Value, steps: &[&str]) -> usize {
        let steps: Vec<Value> = steps.iter().map(|text| json!({ "text": text })).collect();
        let content = json!({ "materials": [{ "name": name, "quantity": quantity }, { "name": "Box", "quantity": 4 }], "steps": steps });
        material_quantity::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn labels_and_parts_of_more_than_there_are_are_found() {
        for (name, quantity, steps) in [
            (
                "Thermometer",
                json!(3),
                &[
                    "Put a thermometer through each lid: the first in the paper, the second in the wool and the third in the foil, the fourth in the bare cup.",
                ][..],
            ),
            ("Bean plants", json!(4), &["Half of the six bean plants go to the window."]),
            ("Balloons", json!("2 per team"), &["Each team blows up three balloons."]),
            ("Mirror", json!(2), &["Slide a mirror into the slot. Fit the third mirror halfway up."]),
            ("Thermometer", json!(2), &["Lay a thermometer next to each box at the same moment."]),
            ("A.C. voltmeter", json!(1), &["Read the second voltmeter, which is across the secondary."]),
            ("Baking sheet, lined", json!(2), &["Final batch to 150 °C. It goes on the third sheet."]),
            ("Thermometer", json!(2), &["At the same time press your third thermometer into the lawn."]),
        ] {
            assert_eq!(found(name, quantity, steps), 1, "{name} | {steps:?}");
        }
    }

    #[test]
    fn what_is_handled_and_more_than_there_is_is_sure() {
        for (name, quantity, step) in [
            ("Test tile, 20 cm x 20 cm", 3, "Do the same with the second, third and fourth tile."),
            ("Ball, 25 mm across", 2, "Do the same with the second and the third ball."),
            ("Metal can with lid", 3, "Set out four cans."),
        ] {
            let content = json!({ "materials": [{ "name": name, "quantity": quantity }], "steps": [{ "text": step }] });
            let found = material_quantity::find(&Lesson::of(content.as_object().expect("an object")));
            assert!(found.len() == 1 && found[0].sure, "{step} {found:?}");
        }
    }

    #[test]
    fn labels_and_parts_of_what_there_is_are_not() {
        for (name, quantity, steps) in [
            ("Petri dish", json!(4), &["Put dish 4 in the fridge, dishes 1 to 3 in the cupboard."][..]),
            ("Jar", json!(3), &["Fill jars A to C.", "Give jar B 4 drops."]),
            ("Drinking glass", json!(1), &["Draw the egg in three glasses: without salt, with some, with much."]),
            ("Balloons", json!("3 per team"), &["Each team blows up three balloons."]),
            ("Balloons", json!("1 per pair"), &["The group blows up two balloons."]),
            ("Magnet", json!(1), &["Swap magnets with the next group so that you have seen both magnets."]),
            ("Battery", json!(2), &["Join your two batteries to those of the next group to have four batteries."]),
            ("Pipette", json!(1), &["Use one pipette or another pipette-like tool."]),
            ("Bottle", json!(1), &["Turn the other half of the bottle over."]),
            ("Mirror", json!(2), &["Hold one mirror near the other mirror."]),
            ("Toy car", json!(1), &["Release the car from the start line, three goes."]),
            ("Quadrat", json!(1), &["Do this for ten places and change roles after every second one."]),
            ("Glass jars of 250, 500 and 1000 mL", json!("one each"), &["Use the second jar, and then the third."]),
        ] {
            assert_eq!(found(name, quantity, steps), 0, "{name} | {steps:?}");
        }
    }

    #[test]
    fn what_is_shown_told_or_a_block_of_time_needs_no_more_for_sure() {
        for (name, quantity, step) in [
            ("Rubber ball", 1, "Watch the two balls on my desk: the same size, yet one is dead."),
            ("Steel marble", 1, "Whiteboard: two balls, one dropped and one shot sideways."),
            ("Rubber ball", 1, "Look: two balls. Only one of them bounces."),
            ("Thermometer", 2, "You will see four thermometers in the photo."),
            ("Magnet", 2, "Three magnets in a row pull more than two, the book says."),
            ("Candle", 1, "Two candles burn on my desk under a tall and a short jar."),
            ("Bulb", 1, "The diagram on the slide has two bulbs."),
            ("Battery", 1, "Discuss: two batteries, one bulb."),
            ("Mirror", 1, "A periscope has two mirrors."),
            ("Plant", 1, "Which of the three plants on the sill is greenest?"),
            ("Plant", 1, "Both plants in the time-lapse start at 5 cm."),
            ("Base block", 1, "Second block, 30 min, at noon."),
        ] {
            let materials = json!([{ "name": name, "quantity": quantity }, { "name": "Ruler" }]);
            let content = json!({ "materials": materials, "steps": [{ "text": step }] });
            let found = material_quantity::find(&Lesson::of(content.as_object().expect("an object")));
            assert!(found.iter().all(|found| !found.sure), "{step} {found:?}");
        }
    }
}
