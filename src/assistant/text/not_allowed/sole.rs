//! One thing that alone of its class is allowed, and another of the class that is there or is used: "the only solvent
//! allowed in our room is the ethanol mixture", and acetone that is poured.

use std::ops::Range;

use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::lemma;
use crate::assistant::facts::{hands, kinds};

/// Names of classes, with the members that exclude each other where one alone is allowed.
const CLASSES: [(&str, &[&str]); 10] = [
    (
        "adhesive adhesives glue fastener fasteners joiner sticky fixing fixings",
        &["tape sellotape", "glue superglue adhesive", "staple stapler", "putty blutack", "velcro"],
    ),
    (
        "heat heater heating",
        &["candle tealight", "bunsen burner", "hotplate", "kettle", "microwave", "hairdryer hairdrier", "radiator"],
    ),
    ("reflector reflectors reflective", &["foil", "mirror"]),
    ("write draw writing drawing", &["pencil", "pen fineliner marker biro felt-tip", "crayon", "chalk"]),
    ("power electricity", &["battery cell", "mains", "generator", "powerpack"]),
    (
        "solvent solvents",
        &[
            "acetone propanone",
            "ethanol alcohol spirit",
            "hexane",
            "cyclohexane",
            "turpentine",
            "toluene",
            "petrol",
            "isopropanol propanol",
            "methanol",
        ],
    ),
    (
        "acid acids",
        &[
            "hydrochloric",
            "sulfuric sulphuric",
            "nitric",
            "citric lemon",
            "vinegar ethanoic acetic",
            "phosphoric",
            "tartaric",
        ],
    ),
    ("fuel fuels", &["ethanol alcohol spirit", "paraffin kerosene", "petrol", "butane propane", "wax", "charcoal"]),
    ("cutter cutters blade blades cutting", &["scissor scissors", "knife", "scalpel razor", "saw", "guillotine"]),
    ("indicator indicators", &["litmus", "phenolphthalein", "methyl", "universal", "cabbage", "bromothymol", "thymol"]),
];

/// A rule with the token of its "only", and a text with the token of what is another of the class.
type Broken<'l, 'c> = (&'l Text<'c>, usize, &'l Text<'c>, usize);

/// Where another of a class is there or is used than the only one allowed.
pub(super) fn other_used<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<Broken<'l, 'c>> {
    let rules = lesson.texts_of(|role| {
        matches!(
            role,
            Role::Safety(_) | Role::Objective(_) | Role::Curriculum | Role::MaterialNotes(_) | Role::Assessment
        )
    });
    rules.into_iter().find_map(|rule| {
        let at = *rule.kept(|rule| sole(rule).into_iter().collect()).first()?;
        let others = others(rule, at)?;
        let listed = || {
            lesson.materials().into_iter().find_map(|material| {
                let name = material.name;
                let at = named(name, &others).find(|at| kinds::is_named(name, *at))?;
                material.notes.is_none().then_some((rule, at, name))
            })
        };
        let used = || {
            lesson.steps().find_map(|(_, step)| {
                let at = named(step, &others).find(|at| {
                    let near = phrases::clause_start(step, *at)..*at;
                    hands::is_handled(step, &(*at..at + 1))
                        && !phrases::is_denied(step, *at)
                        && !phrases::is_supposed(step, *at)
                        && !near.into_iter().any(|t| lists!("label poster notebook away aside", step.lemma(t)))
                })?;
                Some((rule, at, step))
            })
        };
        let (rule, found, text) = used().or_else(listed)?;
        Some((rule, at, text, found))
    })
}

/// Where a text says "only" of what alone of its class is allowed.
fn sole(text: &Text) -> Option<usize> {
    (1..text.tokens.len()).find(|at| {
        let (sentence, end) = (text.sentence(*at), phrases::clause_end(text, *at));
        text.word(*at) == "only"
            && lists!("the our your its and", text.word(at - 1))
            && !phrases::is_question(text, *at)
            && !sentence.clone().any(|t| lists!("except unless until if first not when near without", text.word(t)))
            && others(text, *at).is_some()
            && (*at..end).any(|t| lists!("allowed permitted use used may acceptable", text.word(t)))
            && !is_narrow(text, *at..end)
    })
}

