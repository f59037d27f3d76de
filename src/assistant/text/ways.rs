//! Ways to tell of one amount in other words: how long things soak or are left in water, how deep seeds are pushed, at which
//! temperature a clock is started. And amounts that are none of each thing: what a kettle boils, what is cut into pieces.
//! A part of `quantity_mismatch`.

use super::quantity_mismatch::{NAME, Placed};
use super::{Match, amounts};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::nouns;
use crate::assistant::facts::numbers;
use crate::assistant::facts::phrases;
use crate::assistant::facts::units::Dimension;

/// Whether both texts tell of the same doing, each in words of its own.
pub fn is_same((text, constant): (&Text, &Mention), (other, step): (&Text, &Mention)) -> bool {
    if constant.every || step.every {
        return false;
    }
    match constant.dimension {
        Some(Dimension::Time) => is_as_long((text, constant), (other, step)),
        Some(Dimension::Temperature) => starts(text, constant) && starts(other, step),
        Some(Dimension::Length) => is_as_deep((text, constant), (other, step)),
        _ => false,
    }
}

/// The stems of what can be done for so long, each row one doing.
fn doing(text: &Text, mention: &Mention) -> [bool; 5] {
    let mut found = [false; 5];
    for at in text.sentence(mention.tokens.start) {
        let stem = nouns::stem(text.word(at));
        found[0] |= lists!("soak steep immers submerg brew infus immersion", &stem);
        found[1] |= lists!("bak oven roast toast heat boil simmer cook", &stem);
        found[2] |= lists!("stir mix swirl whisk", &stem);
        found[3] |= lists!("dry drying dri", &stem);
        found[4] |= lists!("shak agitat", &stem);
    }
    found
}

/// "Soaking time of 10 minutes", "leave the strips in the solution for 15 minutes"
fn is_as_long((text, constant): (&Text, &Mention), (other, step): (&Text, &Mention)) -> bool {
    let (kept, done) = (doing(text, constant), doing(other, step));
    let pauses =
        step.clause.clone().any(|at| lists!("wait waits after before later until then within", other.word(at)));
    // "Leave … in the water"
    let start = other.sentence(step.tokens.start).start;
    let left = |at: usize| {
        lists!("leave leaves keep stand stands lie stay remain sit rest", other.word(at))
            && (start..step.tokens.start).any(|at| lists!("in into under inside", other.word(at)))
            && (start..step.tokens.start).any(|at| {
                lists!(
                    "water solution liquid vinegar dye acid syrup oil juice milk brine bath tea ink tube tubes beaker beakers \
                     dish dishes jar jars cup cups bowl bowls glass glasses",
                    other.word(at)
                )
            })
    };
    let steeped = || (other.sentence(step.tokens.start).start..step.tokens.start).any(left);
    let count = |doing: &[bool; 5]| doing.iter().filter(|done| **done).count();
    let alike = (0..5).any(|row| kept.get(row) == Some(&true) && done.get(row) == Some(&true));
    !pauses
        && !is_made_ready(text, (other, step))
        && count(&kept) == 1
        && (alike && count(&done) == 1 || kept.first() == Some(&true) && count(&done) == 0 && steeped())
}

/// Whether a step only gets ready what the constant does not name: "heat the oven", "boil the water", "shake the solution".
fn is_made_ready(text: &Text, (other, step): (&Text, &Mention)) -> bool {
    let sentence = other.sentence(step.tokens.start);
    let named = |at: usize| text.tokens.iter().any(|token| token.lemma == other.lemma(at));
    let object = |at: usize| {
        (at + 1..sentence.end.min(at + 5))
            .take_while(|at| !lists!("in into on to for with at until , and", other.word(*at)))
    };
    sentence.clone().any(|at| {
        let stem = nouns::stem(other.word(at));
        if lists!("bak roast toast heat preheat warm boil simmer cook", &stem) {
            object(at).any(|at| {
                lists!("oven kettle pan hotplate plate bath", other.word(at)) || other.word(at) == "water" && !named(at)
            })
        } else if lists!("stir mix swirl shak whisk agitat", &stem) {
            object(at).any(|at| lists!("solution stock suspension bottle", other.word(at)) && !named(at))
        } else {
            false
        }
    })
}

