//! What a lesson bans and yet lists or uses: "no glass is permitted", and a glass jar among the materials.
//!
//! Only a ban without a condition counts; one that names a place or a time is held against nothing else.

mod bans;
mod only;
mod uses;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use bans::bans;
use uses::broken_by;

/// A thing that is not to be used, and where that is said.
struct Ban<'l, 'c> {
    text: &'l Text<'c>,
    at: usize,
    words: Vec<String>,
    /// Whether only those who learn must not.
    pupils_only: bool,
}

/// What the lesson bans and has.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    for ban in lesson.texts.iter().flat_map(bans) {
        let Some((text, at)) = broken_by(lesson, &ban) else { continue };
        let known = |known: &Match| {
            known.finding.evidence.last().is_some_and(|place| place.field_path == text.path.to_string())
        };
        if found.iter().any(known) {
            continue;
        }
        let thing = ban.words.join(" ");
        let reason = format!(
            "\"{}\" rules out {thing}, but \"{}\" has it.",
            ban.text.words(&ban.text.sentence(ban.at)),
            text.words(&text.sentence(at))
        );
        let quote = if matches!(text.role, Role::Step(_)) { text.quote_sentence(at) } else { text.quote_all() };
        found.push(
            conflict("not_allowed", ban.text.quote_sentence(ban.at), quote, reason)
                .suggesting(format!("Use something that is allowed in place of the {thing}, or lift the ban.")),
        );
    }
    for (only, step, at) in only::broken(lesson) {
        let (rule, done) = (only.words(&only.sentence(0)), step.words(&step.sentence(at)));
        let known = |known: &Match| {
            known.finding.evidence.last().is_some_and(|place| place.field_path == step.path.to_string())
        };
        if !found.iter().any(known) {
            let reason = format!("\"{rule}\" leaves no room for \"{done}\".");
            found.push(
                conflict("not_allowed", only.quote_all(), step.quote_sentence(at), reason)
                    .suggesting("Use only what is allowed, or allow this too.".to_owned()),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn count(safety: &str, material: &str, step: &str) -> usize {
        let content = json!({"materials": [{"name": material}], "steps": [{"text": step}], "safety": [safety]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn what_is_banned_and_listed_or_used_is_found() {
        for (safety, material, step) in [
            ("No latex of any kind is allowed in this building.", "Latex balloon, 12-inch", ""),
            (
                "Glass thermometers containing mercury may not be used anywhere in school.",
                "Mercury-in-glass thermometer",
                "",
            ),
            ("We work outdoors: plasticware only, no glass is permitted outside.", "Glass jam jar with lid", ""),
            ("Plastic containers only.", "Glass beaker, 250 mL", ""),
            (
                "Only cells: power packs stay in the cupboard this lesson.",
                "Wire",
                "Connect the power pack through the switch.",
            ),
            ("Phones are not allowed.", "Ruler", "Use your phone to film the fall."),
            ("Mobile phones are banned.", "Smartphone", ""),
            ("This is a nut-free classroom.", "Peanut butter", ""),
            ("No open flames in the room.", "Tealight candle", ""),
            ("Calculators are not permitted.", "Calculator", ""),
            ("Do not use calculators.", "Ruler", "Work out the mean with a calculator."),
            ("Never use glass in this lesson.", "Glass rod", ""),
            (
                "Anything that runs off the wall socket is forbidden while the floor is being rewired.",
                "mains hair dryer",
                "",
            ),
            ("No glue, tape or other sticky stuff may be used on it.", "Card", "Run the glue stick down the seam."),
            ("Phones may not be used during this lesson.", "Phone", ""),
            ("Glass is not allowed because the floor is tiled.", "Glass jar", ""),
            ("Make the bridge without tape.", "Card", "Tape the ends of the straws together."),
            ("Knives of any kind are banned.", "Ruler", "Cut the potato with a knife."),
            ("Absolutely no candles.", "Tea light candles", ""),
            ("Use of ladders is prohibited.", "Stepladder", ""),
            ("Electrical outlets are off-limits.", "Ruler", "Plug the lamp into the wall outlet."),
            ("Battery power only.", "Ruler", "Plug in the hair dryer and warm the can."),
            ("Do not bring food containing nuts.", "Walnuts", ""),
            ("We cannot have latex in the room because of an allergy.", "Latex gloves", ""),
            ("Build a tower with no tape or glue.", "Masking tape", ""),
            ("Build a tower using only spaghetti and string.", "String", "Tape the base of the tower."),
            ("Nothing but card and tape may go into the crumple zone.", "Card", "Join the struts with the glue gun."),
        ] {
            assert_eq!(count(safety, material, step).min(1), 1, "{safety}");
        }
    }

    #[test]
    fn bans_with_a_scope_and_things_that_only_sound_alike_are_passed_over() {
        for (safety, material, step) in [
            ("No glass on the floor.", "Plastic jar", "Put your phones away."),
            ("No phones near the water.", "Phone", "Use your phone."),
            ("Phones are not allowed until the experiment is over.", "Phone", ""),
            ("This is a nut-free classroom.", "Hex nut and bolt", ""),
            ("Latex balloons may not be used by anyone with an allergy.", "Latex balloon", ""),
            ("No glass is allowed outside.", "Magnifying glass", ""),
            ("No open flames in the room.", "LED candle", "Put your phones in the box"),
            ("Do not use the scissors to open the bag.", "Scissors", "Cut with the scissors."),
            ("Anything that runs off the wall socket is fine.", "mains lamp", ""),
            ("Measure the heap without glue.", "Glue stick", ""),
            ("Make the bridge without tape.", "Tape measure", "Measure it with the ruler."),
            ("Phones are not allowed while heating.", "Phone", ""),
            ("No knives in the sink.", "Knife", "Cut with the knife."),
            ("Build a tower using only the materials provided.", "Spaghetti", "Tape the base."),
            ("Design a bridge using only paper and tape.", "Tape", "Tape the beams together."),
            ("Students under 10 do not use the drill.", "Ruler", "Use the drill to make a hole."),
            ("Students may not use the oven.", "Oven", ""),
            ("No glass containers on the windowsill.", "Glass container", ""),
            ("No running.", "Running shoes", "Run the test with the shoes."),
            ("No extra mass on the cart unless the teacher has clamped the sensor.", "Mass", ""),
            ("Students may not use the scalpel.", "Ruler", "The teacher cuts it with the scalpel."),
            ("Telefone sind verboten.", "Telefon", ""),
            ("Keine Handys.", "Handy", ""),
        ] {
            assert_eq!(count(safety, material, step), 0, "{safety}");
        }
    }
}
