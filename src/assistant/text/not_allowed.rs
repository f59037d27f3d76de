//! What a lesson bans and yet lists or uses: "no glass is permitted", and a glass jar among the materials.
//!
//! Only a ban without a condition counts; one that names a place or a time is held against nothing else.

mod authority;
mod bans;
mod kindred;
mod only;
mod rules;
mod scopes;
mod sole;
mod uses;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::mentions::Mention;
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::units::Dimension;
use crate::domain::finding::Evidence;
use bans::bans;
use uses::broken_by;

/// A thing that is not to be used, and where that is said.
struct Ban<'l, 'c> {
    text: &'l Text<'c>,
    at: usize,
    words: Vec<String>,
    /// Whether only those who learn must not.
    pupils_only: bool,
    /// The place where it holds, in one of these words; anywhere where there is none.
    place: Vec<String>,
}

/// Everything that a text bans.
fn bans_of<'l, 'c>(text: &'l Text<'c>) -> Vec<Ban<'l, 'c>> {
    let read = |text: &Text| {
        let all = bans(text).into_iter().chain(rules::bans(text));
        all.map(|Ban { text: _, at, words, pupils_only, place }| (at, words, pupils_only, place)).collect::<Vec<_>>()
    };
    let all = text.kept(read);
    all.iter()
        .map(|(at, words, pupils_only, place)| {
            let (words, place) = (words.clone(), place.clone());
            Ban { text, at: *at, words, pupils_only: *pupils_only, place }
        })
        .collect()
}

/// Whether a ban is said of outdoors, or of indoors, and no step goes there.
fn is_elsewhere(lesson: &Lesson, ban: &Ban) -> bool {
    let sentence = ban.text.sentence(ban.at);
    let said = |words: &str| sentence.clone().any(|at| lists(words, ban.text.word(at)));
    // "What has peanuts stays outside" bans it here.
    let allowed = "allowed permitted used banned forbidden prohibited";
    let out_of_doors = sentence
        .clone()
        .any(|at| lists!("outside outdoors", ban.text.word(at)) && lists(allowed, ban.text.word(at.wrapping_sub(1))));
    let out = "hill meadow picnic yard playground garden field park pond beach wood woods trail shore river stream forest lawn";
    let told = |words: &str| {
        lesson.texts().iter().any(|text| {
            let own = text.path == ban.text.path;
            text.tokens.iter().any(|token| lists(words, &token.word) || !own && lists!("outside outdoors", &token.word))
        })
    };
    let twice = ban.text.tokens.iter().filter(|token| lists!("outside outdoors", &token.word)).count() > 1;
    out_of_doors && !said("indoors inside or") && !twice && !told(out) || said("indoors") && !said("or") && told(out)
}

/// "The packet says: do not use fresh pineapple" tells what is to be found out.
fn is_told_of_others(ban: &Ban) -> bool {
    let said = |at: usize| lists!("says say said reads warns warn claims claim advises recommends", ban.text.word(at));
    matches!(ban.text.role, Role::Phenomenon | Role::DrivingQuestion)
        && (ban.text.sentence(ban.at).start..ban.at).any(said)
}

/// "The 30 % peroxide is not used in this class", where the list has one of 3 %, or does not say.
fn is_of_another_strength(lesson: &Lesson, ban: &Ban, used: &Text) -> bool {
    let strength = |amount: &&Mention| matches!(amount.dimension, Some(Dimension::Share | Dimension::Concentration));
    let sentence = ban.text.sentence(ban.at);
    let mut banned =
        ban.text.amounts().iter().filter(strength).filter(|amount| sentence.contains(&amount.tokens.start)).peekable();
    let notes = match used.role {
        Role::MaterialName(index) => lesson.text(Role::MaterialNotes(index)),
        _ => None,
    };
    let told = |banned: &Mention| {
        let mut all = [Some(used), notes].into_iter().flatten().flat_map(|text| text.amounts());
        all.any(|amount| amount.comparable(banned) && amount.agrees_with(banned))
    };
    banned.peek().is_some() && !banned.any(told)
}

/// "Do not use beakers with chipped rims", "spoons of metal may not be used", "do not use the ruler as a catapult": whether
/// what is used is not told to be so.
fn is_of_a_kind(ban: &Ban, used: &Text) -> bool {
    let (text, sentence) = (ban.text, ban.text.sentence(ban.at));
    let Some(head) = ban.words.last() else { return false };
    // "Of any kind" narrows nothing.
    let narrows = |of: usize| match text.word(of) {
        "with" | "as" | "having" => true,
        "from" => lists!("the", text.word(of + 1)),
        "of" => !lists!("any all every each whatever the our this your that", text.word(of + 1)),
        _ => false,
    };
    let after = sentence.clone().find(|at| text.lemma(*at) == *head && narrows(at + 1));
    let Some(of) = after.map(|at| at + 1) else { return false };
    let end = phrases::clause_end(text, of);
    let verb = |at: &usize| lists!("is are may must can should will shall cannot stay remain", text.word(*at));
    let said = phrases::content_words(text, of + 1..(of + 1..end).find(verb).unwrap_or(end));
    let told = |word: &String| used.tokens.iter().any(|token| token.word == *word || stem(&token.lemma) == stem(word));
    !said.iter().any(told)
}

