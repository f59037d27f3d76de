//! What is set on a dial, and how high things fall from: amounts of one thing although their words differ. A part of
//! `quantity_mismatch`.

use super::quantity_mismatch::SUPPLY;
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
            set()
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

/// Whether a step only waits that long, where the constant tells how long something is done.
pub fn is_pause(constant: &Text, (text, step): (&Text, &Mention)) -> bool {
    let pauses = |text: &Text, from: std::ops::Range<usize>| {
        text.tokens.get(from).unwrap_or_default().iter().any(|token| token.is_one_of(&PAUSE))
    };
    step.dimension == Some(Dimension::Time)
        && pauses(text, step.clause.clone())
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
            ("Voltage 6 V", "Each 1.5 V cell goes into the holder."),
        ] {
            assert_eq!(found(controlled, step), 0, "{controlled} | {step}");
        }
    }
}
