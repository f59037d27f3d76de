//! One variable in two roles: changed or measured, and kept the same.
//!
//! They are the same where head and complement are: "temperature of the water" and "water temperature", not "of the room".

mod fixed;
mod instead;
mod naming;
mod reversed;
mod spoken;
mod told;
mod variable;
mod words;

use naming::Naming;
use serde_json::Value;
use variable::{ASPECTS, OF_NO_MATTER, Variable, alike, is_of_a_part, is_of_each, is_volume_of_a_gas};

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases;
use crate::domain::path::FieldPath;

/// What the lesson says in two roles at once.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found = Vec::new();
    let named = |role: Role| lesson.text(role).and_then(|text| Some((text, Variable::read(text)?)));
    let (independent, dependent) = (named(Role::Independent), named(Role::Dependent));
    let texts = [Role::Independent, Role::Dependent].map(|role| lesson.text(role));
    let names = texts.map(|text| text.and_then(|text| Some((text.role, Naming::read(text)?))));
    for text in lesson.controlled() {
        let controlled = Variable::read(text);
        let listed = listed(text);
        let naming = Naming::read(text);
        let roles = ["is changed on purpose", "is measured"];
        for ((other, changed), role) in texts.iter().zip([&independent, &dependent]).zip(roles) {
            let Some(other) = *other else { continue };
            let same = match (changed, &controlled) {
                // The sand that is found in the basin is not the sand that is put in.
                (Some((text_of, variable)), Some(controlled))
                    if text_of.role == Role::Dependent
                        && !variable.rest.is_empty()
                        && controlled.rest.is_empty()
                        && !text.quantities().is_empty() =>
                {
                    false
                }
                (Some((_, variable)), Some(controlled)) => {
                    variable.is(controlled)
                        || is_type_of(variable, controlled, text)
                        || is_amount_of(variable, controlled, text)
                        || has_same_deed(other, text)
                        || listed.contains(variable)
                }
                (Some((_, variable)), None) if !variable.whole.is_empty() => {
                    listed.contains(variable) || has_same_words(other, text)
                }
                _ => has_same_words(other, text),
            };
            if is_instrument(text)
                || is_of_each(text, changed.as_ref().map(|(_, changed)| changed))
                || is_of_both(other, text)
                || is_of_a_part(other, text)
                || is_volume_of_a_gas(other, text)
                || is_amount_after_a_name(other, text)
            {
                continue;
            }
            let same = same && !is_another_time_or_part(other, text) && is_time(other) == is_time(text)
                || words::same(other, text)
                || other.role == Role::Independent && (spoken::same(other, text) || fixed::same(other, text))
                || naming.as_ref().is_some_and(|kept| {
                    let same =
                        |name: &Naming| name.is(kept) && (other.role == Role::Independent || !kept.is_type_of(name));
                    names.iter().flatten().any(|(of, name)| *of == other.role && same(name))
                });
            if !same || ends_elsewhere(other, text) {
                continue;
            }
            let reason =
                format!("\"{}\" {role}, but \"{}\" is listed among what is kept the same.", other.text, text.text);
            let conflict = conflict("variable_role", other.quote_all(), text.quote_all(), reason)
                .suggesting(format!("Take \"{}\" out of the controlled variables.", text.text));
            let conflict = without(lesson, text).into_iter().fold(conflict, Match::mended_by);
            // How much of it is measured in one place may be kept in all.
            found.push(conflict.sure_if(other.role == Role::Independent && !is_its_type(other, text)));
        }
    }
    if let (Some((one, changed)), Some((other, measured))) = (&independent, &dependent)
        && changed.is(measured)
    {
        let reason = format!("\"{}\" is what is changed, but \"{}\" is also what is measured.", one.text, other.text);
        found.push(
            conflict("variable_role", one.quote_all(), other.quote_all(), reason)
                .suggesting("Name what is measured as the dependent variable."),
        );
    }
    found.extend(turned(lesson));
    found.extend(told_otherwise(lesson));
    found.extend(of_what_is_kept(lesson));
    found
}

