//! Hints: a step that uses what only a later step makes.
//!
//! "Hang up the knotted string" before "knot the string": the participle says that it was done, the order that it was not.
//! The mend lets the later step come first.

use serde_json::Value;

use super::{Match, conflict};
use crate::assistant::edit::{Edit, Mend};
use crate::assistant::facts::lesson::{Lesson, Text, shortened};
use crate::assistant::facts::phrases::{self, Actor, is_form_of, lists};
use crate::assistant::facts::steps::step_references;
use crate::assistant::facts::words::lemma;
use crate::domain::path::FieldPath;

/// What steps do to a thing so that it is another one afterwards.
const MAKING: &[&str] = &[
    "crush",
    "label",
    "fold",
    "cut",
    "peel",
    "boil",
    "heat",
    "chill",
    "freeze",
    "melt",
    "dissolve",
    "filter",
    "grind",
    "dilute",
    "mix",
    "stain",
    "soak",
    "fill",
    "seal",
    "mark",
    "number",
    "weigh",
    "measure",
    "tie",
    "knot",
    "knead",
    "assemble",
    "prepare",
    "build",
    "make",
    "connect",
    "wire",
    "strip",
    "sand",
    "polish",
    "paint",
    "print",
    "draw",
    "colour",
    "color",
    "rinse",
    "wash",
    "dry",
    "shred",
    "slice",
    "chop",
    "mash",
    "inflate",
    "warm",
    "cool",
    "stretch",
    "roll",
    "wrap",
    "tape",
    "glue",
    "record",
    "calculate",
    "collect",
    "squeeze",
    "wedge",
    "insert",
    "sow",
    "plant",
];

/// A step that uses what a later step makes.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let steps: Vec<(usize, &Text)> = lesson.steps().collect();
    let used: Vec<_> = steps.iter().map(|(_, step)| step.kept(used)).collect();
    let made: Vec<_> = steps.iter().map(|(_, step)| step.kept(makes)).collect();
    let mut found = Vec::new();
    for (place, ((index, step), used)) in steps.iter().zip(&used).enumerate() {
        let Some((later, at)) = used.iter().find_map(|(at, noun)| {
            let (word, at) = (step.word(*at), *at);
            let makes = |(verb, nouns): &(&str, Vec<String>)| is_form_of(word, verb) && nouns.contains(noun);
            let verb = |(verb, _): &(&str, Vec<String>)| is_form_of(word, verb);
            if made.iter().take(place + 1).any(|made| made.iter().any(verb)) || is_listed(lesson, word) {
                return None;
            }
            let later = made.iter().enumerate().skip(place + 1).find(|(_, made)| made.iter().any(makes))?;
            Some((later.0, at))
        }) else {
            continue;
        };
        let Some(&(later, text)) = steps.get(later) else { continue };
        let reason = format!(
            "Step {} uses what is \"{}\" already, but that is done only in step {}: \"{}\".",
            index + 1,
            step.word(at),
            later + 1,
            shortened(text.text)
        );
        let hint = conflict("step_order", step.quote_sentence(at), text.quote_all(), reason).as_hint();
        found.push(with_order(hint, lesson, later, *index));
    }
    found.extend(for_the_first_time(lesson, &steps));
    found.extend(done_before(lesson, &steps));
    found
}

/// "The juice you have strained" in a step, and "strain the juice" in a later one: whoever reads has done it, and is yet to.
fn done_before(lesson: &Lesson, steps: &[(usize, &Text)]) -> Option<Match> {
    let all: Vec<_> = steps.iter().map(|(_, step)| step.kept(done)).collect();
    if all.iter().all(|done| done.is_empty()) {
        return None;
    }
    let made: Vec<_> = steps.iter().map(|(_, step)| step.kept(orders)).collect();
    steps.iter().zip(&all).enumerate().find_map(|(place, ((index, step), done))| {
        done.iter().find_map(|(at, noun)| {
            let of_it =
                |(verb, nouns): &(String, Vec<String>)| is_form_of(step.word(*at), verb) && nouns.contains(noun);
            let verb = |(verb, _): &(String, Vec<String>)| is_form_of(step.word(*at), verb);
            if made.iter().take(place + 1).any(|made| made.iter().any(verb)) {
                return None;
            }
            let later = made.iter().enumerate().skip(place + 1).find(|(_, made)| made.iter().any(of_it))?.0;
            let (later, text) = steps.get(later)?;
            let again = text
                .tokens
                .iter()
                .any(|token| lists!("again rest remaining another second more new fresh re", &token.word));
            let reason = format!(
                "Step {} uses what \"{}\" is done to already, but that is done only in step {}: \"{}\".",
                index + 1,
                step.word(*at),
                later + 1,
                shortened(text.text)
            );
            let found = conflict("step_order", step.quote_sentence(*at), text.quote_all(), reason).as_hint();
            (!again).then(|| with_order(found, lesson, *later, *index))
        })
    })
}

