//! One colour of light that is allowed alone: "any lamp must shine red", and a step that turns it to white.

use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, Actor, lists};

const COLOURS: &str = "red blue green white yellow orange amber violet purple uv ultraviolet infrared";
const LAMPS: &str =
    "lamp lamps light lights torch torches headlamp headlamps flashlight flashlights bulb bulbs lantern shine shines";

/// Where a text allows light of one colour only, and a step makes another.
pub(super) fn other_colour<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, usize, &'l Text<'c>, usize)> {
    let varied = lesson
        .text(Role::Independent)
        .is_some_and(|text| text.tokens.iter().any(|token| lists!("colour color colours colors", &token.word)));
    let rules = lesson.texts_of(|role| {
        matches!(role, Role::Safety(_) | Role::Assessment | Role::Objective(_) | Role::Curriculum | Role::Phenomenon)
    });
    let (rule, at) = rules
        .into_iter()
        .find_map(|text| Some((text, *text.kept(|text| only_one(text).into_iter().collect()).first()?)))
        .filter(|_| !varied)?;
    let (step, done) = lesson
        .steps()
        .find_map(|(_, step)| Some((step, (0..step.tokens.len()).find(|t| turns(rule.word(at), step, *t))?)))?;
    Some((rule, at, step, done))
}

/// The only colour that a text allows.
fn only_one(text: &Text) -> Option<usize> {
    let colour = |at: usize| lists!(COLOURS, text.word(at));
    let is = |at: usize| {
        let sentence = text.sentence(at);
        let has = |words: List| sentence.clone().any(|t| words.has(text.word(t)));
        let alone = || sentence.clone().filter(|t| colour(*t)).count() == 1;
        let other = || sentence.clone().any(|t| text.word(t) == "no" && lists!("other white", text.word(t + 1)));
        // "The red warning light must be on at every station" speaks of one lamp.
        let each_lamp = || {
            sentence
                .clone()
                .any(|t| lists!("any every all", text.word(t)) && (t + 1..t + 5).any(|t| lists!(LAMPS, text.word(t))))
        };
        let only = || (at.saturating_sub(3)..at).any(|t| text.word(t) == "only");
        has(list!(LAMPS))
            && alone()
            && (only() || has(list!("must")) && (each_lamp() || other()))
            && !has(list!(
                "unless except if until for when while wire wires lead because litmus warning signal indicator"
            ))
            && !phrases::is_denied(text, at)
            && !phrases::is_question(text, at)
    };
    (0..text.tokens.len()).find(|at| colour(*at) && text.role != Role::Phenomenon && is(*at))
}

/// "Turn your headlamp over to white"
fn turns(colour: &str, step: &Text, at: usize) -> bool {
    let verb = phrases::verb(step.word(at), &["turn", "switch", "set", "put", "change", "use", "shine"]).is_some();
    let end = phrases::clause_end(step, at);
    let has = |words: List| (at + 1..end).any(|t| words.has(step.word(t)));
    let other = (at + 1..end).any(|t| lists!(COLOURS, step.word(t)) && step.word(t) != colour);
    verb && other
        && has(list!(LAMPS))
        && !has(list!("off away from"))
        && !phrases::is_denied(step, at)
        && !phrases::is_supposed(step, at)
        && !phrases::is_question(step, at)
        && matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils))
        || verb
            && other
            && has(list!(LAMPS))
            && at < end
            && step.sentence(at).start + 5 > at
            && !phrases::is_denied(step, at)
            && lists!("for at", step.word(step.sentence(at).start))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn another_light_than_the_one_allowed_is_found() {
        for (rule, step, expected) in [
            (
                "House rule: any lamp that shines must shine red, no other colour.",
                "For the drawing turn your headlamp over to white.",
                1,
            ),
            ("Only red light may be used in the hide.", "Switch your torch to white.", 1),
            ("Only red light may be used in the hide.", "Switch your torch to red.", 0),
            ("Only red light may be used in the hide.", "Draw the red bird on white card.", 0),
            ("The red light must be on at every station.", "Switch on the white lamp.", 0),
            ("Every red warning light must be on.", "Switch on the white lamp.", 0),
            ("Use red light if you can.", "Switch your torch to white.", 0),
        ] {
            let content = json!({"safety": [rule], "steps": [{"text": step}]});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), expected, "{rule} {step}");
        }
    }
}