/// "The distance from torch to puppet" is not that "from torch to screen".
fn ends_elsewhere(one: &Text, other: &Text) -> bool {
    let end = |text: &Text| {
        let from = (0..text.tokens.len()).find(|at| text.word(*at) == "from")?;
        let to = (from..text.tokens.len()).find(|at| text.word(*at) == "to")?;
        let at = to + 1 + usize::from(matches!(text.word(to + 1), "the" | "a" | "its"));
        Some(text.lemma(at).to_owned()).filter(|word| word.starts_with(char::is_alphabetic))
    };
    matches!((end(one), end(other)), (Some(one), Some(other)) if one != other)
}

/// Whether a name is one of a time: "dip time, 1 min".
fn is_time(text: &Text) -> bool {
    let end = (0..text.tokens.len()).find(|at| phrases::lists!("( : , ; – — . =", text.word(*at)));
    let last = end.unwrap_or(text.tokens.len()).checked_sub(1).map_or("", |at| text.lemma(at));
    text.tokens.len() > 1 && phrases::lists!("time duration", last)
}

/// "Alcohol: 1 mL in every tube" keeps how much there is, where the alcohol itself is changed.
fn is_amount_after_a_name(changed: &Text, kept: &Text) -> bool {
    let sign = (0..kept.tokens.len()).find(|at| phrases::lists!(": , – —", kept.word(*at)));
    let amount = sign.and_then(|sign| kept.quantities().iter().find(|quantity| quantity.tokens.start == sign + 1));
    let measures = |text: &Text, end: usize| (0..end).any(|at| phrases::lists!(MEASURES, alike(text.word(at))));
    amount.is_some_and(|amount| {
        !measures(kept, amount.tokens.start)
            && !measures(changed, changed.tokens.len())
            && changed.quantities().is_empty()
    })
}

/// What is measured in numbers.
const MEASURES: &str = "amount number size temperature mass length height concentration angle depth thickness age distance ph \
    time duration speed width diameter force pressure voltage current area frequency rate share slope brightness power dose weight volume";

/// "Same leaf for both sides" keeps the leaf, where the sides are what is changed.
fn is_of_both(changed: &Text, kept: &Text) -> bool {
    (1..kept.tokens.len()).any(|at| {
        kept.word(at) == "both"
            && phrases::lists!("for on at with", kept.word(at - 1))
            && changed.tokens.iter().any(|token| token.lemma == kept.lemma(at + 1))
    })
}

/// Whether what is kept the same is what one measures with.
fn is_instrument(text: &Text) -> bool {
    let end = (0..text.tokens.len()).find(|at| phrases::lists!("( : , ; – — for in", text.word(*at)));
    let last = end.unwrap_or(text.tokens.len()).checked_sub(1).map_or("", |at| text.lemma(at));
    phrases::lists!(
        "metre thermometer balance ruler scale probe sensor instrument timer stopwatch clock gauge app logger kit",
        last,
    ) && text.tokens.len() > 1
}

/// Whether what is changed is a thing, or how much there is of it, and what is kept is of which type it is.
fn is_its_type(changed: &Text, kept: &Text) -> bool {
    let typed = |text: &Text| {
        (0..text.tokens.len()).any(|at| phrases::lists!("type kind sort brand make variety species", text.word(at)))
    };
    typed(kept) && !typed(changed)
}

/// Whether one of two names is of the beginning, of a tolerance, or of a part: "mass of the egg at the start".
fn is_another_time_or_part(one: &Text, other: &Text) -> bool {
    const TOLD: [&str; 19] = [
        "start",
        "starting",
        "initial",
        "beginning",
        "first",
        "within",
        "setting",
        "side",
        "half",
        "room",
        "classroom",
        "window",
        "windows",
        "outside",
        "surroundings",
        "background",
        "ambient",
        "source",
        "sources",
    ];
    let has = |text: &Text, word: &str| text.tokens.iter().any(|token| token.is(word));
    TOLD.into_iter().any(|word| has(one, word) != has(other, word))
}

