//! What a permit protects, and what alone is permitted of its kind: "nothing that grows here may be picked".

use super::sole;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};

/// Living things that may be protected.
const LIVING: &str = "plant plants flower flowers leaf leaves moss mosses fern ferns fungus fungi animal animals creature creatures \
    grows growing living lives insect insects shell shells seaweed wildlife specimen specimens species wildflower wildflowers";

/// Verbs of taking a living thing from its place.
const TAKES: [&str; 7] = ["pick", "uproot", "collect", "gather", "pluck", "remove", "take"];

/// Where nothing that lives may be taken, with the step that takes it.
pub(super) fn taken<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, usize, &'l Text<'c>, usize)> {
    let permits = lesson.texts().iter().filter(|text| {
        !matches!(text.role, Role::Step(_) | Role::Hypothesis | Role::Term(_) | Role::Definition(_) | Role::Safety(_))
    });
    let (rule, at) = permits
        .into_iter()
        .find_map(|text| Some((text, *text.kept(|text| protects(text).into_iter().collect()).first()?)))?;
    let (step, taken) = lesson
        .steps()
        .find_map(|(_, step)| Some((step, *step.kept(|step| takes(step).into_iter().collect()).first()?)))?;
    Some((rule, at, step, taken))
}

fn protects(text: &Text) -> Option<usize> {
    (0..text.tokens.len()).find(|at| {
        let sentence = text.sentence(*at);
        let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
        (phrases::verb(text.word(*at), &TAKES).is_some()
            || text.has_at(*at, &["dug", "up"])
            || text.has_at(*at, &["dig", "up"]))
            && phrases::is_denied(text, *at)
            && (phrases::clause_start(text, *at)..phrases::clause_end(text, *at)).any(|t| lists!(LIVING, text.word(t)))
            && !has(list!("unless except until if without more than only rare protected"))
            && !phrases::is_question(text, *at)
            && !phrases::is_supposed(text, *at)
    })
}

fn takes(step: &Text) -> Option<usize> {
    (0..step.tokens.len()).find(|at| {
        let word = step.word(*at);
        let end = phrases::clause_end(step, *at);
        let digs = phrases::is_form_of(word, "dig") && step.word(*at + 1) == "up" || phrases::verb(word, &["uproot", "pluck"]).is_some();
        let picks = phrases::is_form_of(word, "pick") && step.word(*at + 1) != "up" || phrases::verb(word, &["gather", "collect"]).is_some();
        let object = (*at + 1..end.min(*at + 7)).take_while(|t| !lists("from about on of", step.word(*t)) || step.word(*t) == "of");
        let living = object.into_iter().any(|t| {
            lists!("plant plants flower flowers leaf leaves moss ferns fern wildflower wildflowers seedling seedlings", step.word(t))
        });
        let spared = step.sentence(*at).any(|t| {
            lists!("fallen dead photo photos photograph picture pictures data name names card cards drawing artificial plastic", step.word(t))
        });
        // "Before leaving each point dig up one plant"
        let led = || {
            phrases::begins_condition(step.word(step.sentence(*at).start))
                && !lists("to can may will they who", step.word(at.wrapping_sub(1)))
        };
        (digs || picks)
            && living
            && !spared
            && !phrases::is_denied(step, *at)
            && !phrases::is_question(step, *at)
            && !phrases::is_supposed(step, *at)
            && (matches!(phrases::actor(step, *at), Some(Actor::Reader | Actor::Pupils)) || digs && led())
    })
}

/// Where one thing is "the one and only sticky stuff permitted", with a material of that class which is another.
pub(super) fn only_one<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, usize, &'l Text<'c>)> {
    let rules = lesson.texts().iter().filter(|text| {
        !matches!(text.role, Role::Hypothesis | Role::Term(_) | Role::Definition(_) | Role::MaterialName(_))
    });
    rules.into_iter().find_map(|text| {
        let said = |text: &Text| (2..text.tokens.len()).find(|at| text.word(*at) == "only" && says_only(text, *at));
        let at = *text.kept(move |text| said(text).into_iter().collect()).first()?;
        let end = phrases::clause_end(text, at);
        let members = sole::class_behind(text, at, end.min(at + 7))?;
        let start = phrases::clause_start(text, at);
        let named = |names: &str, text: &Text, mut range: std::ops::Range<usize>| {
            range.any(|t| lists(names, &crate::assistant::facts::words::lemma(text.word(t))))
        };
        members.iter().find(|names| named(names, text, start..at))?;
        let others: Vec<&str> = members.iter().copied().filter(|names| !named(names, text, start..at)).collect();
        let other = lesson.materials().into_iter().find(|material| {
            let name = material.name;
            let bound =
                |t: usize| lists!("notebook worksheet label labels poster measure teacher demonstration", name.word(t));
            sole::named(name, &others).next().is_some()
                && material.notes.is_none()
                && !(0..name.tokens.len()).any(bound)
        })?;
        Some((text, at, other.name))
    })
}

/// "Tape is the one and only sticky stuff permitted", "a candle is the only heat source that may be used".
fn says_only(text: &Text, at: usize) -> bool {
    let start = phrases::clause_start(text, at);
    let end = phrases::clause_end(text, at);
    let is = (start..at).any(|t| matches!(text.word(t), "is" | "are"));
    let allowed = (at..end).any(|t| lists!("permitted allowed used use may", text.word(t)));
    let open = (start..text.sentence(at).end).any(|t| lists!("except unless until for first not", text.word(t)));
    is && allowed && !open && !phrases::is_question(text, at)
}