/// "Starting temperature, 60 °C", "begin timing when the thermometer shows 70 °C"
fn starts(text: &Text, mention: &Mention) -> bool {
    let at_end = |at: usize| lists!("end final stop last falls fallen drops reached", text.word(at));
    let begins =
        |at: usize| lists!("start starts starting begin begins beginning initial initially first", text.word(at));
    let mut sentence = text.sentence(mention.tokens.start);
    let elsewhere = |at: usize| lists!("room air datalogger logger sensor", text.word(at));
    !sentence.clone().any(|at| at_end(at) || elsewhere(at)) && sentence.any(begins)
}

/// "Depth of planting, 2 cm", "push each seed 4 cm deep"; "span of 30 cm", "across a gap of 40 cm"
fn is_as_deep((text, constant): (&Text, &Mention), (other, step): (&Text, &Mention)) -> bool {
    let has = |text: &Text, mention: &Mention, stems: fn(&str) -> bool| {
        text.sentence(mention.tokens.start).any(|at| stems(&nouns::stem(text.word(at))))
    };
    let both = |stems: fn(&str) -> bool| has(text, constant, stems) && has(other, step, stems);
    let attributes = (constant.attribute, step.attribute);
    match attributes {
        (Some("depth"), Some("depth")) => {
            both(|stem| lists!("plant sow push buri bury seed poke bulb bean", stem)) && is_planted(other, step)
        }
        (Some("distance"), Some("distance")) => both(|stem| lists!("gap span bridg abutment", stem)),
        (Some("thickness"), Some("thickness")) => both(|stem| lists!("insul insulat wrap pad padding", stem)),
        (None, None) => {
            let from = |text: &Text, mention: &Mention| {
                let start = mention.tokens.start;
                text.word(start.wrapping_sub(1)) == "from" || text.has_at(start.wrapping_sub(2), &["from", "the"])
            };
            from(text, constant)
                && from(other, step)
                && both(|stem| lists!("roll releas launch slid drop fall start", stem))
        }
        _ => false,
    }
}

/// Whether a step puts something into the soil so deep, and does not only dig or fill.
fn is_planted(text: &Text, step: &Mention) -> bool {
    let sentence = text.sentence(step.tokens.start);
    let plants = |at: usize| {
        lists!("plant sow push buri bury poke put place set lay press", &nouns::stem(text.word(at)))
            && !lists!("for before after of", text.word(at.wrapping_sub(1)))
    };
    let soil = |at: usize| lists!("dig digs fill fills loosen loosens bed trench", text.word(at));
    (sentence.start..step.tokens.start).any(plants) && !sentence.clone().any(soil)
}

/// Whether a step tells of the one amount of what is tried, or of a kind that is seldom told.
pub fn is_only(lesson: &Lesson, constant: &Mention, step: (&Text, &Mention), comparable: usize) -> bool {
    is_of_the_tried(lesson, constant, step) || comparable == 1 && is_set_once(constant, step)
}

/// Whether a step tells of a stock or of what is cut up, and so not of each thing.
pub fn is_another(constant: &Mention, step: (&Text, &Mention)) -> bool {
    is_stock(constant, step) || is_parted(step.0, step.1) || is_groundwork(step.0, step.1)
}

/// Whether a step fills or boils so much in what stands there for all: "boil 250 mL in the kettle", where each cup gets 100 mL.
fn is_stock(constant: &Mention, (text, step): (&Text, &Mention)) -> bool {
    let sentence = text.sentence(step.tokens.start);
    let stored = |at: usize| {
        lists!("in into inside from", text.word(at))
            && (at + 1..at + 4).any(|at| {
                lists!(
                    "kettle pan saucepan urn bucket jug pitcher thermos canister basin sink stockpot pot",
                    text.word(at)
                )
            })
    };
    let boiled = |at: usize| lists!("boil heat warm mix prepare fetch collect draw bring", text.word(at));
    constant.per.is_some()
        && step.per.is_none()
        && step.low > constant.low
        && matches!(step.dimension, Some(Dimension::Volume | Dimension::Mass))
        && (step.tokens.end..sentence.end).any(stored)
        && (sentence.start..step.tokens.start).any(boiled)
}