/// The variables of a list: "type of soil, amount of water and temperature of the room".
fn listed(text: &Text) -> Vec<Variable> {
    let parts = |at: usize| matches!(text.word(at), "," | ";" | "and");
    let odd = |at: usize| {
        matches!(text.word(at), "between" | "or" | "whether" | "how" | "not" | "except" | "but" | ":" | "(" | ".")
    };
    let last = text.tokens.len().saturating_sub(1);
    if !(0..=last).any(|at| text.word(at) == "and") || (0..last).any(odd) || last > 30 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut start = 0;
    for at in (0..=last + 1).filter(|at| *at == last + 1 || parts(*at)) {
        let tokens = text.tokens.get(start..at).unwrap_or_default().to_vec();
        let part = text.part(tokens);
        found.extend(
            Variable::read(&part).filter(|part| !part.whole.is_empty() && phrases::lists!(ASPECTS, &part.head)),
        );
        start = at + 1;
    }
    found
}

/// Whether two lists of things, "lining of floor and walls", are word for word the same up to their levels.
fn has_same_words(one: &Text, other: &Text) -> bool {
    let words = |text: &Text| -> Vec<String> {
        let stop = |at: &usize| matches!(text.word(*at), "(" | ":" | "," | ";" | "–" | "—" | "." | "=");
        let end = (0..text.tokens.len()).find(stop).unwrap_or(text.tokens.len());
        let mut words = phrases::content_words(text, 0..end);
        words.retain(|word| !phrases::lists!(OF_NO_MATTER, word));
        words
    };
    let (one, other) = (words(one), words(other));
    one.len() >= 3 && one == other && !one.iter().any(|word| word == "whether")
}

/// Whether the type of what is "the same ball" is changed.
fn is_type_of(variable: &Variable, controlled: &Variable, text: &Text) -> bool {
    matches!(variable.head.as_str(), "type" | "brand" | "material")
        && (text.word(0) == "same" || text.has_at(0, &["the", "same"]))
        && variable.rest.is_empty()
        && controlled.rest.is_empty()
        && {
            let mut thing = controlled.whole.clone();
            thing.push(controlled.head.clone());
            thing.sort();
            thing == variable.whole
        }
}

/// Whether the amount of what is named alone, "sunlight", is changed.
fn is_amount_of(variable: &Variable, controlled: &Variable, text: &Text) -> bool {
    matches!(variable.head.as_str(), "amount" | "intensity" | "brightness" | "quantity")
        && text.tokens.len() == 1
        && variable.rest.is_empty()
        && controlled.whole.is_empty()
        && variable.whole == [controlled.head.clone()]
}

/// Whether both are the amount of what is made or lost: "water absorbed" and "amount of water absorbed".
fn has_same_deed(one: &Text, other: &Text) -> bool {
    let words = |text: &Text| -> Vec<String> {
        let stop = |at: &usize| matches!(text.word(*at), "(" | ":" | "," | ";" | "–" | "—" | "." | "=");
        let end = (0..text.tokens.len()).find(stop).unwrap_or(text.tokens.len());
        let mut words = phrases::content_words(text, 0..end);
        words.retain(|word| word != "total");
        words
    };
    let (mut one, mut other) = (words(one), words(other));
    let measure = |words: &mut Vec<String>| {
        let at = words.iter().position(|word| matches!(alike(word), "amount" | "mass" | "number"))?;
        Some(words.remove(at)).filter(|word| word != "amount")
    };
    // The volume of the trapped air is not its mass.
    if let (Some(one), Some(other)) = (measure(&mut one), measure(&mut other))
        && one != other
    {
        return false;
    }
    let deed = |word: &String| word.len() > 4 && word.ends_with("ed") && word != "seed";
    one.len() == 2 && one == other && one.last().is_some_and(deed)
}

/// The controlled variables without this one.
fn without(lesson: &Lesson, text: &Text) -> Option<Mend> {
    let Role::Controlled(index) = text.role else { return None };
    let mut list = lesson.field("variables")?.get("controlled")?.as_array()?.clone();
    if index >= list.len() {
        return None;
    }
    list.remove(index);
    let path = FieldPath::root().child("variables").child("controlled");
    Some(Mend { path, edit: Edit::Replace(Value::Array(list)) })
}

