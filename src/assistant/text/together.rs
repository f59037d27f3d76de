//! Things that are told to stand together: "all eight", "the black, the red and the white tin". A part of
//! `material_quantity`.

use std::ops::Range;

use super::material_quantity::{from_elsewhere, is_of_something, more};
use super::{Match, amounts};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::mentions;
use crate::assistant::facts::nouns::{self, Phrase};
use crate::assistant::facts::numbers;
use crate::assistant::facts::words::lemma;

/// So many things stand together at most; more of them are no arrangement on a table.
const MOST: f64 = 12.0;

/// Whether something may be found at a token.
pub fn begins(step: &Text, at: usize) -> bool {
    step.word(at) == "all" || step.word(at) == "the" && matches!(step.word(at + 2), "," | "and")
}

/// What is found at a token; nothing where it [begins] with none.
pub fn find(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    match step.word(at) {
        "all" => all_of_them(lesson, step, at),
        "the" => kinds(lesson, step, at),
        _ => None,
    }
}

/// "Four snails here and four there; all eight should be feeding", where there are five.
fn all_of_them(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let numeral = numbers::numeral(&step.tokens, at + 1).filter(|numeral| numeral.tokens.start == at + 1)?;
    let needed = numeral.single().filter(|needed| (2.0..=MOST).contains(needed) && needed.fract() == 0.0)?;
    let end = numeral.tokens.end;
    // "All eight tubes" names what is counted, "all three of you" are people.
    let alone = step.tokens.get(end).is_none_or(|next| {
        !next.is_word()
            || matches!(
                next.word.as_str(),
                "in" | "on"
                    | "at"
                    | "into"
                    | "onto"
                    | "together"
                    | "are"
                    | "should"
                    | "must"
                    | "side"
                    | "stand"
                    | "sit"
                    | "go"
                    | "warm"
                    | "up"
                    | "stay"
                    | "remain"
                    | "hang"
                    | "float"
                    | "under"
                    | "with"
                    | "have"
                    | "lie"
                    | "will"
            )
    }) || step.has_at(end, &["of", "them"]);
    if !alone || step.word(at.wrapping_sub(1)) == "of" || from_elsewhere(step, at) {
        return None;
    }
    // A semicolon ends a sentence here.
    let own = step.sentence(at).start;
    let begin = own.checked_sub(1).filter(|end| step.word(*end) == ";").map_or(own, |end| step.sentence(end).start);
    if is_of_people(lesson, step, begin..at, needed) {
        return None;
    }
    let plurals = (begin..at).rev().filter(|t| nouns::is_plural(step.word(*t)) && step.word(*t + 1) != "of");
    // The nearest ones may be meant.
    let (material, have) = plurals.take(4).find_map(|t| {
        let noun = Phrase { head: lemma(step.word(t)), modifiers: Vec::new(), tokens: t..t + 1 };
        amounts::fitting(lesson, &noun)
    })?;
    // What there are just so many of is what is meant.
    let others = mentions(step).iter().any(|told| told.low == needed && told.tokens.start != at + 1 && !told.partial);
    let listed = lesson.materials().iter().any(|material| {
        amounts::stock(material).is_some_and(|stock| stock.dimension.is_none() && stock.amount == needed)
    });
    let what = step.words(&(at..end));
    (needed > have && !others && !listed).then(|| more(lesson, step, at, &material, needed, have, what))
}

/// "One stands, one measures, one writes; change until all three are measured", "swap until all four have had a go".
fn is_of_people(lesson: &Lesson, step: &Text, before: Range<usize>, needed: f64) -> bool {
    let does = |at: &usize| step.word(*at) == "one" && step.word(at + 1).ends_with('s') && step.word(at + 1) != "is";
    let group = lesson.group_size().is_some_and(|size| size as f64 == needed);
    let until = || before.end.checked_sub(1).is_some_and(|at| lists!("until till when once after", step.word(at)));
    before.clone().filter(does).count() > 1 || group && until()
}

