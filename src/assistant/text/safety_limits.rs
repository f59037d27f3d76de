//! Limits and duties of safety rules that a step passes over: "never above 60 °C", and heating to 90 °C; "wear gloves",
//! and bare hands.

use std::ops::Range;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::quantities::Quantity;
use crate::assistant::facts::units::Dimension;

/// Words that tell nothing of what a limit is set to.
const GENERAL: &str = "keep leave let go stay make sure use work never always student pupil child learner group hand-out get allow \
    amount most least maximum exceed time do break volunteer runner person partner member";

/// The steps that go beyond a limit, or do without what a rule demands.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    for rule in lesson.safety() {
        for sentence in rule.sentences() {
            let scoped = sentence.clone().any(|at| {
                lists!("unless except excepted if until apart", rule.word(at)) || phrases::is_teacher(rule, at)
            });
            if scoped {
                continue;
            }
            let (limit, duty) = (Limit::read(rule, &sentence), duty(rule, &sentence));
            let broken = lesson.steps().find_map(|(index, step)| {
                let beyond = limit.as_ref().and_then(|limit| beyond(limit, step));
                let at = beyond.or_else(|| neglected(rule, &sentence, duty?, step))?;
                Some((index, step, at))
            });
            let Some((index, step, at)) = broken else { continue };
            let reason = format!(
                "The safety rule says \"{}\", but step {} says \"{}\".",
                rule.words(&sentence),
                index + 1,
                step.words(&step.sentence(at))
            );
            found.push(
                conflict("safety_conflict", rule.quote(&sentence), step.quote_sentence(at), reason)
                    .suggesting(format!("Change step {} so that the safety rule holds.", index + 1)),
            );
        }
    }
    found
}

/// Whether a quantity is the most, or the least, that a sentence allows.
fn limit(rule: &Text, sentence: &Range<usize>, quantity: &Quantity) -> Option<bool> {
    let (start, end) = (quantity.tokens.start, quantity.tokens.end);
    let before = start.saturating_sub(4).max(sentence.start)..start;
    let has = |words: List| before.clone().any(|at| words.has(rule.word(at)));
    let denied = (sentence.start..start)
        .any(|at| matches!(rule.word(at), "no" | "not" | "never" | "nobody" | "nothing"))
        || (sentence.start..start).any(|at| rule.word(at).ends_with("n't"));
    let most = denied
        && (has(list!("above over beyond past exceed exceeding"))
            || has(list!("more longer higher hotter warmer")) && has(list!("than")))
        || rule.has_at(start.wrapping_sub(2), &["at", "most"])
        || rule.has_at(end, &["at", "most"])
        || rule.has_at(end, &["at", "the", "most"])
        || rule.word(end) == "or" && lists!("less under below lower cooler colder fewer", rule.word(end + 1))
        || has(list!("maximum max")) && !denied
        || has(list!("limit limited")) && rule.word(start.wrapping_sub(1)) == "to";
    let held = (sentence.start..start).any(|at| lists!("keep keeps kept stay stays remain remains", rule.word(at)));
    let most = most || held && !denied && has(list!("below under"));
    let least = rule.has_at(start.wrapping_sub(2), &["at", "least"])
        || denied && (has(list!("nearer closer less fewer")) && has(list!("than")) || has(list!("below within")));
    (most != least).then_some(most)
}

/// What grows, and what it grows on and in.
const CULTURES: &str =
    "culture plate dish agar bacterium bacteria microbe microorganism colony incubator petri incubation incubate yeast";

/// Whether plates are put at the temperature at a token: "set the incubator to 37 °C", "incubate at 37 °C".
fn is_set(step: &Text, at: usize) -> bool {
    let sentence = step.sentence(at);
    let set = (at.saturating_sub(6).max(sentence.start)..at)
        .any(|t| phrases::verb(step.word(t), &["set", "incubate", "keep", "turn", "store", "leave", "put"]).is_some());
    set && lists!("at to", step.word(at.wrapping_sub(1))) && step.tokens.iter().any(|t| lists!(CULTURES, &t.lemma))
}

/// The limit that a sentence of a rule sets.
struct Limit<'r> {
    quantity: &'r Quantity,
    /// Whether it is the most that is allowed, or the least.
    most: bool,
    /// Whether it is one of an amount: "5 mL of acid".
    of: bool,
    /// What is limited.
    subject: Option<String>,
    /// Whether it is one of what grows on plates.
    cultures: bool,
}