/// "Heat the oven for 10 minutes", "dig a bed 20 cm deep"
fn is_groundwork(text: &Text, step: &Mention) -> bool {
    let sentence = text.sentence(step.tokens.start);
    let (verbs, things) = match step.dimension {
        Some(Dimension::Time) => ("heat preheat warm", "oven kettle pan hotplate plate"),
        Some(Dimension::Length) => ("dig loosen", "bed trench"),
        _ => return false,
    };
    let told = |at: usize| {
        phrases::lists(verbs, text.word(at)) && (at + 1..at + 3).any(|at| phrases::lists(things, text.word(at)))
    };
    (sentence.start..step.tokens.start).any(told)
}

/// "Cut a 30 cm straw into three equal pieces"
fn is_parted(text: &Text, step: &Mention) -> bool {
    let sentence = text.sentence(step.tokens.start);
    let parted = |at: usize| {
        text.word(at) == "into"
            && (at + 1..at + 5)
                .any(|at| lists!("pieces parts lengths halves thirds quarters strips sections", text.word(at)))
            && ((at + 1..at + 3).any(|at| numbers::numeral(&text.tokens, at).is_some())
                || lists!("halves thirds quarters equal", text.word(at + 1)))
    };
    (step.tokens.end..sentence.end).any(parted)
}

/// Whether an amount of a kind that is seldom told is the only one of all steps: a force, a current, a frequency.
fn is_set_once(constant: &Mention, (text, step): (&Text, &Mention)) -> bool {
    use Dimension::{Current, Force, Frequency};
    let ordered = |at: usize| lists!("with until to of at", text.word(at));
    let fuse = text
        .sentence(step.tokens.start)
        .any(|at| lists!("fuse range scale maximum limit up each reads", text.word(at)));
    matches!(constant.dimension, Some(Current | Force | Frequency))
        && step.numeral.single().is_some()
        && !fuse
        && !constant.is_multiple_of(step)
        && (text.sentence(step.tokens.start).start..step.tokens.start).any(ordered)
}

/// What is measured "after 20 minutes", against the one step that reads it after so many others.
pub fn read_after(lesson: &Lesson, steps: &[Placed]) -> Option<Match> {
    let after = |text: &Text, told: &Mention| {
        told.dimension == Some(Dimension::Time)
            && !told.partial
            && !told.about
            && told.numeral.single().is_some()
            && text.word(told.tokens.start.wrapping_sub(1)) == "after"
    };
    let mut kept = lesson.texts_of(|role| matches!(role, Role::Dependent | Role::Controlled(_))).flat_map(|text| {
        mentions(text).into_iter().filter(move |told| after(text, told)).map(move |told| (text, told))
    });
    let (text, told) = kept.next().filter(|_| kept.next().is_none())?;
    let times: Vec<&Placed> =
        steps.iter().filter(|(_, step)| step.dimension == Some(Dimension::Time) && step.low >= 60.0).collect();
    let [(other, step)] = times[..] else { return None };
    let reads =
        |at: usize| lists!("read measure record weigh count note take compare observe check examine", other.word(at));
    let read = other.sentence(step.tokens.start).any(reads) && after(other, step);
    (read && !step.agrees_with(&told) && !step.is_multiple_of(&told) && !told.is_multiple_of(step))
        .then(|| amounts::conflict(NAME, (text, &told), (other, step)))
}

/// Whether a step takes so much of each of what is tried, which the constant names in one word: "5 g of sugar in each
/// bottle" and "8 g of glucose, 8 g of sucrose and 8 g of lactose", where the kind of sugar is changed.
fn is_of_the_tried(lesson: &Lesson, constant: &Mention, (text, step): (&Text, &Mention)) -> bool {
    let Some(tried) = lesson.text(Role::Independent) else { return false };
    let named = |noun: &str| tried.tokens.iter().any(|token| token.lemma == noun);
    let heads: Vec<String> = mentions(text)
        .into_iter()
        .filter(|other| other.comparable(step) && other.agrees_with(step) && !other.partial)
        .filter_map(|other| other.noun.map(|noun| noun.head))
        .filter(|head| named(head))
        .collect();
    let several = heads.iter().any(|head| Some(head) != heads.first());
    let whole = constant.noun.as_ref().is_some_and(|noun| named(&noun.head) && !heads.contains(&noun.head));
    whole && several && matches!(constant.dimension, Some(Dimension::Volume | Dimension::Mass))
}

