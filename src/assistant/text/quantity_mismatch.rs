//! Amounts with a unit that cannot both hold: 100 mL is kept constant and 150 mL is poured, 15 cm and 0.25 m.
//!
//! Many amounts of a lesson differ for good reasons, so an amount that any step agrees with is never in conflict.

use super::several::{is_for_days, is_several};
use super::{Match, amounts, listed_amounts, settings, sizes, ways};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Material, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::phrases;
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
    found.extend(expected(lesson, &levels, &controlled, &steps));
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
    if constant.partial || constant.numeral.single().is_none() || is_rate(constant_text, constant) {
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
        // A slit of 0.25 mm is not the metre to the screen, nor a chip of 5 g what is weighed to 0.01 g.
        let ratio = if constant.low > 0.0 { step.low / constant.low } else { 1.0 };
        let far = constant.dimension != Some(Dimension::Temperature) && !(0.02..=50.0).contains(&ratio);
        if far
            || other_lessons::is_imagined(text, step)
            || phrases::is_question(text, step.tokens.start)
            || hands::is_aside(text, step.tokens.start)
            || ways::is_another(constant, (text, step))
            || is_between_others((constant_text, constant), (text, step))
            || is_start_of_a_way((constant_text, constant), (text, step))
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
        // "100 mL poured on each soil", "pour 80 mL over the soil in each funnel"
        let beside = || {
            let of_it = |at: usize| constant.per.as_ref().is_some_and(|per| nouns::same_noun(per, text.lemma(at)));
            step.clause.clone().any(|at| of_it(at) && !matches!(text.word(at.wrapping_sub(2)), "from" | "of"))
        };
        let per_differs = step.per_differs(constant) && !sole && !beside();
        !step.partial && !step.about && !per_differs && same && (!constant.every || both_read)
    };
    // 400 mL for four cups of 100 mL
    let several = |text: &Text, step: &Mention| {
        // A tablespoon is not three teaspoons, where one of either is told.
        step.numeral.low != constant.numeral.low
            && step.is_multiple_of(constant)
            && is_several(lesson, (constant_text, constant), (text, step))
    };
    // "One drop of dye, then two more"
    let goes_on = |text: &Text, step: &Mention| {
        let words = text.tokens.get(text.sentence(step.tokens.start)).unwrap_or_default();
        words.iter().any(|token| token.is_one_of(&["more", "another", "again", "further", "twice"]))
    };
    // "5 mL of acid added in total", and portions of 1 mL
    let in_all = constant_text.tokens.iter().any(|token| token.is_one_of(&["total", "altogether", "overall"]));
    let portion = |text: &Text, step: &Mention| {
        in_all && (constant.is_multiple_of(step) || step.low < constant.low)
            || !is_parameter(constant)
                && !sizes::is_of_one(text, step)
                && (step.per.is_none() && several(text, step)
                    || step.is_multiple_of(constant) && is_for_days(text, step)
                    || is_portion(constant, step, &same)
                    || constant.is_multiple_of(step) && goes_on(text, step))
    };
    let other = same.iter().filter(related).find(|(text, step)| !is_level(step, levels) && !portion(text, step))?;
    Some(amounts::conflict(NAME, (constant_text, constant), (other.0, &other.1)))
}

/// "20 g dissolved per 100 mL" is no mass.
fn is_rate(text: &Text, constant: &Mention) -> bool {
    let end = constant.tokens.end;
    (end..end + 5).any(|at| {
        matches!(text.word(at), "per" | "/")
            && text.numerals().iter().any(|numeral| numeral.tokens.start == at + 1 && numeral.low > 1.0)
    })
}

/// "5 cm from hole to screen" is not how far the lamp is from the hole.
fn is_between_others((text, constant): (&Text, &Mention), (other, step): (&Text, &Mention)) -> bool {
    let end = text.sentence(constant.tokens.start).end;
    let to = (constant.tokens.end..end)
        .find(|at| text.word(*at) == "from")
        .and_then(|from| (from + 1..end).find(|at| text.word(*at) == "to"));
    let last = to.map(|to| usize::from(matches!(text.word(to + 1), "the" | "a" | "your")) + to + 1);
    constant.dimension == Some(Dimension::Length)
        && last.is_some_and(|last| !other.sentence(step.tokens.start).any(|at| other.lemma(at) == text.lemma(last)))
}

/// "The marble from 50 cm" falls so far, whatever its size is.
fn is_start_of_a_way((text, constant): (&Text, &Mention), (other, step): (&Text, &Mention)) -> bool {
    let from = |text: &Text, told: &Mention| text.word(told.tokens.start.wrapping_sub(1)) == "from";
    constant.dimension == Some(Dimension::Length)
        && constant.attribute.is_none()
        && from(other, step)
        && !from(text, constant)
        && !text
            .tokens
            .iter()
            .any(|token| token.is_one_of(&["drop", "dropped", "release", "released", "start", "fall"]))
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

/// What the hypothesis, the title or an objective says is used, against the steps, or what is kept.
fn expected(lesson: &Lesson, levels: &[Placed], controlled: &[Placed], steps: &[Placed]) -> Vec<Match> {
    let mut found = Vec::new();
    let role = |role| {
        matches!(role, Role::Hypothesis | Role::Objective(_) | Role::Title | Role::Assessment | Role::Phenomenon)
    };
    for text in lesson.texts_of(role) {
        let all: Vec<Mention> = mentions(text).into_iter().filter(|told| told.dimension.is_some()).collect();
        for told in all.iter().filter(|told| !is_parameter(told)) {
            // "If we add 10 g of salt, …" is what will be done, as long as it is not compared with another amount.
            // "Determine the energy needed to heat 250 mL of water"
            let alone = || {
                matches!(text.role, Role::Hypothesis | Role::Objective(_))
                    && all.iter().filter(|other| other.comparable(told)).count() == 1
            };
            let named = told.definite
                || told.per.is_some() && matches!(text.role, Role::Hypothesis | Role::Objective(_))
                || alone();
            let Some(noun) = told.noun.as_ref().filter(|_| named && !told.partial && !told.about) else { continue };
            if is_level(told, levels) || is_varied(lesson, told, levels) {
                continue;
            }
            let of_it =
                |(_, step): &&Placed| step.comparable(told) && step.noun.as_ref().is_some_and(|other| other.fits(noun));
            let mut same: Vec<&Placed> = steps.iter().filter(of_it).collect();
            if same.is_empty() {
                same.extend(controlled.iter().filter(of_it));
            }
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
        // "The plants that received 8 g of fertiliser"
        let named = told.definite || lists!("received got", text.word(told.tokens.start.wrapping_sub(1)));
        let Some(noun) = told.noun.as_ref().filter(|_| named && !told.partial && !is_parameter(told)) else {
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
mod tests;