impl<'r> Limit<'r> {
    fn read(rule: &'r Text, sentence: &Range<usize>) -> Option<Self> {
        let numbers =
            |text: &Text| text.tokens.iter().any(|token| token.word.starts_with(|c: char| c.is_ascii_digit()));
        if !numbers(rule) && !sentence.clone().any(|at| lists!("most least than above over maximum", rule.word(at))) {
            return None;
        }
        let limited = rule.quantities().iter().find(|quantity| sentence.contains(&quantity.tokens.start))?;
        let most = limit(rule, sentence, limited)?;
        let told = |range: Range<usize>| {
            phrases::content_words(rule, range).into_iter().find(|word| {
                !lists(GENERAL, word)
                    && !phrases::is_denial(word)
                    && !lists("above over beyond past long high near close away apart limit rise", word)
            })
        };
        // What follows a colon gives the reason: "do not go below 20 mL: the tubing may blow off".
        let clause_end = phrases::clause_end(rule, limited.tokens.end.saturating_sub(1));
        // "5 mL of acid" limits the acid.
        let of = (rule.word(limited.tokens.end) == "of").then(|| told(limited.tokens.end + 1..sentence.end)).flatten();
        let subject = of
            .clone()
            .or_else(|| told(sentence.start..limited.tokens.start).or_else(|| told(limited.tokens.end..clause_end)));
        let cultures = sentence.clone().any(|at| lists!(CULTURES, rule.lemma(at)));
        Some(Self { quantity: limited, most, of: of.is_some(), subject, cultures })
    }
}

/// Where a step goes beyond a limit.
fn beyond(limit: &Limit, step: &Text) -> Option<usize> {
    let Limit { quantity: limited, most, of, subject, .. } = limit;
    let electric = matches!(limited.dimension(), Dimension::Voltage | Dimension::Current);
    step.quantities().iter().find_map(|quantity| {
        let at = quantity.tokens.start;
        if quantity.dimension() != limited.dimension() {
            return None;
        }
        let passed = if *most { quantity.low > limited.high * 1.02 } else { quantity.high < limited.low * 0.98 };
        let own = step.sentence(at);
        // "Work out the resistance at 6 V"
        if own.clone().any(|t| lists!("calculate plot graph", step.word(t)) || step.has_at(t, &["work", "out"])) {
            return None;
        }
        let shared = match subject {
            _ if electric => true,
            Some(subject) if subject == "temperature" => {
                own.clone().any(|at| phrases::verb(step.word(at), &["heat", "warm", "boil"]).is_some())
            }
            Some(subject) => {
                let range = if *of && step.word(quantity.tokens.end) == "of" {
                    quantity.tokens.end + 1..(quantity.tokens.end + 4).min(own.end)
                } else {
                    own.clone()
                };
                phrases::content_words(step, range).iter().any(|word| are_alike(word, subject))
            }
            None => false,
        } || limited.dimension() == Dimension::Temperature && limit.cultures && is_set(step, at);
        let apart = *most
            || limited.dimension() != Dimension::Length
            || lists!("from away behind of", step.word(quantity.tokens.end));
        // "Add 2 mL more" is no amount that is too small.
        let added = !most
            && (own.start..at).any(|at| {
                phrases::verb(step.word(at), &["add", "remove", "subtract", "take", "drop", "cut"]).is_some()
            });
        let lasts = limited.dimension() != Dimension::Time || step.word(at.wrapping_sub(1)) == "for";
        let spared = phrases::is_denied(step, at)
            || phrases::is_question(step, at)
            || phrases::is_supposed(step, at)
            || own
                .clone()
                .any(|at| phrases::is_teacher(step, at) || lists!("until total about altogether cool", step.word(at)))
            || step.word(at.wrapping_sub(1)) == "from";
        (passed && shared && apart && lasts && !spared && !added).then_some(at)
    })
}

/// Whether two words are of one root: "connect" and "connection".
fn are_alike(one: &str, other: &str) -> bool {
    one == other || one.get(..6).is_some_and(|start| other.get(..6) == Some(start))
}

/// What is worn or done, and the words for it.
const DUTIES: [&str; 6] = [
    "goggles glasses spectacles eyewear",
    "gloves glove",
    "apron aprons smock smocks",
    "mask masks",
    "wash washing washed",
    "wipe wiping mop mopping",
];

/// What a sentence of a rule demands.
fn duty(rule: &Text, sentence: &Range<usize>) -> Option<&'static str> {
    let demands = |duty: &str| sentence.clone().any(|at| lists(duty, rule.word(at)) && !phrases::is_denied(rule, at));
    DUTIES.into_iter().find(|duty| demands(duty))
}

