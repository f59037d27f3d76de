//! One thing for each: a lens for each pupil, a dish for each temperature, both mirrors. A part of `material_quantity`.

use super::material_quantity::{from_elsewhere, more};
use super::{Match, amounts, spread};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::nouns;

/// Whether something may be found at a token.
pub fn begins(step: &Text, at: usize) -> bool {
    matches!(step.word(at), "both" | "each" | "every" | "everyone" | "everybody")
}

/// What is found at a token; nothing where it [begins] with none.
pub fn find(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    match step.word(at) {
        "both" => both(lesson, step, at),
        "each" | "every" => spread::in_each(lesson, step, at)
            .or_else(|| spread::each_has(lesson, step, at))
            .or_else(|| spread::of_its_own(lesson, step, at))
            .or_else(|| one_each(lesson, step, at)),
        "everyone" | "everybody" => spread::each_has(lesson, step, at),
        _ => None,
    }
}

/// "Hold both mirrors at right angles", where there is one.
fn both(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let words = step.tokens.get(step.sentence(at))?;
    let together =
        words.iter().any(|token| token.is_one_of(&["pair", "pairs", "partner", "partners", "two", "friends"]));
    if together || from_elsewhere(step, at) {
        return None;
    }
    let begin = at + 1 + usize::from(step.word(at + 1) == "the");
    let noun = nouns::phrase(&step.tokens, begin, true).filter(|noun| noun.tokens.start == begin)?;
    let plural = nouns::is_plural(step.word(noun.tokens.end.wrapping_sub(1)));
    let (material, have) = amounts::fitting(lesson, &noun).filter(|(_, have)| plural && *have == 1.0)?;
    let what = step.words(&(at..noun.tokens.end));
    let (index, new) = more(lesson, step, at, &material, 2.0, have, what);
    Some((index, new.sure_if(hands::is_handled(step, &(at..noun.tokens.end)))))
}

/// "Four birds feed, each into a cup of its own", where there are three cups.
fn one_each(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    if step.word(at) != "each"
        || at.checked_sub(1).is_none_or(|before| !matches!(step.word(before), "," | "(" | "–" | "—"))
    {
        return None;
    }
    let article = (at + 1..at + 4).find(|at| matches!(step.word(*at), "a" | "an" | "one" | "own"))?;
    let between = (at + 1..article).all(|at| {
        matches!(
            step.word(at),
            "with" | "in" | "into" | "on" | "onto" | "to" | "has" | "having" | "its" | "their" | "from"
        )
    });
    let noun =
        nouns::phrase(&step.tokens, article + 1, false).filter(|noun| between && noun.tokens.start == article + 1)?;
    let sentence = step.sentence(at);
    let numeral =
        step.numerals().iter().rfind(|numeral| sentence.contains(&numeral.tokens.start) && numeral.tokens.end <= at)?;
    let counted = nouns::phrase(&step.tokens, numeral.tokens.end, true);
    // "Two of you time the fall, each with a stopwatch"
    let of_you = step.has_at(numeral.tokens.end, &["of", "you"]);
    let own = step.word(noun.tokens.end) == "of"
        && step.word(noun.tokens.end + 1) != "its"
        && step.word(noun.tokens.end + 1) != "their";
    let plural = counted.as_ref().is_some_and(|counted| {
        counted.tokens.start == numeral.tokens.end && nouns::is_plural(step.word(counted.tokens.end.wrapping_sub(1)))
    });
    // "Five drops of each of three liquids, each with its own dropper"
    let measured = nouns::phrase(&step.tokens, numeral.tokens.end, true)
        .is_some_and(|counted| step.word(counted.tokens.end) == "of")
        || counted.is_some_and(|counted| {
            lists!("drop spoonful teaspoon tablespoon spoon cup pinch time minute second", &counted.head)
        });
    let needed =
        numeral.single().filter(|needed| (plural || of_you) && !own && !measured && (2.0..=12.0).contains(needed))?;
    if from_elsewhere(step, at) {
        return None;
    }
    let (material, have) = amounts::fitting(lesson, &noun)?;
    let what = format!("one for each of {needed}");
    (needed > have && (have > 1.0 || of_you)).then(|| more(lesson, step, at, &material, needed, have, &what))
}

/// Whether this noun (singular) is one of those who do the work.
pub fn is_child(noun: &str) -> bool {
    ["student", "pupil", "child", "learner", "member", "person", "partner"].contains(&noun)
}

#[cfg(test)]
mod tests {
    use super::super::material_quantity;
    use super::*;
    use serde_json::json;

    #[test]
    fn a_thing_for_each_is_needed_as_often() {
        let found = |name: &str, quantity: u32, step: &str| {
            let material = json!({ "name": name, "quantity": quantity });
            let content = json!({ "groupSize": 4, "materials": [material, { "name": "Cup", "quantity": 3 }], "steps": [{ "text": step }] });
            material_quantity::find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        for (name, quantity, step) in [
            ("Petri dish", 3, "Set up a petri dish for each of the five temperatures."),
            ("Hand lens", 2, "Every student needs a hand lens of their own."),
            ("Mirror", 1, "Hold both mirrors at right angles."),
            ("Thermometer", 1, "Stand a thermometer in each of the three cups at the same time."),
            ("Ice cubes", 6, "Drop five ice cubes in each of the two bowls."),
        ] {
            assert_eq!(found(name, quantity, step), 1, "{name} | {step}");
        }
        for (name, quantity, step) in [
            ("Thermometer", 1, "Stand a thermometer in each of the three cups in turn."),
            ("Petri dish", 5, "Set up a petri dish for each of the five temperatures."),
            ("Mirror", 2, "Hold both mirrors at right angles."),
            ("Chart", 1, "Two pairs sit together and look at both charts."),
            ("Ice cubes", 10, "Drop five ice cubes in each of the two bowls."),
            ("Spoon", 1, "Stir each of the three cups with a spoon."),
            ("Jug", 1, "Measure two jugs of water into each of the three cups."),
        ] {
            assert_eq!(found(name, quantity, step), 0, "{name} | {step}");
        }
    }
}
