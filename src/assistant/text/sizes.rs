//! Sizes in names: the 400 mL beaker of a step, where the list has one of 250 mL. A part of `quantity_mismatch`.

use super::quantity_mismatch::{NAME, Placed, is_level};
use super::{Match, amounts};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::mentions::{self, Mention};
use crate::assistant::facts::nouns;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::units::Dimension;

/// Words of sentences in which a thing gets its size.
const SIZING: &[&str] =
    &["cut", "snip", "tear", "make", "fold", "fill", "trim", "break", "build", "draw", "mark", "up", "to"];

/// "250 mL beakers" that are kept the same, where the steps fill those of 400 mL.
pub fn kept(lesson: &Lesson, levels: &[Placed]) -> Vec<Match> {
    let of = |text| mentions::sizes(text).into_iter().filter(|size| size.dimension == Some(Dimension::Volume));
    let told: Vec<_> = lesson.steps().flat_map(|(_, text)| of(text).map(move |size| (text, size))).collect();
    let listed: Vec<_> = lesson.materials().into_iter().flat_map(|material| material.name.amounts()).collect();
    let mut found = Vec::new();
    for (text, size) in lesson.controlled().flat_map(|text| of(text).map(move |size| (text, size))) {
        let Some(noun) = size.noun.as_ref().filter(|_| size.numeral.single().is_some()) else { continue };
        let same = || told.iter().filter(|(_, other)| other.noun.as_ref().is_some_and(|other| other.fits(noun)));
        if same().any(|(_, other)| other.agrees_with(&size)) {
            continue;
        }
        // Another size that is on the list is that of another vessel.
        let other = same().find(|(step, other)| {
            let had = listed.iter().any(|listed| listed.comparable(other) && listed.agrees_with(other));
            let imagined = other_lessons::is_imagined(step, other);
            !other.partial && !other.about && !had && !imagined && !is_level(other, levels)
        });
        if let Some((step, other)) = other {
            found.push(amounts::conflict(NAME, (text, &size), (step, other)));
        }
    }
    found
}

/// "The 400 mL beaker" and "60 cm of wire", where the list has "Beaker, 250 mL" and "Wire, 50 cm": as hints, as a lesson may have
/// another one of that name.
pub fn find(lesson: &Lesson, levels: &[Placed], steps: &[Placed]) -> Vec<Match> {
    use Dimension::{Current, Force, Frequency, Length, Mass, Power, Resistance, Voltage, Volume};
    let listed: Vec<_> = lesson
        .materials()
        .into_iter()
        .filter_map(|material| Some((material, nouns::material(material.name)?, material.name.amounts().to_vec())))
        .collect();
    if listed.iter().all(|(_, _, sizes)| sizes.is_empty()) {
        return Vec::new();
    }
    let mut found: Vec<Match> = Vec::new();
    for (_, text) in lesson.steps() {
        for told in mentions::sizes(text) {
            if other_lessons::is_imagined(text, &told) {
                continue;
            }
            let sized = matches!(
                told.dimension,
                Some(Volume | Mass | Length | Voltage | Resistance | Power | Force | Current | Frequency)
            );
            let Some(noun) = told.noun.as_ref().filter(|_| sized && told.numeral.single().is_some()) else { continue };
            let alike: Vec<_> = listed.iter().filter(|(_, name, _)| nouns::same_noun(&name.head, &noun.head)).collect();
            let [(material, name, all)] = alike[..] else { continue };
            let mut of_dimension = all.iter().filter(|size| size.comparable(&told));
            let Some(size) = of_dimension.next().filter(|size| size.numeral.single().is_some()) else { continue };
            let length = told.dimension == Some(Length);
            // Batteries and weights add up; what is cut to size has another one then.
            let fine = of_dimension.next().is_some()
                || !name.fits(noun)
                || told.partial
                || told.about
                || size.agrees_with(&told)
                || told.dimension != Some(Volume) && told.is_multiple_of(size)
                || matches!(told.dimension, Some(Mass | Length)) && size.is_multiple_of(&told)
                || is_level(&told, levels)
                || length
                    && (!told.definite
                        || steps.iter().any(|(_, step)| step.tokens != told.tokens && step.agrees_with(&told)));
            let words = text.tokens.get(text.sentence(told.tokens.start)).unwrap_or_default();
            if fine || length && words.iter().any(|token| token.is_one_of(SIZING)) {
                continue;
            }
            found.push(amounts::conflict(NAME, (material.name, size), (text, &told)).as_hint());
        }
    }
    for (text, told) in steps {
        let of = told.dimension == Some(Length) && text.word(told.tokens.end) == "of";
        let Some(noun) = told.noun.as_ref().filter(|_| of && !told.partial && !told.about) else { continue };
        let alike: Vec<_> = listed.iter().filter(|(_, name, _)| name.fits(noun)).collect();
        let [(material, _, all)] = alike[..] else { continue };
        let [size] = &all.iter().filter(|size| size.comparable(told)).collect::<Vec<_>>()[..] else { continue };
        let pieces = amounts::stock(material).filter(|stock| stock.dimension.is_none()).map(|stock| stock.amount);
        let Some(pieces) = pieces.filter(|pieces| *pieces >= 1.0) else { continue };
        let along = size.attribute.is_none_or(|attribute| attribute == "length");
        if along
            && !other_lessons::is_imagined(text, told)
            && told.low > 1.02 * size.low * pieces
            && !is_level(told, levels)
        {
            found.push(amounts::conflict(NAME, (material.name, size), (text, told)).as_hint());
        }
    }
    found
}

