//! Places that a rule closes, and a step that goes there: "the jetty is closed", "stay off the rocks".

use std::ops::Range;

use super::deeds::order;
use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// Verbs of going to a place or being at it.
const GOES: &[&str] = &[
    "go", "walk", "stand", "step", "kneel", "spread", "sit", "climb", "cross", "wade", "gather", "meet", "line", "lie",
    "stroll", "follow", "move", "run", "jump", "head", "balance", "crawl", "work", "squat", "crouch",
];
/// Words that are no place to stay off.
const NO_PLACE: &str = "floor lab room classroom table bench skin eye face mouth hand finger clothes phone screen path way limit \
    drink food chemical lens glass switch button time season today flame heat sun mouthpiece goggles task topic teacher each other";

/// The rule and its token, the step and its index and token.
type Broken<'l, 'c> = (&'l Text<'c>, usize, usize, &'l Text<'c>, usize);

/// The rules about places, each with the first step that goes there.
pub(super) fn find<'l, 'c>(lesson: &'l Lesson<'c>) -> Vec<Broken<'l, 'c>> {
    let mut found = Vec::new();
    for rule in lesson.safety() {
        for sentence in rule.sentences() {
            let Some((at, place)) = closed(rule, &sentence) else { continue };
            found.extend(lesson.steps().find_map(|(index, step)| {
                let done = (0..step.tokens.len()).find(|at| goes(step, *at, &place))?;
                Some((rule, at, index, step, done))
            }));
        }
    }
    found
}

/// The place that a sentence closes.
fn closed(text: &Text, sentence: &Range<usize>) -> Option<(usize, String)> {
    let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
    if has(list!("unless except until if when while after before without during alone only than run running"))
        || phrases::is_question(text, sentence.start)
    {
        return None;
    }
    let place = |range: Range<usize>| {
        let group = phrases::groups(text, range).into_iter().next()?;
        let head = group.head().to_owned();
        (group.words.len() <= 2 && head.len() > 2 && !lists(NO_PLACE, &head)).then_some(head)
    };
    sentence.clone().find_map(|at| {
        let end = phrases::clause_end(text, at);
        let start = phrases::clause_start(text, at);
        let is = lists!("is are", text.word(at.wrapping_sub(1)));
        let shut = text.word(at) == "closed"
            || text.has_at(at, &["off", "limits"])
            || text.has_at(at, &["out", "of", "bounds"]);
        if is && shut {
            // "The lid is closed" closes no place.
            let known = place(start..at - 1)?;
            const LIDS: &str =
                "lid window door box jar bag valve tap dish cupboard switch circuit container eye blind curtain drawer";
            return (!lists(LIDS, &known)).then_some((at, known));
        }
        let off = lists!("stay keep", text.word(at)) && text.word(at + 1) == "off" && !phrases::is_denied(text, at);
        if off {
            return Some((at, place(at + 2..end)?));
        }
        let foot = text.has_at(at, &["foot", "on"]) || text.has_at(at, &["foot", "in"]);
        let steps = phrases::verb(text.word(at), &["walk", "step", "go", "stand", "climb"]).is_some()
            && lists!("on onto along across", text.word(at + 1));
        if (foot || steps) && phrases::is_denied(text, at) {
            return Some((at, place(at + 2..end)?));
        }
        None
    })
}

fn goes(step: &Text, at: usize, place: &str) -> bool {
    if phrases::verb(step.word(at), GOES).is_none() || order(step, at).is_none() {
        return false;
    }
    let end = phrases::clause_end(step, at);
    let sentence = step.sentence(at);
    let spared = sentence.clone().any(|t| {
        lists!("from away picture map photo beside next near below imagine instead", step.word(t))
            || phrases::is_teacher(step, t)
    });
    // "Stand the plant on the chair" moves the plant.
    let moved = phrases::verb(step.word(at), &["stand", "spread", "line", "balance", "run", "move", "sit", "walk"])
        .is_some()
        && phrases::groups(step, at + 1..end).first().is_some_and(|group| group.preposition.is_empty());
    !spared
        && !moved
        && phrases::groups(step, at + 1..end).iter().any(|group| {
            lists!("on onto along across in into over up through", &group.preposition) && group.head() == place
        })
}

#[cfg(test)]
mod tests {
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn count(safety: &str, step: &str) -> usize {
        let steps =
            json!([{"text": "Get into your groups."}, {"text": step}, {"text": "Write down what you found out."}]);
        let content = json!({"steps": steps, "safety": [safety]});
        super::super::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_step_that_goes_where_a_rule_forbids_is_found() {
        for (safety, step, expected) in [
            ("The pier is off limits.", "Line up on the pier with your nets.", 1),
            ("The jetty is closed this season, boards are rotten.", "Spread out along the jetty.", 1),
            ("Stay off the rocks.", "Climb onto the rocks and look into the pool.", 1),
            ("Do not set foot on the ice.", "Walk across the ice to the flag.", 1),
            ("The jetty is closed.", "Look at the jetty from the bank.", 0),
            ("The jetty is closed until noon.", "Walk along the jetty.", 0),
            ("The lid is closed.", "Stand in front of the lid.", 0),
            ("Stay off the rocks.", "Sort the rocks into two groups.", 0),
            ("Stay off the rocks.", "Sit down on the grass below the rocks.", 0),
        ] {
            assert_eq!(count(safety, step), expected, "{safety} / {step}");
        }
    }
}