/// What whoever reads is said to have done: the participle in "the juice (that) you have strained", and the noun.
fn done(step: &Text) -> Vec<(usize, String)> {
    let done = |at: usize| {
        let word = step.word(at);
        let participle = word.ends_with("ed") && word.len() > 4
            || lists!("made built drawn ground cut grown frozen wound bent", word);
        let mut back = at.checked_sub(1)?;
        if matches!(step.word(back), "just" | "already" | "now") {
            back = back.checked_sub(1)?;
        }
        if matches!(step.word(back), "have" | "'ve") {
            back = back.checked_sub(1)?;
        }
        let you = matches!(step.word(back), "you" | "you've");
        let mut noun = back.checked_sub(1)?;
        if matches!(step.word(noun), "that" | "which" | "whose") {
            noun = noun.checked_sub(1)?;
        }
        let head = step.tokens.get(noun).filter(|token| token.is_word() && !phrases::is_empty(&token.word))?;
        let determined =
            (noun.saturating_sub(4)..noun).any(|t| matches!(step.word(t), "the" | "your" | "those" | "these"));
        let named =
            determined && !phrases::begins_condition(&head.word) && !lists("and or way time step so", &head.word);
        if !(participle && you && named) {
            return None;
        }
        let past = phrases::is_supposed(step, at)
            || phrases::is_denied(step, at)
            || step.tokens.iter().any(|token| lists!("last yesterday home previous earlier lesson", &token.word));
        (!past).then(|| (at, head.lemma.clone()))
    };
    (1..step.tokens.len()).filter_map(done).collect()
}

/// What a step orders to be done, with the nouns that stand right behind.
fn orders(step: &Text) -> Vec<(String, Vec<String>)> {
    let order = |at: usize| {
        let token = step.tokens.get(at).filter(|token| token.is_word() && token.word.len() > 2)?;
        let acts = !phrases::is_denied(step, at)
            && matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils | Actor::Teacher))
            && !token.word.ends_with("ing")
            && !token.word.ends_with("ed");
        let end = phrases::clause_end(step, at).min(at + 6);
        acts.then(|| (token.word.clone(), phrases::content_words(step, at + 1..end)))
    };
    (0..step.tokens.len()).filter_map(order).collect()
}

/// The hint with the order that would be right: steps are told by their indexes.
fn with_order(mut hint: Match, lesson: &Lesson, later: usize, earlier: usize) -> Match {
    hint.mends.extend(reordered(lesson, later, earlier));
    hint.suggesting(format!("Let step {} come before step {}.", later + 1, earlier + 1))
}

/// The steps with the later one before the earlier. Where the document names steps by their numbers, those would no
/// longer be right, and a person has to do it.
fn reordered(lesson: &Lesson, later: usize, earlier: usize) -> Option<Mend> {
    let mut steps = lesson.content().get("steps")?.as_array()?.clone();
    if !step_references(lesson.content()).is_empty() {
        return None;
    }
    steps.get_mut(earlier..=later)?.rotate_right(1);
    Some(Mend { path: FieldPath::parse("steps"), edit: Edit::Replace(Value::Array(steps)) })
}

/// What a step orders to be made: the verb, and the nouns after it.
fn makes(step: &Text) -> Vec<(&'static str, Vec<String>)> {
    let mut found = Vec::new();
    for at in 0..step.tokens.len() {
        let Some(verb) = MAKING.iter().copied().find(|verb| step.word(at) == *verb) else { continue };
        if phrases::is_denied(step, at)
            || !matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils | Actor::Teacher))
        {
            continue;
        }
        let end = phrases::clause_end(step, at).min(at + 8);
        found.push((verb, phrases::content_words(step, at + 1..end)));
    }
    found
}

/// Participles before a noun that say that it was made already: "the crushed leaves".
fn used(step: &Text) -> Vec<(usize, String)> {
    let determined = |at: usize| lists!("the your their each both its all", step.word(at.wrapping_sub(1)));
    let participles = (1..step.tokens.len()).filter(|at| {
        determined(*at)
            && (step.word(*at).ends_with("ed") || matches!(step.word(*at), "frozen" | "ground" | "cut" | "drawn"))
    });
    participles
        .filter(|at| step.tokens.get(at + 1).is_some_and(|token| token.is_word() && !phrases::is_empty(&token.word)))
        .map(|at| (at, lemma(step.word(at + 1))))
        .collect()
}

