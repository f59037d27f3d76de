//! Lists of all that may be used, "only card and string", and a step that joins parts with something else.

use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::lemma;

/// What joins parts or makes them firm, by kind; what is said to be the only stuff leaves no room for the others.
const JOINERS: [&str; 9] = [
    "glue adhesive superglue",
    "tape sellotape",
    "staple stapler",
    "nail screw bolt",
    "string yarn twine thread",
    "clay plasticine putty blutack",
    "rubber elastic",
    "pin thumbtack tack",
    "wire pipe",
];

/// Verbs of joining with a thing, and the kind of the thing.
const JOINS: [(&str, usize); 5] = [("glue", 0), ("tape", 1), ("staple", 2), ("nail", 3), ("screw", 3)];

/// Where a text names all that may be used, with the step that uses something else.
pub fn broken<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<(&'l Text<'c>, &'l Text<'c>, usize)> {
    let general = |role: Role| {
        matches!(role, Role::Safety(_) | Role::Objective(_) | Role::Title | Role::DrivingQuestion | Role::Curriculum)
    };
    let lists = lesson.texts.iter().filter(|text| general(text.role));
    lists
        .filter_map(|text| {
            let allowed = allowed(text)?;
            let (step, at) = lesson.steps().find_map(|(_, step)| Some((step, joined(step, &allowed)?)))?;
            Some((text, step, at))
        })
        .collect()
}

/// The things that alone may be used to make something.
fn allowed(text: &Text) -> Option<Vec<String>> {
    let makes = ["build", "make", "construct", "assemble", "design", "create"];
    let made = (0..text.tokens.len()).any(|at| phrases::verb(text.word(at), &makes).is_some());
    (0..text.tokens.len()).find_map(|at| {
        let end = text.sentence(at).end;
        let permitted =
            |range: std::ops::Range<usize>| range.into_iter().any(|t| lists("used allowed permitted go", text.word(t)));
        let start = if text.has_at(at, &["nothing", "but"]) || text.has_at(at, &["nothing", "except"]) {
            (made || permitted(at..end)).then_some(at + 2)?
        } else if text.word(at) == "only" && lists("using with from of", text.word(at.wrapping_sub(1)))
            || text.word(at) == "only" && at == text.sentence(at).start && permitted(at..end)
        {
            (made || permitted(at..end)).then_some(at + 1)?
        } else if text.word(at) == "only" && lists("use using", text.word(at + 1)) && made {
            at + 2
        } else {
            return None;
        };
        let stop = (start..end)
            .find(|t| {
                lists("; : . ( may can is are to that which for in into when if", text.word(*t))
                    || phrases::begins_condition(text.word(*t))
            })
            .unwrap_or(end);
        let words: Vec<String> =
            (start..stop).filter(|t| !phrases::is_empty(text.word(*t))).map(|t| lemma(text.word(t))).collect();
        let open = words.iter().any(|word| {
            lists("material provided given listed item thing supply after planning evidence own recycled once", word)
        });
        if open {
            return None;
        }
        let listed = (start..stop).any(|t| lists("and , or", text.word(t))) || words.len() <= 3;
        (!words.is_empty() && words.len() <= 14 && listed).then_some(words)
    })
}

/// Where a step joins parts with what is not among the things allowed.
fn joined(step: &Text, allowed: &[String]) -> Option<usize> {
    let free = |kind: usize| JOINERS.get(kind).is_some_and(|names| !allowed.iter().any(|word| lists(names, word)));
    (0..step.tokens.len()).find(|at| {
        let word = step.word(*at);
        let spared = || {
            phrases::is_denied(step, *at)
                || phrases::is_supposed(step, *at)
                || phrases::is_question(step, *at)
                || step
                    .sentence(*at)
                    .any(|t| lists("table floor desk bench wall poster notebook chart label tested", step.word(t)))
        };
        let deed = JOINS.iter().any(|(verb, kind)| phrases::is_form_of(word, verb) && free(*kind))
            && (matches!(phrases::actor(step, *at), Some(phrases::Actor::Reader | phrases::Actor::Pupils))
                || word.ends_with("ed") && (at.saturating_sub(3)..*at).any(|t| lists("is are be", step.word(t))));
        let thing = JOINERS
            .iter()
            .enumerate()
            .take(5)
            .any(|(kind, names)| kind != 4 && lists(names, &lemma(word)) && free(kind));
        let with = thing
            && (at.saturating_sub(4)..*at).any(|t| lists("with using", step.word(t)))
            && (step.sentence(*at).start..*at).any(|t| {
                let verbs =
                    ["join", "fix", "attach", "fasten", "stick", "connect", "secure", "seal", "hold", "strengthen"];
                phrases::verb(step.word(t), &verbs).is_some()
            });
        (deed || with) && !spared()
    })
}
