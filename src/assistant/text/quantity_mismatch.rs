//! Amounts with a unit that cannot both hold: 100 mL is kept constant and 150 mL is poured, 15 cm and 0.25 m.
//!
//! Many amounts of a lesson differ for good reasons, so an amount that any step agrees with is never in conflict.

use super::several::{is_for_days, is_several};
use super::{Match, amounts, listed_amounts, settings, sizes, ways};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Material, Role, Text};
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::units::Dimension;

/// The name of this kind.
pub const NAME: &str = "quantity_mismatch";

/// Stems of what people do in intervals to see how it goes on.
const READING: &[&str] = &["read", "record", "measur", "check", "observ", "count", "tak", "look"];

/// Stems of what drives a circuit.
pub const SUPPLY: &[&str] = &["supply", "pack", "battery", "sourc", "psu", "cell"];

/// An amount and the text that it stands in.
pub type Placed<'l, 'c> = (&'l Text<'c>, Mention);

/// Everything found.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let measured =
        |text| mentions(text).into_iter().filter(|m| m.dimension.is_some()).map(move |mention| (text, mention));
    let steps: Vec<Placed> = lesson.steps().flat_map(|(_, text)| measured(text)).collect();
    let controlled: Vec<Placed> = lesson.controlled().flat_map(measured).collect();
    let levels: Vec<Placed> = lesson.texts_of(|role| role == Role::Independent).flat_map(measured).collect();
    let mut found = Vec::new();
    let intervals = lesson.texts_of(|role| role == Role::Dependent).flat_map(measured).filter(|(_, told)| told.every);
    for constant in controlled.iter().cloned().chain(intervals) {
        found.extend(against_steps(lesson, &constant, &controlled, &levels, &steps));
    }
    found.extend(listed_amounts::find(lesson, &levels, &steps));
    found.extend(expected(lesson, &levels, &steps));
    found.extend(named_before(lesson, &steps));
    found.extend(sizes::find(lesson, &levels, &steps));
    found.extend(sizes::kept(lesson, &levels));
    found.extend(ways::read_after(lesson, &steps));
    found
}