/// Where a step lets what a rule demands be.
fn neglected(rule: &Text, sentence: &Range<usize>, duty: &str, step: &Text) -> Option<usize> {
    let gloves = lists(duty, "gloves");
    let released = |at: usize| {
        let near = at.saturating_sub(4)..at;
        let back = |words: List| near.clone().any(|t| words.has(step.word(t)));
        let after = at + 1..at + 5;
        let ahead = |words: List| after.clone().any(|t| words.has(step.word(t)));
        lists(duty, step.word(at))
            && (lists!("without skip no", step.word(at.wrapping_sub(1)))
                || step.word(at.wrapping_sub(2)) == "without"
                || back(list!("no not don't needn't never")) && back(list!("need needn't bother necessary have time"))
                || ahead(list!("not no aren't isn't")) && ahead(list!("needed necessary required")))
            || gloves && step.word(at) == "bare" && lists!("hand hands finger fingers fingertips", step.word(at + 1))
    };
    let at = (0..step.tokens.len()).find(|at| {
        released(*at)
            && (step.word(*at) != "bare" || !phrases::is_denied(step, *at))
            && !phrases::is_supposed(step, *at)
    })?;
    let own = step.sentence(at);
    if own.clone().any(|at| phrases::is_teacher(step, at) || matches!(step.word(at), "?" | "photo" | "instead")) {
        return None;
    }
    // "Gloves when handling the acid" is broken only with the acid.
    let words = |text: &Text, range: Range<usize>| -> Vec<String> {
        let mut words = phrases::content_words(text, range);
        words.retain(|word| {
            !DUTIES.iter().any(|duty| lists(duty, word))
                && !lists("leaving lesson end class finish finished go hand finger bare goggle glove wear keep stay always time need when while after before whenever handle touch use with well soap", word)
        });
        words
    };
    let scoped =
        sentence.clone().any(|at| phrases::begins_condition(rule.word(at)) || lists!("for during", rule.word(at)));
    let (demanded, done) = (words(rule, sentence.clone()), words(step, own));
    let shared = demanded.iter().any(|word| done.contains(word));
    (shared || !scoped || demanded.is_empty()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn count(safety: &str, step: &str) -> usize {
        let content = json!({"steps": [{ "text": step }], "safety": [safety]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_step_beyond_a_limit_or_without_what_is_demanded_is_found() {
        for (safety, step) in [
            ("Never heat the tube above 90 °C.", "Heat the tube to 120 °C."),
            ("Do not go above 3 V, the wire becomes hot.", "Raise the supply to 6 V and read the meter."),
            ("No more than 600 g on a spring.", "Hang 900 g on the spring."),
            ("Never let the current go over 0.5 A.", "Turn the current up to 1.2 A."),
            ("Wear gloves at all times.", "Pick up the crystals with your bare fingers."),
            ("Gloves when handling the peas.", "Take the peas out with bare hands."),
            ("Wash your hands after touching compost.", "There is no need to wash your hands after the compost."),
            ("Goggles throughout.", "Goggles are not needed here."),
            ("Do not let the temperature rise above 45 °C.", "Warm the yeast to 60 °C."),
            ("Break the connection after ten seconds at most.", "Leave it connected for three full minutes."),
            ("Wash hands before leaving.", "There is no time to wash your hands today."),
            ("Voltage must not exceed 6 V.", "Set the supply to 9 V and switch on."),
            ("Keep the water below 50 °C.", "Fill the bowl with water at 70 °C."),
        ] {
            assert_eq!(count(safety, step), 1, "{safety} / {step}");
        }
    }

    #[test]
    fn what_keeps_within_a_limit_or_speaks_of_another_thing_is_passed_over() {
        for (safety, step) in [
            ("Never heat the tube above 90 °C.", "Heat the tube to 60 °C."),
            ("Never heat the tube above 90 °C.", "Do not heat the tube to 100 °C."),
            ("No hand stays in the ice water longer than 1 minute.", "Keep the mitt in the ice water for 3 minutes."),
            ("Gloves when handling the acid.", "Pick up the coin with bare hands."),
            ("Wear gloves.", "Never touch it with bare hands."),
            ("Goggles while pouring.", "Pour without splashing."),
            ("Never use more than 5 mL of acid.", "Add 5 mL of acid and 50 mL of water."),
            ("Keep at least 2 m away from the rocket.", "Cut a fin 5 cm long for the rocket."),
            ("The water must be no hotter than 40 °C.", "Let the water come down from 80 °C first."),
            ("Keep the water below 50 °C.", "Fill the bowl with water at 45 °C."),
            ("Do not go below 20 mL: the tubing may blow off.", "Add 2 mL for the air in the tubing to each volume."),
            ("Niemals über 90 °C erhitzen.", "Auf 120 °C erhitzen."),
        ] {
            assert_eq!(count(safety, step), 0, "{safety} / {step}");
        }
    }
}