/// Whether the materials come in that state.
fn is_listed(lesson: &Lesson, word: &str) -> bool {
    lesson.materials().iter().any(|material| {
        let texts = [Some(material.name), material.notes];
        texts.into_iter().flatten().any(|text| text.tokens.iter().any(|token| token.is(word)))
    })
}

/// "already" in a step, and "for the first time" in a later one, of the same thing.
fn for_the_first_time(lesson: &Lesson, steps: &[(usize, &Text)]) -> Option<Match> {
    let first_time = |step: &Text| {
        step.kept(|step| step.find(&["for", "the", "first", "time"]).into_iter().collect()).first().copied()
    };
    let (place, index, first, at) =
        steps.iter().enumerate().find_map(|(place, (index, step))| Some((place, *index, *step, first_time(step)?)))?;
    let said = phrases::content_words(first, 0..first.tokens.len());
    let (before, step, already) = steps.iter().take(place).find_map(|(before, step)| {
        let already = step.find(&["already"])?;
        let clause = phrases::clause_start(step, already)..phrases::clause_end(step, already);
        let shared = phrases::content_words(step, clause).iter().filter(|word| said.contains(word)).count();
        (shared >= 1).then_some((*before, step, already))
    })?;
    let reason = format!(
        "Step {} takes for done already what step {} does for the first time: \"{}\".",
        before + 1,
        index + 1,
        shortened(first.text)
    );
    let hint = conflict("step_order", step.quote_sentence(already), first.quote_sentence(at), reason).as_hint();
    Some(with_order(hint, lesson, index, before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hints(steps: &[&str], materials: &[&str]) -> usize {
        let steps: Vec<_> = steps.iter().map(|text| json!({"text": text})).collect();
        let materials: Vec<_> = materials.iter().map(|name| json!({"name": name})).collect();
        let content = json!({"steps": steps, "materials": materials});
        let found = find(&Lesson::of(content.as_object().expect("an object")));
        assert!(found.iter().all(|found| !found.sure));
        found.len()
    }

    #[test]
    fn what_is_used_before_it_is_made_is_hinted_at() {
        assert_eq!(hints(&["Put the crushed leaves into the tube.", "Crush the leaves in the mortar."], &[]), 1);
        assert_eq!(hints(&["Weigh your labelled cups.", "Label the three cups."], &[]), 1);
        assert_eq!(
            hints(
                &[
                    "Push the cup under, with the paper already inside.",
                    "Squeeze the paper into the cup for the first time."
                ],
                &[]
            ),
            1
        );
    }

    #[test]
    fn what_the_reader_is_said_to_have_done_and_is_yet_to_do_is_found() {
        let hinted = |steps: &[&str]| {
            let steps: Vec<_> = steps.iter().map(|text| json!({"text": text})).collect();
            let content = json!({"steps": steps});
            find(&Lesson::of(content.as_object().expect("an object"))).iter().filter(|found| !found.sure).count()
        };
        for (steps, count) in [
            (["Pour in the purple juice you have strained.", "Tear the leaves and strain the purple juice."], 1),
            (
                [
                    "Pour the solution that you filtered into the dish.",
                    "Fold a paper and filter the solution through it.",
                ],
                1,
            ),
            (["Plot the times you measured.", "Measure the times for each height."], 1),
            (["Strain the juice.", "Pour in the juice you have strained."], 0),
            (["Use the juice you strained last week.", "Strain the juice."], 0),
            (["Use the juice your teacher has strained.", "Strain the juice."], 0),
            (["Pour in the juice you have strained.", "Strain the rest of the juice."], 0),
            (["Take the leaf you picked.", "Strain the juice."], 0),
        ] {
            assert_eq!(hinted(&steps), count, "{steps:?}");
        }
    }

    #[test]
    fn what_is_made_first_or_bought_so_is_passed_over() {
        assert_eq!(
            hints(&["Crush the leaves.", "Put the crushed leaves into the tube.", "Crush the leaves again."], &[]),
            0
        );
        assert_eq!(hints(&["Weigh the crushed ice.", "Crush the ice."], &["crushed ice"]), 0);
        assert_eq!(hints(&["Look at the labelled diagram.", "Label the three cups."], &[]), 0);
        assert_eq!(hints(&["Crush and label the leaves.", "Weigh the labelled leaves.", "Label them."], &[]), 0);
    }
}