/// What is kept the same, against what a step does.
fn against_steps(
    lesson: &Lesson,
    (constant_text, constant): &Placed,
    controlled: &[Placed],
    levels: &[Placed],
    steps: &[Placed],
) -> Option<Match> {
    if constant.partial || constant.numeral.single().is_none() {
        return None;
    }
    let mut about = nouns::topics(&constant_text.tokens);
    let unit = nouns::topics(constant_text.tokens.get(constant.tokens.clone()).unwrap_or_default());
    about.retain(|topic| !unit.contains(topic));
    // "10 cm by 10 cm" is one amount.
    let again = |text: &Text, other: &Mention| text.path == constant_text.path && other.agrees_with(constant);
    let alike = controlled.iter().filter(|(text, other)| other.comparable(constant) && !again(text, other));
    let alone = alike.count() == 0;
    let same: Vec<&Placed> = steps.iter().filter(|(_, step)| step.comparable(constant)).collect();
    let kept = |(_, step): &&Placed| {
        step.agrees_with(constant) && step.every == constant.every && !of_another(lesson, constant, step)
    };
    if same.iter().any(kept) {
        return None;
    }
    if is_varied(lesson, constant, levels) {
        return None;
    }
    // How often something is read has nothing to do with how often it is watered.
    let reading = |text: &Text, at: usize| {
        let words = text.tokens.get(text.sentence(at)).unwrap_or_default();
        words.iter().any(|token| READING.contains(&nouns::stem(&token.word).as_str()))
    };
    let related = |(text, step): &&&Placed| {
        // "Level with 0 cm, 2 cm apart" names both.
        let named = |(other, known): &Placed| {
            other.path == constant_text.path && known.comparable(step) && known.agrees_with(step)
        };
        if controlled.iter().any(named) {
            return false;
        }
        // "110 mL of water and acid in all"
        let end = step.noun.as_ref().map_or(0, |noun| noun.tokens.end);
        if other_lessons::is_told(text, step.tokens.start)
            || hands::is_aside(text, step.tokens.start)
            || ways::is_another(constant, (text, step))
        {
            return false;
        }
        let mut sentence = text.sentence(step.tokens.start);
        if matches!(text.word(end), "and" | "&" | "plus" | "or")
            && sentence.any(|at| matches!(text.word(at), "all" | "total" | "altogether" | "together"))
        {
            return false;
        }
        let both_read = constant.every && step.every && reading(text, step.tokens.start);
        let sole = alone && settings::is_sole((constant_text, constant), (text, step), &same);
        let same = relation(constant, &about, step, alone) && !settings::is_pause(constant_text, (text, step))
            || both_read && (step.shared(&about) >= 1 || alone && about.is_empty())
            || alone && ways::is_same((constant_text, constant), (text, step))
            || alone && ways::is_only(lesson, constant, (text, step), same.len())
            || alone && settings::is_set((constant_text, constant), &about, (text, step))
            || sole;
        let per_differs = step.per_differs(constant) && !sole;
        !step.partial && !step.about && !per_differs && same && (!constant.every || both_read)
    };
    // 400 mL for four cups of 100 mL
    let several = |text: &Text, step: &Mention| {
        step.is_multiple_of(constant) && is_several(lesson, (constant_text, constant), (text, step))
    };
    // "One drop of dye, then two more"
    let goes_on = |text: &Text, step: &Mention| {
        let words = text.tokens.get(text.sentence(step.tokens.start)).unwrap_or_default();
        words.iter().any(|token| token.is_one_of(&["more", "another", "again", "further", "twice"]))
    };
    let portion = |text: &Text, step: &Mention| {
        !is_parameter(constant)
            && !sizes::is_of_one(text, step)
            && (step.per.is_none() && several(text, step)
                || step.is_multiple_of(constant) && is_for_days(text, step)
                || is_portion(constant, step, &same)
                || constant.is_multiple_of(step) && goes_on(text, step))
    };
    let other = same.iter().filter(related).find(|(text, step)| !is_level(step, levels) && !portion(text, step))?;
    Some(amounts::conflict(NAME, (constant_text, constant), (other.0, &other.1)))
}

/// Whether both are amounts of things that the list of materials tells apart.
fn of_another(lesson: &Lesson, constant: &Mention, step: &Mention) -> bool {
    let listed = |mention: &Mention| {
        let noun = mention.noun.as_ref().filter(|_| !is_parameter(mention))?;
        let fits = |material: &Material| nouns::material(material.name).is_some_and(|name| name.fits(noun));
        lesson.materials().iter().find(|material| fits(material)).map(|material| material.index)
    };
    matches!((listed(constant), listed(step)), (Some(one), Some(other)) if one != other)
}

/// Whether the lesson changes this on purpose.
fn is_varied(lesson: &Lesson, constant: &Mention, levels: &[Placed]) -> bool {
    let independent = lesson.text(Role::Independent).map(|text| nouns::topics(&text.tokens)).unwrap_or_default();
    levels
        .iter()
        .any(|(_, level)| level.comparable(constant) && is_parameter(constant) && level.attribute == constant.attribute)
        || (constant.dimension.is_some_and(|d| d == Dimension::Temperature)
            && lesson.text(Role::Independent).is_some_and(|text| text.tokens.iter().any(|t| t.is("temperature"))))
        || constant.noun.as_ref().is_some_and(|noun| {
            independent.contains(&nouns::stem(&noun.head))
                && lesson.text(Role::Independent).is_some_and(|text| {
                    text.tokens.iter().any(|t| t.is_one_of(&["amount", "volume", "mass", "quantity", "much"]))
                })
        })
}

/// Whether it is one of the values that are tried.
pub fn is_level(step: &Mention, levels: &[Placed]) -> bool {
    levels.iter().any(|(_, level)| level.comparable(step) && level.agrees_with(step))
}