/// "The 100 g bob" is one, and no two of 50 g.
pub fn is_of_one(text: &Text, step: &Mention) -> bool {
    let one = |noun: &nouns::Phrase| {
        noun.tokens.start == step.tokens.end && !nouns::is_plural(text.word(noun.tokens.end.wrapping_sub(1)))
    };
    step.dimension == Some(Dimension::Mass)
        && matches!(text.word(step.tokens.start.wrapping_sub(1)), "the" | "a" | "your")
        && step.noun.as_ref().is_some_and(one)
}

#[cfg(test)]
mod tests {
    use super::super::quantity_mismatch;
    use super::*;
    use serde_json::json;

    #[test]
    fn vessels_that_are_kept_have_one_size() {
        let kept = |controlled: &str, step: &str| {
            let content = json!({ "variables": { "controlled": [controlled] }, "steps": [{ "text": step }] });
            quantity_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(kept("250 mL beakers", "Fill the 400 mL beakers with ice."), 1);
        assert_eq!(kept("2 L bottle for all trials", "Fill the 1.5 L bottle and screw on the cap."), 1);
        assert_eq!(kept("250 mL beakers", "Fill the 250 mL beaker with 100 mL of water."), 0);
        assert_eq!(kept("250 mL beakers", "Fill the 250 mL beaker from the 1 L beaker."), 0);
        assert_eq!(kept("200 mL cup", "In the canteen a 400 mL cup of tea stays hot for longer."), 0);
        assert_eq!(kept("200 mL cup", "In the canteen fill the 400 mL cup with tea."), 1);
    }

    #[test]
    fn what_has_another_size_on_the_list_is_found() {
        let named = |name: &str, step: &str| {
            let content = json!({ "materials": [{ "name": name, "quantity": 1 }], "steps": [{ "text": step }] });
            quantity_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        for (name, step) in [
            ("Beaker, 250 mL", "Fill the 400 mL beaker with ice."),
            ("250 cm³ beaker", "Half-fill a 100 cm³ beaker."),
            ("Resistor, 10 Ω", "Connect the 47 Ω resistor."),
            ("9 V battery", "Hook the key to the 4.5 V battery."),
            ("Copper wire, 50 cm", "Wind 80 cm of wire round the nail."),
            ("Beaker, 100 mL", "Fill a 1 L beaker, as the water would spill otherwise."),
            ("12 V lamp", "Connect a 6 V lamp and read the current as before."),
        ] {
            assert_eq!(named(name, step), 1, "{name} | {step}");
        }
        for (name, step) in [
            ("Beaker, 250 mL", "Fill the 250 mL beaker with ice."),
            ("Beaker, 0.25 L", "Fill the 250 mL beaker to the 100 mL mark."),
            ("Beaker, 250 mL", "Pour 100 mL of water into the beaker."),
            ("Battery, 1.5 V", "Two cells make a 3 V battery."),
            ("Copper wire, 50 cm", "Cut a 10 cm wire."),
            ("Copper wire, 50 cm", "Wind 30 cm of wire round the nail."),
            ("Weights, 100 g", "Hang the 300 g weight on it."),
            ("12 V lamp", "A 230 V lamp at home with the same 24 W draws only 0.10 A."),
            ("Beaker, 100 mL", "With a 1 L beaker the error would be ten times as big."),
            ("9 V battery", "And what if you had a 4.5 V battery instead?"),
            ("Bottle, 2 L", "Would a 1 L bottle of the same height behave differently?"),
            ("Bottle, 2 L", "A 0.5 L bottle empties faster than this one."),
        ] {
            assert_eq!(named(name, step), 0, "{name} | {step}");
        }
    }
}