/// A hypothesis or a question that changes what is measured, and measures what is changed.
fn turned(lesson: &Lesson) -> Option<Match> {
    let (text, sentence) = reversed::reversed(lesson)?;
    let independent = lesson.text(Role::Independent)?;
    let reason = format!(
        "The {} changes what is measured and predicts what is changed: the independent variable is \"{}\".",
        if text.role == Role::Hypothesis { "hypothesis" } else { "driving question" },
        independent.text
    );
    let found = conflict("variable_role", text.quote(&sentence), independent.quote_all(), reason);
    let found = found.suggesting("Turn the sentence round, or swap the two variables.");
    // A question may be wider than what is tried: it is no plan.
    Some(found.sure_if(text.role == Role::Hypothesis))
}

/// A hypothesis that changes what is kept the same.
fn of_what_is_kept(lesson: &Lesson) -> Option<Match> {
    let (sentence, kept) = instead::kept(lesson)?;
    let (text, independent) = (lesson.text(Role::Hypothesis)?, lesson.text(Role::Independent)?);
    let reason = format!(
        "The hypothesis changes \"{}\", which is kept the same: the independent variable is \"{}\".",
        kept.text, independent.text
    );
    let found = conflict("variable_role", text.quote(&sentence), independent.quote_all(), reason);
    Some(found.suggesting("Let the hypothesis tell what comes of the variable that is changed."))
}

