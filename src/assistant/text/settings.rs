//! What is set on a dial, and how high things fall from: amounts of one thing although their words differ. A part of
//! `quantity_mismatch`.

use super::quantity_mismatch::{Placed, SUPPLY};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns;
use crate::assistant::facts::units::Dimension;

/// Words of clauses in which something is set.
const SETTING: [&str; 8] = ["set", "dial", "adjust", "turn", "thermostat", "switch", "keep", "bring"];

/// Words of falling.
const FALLING: [&str; 12] = [
    "drop", "drops", "dropped", "release", "released", "releases", "fall", "falls", "let", "lets", "falling",
    "dropping",
];

/// Words of a time in which nothing is done.
const PAUSE: [&str; 7] = ["wait", "waits", "after", "before", "later", "rest", "until"];

/// Whether a step sets what is kept the same, which its sentence names: "switch on the water bath, set the dial to 50 °C".
pub fn is_set((text, constant): (&Text, &Mention), about: &[String], (other, step): (&Text, &Mention)) -> bool {
    let unlike = matches!((constant.attribute, step.attribute), (Some(one), Some(other)) if one != other);
    if unlike || constant.every || step.every {
        return false;
    }
    let sentence = other.tokens.get(other.sentence(step.tokens.start)).unwrap_or_default();
    let stems = || sentence.iter().map(|token| nouns::stem(&token.word));
    let clause = other.tokens.get(step.clause.clone()).unwrap_or_default();
    let set = || clause.iter().any(|token| token.is_one_of(&SETTING));
    match constant.dimension {
        Some(Dimension::Temperature | Dimension::Power) => {
            // "Measure the acid. Stand it in the water bath, set to 35 °C."
            let bath = |stem: &String| ["bath", "incubat", "thermostat"].contains(&stem.as_str());
            let bathed = || {
                let before =
                    other.sentence(step.tokens.start).start.checked_sub(1).map_or(0..0, |at| other.sentence(at));
                let mut before = other.tokens.get(before).unwrap_or_default().iter();
                stems().any(|stem| bath(&stem))
                    && !about.iter().any(bath)
                    && before.any(|token| about.contains(&nouns::stem(&token.word)))
            };
            set() && bathed()
                || set()
                    && stems().any(|stem| {
                        about.contains(&stem) || stem == "room" && text.tokens.iter().any(|token| token.is("room"))
                    })
        }
        Some(Dimension::Voltage) => {
            set() && stems().any(|stem| about.contains(&stem) || SUPPLY.contains(&stem.as_str()))
        }
        Some(Dimension::Angle) => {
            about.is_empty() && constant.attribute.is_some() && constant.attribute == step.attribute
        }
        Some(Dimension::Length) => {
            let falls = |text: &Text, at: usize| {
                let words = text.tokens.get(text.sentence(at)).unwrap_or_default();
                words.iter().any(|token| token.is_one_of(&FALLING))
            };
            constant.attribute == Some("height")
                && step.attribute == Some("height")
                && falls(text, constant.tokens.start)
                && clause.iter().any(|token| token.is_one_of(&FALLING))
        }
        _ => false,
    }
}

/// Names of what is measured out, whatever it is.
const WHATEVER: [&str; 20] = [
    "metal",
    "salt",
    "soil",
    "fuel",
    "food",
    "oil",
    "liquid",
    "solution",
    "fluid",
    "substance",
    "powder",
    "solid",
    "sample",
    "layer",
    "drink",
    "mixture",
    "chemical",
    "reactant",
    "portion",
    "serving",
];

/// Whether both are the one amount that is measured out of whatever is tried: "volume of each layer: 60 mL", "45 mL of
/// each liquid".
pub fn is_sole((text, constant): (&Text, &Mention), (other, step): (&Text, &Mention), same: &[&Placed]) -> bool {
    let whatever = |mention: &Mention| mention.noun.as_ref().is_none_or(|noun| WHATEVER.contains(&noun.head.as_str()));
    let each = |text: &Text, mention: &Mention| {
        mention.per.is_some()
            || text.sentence(mention.tokens.start).any(|at| matches!(text.word(at), "each" | "every" | "both" | "all"))
    };
    // "Equal masses of 10 g"
    let alike = |text: &Text| text.tokens.iter().any(|token| token.is_one_of(&["equal", "equally", "same"]));
    matches!(constant.dimension, Some(Dimension::Volume | Dimension::Mass))
        && whatever(constant)
        && whatever(step)
        && (constant.noun.is_some() || alike(text))
        && (each(text, constant) || alike(text))
        && each(other, step)
        && same.iter().all(|(_, all)| all.agrees_with(step))
}

