//! Places that are off limits, and a step that goes there or does something from there.

use std::ops::Range;

use crate::assistant::facts::lesson::{Lesson, Text};
use crate::assistant::facts::lists::list;
use crate::assistant::facts::phrases::{self, Actor, lists};

/// The rule with its token, and the step with the token of its verb.
type Broken<'l, 'c> = (&'l Text<'c>, usize, &'l Text<'c>, usize);

/// Where a step goes to a place that a rule puts off limits.
pub(super) fn gone_to<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<Broken<'l, 'c>> {
    lesson.safety().find_map(|rule| {
        let (at, place) = rule.sentences().into_iter().find_map(|sentence| off_limits(rule, &sentence))?;
        let (step, done) = lesson.steps().find_map(|(_, step)| {
            let mut tokens = 0..step.tokens.len();
            Some((step, tokens.find(|at| is_at(step, *at, &place))?))
        })?;
        Some((rule, at, step, done))
    })
}

/// The place that a sentence puts off limits.
fn off_limits(text: &Text, sentence: &Range<usize>) -> Option<(usize, Vec<String>)> {
    let scoped = list!(
        "unless except until if when while without alone only accompanied company permission before after during"
    );
    if sentence.clone().any(|t| scoped.has(text.word(t))) || phrases::is_question(text, sentence.start) {
        return None;
    }
    let place = |range: Range<usize>| {
        let group = phrases::groups(text, range)
            .into_iter()
            .find(|group| !group.words.iter().any(|word| phrases::is_pupil(word)))?;
        let goods = lists!("lab laboratory room classroom lesson school phone food drink chemical it", group.head());
        let alone = goods && group.words.len() < 2;
        (group.words.len() <= 3 && !alone).then_some(group.words)
    };
    sentence.clone().find_map(|at| {
        let (start, end) = (phrases::clause_start(text, at), phrases::clause_end(text, at));
        let is = (start..at).rev().take(3).find(|t| lists!("is are remain remains stay stays", text.word(*t)));
        let closed = text.has_at(at, &["off", "limits"])
            || text.has_at(at, &["off", "-", "limits"])
            || text.has_at(at, &["out", "of", "bounds"]);
        if let Some(is) = is.filter(|is| closed && !phrases::is_denied(text, *is)) {
            return Some((at, place(start..is)?));
        }
        let access = text.has_at(at, &["access", "to"]) && text.word(at.wrapping_sub(1)) == "no";
        let inside = lists!("allowed permitted", text.word(at))
            && phrases::is_denied(text, at)
            && lists!("in into on onto inside", text.word(at + 1))
            && (start..at).any(|t| phrases::is_pupil(text.word(t)));
        let enters = phrases::verb(text.word(at), &["enter"]).is_some() && phrases::is_denied(text, at);
        let behind = if access || inside { at + 2 } else { at + 1 };
        (access || inside || enters).then(|| Some((at, place(behind..end)?)))?
    })
}

/// Whether an order at a token is to be done at a place: "go into the prep room", "drop it from the balcony".
fn is_at(step: &Text, at: usize, place: &[String]) -> bool {
    let deed = matches!(phrases::actor(step, at), Some(Actor::Reader | Actor::Pupils))
        && !phrases::is_denied(step, at)
        && !phrases::is_supposed(step, at)
        && !phrases::is_question(step, at);
    let end = phrases::clause_end(step, at);
    let sentence = step.sentence(at);
    let spared = sentence.clone().any(|t| {
        phrases::is_teacher(step, t)
            || lists!("caretaker past outside beside photo picture map window not technician", step.word(t))
    });
    if !deed || spared {
        return false;
    }
    let named = |group: &phrases::Group| {
        lists!("in into to from on onto at inside through over up across off out", &group.preposition)
            && place.iter().all(|word| group.words.contains(word))
    };
    phrases::groups(step, at + 1..end).iter().any(named)
}

#[cfg(test)]
mod tests {
    use super::super::tests::count;

    #[test]
    fn what_is_done_at_a_place_off_limits_is_found() {
        for (safety, step) in [
            ("The balcony is off limits to students at all times.", "Drop the package from the second-floor balcony."),
            ("Students have no access to the prep room.", "Go into the prep room and check the label."),
            ("The roof terrace is out of bounds for pupils.", "Carry the pots to the roof terrace."),
            ("Nobody may enter the boiler room.", "Read the meter in the boiler room."),
        ] {
            assert_eq!(count(safety, "Ruler", step), 1, "{safety}");
        }
    }

    #[test]
    fn other_places_and_other_people_are_passed_over() {
        for (safety, step) in [
            ("The balcony is off limits to students at all times.", "Drop the package from the stairwell."),
            ("Students have no access to the prep room.", "The technician goes into the prep room."),
            ("The roof terrace is out of bounds for pupils.", "The caretaker carries the pots to the roof terrace."),
            ("Nobody may enter the boiler room without the caretaker.", "Read the meter in the boiler room."),
            ("The balcony is off limits.", "Do not drop it from the balcony."),
        ] {
            assert_eq!(count(safety, "Ruler", step), 0, "{safety}");
        }
    }
}