/// Whether a rule speaks of one use: "the only blade used on the potatoes".
fn is_narrow(text: &Text, mut tokens: Range<usize>) -> bool {
    tokens.any(|t| lists!("allowed permitted use used", text.word(t)) && lists!("on for with", text.word(t + 1)))
}

/// The members of the class that "only" stands before: "the only heat source", but not "the only strong acid".
pub(super) fn class_behind(text: &Text, only: usize, end: usize) -> Option<&'static [&'static str]> {
    let class = |t: usize| CLASSES.iter().find(|(names, _)| lists(names, text.word(t)));
    let plain =
        "permitted allowed approved acceptable kind sort type of thing stuff that you we may can be used as an a";
    let at = (only + 1..end).find(|t| !lists(plain, text.word(*t)) || class(*t).is_some())?;
    let (_, members) = class(at)?;
    let next = text.word(at + 1);
    let head = kinds::is_named(text, at)
        || lists!(
            "source sources tool tools agent stuff material materials implement utensil allowed permitted used use i",
            next,
        );
    head.then_some(*members)
}

/// The members of the class named behind "only" that are not named behind "is".
fn others(text: &Text, at: usize) -> Option<Vec<&'static str>> {
    let end = phrases::clause_end(text, at);
    let is = (at + 2..end).find(|t| matches!(text.word(*t), "is" | "are"))?;
    let members = class_behind(text, at, is.min(at + 4))?;
    let has = |names: &str, mut range: Range<usize>| range.any(|t| lists(names, &lemma(text.word(t))));
    members.iter().find(|names| has(names, is + 1..end))?;
    Some(members.iter().copied().filter(|names| !has(names, is + 1..end)).collect())
}

/// Where one of these names is what its group is called after: tape, but not a tape measure.
pub(super) fn named<'t>(text: &'t Text, names: &'t [&str]) -> impl Iterator<Item = usize> + 't {
    (0..text.tokens.len()).filter(move |at| {
        let word = text.lemma(*at);
        let head = || {
            kinds::is_named(text, *at)
                || lists!(
                    "acid juice indicator paper solution orange blue red burner stick gun pen marker mixture lamp blade \
                     pack roll heater oven power",
                    text.lemma(*at + 1),
                )
        };
        names.iter().any(|names| lists(names, word)) && head()
    })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn count(rule: &str, step: &str) -> usize {
        let content = json!({"safety": [rule], "steps": [{ "text": step }]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn another_of_the_class_of_which_one_alone_is_allowed_is_found() {
        for (rule, step) in [
            (
                "The only solvent allowed in our room is the ethanol mixture.",
                "Pour the acetone into the jar to a depth of half a centimetre and close the lid.",
            ),
            ("The only adhesive you may use is masking tape.", "Fix the legs with superglue."),
            ("Our only permitted heat source is the hotplate.", "Put the tube over the tealight."),
            ("The only acid in use here is vinegar.", "Add the hydrochloric acid with a dropper."),
        ] {
            assert_eq!(count(rule, step), 1, "{rule} {step}");
        }
    }

    #[test]
    fn the_one_allowed_or_what_is_of_another_class_is_passed_over() {
        for (rule, step) in [
            ("The only solvent allowed in our room is the ethanol mixture.", "Pour the ethanol into the jar."),
            ("The only solvent allowed in our room is the ethanol mixture.", "No acetone is poured into the jar."),
            ("The only solvent that is flammable is the ethanol.", "Pour the acetone into the jar."),
            ("The only heat source allowed near the fuel is the hotplate.", "Light the candle at the sink."),
            ("The only blades allowed until the check are scissors.", "Cut it with a knife."),
            ("The only heat source used in this lesson is the hotplate.", "Put the iron nail on the tray."),
            ("The only adhesive you may use is the glue stick.", "Measure its height with the tape measure."),
            ("The only fuel in use is the ethanol in the burner.", "Light it with the candle."),
            ("The only reflector used is foil.", "Put a tin with water inside."),
            ("The only indicator used by pupils is the cabbage juice.", "Clamp it in the universal clamp."),
            ("The only blade used on the potatoes is the knife.", "Trim the paper with the scissors."),
            ("The only strong acid allowed is the nitric acid.", "Add the vinegar with a dropper."),
        ] {
            assert_eq!(count(rule, step), 0, "{rule} {step}");
        }
    }
}