/// Whether the step's amount is one of several that make up the constant.
fn is_portion(constant: &Mention, step: &Mention, same: &[&Placed]) -> bool {
    let of_it = |(_, other): &&&Placed| match (&other.noun, &constant.noun) {
        (Some(one), Some(other)) => one.fits(other),
        _ => true,
    };
    let sum: f64 = same.iter().filter(of_it).map(|(_, other)| other.low).sum();
    (sum - constant.low).abs() < 0.01 * constant.low.abs()
        || constant.is_multiple_of(step) && step.per.is_some() && constant.per.is_none()
}

/// Whether it is a setting rather than so much of a substance.
fn is_parameter(mention: &Mention) -> bool {
    use Dimension::{Drops, Mass, Spoons, Volume};
    !matches!(mention.dimension, Some(Volume | Mass | Drops | Spoons) | None)
}

/// Whether both are about the same: of one noun, or settings of one thing.
fn relation(constant: &Mention, about: &[String], step: &Mention, alone: bool) -> bool {
    let attributes = match (constant.attribute, step.attribute) {
        (Some(one), Some(other)) => Some(one == other),
        _ => None,
    };
    let shared = step.shared(about);
    // "Length of wire, clamp to marker", "tape the marker on the wire 1.5 m from the clamp"
    let along = || constant.dimension == Some(Dimension::Length) && shared >= 3;
    if attributes == Some(false) && is_parameter(constant) && !along() {
        return false;
    }
    let fits = match (&constant.noun, &step.noun) {
        (Some(one), Some(other)) => Some(one.fits(other)),
        _ => None,
    };
    if !is_parameter(constant) {
        return match fits {
            Some(fits) => fits,
            None => alone && (shared >= 1 || attributes == Some(true) && constant.attribute == Some("load")),
        };
    }
    let strict = !matches!(constant.dimension, Some(Dimension::Temperature | Dimension::Angle));
    if constant.dimension == Some(Dimension::Resistance) {
        return fits == Some(true);
    }
    // "Voltage of the supply" and "set the power pack to" are about one thing.
    let supplied = |topics: &[String]| topics.iter().any(|topic| SUPPLY.contains(&topic.as_str()));
    if constant.dimension == Some(Dimension::Voltage) && alone && supplied(about) && supplied(&step.topics) {
        return true;
    }
    match (fits, attributes) {
        _ if constant.every != step.every => false,
        (Some(true), _) => true,
        (_, Some(true)) => shared >= 1 || alone && constant.dimension == Some(Dimension::Current),
        _ if shared >= 2 => true,
        _ => {
            let run = |topic: &String| ["run", "trial", "test", "group"].contains(&topic.as_str());
            let whole = shared >= 1 && shared + about.iter().filter(|topic| run(topic)).count() >= about.len();
            // "Length of each straw: 12 cm", "cut each straw to 15 cm"
            let cut = || {
                let cuts = |topic: &String| ["cut", "trim", "snip"].contains(&topic.as_str());
                constant.attribute == Some("length") && step.attribute.is_none() && step.topics.iter().any(cuts)
            };
            // "Length of each potato cylinder, 40 mm", "cut four cylinders and trim them to 50 mm"
            let named: Vec<String> = constant.noun.iter().map(|noun| nouns::stem(&noun.head)).collect();
            let named = if named.is_empty() { about.to_vec() } else { named };
            // "Ramp set at 20 cm", "prop the ramp up to a height of 30 cm"
            let raised = || {
                let ramp = ["ramp", "slop", "slope", "runway", "board", "plank"]
                    .iter()
                    .any(|ramp| about.iter().any(|topic| topic == ramp));
                ramp && constant.attribute.is_none() && step.attribute == Some("height")
            };
            let sure = match constant.dimension {
                Some(Dimension::Time) => whole,
                Some(Dimension::Length) => (whole || step.shared(&named) >= 1) && cut() || whole && raised(),
                Some(Dimension::Power) => true,
                _ => !strict,
            };
            shared >= 1 && alone && sure
        }
    }
}