/// What a text calls the variables, where it takes one for the other.
fn told_otherwise(lesson: &Lesson) -> Option<Match> {
    let (text, sentence, role) = told::turned(lesson)?;
    let variable = lesson.text(role)?;
    let said = if role == Role::Independent { "is changed" } else { "is measured" };
    let reason = format!("The text takes one variable for the other: what {said} is \"{}\".", variable.text);
    let found = conflict("variable_role", variable.quote_all(), text.quote(&sentence), reason);
    Some(found.suggesting("Turn the sentence round, or swap the two variables."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    pub(super) fn roles(independent: &str, controlled: &str) -> usize {
        let content = json!({"variables": {"independent": independent, "controlled": [controlled]}});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_variable_that_is_changed_and_kept_the_same_is_found_in_other_words() {
        for (independent, controlled) in [
            ("Temperature of the water (10, 20, 30 °C)", "water temperature"),
            ("width of the rubber band (2 mm, 4 mm and 8 mm)", "all bands have the same width"),
            ("pH of the water (3, 5 or 7)", "pH of the water"),
            ("Type of soil: sand, clay", "Same kind of soil"),
            ("Amount of salt", "amount of salt in each cup"),
            ("Which alcohol is burnt: methanol, ethanol", "Which alcohol is burnt"),
            ("Drop height: 40, 80 cm", "Drop height, kept at 40 cm"),
            ("number of turns of wire on the nail", "number of turns of wire"),
            ("Temperature", "temperature"),
            ("mass of the cart", "The cart's mass stays the same"),
            ("how steep the ramp is (one or two books)", "the steepness of the ramp"),
            ("How many turns of wire", "number of turns of wire"),
            ("lining of the floor and walls (foil or paper)", "lining of the floor and walls"),
            ("Type of ball", "the same ball"),
            ("Amount of sunlight", "Sunlight"),
            ("Angle of the slope", "steepness of the slope"),
            ("the colour of the can", "color of cans"),
            ("Amount of water in each cup: 10, 20 mL", "amount of water in each cup"),
            ("Number of paper clips added", "paperclip number"),
            ("drop height", "height from which the ball is dropped"),
            ("how far the lamp is from the plant", "distance between lamp and plant"),
            ("diameter of the parachute", "parachute diameter stays 30 cm"),
            ("The mass hung from the spring", "mass hung on the spring"),
            ("Fertiliser (with or without)", "Fertilizer"),
            ("Length of the constantan wire between the contacts (0.2 m)", "Length of wire between the contacts"),
            ("Thickness of cotton wool round the tin: 0 cm, 1 cm", "Thickness of the cotton-wool lagging"),
            ("Number of turns of wire (10, 20)", "How many times the wire goes round"),
            ("Number of turns", "how many times the wire is wound round the nail"),
            ("amount of water", "type of soil, amount of water and size of the pot"),
            ("mass of water absorbed", "water absorbed"),
            ("Light intensity", "brightness of the light"),
            ("Alcohol used, and the area of the paper that it wets", "Area of paper wetted by the alcohol"),
            (
                "How far out along the bar the two masses are clipped",
                "Distance of the masses from the middle of the bar",
            ),
            (
                "Mordant used before dyeing (alum, vinegar, or plain water)",
                "Which mordant the skein has been soaked in",
            ),
            ("Pulse in beats per minute straight after", "Pulse in beats per minute straight after the climb"),
            ("Which leaf surface is coated with petroleum jelly", "Side of the leaf that carries the jelly"),
        ] {
            assert_eq!(roles(independent, controlled), 1, "{independent} / {controlled}");
        }
    }

    #[test]
    fn variables_that_only_look_alike_are_passed_over() {
        for (independent, controlled) in [
            ("Temperature of the water", "temperature of the room"),
            ("Dip: plain water or brine", "Dip time, 1 min"),
            ("Alcohol used (ethanol, butanol)", "Alcohol: 1 mL in every tube"),
            ("Kind of flower (lily, tulip)", "One flower of each kind, fully open"),
            ("Time the balloon stays on the wall, s", "Balloon: blown up to 20 cm across"),
            ("Length of the left arm of the lever", "Length of the right arm of the lever"),
            ("Distance of the mass from the end of the bar", "Distance of the mass from the middle of the bar"),
            ("Alcohol used", "Which alcohol shelf is used"),
            ("Distance of the lamp from the leaf", "Distance of the leaf from the camera"),
            ("Volume of trapped air, from 60 mL", "mass of the trapped air"),
            ("Length of the pendulum string", "length of the string from the hook to the beam and width of the frame"),
            ("Amount of salt water", "amount of water"),
            ("Length of the left arm", "length of the arm"),
            ("Thickness of the copper rod in the bath", "thickness of the rod holder"),
            ("amount of light", "light bulb, amount of water and size of the pot"),
            ("How many times the ball bounces", "number of turns of wire"),
            ("type of seed", "number of seeds"),
            ("Temperature of the water", "Temperature"),
            ("mass added to the cart", "mass of the cart"),
            ("how steep the ramp is", "length of the ramp"),
            ("How much salt is in the cup", "amount of water"),
            ("Type of ball", "same ball size"),
            ("Type of ball", "same floor"),
            ("distance from the lamp", "distance between the tubes"),
            ("height of the ramp", "height from which the ball is dropped"),
            ("Amount of salt", "Salt water from one jug"),
            ("mass of the cart", "mass of the cart's hanger"),
            ("volume of acid added to the water", "volume of water"),
            ("Whether the bottle gets water", "1 cup of water"),
            ("length of the string", "length of the table"),
            ("Color of light", "colour of the pot"),
            ("Light", "Lightness of the paper"),
            ("Amount of light", "Amount of light from the windows (blinds are down)"),
            ("Flask open or closed", "same conical flask"),
            ("drop height (40, 80, 120 cm)", "3 drops from each height"),
            ("Type of soil: sand, clay", "2 pots of every soil"),
            ("How steep the ramp is", "five runs at each slope of the ramp"),
            ("水の温度", "部屋の温度"),
        ] {
            assert_eq!(roles(independent, controlled), 0, "{independent} / {controlled}");
        }
    }

    #[test]
    fn of_which_type_a_thing_is_that_is_changed_is_kept_perhaps() {
        let content = json!({"variables": {"independent": "Fertiliser", "controlled": ["Type of fertiliser"]}});
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        assert!(found.iter().all(|found| !found.sure), "{found:?}");
    }

    #[test]
    fn a_hypothesis_that_swaps_the_variables_is_found() {
        let found = |hypothesis: &str| {
            let content = json!({"hypothesis": hypothesis, "variables": {
                "independent": "Amount of fertilizer", "dependent": "Height of the bean plant"}});
            find(&Lesson::of(content.as_object().expect("an object"))).len()
        };
        assert_eq!(found("If the bean plant is taller, then it will use more fertilizer."), 1);
        assert_eq!(found("If more fertilizer is given, then the bean plant will be taller."), 0);
        assert_eq!(found("If bean plants get fertilizer, they grow taller because fertilizer feeds a plant."), 0);
    }
}