/// Whether a step only waits that long, where the constant tells how long something is done.
pub fn is_pause(constant: &Text, (text, step): (&Text, &Mention)) -> bool {
    let pauses = |text: &Text, from: std::ops::Range<usize>| {
        text.tokens.get(from).unwrap_or_default().iter().any(|token| token.is_one_of(&PAUSE))
    };
    step.dimension == Some(Dimension::Time)
        && pauses(text, step.clause.start..step.tokens.end + 1)
        && !pauses(constant, 0..constant.tokens.len())
        && !constant
            .tokens
            .iter()
            .any(|token| ["wait", "rest", "soak", "stand"].iter().any(|idle| token.word.starts_with(idle)))
}

#[cfg(test)]
mod tests {
    use super::super::quantity_mismatch::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(controlled: &str, step: &str) -> usize {
        let content = json!({"variables": {"controlled": [controlled]}, "steps": [{"text": step}]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn what_is_set_to_another_amount_is_found() {
        for (controlled, step) in [
            ("Water bath kept at 37 °C", "Switch on the water bath, set the dial to 50 °C and check that it settles."),
            ("The room is kept at 20 °C", "Set the heater in the room to 26 °C."),
            ("Voltage stays at 6 V", "Turn the supply to 9 V and leave it there."),
            ("Drop height of 1 m", "Let the ball fall from a height of 150 cm each time."),
            ("Swirl for 15 seconds", "Swirl each flask for half a minute."),
            ("The string stays 60 cm long", "Tie a 45 cm length of string to the clamp."),
            ("Reaction time held at ten minutes", "Leave the enzyme to react for 15 minutes."),
            ("Acclimatisation time of 5 minutes", "The animal gets 2 minutes to acclimatise."),
            ("Sample volume, exactly 5 mL from each site", "From each site, take a 10.5 mL sample."),
            ("Load: 200 g hung on the hook", "Hang the 500 g load from the hook."),
            ("Length of wire, clamp to marker, 2.00 m", "Tape the marker on the wire 1.50 m from the clamp."),
            ("Volume of each layer: 60 mL", "Pour 45 mL of each liquid into the cylinder."),
            (
                "Temperature of both reactants: 25 °C",
                "Measure each reactant into a tube. Stand the tubes in the water bath, set to 35 °C.",
            ),
            ("String in every run: 24 inches long", "Cut the string to a full yard and tie a washer to it."),
        ] {
            assert_eq!(found(controlled, step), 1, "{controlled} | {step}");
        }
    }

    #[test]
    fn what_is_set_elsewhere_or_waited_for_is_not() {
        for (controlled, step) in [
            ("Water bath kept at 37 °C", "Set the oven to 180 °C and dry the leaves."),
            ("Water bath kept at 37 °C", "Turn to the water bath when it is at 37 °C."),
            ("Stir for 30 s", "Wait for 60 s after stirring."),
            ("Drop height of 1 m", "Read how high it bounces: a height of 60 cm is common."),
            ("Volume of water in each cup (200 mL)", "Take cups that hold 300 mL."),
            ("20 mL of water per pot every day", "On Friday give each pot 60 mL, as nobody comes on the weekend."),
            ("Volume of each layer: 60 mL", "Add 5 mL of dye to each liquid."),
            ("Ramp length of 1 m", "Raise one end of the ramp by 10 cm."),
            ("Length of the pendulum 50 cm", "Pull the bob 10 cm to the side."),
            ("Temperature of both reactants: 25 °C", "Fetch the reactants. Set the hot plate to 80 °C for the wax."),
            ("Voltage 6 V", "Each 1.5 V cell goes into the holder."),
        ] {
            assert_eq!(found(controlled, step), 0, "{controlled} | {step}");
        }
    }
}