/// What the hypothesis, the title or an objective says is used, against the steps.
fn expected(lesson: &Lesson, levels: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let mut found = Vec::new();
    let role = |role| {
        matches!(role, Role::Hypothesis | Role::Objective(_) | Role::Title | Role::Assessment | Role::Phenomenon)
    };
    for text in lesson.texts_of(role) {
        let all: Vec<Mention> = mentions(text).into_iter().filter(|told| told.dimension.is_some()).collect();
        for told in all.iter().filter(|told| !is_parameter(told)) {
            // "If we add 10 g of salt, …" is what will be done, as long as it is not compared with another amount.
            let alone =
                || text.role == Role::Hypothesis && all.iter().filter(|other| other.comparable(told)).count() == 1;
            let named = told.definite
                || told.per.is_some() && matches!(text.role, Role::Hypothesis | Role::Objective(_))
                || alone();
            let Some(noun) = told.noun.as_ref().filter(|_| named && !told.partial && !told.about) else { continue };
            if is_level(told, levels) || is_varied(lesson, told, levels) {
                continue;
            }
            let of_it =
                |(_, step): &&Placed| step.comparable(told) && step.noun.as_ref().is_some_and(|other| other.fits(noun));
            let same: Vec<&Placed> = steps.iter().filter(of_it).collect();
            let fine = |(_, step): &&Placed| {
                step.agrees_with(told)
                    || step.is_multiple_of(told)
                    || told.is_multiple_of(step)
                    || is_level(step, levels)
            };
            // Of a hypothesis only an amount that a step names once is sure to be the same.
            if !told.definite && told.per.is_none() && same.len() != 1 {
                continue;
            }
            if same.iter().any(fine) || amounts::listed(lesson, told) {
                continue;
            }
            if let Some((other, step)) = same.iter().find(|(_, step)| !step.partial && !step.per_differs(told)) {
                found.push(amounts::conflict(NAME, (text, told), (other, step)));
                break;
            }
        }
    }
    found
}