/// What the lesson bans and has.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    for ban in lesson.texts().iter().flat_map(bans_of) {
        let Some((text, at)) = broken_by(lesson, &ban) else { continue };
        if is_elsewhere(lesson, &ban)
            || scopes::is_of_other_grades(lesson, &ban)
            || is_of_another_strength(lesson, &ban, text)
            || is_of_a_kind(&ban, text)
            || is_told_of_others(&ban)
        {
            continue;
        }
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
    let mut add = |rule: &Text, at: usize, text: &Text, quote: Evidence| {
        let known =
            |known: &Match| known.finding.evidence.last().is_some_and(|place| place.field_path == quote.field_path);
        if !found.iter().any(known) {
            let reason = format!("\"{}\" leaves no room for \"{}\".", rule.words(&rule.sentence(at)), quote.quote);
            let path = text.path != rule.path;
            found.extend(path.then(|| {
                conflict("not_allowed", rule.quote_sentence(at), quote, reason)
                    .suggesting("Use only what is allowed, or allow this too.")
            }));
        }
    };
    if let Some((rule, at, step, taken)) = authority::taken(lesson) {
        add(rule, at, step, step.quote_sentence(taken));
    }
    if let Some((rule, at, name)) = authority::only_one(lesson) {
        add(rule, at, name, name.quote_all());
    }
    for (rule, at, text, used) in sole::other_used(lesson).into_iter().chain(kindred::other_kind(lesson)) {
        let quote = if matches!(text.role, Role::Step(_)) { text.quote_sentence(used) } else { text.quote_all() };
        add(rule, at, text, quote);
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

    pub(super) fn count(safety: &str, material: &str, step: &str) -> usize {
        let content = json!({"materials": [{"name": material}], "steps": [{"text": step}], "safety": [safety]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_kind_or_a_purpose_that_is_banned_bans_nothing_else() {
        for (safety, material, step) in [
            ("Do not use beakers with chipped rims.", "Glass beaker", ""),
            ("Do not use the ruler as a catapult.", "Wooden ruler", ""),
            ("Pulleys with cracks must not be used.", "Pulley", ""),
            ("Batteries having leaks or dents are not allowed.", "AA battery", ""),
            ("Spoons of metal may not be used.", "Wooden spoon", ""),
            ("Thermometers from the laboratory stay in the cupboard.", "Kitchen thermometer", ""),
            ("Eggs stay in their bag from start to finish.", "Raw egg", ""),
            ("The 30 % peroxide is not used in this class.", "Hydrogen peroxide, 3 %", ""),
        ] {
            assert_eq!(count(safety, material, step), 0, "{safety}");
        }
        for (safety, material) in [
            ("Do not use beakers with chipped rims.", "Beaker, rim chipped"),
            ("Pulleys with cracks must not be used.", "Cracked pulley"),
            ("Spoons of metal may not be used.", "Metal spoon"),
            ("Spoons of any kind may not be used.", "Wooden spoon"),
            ("Phones stay in bags.", "Phone"),
        ] {
            assert_eq!(count(safety, material, ""), 1, "{safety}");
        }
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
            ("Mobile phones stay in lockers, no exceptions.", "", "Time it with the stopwatch app on your phone."),
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
            ("Our head has banned spirit and every other alcohol from the classrooms.", "Methylated spirit", ""),
            ("The school has banned latex gloves.", "Latex gloves", ""),
            ("Masking tape is the one and only sticky stuff permitted on a lander.", "Hot glue gun", ""),
            ("Tape is the only adhesive that may be used.", "Wood glue", ""),
            ("Glass of any kind is banned aboard the mobile lab.", "Glass stirring rod", ""),
            ("Nothing but card and tape may go into the crumple zone.", "Card", "Join the struts with the glue gun."),
            ("Tweezers are not allowed at the tables.", "Metal tweezers", ""),
            (
                "Horseshoe magnets are not permitted in student hands.",
                "Bar magnet",
                "Now try the cardboard with the horseshoe magnet.",
            ),
            ("No plastic in any form.", "Plastic carrier bag", ""),
            ("Our school board does not permit mercury thermometers.", "Can", "Lower the mercury thermometer into it."),
            ("Bar magnets only.", "Horseshoe magnet", ""),
        ] {
            assert_eq!(count(safety, material, step).min(1), 1, "{safety}");
        }
    }

    #[test]
    fn what_a_permit_protects_is_not_to_be_taken() {
        let count = |notes: &str, step: &str| {
            let content = json!({"materials": [{"name": "Permit", "notes": notes}], "steps": [{"text": step}]});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        let permit = "covers looking and counting; nothing that grows here may be picked or uprooted";
        assert_eq!(count(permit, "Before leaving each point dig up one plant of every species."), 1);
        assert_eq!(count("No flowers may be picked.", "Pick two wildflowers for the press."), 1);
        assert_eq!(count(permit, "Before leaving each point photograph one plant."), 0);
        assert_eq!(count(permit, "Do not dig up any plant."), 0);
        assert_eq!(count(permit, "Collect five fallen leaves."), 0);
        assert_eq!(count("Only flowers that are rare may not be picked.", "Pick two flowers."), 0);
        assert_eq!(count("Pick up two at the counter.", "Pick two flowers."), 0);
    }

    #[test]
    fn what_a_packet_says_to_others_is_no_ban_of_the_lesson() {
        let count = |phenomenon: &str| {
            let content = json!({"phenomenon": phenomenon, "materials": [{"name": "Fresh pineapple"}]});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(count("The packet says: do not use fresh pineapple."), 0);
        assert_eq!(count("Do not use fresh pineapple."), 1);
    }

    #[test]
    fn bans_with_a_scope_and_things_that_only_sound_alike_are_passed_over() {
        for (safety, material, step) in [
            ("No glass on the floor.", "Plastic jar", "Put your phones away."),
            ("Lilies are poisonous to cats, so no flowers are taken home.", "Lily flower", ""),
            ("No phones near the water.", "Phone", "Use your phone."),
            ("Phones are not allowed until the experiment is over.", "Phone", ""),
            ("This is a nut-free classroom.", "Hex nut and bolt", ""),
            ("Latex balloons may not be used by anyone with an allergy.", "Latex balloon", ""),
            ("No glass is allowed outside.", "Magnifying glass", ""),
            ("No open flames in the room.", "LED candle", "Put your phones in the box"),
            ("Phones stay in bags.", "Tray", "Put your phones in your bags."),
            ("Peanuts are banned.", "Tray", "Use sunflower seeds in place of peanuts."),
            ("Do not use the scissors to open the bag.", "Scissors", "Cut with the scissors."),
            ("Anything that runs off the wall socket is fine.", "mains lamp", ""),
            ("Measure the heap without glue.", "Glue stick", ""),
            ("Make the bridge without tape.", "Tape measure", "Measure it with the ruler."),
            ("Phones are not allowed while heating.", "Phone", ""),
            ("No knives in the sink.", "Knife", "Cut with the knife."),
            ("Knives are not allowed at the sink.", "Knife", ""),
            ("Bags are not allowed on the tables.", "Zip bag", ""),
            ("Do not use your own tweezers or scissors from home.", "Tweezers", ""),
            ("The drying agent stays in its bag.", "Drying agent", ""),
            ("Ethanol stays in the fume cupboard.", "Ethanol", ""),
            ("Only pom-poms go in the spoon.", "Tape", "Tape the spoon on top."),
            ("The zone round its alcohol-free gel is small.", "Sanitizer with alcohol", ""),
            ("Build a tower using only the materials provided.", "Spaghetti", "Tape the base."),
            ("Design a bridge using only paper and tape.", "Tape", "Tape the beams together."),
            ("Students under 10 do not use the drill.", "Ruler", "Use the drill to make a hole."),
            ("Students may not use the oven.", "Oven", ""),
            ("No glass containers on the windowsill.", "Glass container", ""),
            ("No running.", "Running shoes", "Run the test with the shoes."),
            ("No extra mass on the cart unless the teacher has clamped the sensor.", "Mass", ""),
            ("Students may not use the scalpel.", "Ruler", "The teacher cuts it with the scalpel."),
            ("Students do not use matches.", "Jar", "The teacher comes around, lights one match and drops it in."),
            ("No string round anybody's neck, not even for a joke.", "Cotton string", ""),
            ("No eating the flour or cocoa.", "Cocoa powder", ""),
            ("No cords across the aisle.", "Cords", ""),
            ("No bags under the benches.", "Paper bag", ""),
            ("No leaning on the glass.", "Glass tank", ""),
            ("The city has banned plastic bags.", "Plastic bag", ""),
            ("The school has banned phones unless a teacher agrees.", "Phone", ""),
            ("Tape is the only adhesive on the list of what was used first.", "Glue", ""),
            ("A candle is the only heat source allowed.", "Thermometer", "Draw the candle."),
            ("Telefone sind verboten.", "Telefon", ""),
            ("Keine Handys.", "Handy", ""),
        ] {
            assert_eq!(count(safety, material, step), 0, "{safety}");
        }
    }
}