#[cfg(test)]
mod tests {
    use super::super::quantity_mismatch;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(tried: &str, constant: &str, step: &str) -> usize {
        let content = json!({
            "variables": { "independent": tried, "controlled": [constant] }, "steps": [{ "text": step }]
        });
        quantity_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn other_words_for_the_same_amount_are_read() {
        for (constant, step) in [
            ("soaking time of 10 minutes", "Leave the strips in the solution for 15 minutes."),
            ("steeping for 5 minutes", "Immerse the tea bags for 3 minutes."),
            ("the time in the oven: 20 min", "Bake the samples for half an hour."),
            ("mixing time, 30 s", "Stir the slime for 50 s."),
            ("starting temperature of 60 °C", "Begin timing when the thermometer shows 70 °C."),
            ("depth of planting, 2 cm", "Push each seed 4 cm deep into the soil."),
            ("span of 30 cm", "Lay the strip across a gap of 40 cm."),
            ("readings every 2 minutes", "Read the thermometer every 5 minutes."),
            ("20.0 mL aliquots of diluted vinegar", "Pipette 25.0 mL of the diluted vinegar into a flask."),
            ("25 mL of acid", "Run 20 mL of acid into the flask."),
            ("Length of each potato cylinder, 40 mm", "Cut four cylinders with the borer and trim them to 50 mm each."),
            ("a load of 200 g", "Place the 300 g load on the trolley."),
            ("the thickness of the insulation: 2 cm", "Wrap each can in a layer 3 cm thick."),
            ("a force of 5 N", "Pull the block with a force of 8 N."),
            ("mass measured after 20 minutes", "Weigh the strips after 30 minutes."),
            ("30 minutes of soaking", "Drop one into each tube and leave for 40 minutes."),
        ] {
            assert_eq!(found("the brand", constant, step), 1, "{constant} | {step}");
        }
        let sugars = "Weigh out 8 g of glucose, 8 g of sucrose and 8 g of lactose.";
        assert_eq!(found("The kind of sugar (glucose, sucrose, lactose)", "5 g of sugar in each bottle", sugars), 1);
    }

    #[test]
    fn other_amounts_are_let_be() {
        for (constant, step) in [
            ("soaking time of 10 minutes", "Wait 5 minutes before you weigh them."),
            ("soaking time of 10 minutes", "Leave the cups on the bench for 15 minutes."),
            ("soaking time of 10 minutes", "Dry the strips for 20 minutes."),
            ("starting temperature of 60 °C", "Stop the clock when the thermometer shows 40 °C."),
            ("100 mL of water in each cup", "Boil 250 mL of water in the kettle."),
            ("Length of each straw, 10 cm", "Cut a 30 cm straw into three equal pieces."),
            ("Length of each straw, 10 cm", "Place the straws 15 cm apart."),
            ("depth of planting, 2 cm", "Fill the tray 8 cm deep with soil."),
            ("Time in the oven: 20 minutes", "Heat the oven for 10 minutes."),
            ("Heating time of the tea, 5 minutes", "Boil the water for 3 minutes."),
            ("Stirring time: 30 s", "Shake the borax solution for 2 minutes."),
            ("Starting temperature of the water: 70 °C", "Start the datalogger and see that it shows 20 °C."),
            ("Planting depth of the bulbs: 10 cm", "Dig a bed 20 cm deep and loosen the soil for planting."),
            ("Thickness of insulation: 2 cm", "Line the box with a layer of card 1 cm thick."),
            ("readings every 2 minutes", "Water the plants every 3 days."),
            ("a current of 0.5 A", "Fit a fuse of 2 A."),
            ("mass measured after 20 minutes", "After 5 minutes swirl the flask."),
            ("the ball rolls down from 40 cm", "Catch the ball 60 cm from the ramp."),
        ] {
            assert_eq!(found("the brand", constant, step), 0, "{constant} | {step}");
        }
        let ponds = "Weigh out 8 g of flour, 8 g of yeast and 5 g of sugar.";
        assert_eq!(found("The kind of sugar (glucose, sucrose)", "5 g of sugar in each bottle", ponds), 0);
    }
}