/// "The 150 mL of water", where another step measured 100 mL.
fn named_before(lesson: &Lesson, steps: &[Placed]) -> Vec<Match> {
    let mut found = Vec::new();
    for (at, (text, told)) in steps.iter().enumerate() {
        let Some(noun) = told.noun.as_ref().filter(|_| told.definite && !told.partial && !is_parameter(told)) else {
            continue;
        };
        let of_it =
            |(_, step): &&Placed| step.comparable(told) && step.noun.as_ref().is_some_and(|other| other.fits(noun));
        let others: Vec<&Placed> = steps
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, placed)| placed)
            .filter(of_it)
            .collect();
        let fine = |step: &Mention| step.agrees_with(told) || step.is_multiple_of(told) || told.is_multiple_of(step);
        if others.len() > 2 || others.iter().any(|(_, step)| fine(step)) || amounts::listed(lesson, told) {
            continue;
        }
        let before = others.iter().find(|(_, step)| !step.partial && !step.definite && !step.per_differs(told));
        if let Some((other, step)) = before.filter(|(other, _)| other.path <= text.path)
            && others.len() == 1
        {
            found.push(amounts::conflict(NAME, (other, step), (text, told)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn found(content: &Value) -> Vec<String> {
        find(&Lesson::of(content.as_object().expect("an object")))
            .into_iter()
            .map(|found| found.finding.reason)
            .collect()
    }

    fn constant(constant: &str, steps: &[&str]) -> Vec<String> {
        let steps: Vec<Value> = steps.iter().map(|text| json!({ "text": text })).collect();
        found(&json!({ "variables": { "controlled": [constant] }, "steps": steps }))
    }

    #[test]
    fn a_constant_that_a_step_does_not_keep_is_found() {
        for (constant_, step) in [
            ("100 mL of water in every bottle", "Pour 150 mL of warm water into each bottle."),
            ("Volume of water: 100 mL", "Measure 80 mL of water into the cup."),
            ("water (100 mL)", "Now add 0.25 L of water to it."),
            ("Lamp 15 cm from the tube", "Set the lamp 0.25 m from the first tube."),
            ("Mass of sugar: 10 g", "Weigh 15 g of sugar into the bag."),
            ("Release angle (10°)", "Draw the bob aside to an angle of 20° and release it."),
            ("Drop height: 50 cm", "Drop the ball from 1 m."),
            ("Stirring time: 30 s", "Add it and stir for 45 seconds."),
            ("Water temperature: 40 °C", "Fill it with water at 50 °C."),
            ("5 drops of dye in each", "Squeeze 8 drops of dye into the cup."),
            (
                "25 cm³ of 1.0 mol/dm³ hydrochloric acid in each run",
                "Measure 40 cm³ of the hydrochloric acid into the cup.",
            ),
            ("five drops of iodine on each leaf", "Let eight drops of iodine fall on each leaf."),
            ("half a cup of sand in every tray", "Pour a quarter of a cup of sand into each tray."),
            ("Fertiliser: 2 g per pot", "Sprinkle 5 g of fertiliser in each pot."),
            ("Each student rests for 2 minutes between the runs", "Rest for 5 minutes between the runs."),
            ("Length of each straw: 12 cm", "Cut each straw to 15 cm and fix the loops."),
            ("Current held at 0.5 A", "Adjust the rheostat until the current is 0.8 A."),
            ("a quarter teaspoon of yeast per tube", "Put half a teaspoon of yeast in each tube."),
            ("Bulb rated 60 W", "Screw in the 100 W bulb and close the box."),
            ("amount of baking soda: 1 tsp", "Tip two teaspoons of baking soda into it."),
            ("Volume of milk used (200 ml)", "Into every beaker go 250 ml of milk."),
            ("We drop from 2 m each time", "Tape two metre sticks to the wall and let it drop from 1.5 m."),
            ("Voltage of the supply: 6 V", "Set the power pack to 12 V."),
            ("Every cup holds 200 mL of water", "Fill each cup with 150 mL of water."),
            ("Length of string - 40 cm", "Tie the bob to 60 cm of string."),
            ("soaking time of ten minutes", "Let the potato pieces soak for fifteen minutes."),
            ("Each plant gets 30 mL of water a day", "Water each plant with 50 mL of water."),
            ("Volume of solution: 30 cm³ in every tube", "Pour 20 cm³ of the appropriate solution into each one."),
            ("Hydrochloric acid: 5 ml in each run", "Add 10 ml of the acid and start timing."),
            ("incubation temperature: 37 °C", "Put the plates in the incubator at 25 °C."),
            ("Ramp set at 20 cm", "Prop the ramp up to a height of 30 cm."),
            ("Shaken for 30 seconds each", "Shake each jar for one minute."),
            ("Number of drops: 5", "Let 8 drops fall on the coin."),
            ("2 teaspoons of salt per jar", "Put 3 teaspoons of salt in each jar."),
        ] {
            assert_eq!(constant(constant_, &[step]).len(), 1, "{constant_} | {step}");
        }
    }

    #[test]
    fn amounts_that_can_both_hold_are_not_found() {
        for (constant_, steps) in [
            ("200 mL of water in each cup", &["Top up the cup with 20 mL of water after an hour."][..]),
            ("200 mL of water", &["Rinse with 50 mL of water."]),
            ("100 mL of water per cup", &["Measure out 400 mL of water.", "Share it among four cups."]),
            (
                "300 mL of hot water per jar",
                &["Measure out 900 mL of hot water and pour an equal share into each of the jars."],
            ),
            (
                "300 mL of hot water per jar",
                &["The teacher measures out 900 mL of hot water with the jug and shares it out."],
            ),
            ("3 drops of dye", &["Add one drop of dye, stir, and add two more drops of dye."]),
            ("12 cm straws", &["Cut a 20 cm straw to 12 cm."]),
            ("200 mL of water", &["Fill the cup with 200 mL of water.", "Rinse it with 50 mL of water."]),
            ("1 litre of water in the tank", &["Fill the tank with 1 litre from a 2 litre bottle."]),
            ("half a cup of sand", &["Add 1/2 cup of sand to it."]),
            ("0.50 kg of sand", &["Weigh 500 g of sand."]),
            ("50 mL of water", &["Fill the 250 mL beaker.", "Pour in water to the 250 mL mark."]),
            ("50 mL of water", &["Add 20 mL of salt water."]),
            ("50 mL of water", &["Pour 25 mL of water in, then another 25 mL of water."]),
            ("50 mL of water", &["Add 5 mL of vinegar."]),
            ("50 mL of water", &["Use at least 30 mL of water to rinse."]),
            ("Stirring time: 30 s", &["Wait 2 minutes before you read the scale."]),
            ("Pulse at 60 bpm", &["Set the metronome to 1 Hz."]),
            ("Lamp 15 cm from the tube", &["Cut a piece of tube 5 cm long."]),
            ("10 g of salt", &["Add 10 g of salt to the cup.", "Sprinkle 2 g of salt on the ice."]),
            ("Half a cup (125 mL) of water to start with", &["Pour 125 mL of water into the dish."]),
            ("1 cup of water", &["Pour 250 mL of water into the beaker."]),
            ("50 mL of acid per run", &["Collect 150 mL of acid for the three runs."]),
            ("100 mL of water in each beaker", &["Boil 200 mL of water.", "Fill the beakers to the line."]),
            ("100 mL of water", &["Add 10 mL of acid so that there are 110 mL of water and acid in all."]),
            ("100 mL of water", &["Last week's lesson began with 150 mL of water."]),
            ("100 ml", &["Gießen Sie 50 ml Wasser ein."]),
        ] {
            assert_eq!(constant(constant_, steps), [""; 0], "{constant_} | {steps:?}");
        }
        let varied = json!({ "variables": { "independent": "Temperature of the water: 10, 25, 40 °C", "controlled": ["Water temperature at the start 20 °C"] },
            "steps": [{ "text": "Fill it with water at 40 °C." }] });
        assert_eq!(found(&varied), [""; 0]);
    }

    #[test]
    fn notes_strengths_and_expectations_are_laid_beside_the_steps() {
        let notes = json!({ "materials": [{ "name": "Extraction buffer", "notes": "allow 10 mL for each bag" }],
            "steps": [{ "text": "Pour 15 mL (1 tablespoon) of buffer into each bag." }] });
        assert_eq!(found(&notes).len(), 1);
        let strength = json!({ "materials": [{ "name": "Hydrochloric acid, 1 M" }], "steps": [{ "text": "Add 20 mL of 2 M hydrochloric acid." }] });
        assert_eq!(found(&strength).len(), 1);
        let told = json!({ "hypothesis": "The 20 g of salt will melt the ice.", "steps": [{ "text": "Sprinkle 35 g of salt on it." }] });
        assert_eq!(found(&told).len(), 1);
        let invented = json!({ "assessment": "Sam used 20 g of salt. What happened?", "steps": [{ "text": "Sprinkle 35 g of salt on it." }] });
        assert_eq!(found(&invented), [""; 0]);
        let before =
            json!({ "steps": [{ "text": "Measure 100 mL of water." }, { "text": "Heat the 150 mL of water." }] });
        assert_eq!(found(&before).len(), 1);
    }

    #[test]
    fn each_side_can_give_way() {
        let content = json!({ "variables": { "controlled": ["100 mL of water"] }, "steps": [{ "text": "Pour 80 mL of water." }] });
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        let edits: Vec<String> = found[0].mends.iter().map(|mend| format!("{:?}", mend.edit)).collect();
        assert_eq!(edits, [r#"Splice { range: 0..6, text: "80 mL" }"#, r#"Splice { range: 5..10, text: "100 mL" }"#]);
    }
}