/// "Stand the black, the red and the white tin side by side", where there is one.
fn kinds(lesson: &Lesson, step: &Text, at: usize) -> Option<(usize, Match)> {
    let mut here = at;
    let mut count = 0;
    // A word between "the" and "," or "and", several times.
    while step.word(here) == "the" && step.tokens.get(here + 1)?.is_word() {
        count += 1;
        match (step.word(here + 2), step.word(here + 3)) {
            ("," | "and", "the") => here += 3,
            (",", "and") => here += 4,
            _ => break,
        }
    }
    if count < 3 || step.word(here) != "the" || step.word(here.wrapping_sub(1)) != "and" || from_elsewhere(step, at) {
        return None;
    }
    let side = (here + 3..here + 4).find(|at| step.has_at(*at, &["side", "by", "side"])).unwrap_or(usize::MAX);
    let tokens = step.tokens.get(..side.min(step.tokens.len()))?;
    let noun: Phrase = nouns::phrase(tokens, here + 1, false).filter(|noun| noun.tokens.start == here + 1)?;
    // One word for its kind, and the thing.
    let named = noun.tokens.len() == 2
        && !nouns::is_plural(step.word(noun.tokens.end.checked_sub(1)?))
        && !is_of_something(step, &noun);
    let placed =
        step.sentence(at).any(|at| matches!(step.word(at), "side" | "stand" | "put" | "place" | "set" | "hang"));
    if !named || !placed {
        return None;
    }
    let bare = Phrase { head: noun.head.clone(), modifiers: Vec::new(), tokens: noun.tokens.clone() };
    let (material, have) = amounts::fitting(lesson, &bare)?;
    let needed = f64::from(count);
    (needed > have && needed <= MOST)
        .then(|| more(lesson, step, at, &material, needed, have, step.words(&(at..noun.tokens.end))))
}

#[cfg(test)]
mod tests {
    use super::super::material_quantity;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(name: &str, quantity: u32, step: &str) -> usize {
        let materials = json!([{ "name": name, "quantity": quantity }, { "name": "Tray", "quantity": 2 }]);
        let content = json!({ "groupSize": 4, "materials": materials, "steps": [{ "text": step }] });
        let found = material_quantity::find(&Lesson::of(content.as_object().expect("an object")));
        found.into_iter().filter(|found| found.sure).count()
    }

    #[test]
    fn all_who_take_turns_are_people() {
        for (name, quantity, step) in [
            ("Tape measure", 1, "One stands, one measures, one writes; change until all three are measured."),
            ("Swing", 1, "One swings, one counts. Swap until all four have had a go."),
            ("Mirror", 2, "Pass the mirrors round until all four have looked."),
        ] {
            assert_eq!(found(name, quantity, step), 0, "{name} | {step}");
        }
        let step = "Add mirrors until all three stand in a row.";
        assert_eq!(found("Mirror", 2, step), 1);
    }

    #[test]
    fn strips_may_be_those_of_another_material() {
        let all = |units: [&str; 2]| {
            let materials = json!([
                { "name": "bamboo strip", "quantity": 2, "unit": units[0] },
                { "name": "paper tail", "quantity": 3, "unit": units[1] }
            ]);
            let steps = json!([{ "text": "Fly it with one of the strips, then with all three." }]);
            let content = json!({ "materials": materials, "steps": steps });
            material_quantity::find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(all(["", "strips"]), 0);
        assert_eq!(all(["", "m"]), 1);
    }

    #[test]
    fn things_that_stand_together_are_needed_at_once() {
        for (name, quantity, step) in [
            ("Snail", 5, "Put four snails in the warm tank and four in the cold; all eight should feed."),
            ("Disc magnet", 1, "Now stack magnets: two, then three, then all four in a tower."),
            ("Empty milk tin", 1, "Stand the black, the red and the white tin side by side in full sun."),
            ("Jar", 2, "Put the tall, the wide and the short jar on the sill."),
            ("Mirror", 3, "Prop up the mirrors in a ring, all six side by side."),
        ] {
            assert_eq!(found(name, quantity, step), 1, "{name} | {step}");
        }
        for (name, quantity, step) in [
            ("Snail", 8, "Put four snails in the warm tank and four in the cold; all eight should feed."),
            ("Cup", 3, "Lay six discs around the cups, all six in a ring."),
            ("Cup", 3, "Pass the cups round; all four of you look."),
            ("Cup", 1, "The red, the white and the blue water are poured into the cup."),
            ("Tin", 1, "Compare the black, the red and the white tin in the photo of last week's lesson."),
            ("Tin", 3, "Stand the black, the red and the white tin side by side."),
            ("Seed tray", 2, "Put the dry, the moist and the wet seed on the tray."),
            ("Magnet", 2, "Hold up the magnets. All three poles?"),
        ] {
            assert_eq!(found(name, quantity, step), 0, "{name} | {step}");
        }
    }
}
