//! Numbers that count something else than the one thing on a list that has the name: strokes of a pump, plates of three
//! materials. A part of `material_quantity`.

use crate::assistant::facts::lesson::{Lesson, Material, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns::{self, Phrase};

/// What a thing can be made of.
const MADE_OF: &str = "aluminium aluminum metal copper iron steel brass zinc lead wood wooden plastic glass paper cardboard rubber \
    ceramic stone marble cork foam polystyrene styrofoam wool cotton felt foil leather tin acrylic wax clay metallic";

/// Names of shapes, any of which may be called by the name of another.
const SHAPES: &str =
    "plate board tile sheet block slab square disc disk strip panel cube bar piece sample rod mat surface";

/// "Pump it up with four pumps" counts strokes.
pub fn is_done(step: &Text, noun: &Phrase) -> bool {
    let sentence = step.sentence(noun.tokens.start);
    let verb = |at: usize| {
        step.lemma(at) == noun.head
            && (at == sentence.start || lists!("and then , to", step.word(at.wrapping_sub(1))))
            && !nouns::is_plural(step.word(at))
    };
    noun.modifiers.is_empty() && (sentence.start..=noun.tokens.start).any(verb)
}

/// Whether a list has the things that are named by what they have in common: "all three plates" of an aluminium plate, a
/// wooden board and a plastic tile.
pub fn is_of_a_kind(lesson: &Lesson, material: &Material, noun: &Phrase) -> bool {
    let shaped = |name: &Text| {
        nouns::material(name).is_some_and(|name| lists!(SHAPES, &name.head))
            && name.tokens.iter().any(|token| lists!(MADE_OF, &token.word))
    };
    noun.modifiers.is_empty()
        && shaped(material.name)
        && lesson.materials().iter().filter(|other| shaped(other.name)).count() > 1
}

/// "Pass round the four jars" means those with something in them, where the list has an empty one too.
pub fn is_another(material: &Material, mention: &Mention) -> bool {
    mention.definite && material.name.tokens.iter().any(|token| lists!("empty spare waste extra", &token.word))
}

/// Words that tell no other thing: a clear cup is a cup, a measuring cup may be none.
const PLAIN: &str = "test boiling petri sugar ice tea toy clear transparent small large big medium tall short empty identical same similar disposable white black red blue green \
    yellow brown new old spare long thin thick round square little tiny whole fresh dry dried clean labelled labeled matching single \
    double live ripe raw hard soft light heavy strong plain coloured colored reusable sterile flat deep shallow wide narrow mini \
    standard ordinary living connecting connection crocodile alligator conical erlenmeyer bottomed bar horseshoe mixed cut rinsed washed sharpened unsharpened lidded insulated";

/// Whether a noun names a material by all that tells it from others: no dishes where the list has a flan dish.
pub fn is_named(material: &Material, noun: &Phrase) -> bool {
    nouns::material(material.name).is_some_and(|name| {
        name.modifiers.iter().all(|word| {
            word.ends_with("ed") || noun.modifiers.contains(word) || lists!(PLAIN, word) || lists!(MADE_OF, word)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::material_quantity;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::{Value, json};

    fn found(names: &[&str], step: &str) -> usize {
        let materials: Vec<Value> = names.iter().map(|name| json!({ "name": name, "quantity": 1 })).collect();
        let content = json!({ "materials": materials, "steps": [{ "text": step }] });
        let found = material_quantity::find(&Lesson::of(content.as_object().expect("an object")));
        found.iter().filter(|found| found.sure).count()
    }

    #[test]
    fn strokes_and_things_of_several_materials_are_not_counted_as_one_of_them() {
        assert_eq!(found(&["balloon pump"], "Pump the balloon up with four pumps."), 0);
        assert_eq!(found(&["press"], "Close the lid and press it with two presses."), 0);
        assert_eq!(found(&["aluminium plate", "wooden board", "plastic tile"], "Touch all three plates."), 0);
        assert_eq!(found(&["copper rod", "glass rod"], "Dip two rods in the water."), 0);
        assert_eq!(found(&["flan dish", "petri dishes"], "Label the three dishes."), 0);
        assert_eq!(found(&["measuring cylinder"], "Ease out four cylinders."), 0);
        assert_eq!(found(&["clear plastic cup"], "Fill three cups."), 1);
        assert_eq!(found(&["empty jar"], "Fill four jars with sand."), 1);
        assert_eq!(found(&["empty jar"], "Fill the four jars with sand and pass them round."), 0);
        assert_eq!(found(&["waste bottle"], "Shake the three bottles."), 0);
    }

    #[test]
    fn what_is_a_name_a_price_or_in_a_row_is_not_counted() {
        for (names, step) in [
            (&["second diver (straw)", "paper clip"][..], "Build a second diver from the straw."),
            (&["third magnet, wrapped"], "Hold the third magnet to the nail."),
            (&["lamp 8 W", "paint"], "Prices: paint 12 euros, second lamp 15 euros."),
            (&["lamp 8 W"], "Three lamps for 15 euros and a carpet for 20 euros."),
            (&["spring"], "Fill in the table: two springs: $4."),
        ] {
            assert_eq!(found(names, step), 0, "{names:?} | {step}");
        }
        for (names, step) in [
            (&["diver (straw)"][..], "Fill the second diver with water."),
            (&["lamp 8 W"], "Switch on the second lamp."),
            (&["spring"], "Lay two 1-euro coins on the plate and hang up two springs."),
        ] {
            assert_eq!(found(names, step), 1, "{names:?} | {step}");
        }
    }

    #[test]
    fn things_of_one_kind_are_counted() {
        assert_eq!(found(&["balloon pump"], "Take four balloon pumps and fill the balloons."), 1);
        assert_eq!(found(&["wooden block", "paper towel"], "Stack three blocks."), 1);
        assert_eq!(found(&["aluminium plate", "wooden board"], "Touch all three aluminium plates."), 1);
    }
}
