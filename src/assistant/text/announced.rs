//! How many things an objective says will be worked on, against a step that speaks of all of them: "compare five brands",
//! "test all three brands". A part of `count_mismatch`.

use super::count_mismatch::{NAME, Placed, is_varied};
use super::{Match, amounts, conflict};
use crate::assistant::facts::hands;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::mentions::{Mention, mentions};
use crate::assistant::facts::other_lessons;

/// What is done with things that are at hand; of what is only known ("name eight planets") steps may take any part.
const DONE: &str = "compare test sort classify measure build design make observe examine investigate grow group rank order \
    arrange weigh construct identify inspect rate drop separate use try survey mix model time prepare heat launch study \
    dissect watch track record plant tests compares sorts measures builds testing comparing sorting measuring building";

/// Everything found: for each text the first.
pub fn find(lesson: &Lesson, steps: &[Placed]) -> Vec<Match> {
    let read = |role| matches!(role, Role::Objective(_) | Role::DrivingQuestion | Role::Title);
    lesson.texts_of(read).filter_map(|text| in_text(lesson, text, steps)).collect()
}

fn in_text(lesson: &Lesson, text: &Text, steps: &[Placed]) -> Option<Match> {
    let counts = |told: &Mention| told.dimension.is_none() && !told.partial && !told.about && told.low >= 2.0;
    mentions(text).iter().filter(|told| counts(told) && is_done(text, told)).find_map(|told| {
        let noun = told.noun.as_ref().filter(|noun| told.numeral.single().is_some() && !is_varied(lesson, noun))?;
        let same: Vec<&Placed> =
            steps.iter().filter(|(_, step)| step.noun.as_ref().is_some_and(|other| other.fits(noun))).collect();
        let fine = |step: &Mention| step.agrees_with(told) || step.is_multiple_of(told) || told.is_multiple_of(step);
        // "Five rocks of tray A" and "seven rocks of tray B" are the twelve.
        let sum: f64 = same.iter().map(|(_, step)| step.low).sum();
        if sum == told.low || same.iter().any(|(_, step)| fine(step)) {
            return None;
        }
        let here = |(other, step): &&&Placed| {
            !other_lessons::is_told(other, step.tokens.start) && !hands::is_shown(other, step.tokens.start)
        };
        let (other, step) = same.iter().filter(here).find(|(other, step)| {
            is_whole(other, step, told) && (step.low <= told.low || is_worked_on(lesson, other, step))
        })?;
        Some(amounts::conflict(NAME, (text, told), (other, step)))
            .filter(|_| !step.partial)
            .or_else(|| Some(with_the_others((text, told), (other, step))))
    })
}

/// Whether the sentence says that something is done with them.
fn is_done(text: &Text, told: &Mention) -> bool {
    (text.sentence(told.tokens.start).start..told.tokens.start).any(|at| lists!(DONE, text.word(at)))
}

/// Whether a step works on more than were told of, and does not only look at those from which some are picked.
fn is_worked_on(lesson: &Lesson, text: &Text, step: &Mention) -> bool {
    let picks = |text: &Text| text.tokens.iter().any(|token| lists!("pick choose select", &token.word));
    let done = |at: usize| lists!(DONE, text.word(at));
    (step.clause.start..step.tokens.start).any(done) && !lesson.steps().any(|(_, step)| picks(step))
}

/// Whether a step speaks of all there are: "all three", "each of the three", "the six" where there should be four, "the
/// other two … all three".
fn is_whole(text: &Text, step: &Mention, told: &Mention) -> bool {
    let start = step.tokens.start;
    let before = |back: usize| text.word(start.wrapping_sub(back));
    if !step.partial {
        let each = lists!("the your our these", before(1))
            && before(2) == "of"
            && lists!("each all every both one", before(3));
        let named = step.definite && step.low > told.low && before(2) != "of";
        return step.all || each || named;
    }
    let others = lists!("other remaining", before(1)) && step.low > 1.0 && step.low + 1.0 != told.low;
    let all = |numeral: &crate::assistant::facts::numbers::Numeral| {
        numeral.single() == Some(step.low + 1.0) && text.word(numeral.tokens.start.wrapping_sub(1)) == "all"
    };
    others && text.numerals().iter().any(all)
}

/// "The other two … all three" are three; what stands there cannot be had by copying the number of another text.
fn with_the_others((text, told): (&Text, &Mention), (other, step): (&Text, &Mention)) -> Match {
    let reason = format!(
        "{} says \"{}\", but {} speaks of one and \"{}\".",
        amounts::place(text),
        text.words(&(told.tokens.start..told.noun.as_ref().map_or(told.tokens.end, |noun| noun.tokens.end))),
        amounts::place(other),
        other.words(&(step.tokens.start.saturating_sub(1)..step.tokens.end)),
    );
    conflict(NAME, text.quote_sentence(told.tokens.start), other.quote_sentence(step.tokens.start), reason)
        .suggesting("Say the same number in both places.")
}

#[cfg(test)]
mod tests {
    use super::super::count_mismatch;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(objective: &str, step: &str) -> usize {
        let content = json!({ "objectives": [objective], "steps": [{ "text": step }] });
        count_mismatch::find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn another_number_of_what_is_to_be_worked_on_is_found() {
        for (objective, step) in [
            (
                "Compare the absorbency of five brands of towel.",
                "Test the other two brands and record all three volumes.",
            ),
            ("Compare five brands of paper towel.", "Test all three brands of paper towel."),
            ("Students sort twelve objects by magnetism.", "Touch each of the ten objects with the magnet."),
            ("Classify eight rocks with a key.", "Sort the ten rocks with the key."),
            ("Measure the rebound of four balls.", "Drop every one of the three balls from 1 m."),
            ("Identify six minerals.", "Scratch all five minerals with a nail."),
        ] {
            assert_eq!(found(objective, step), 1, "{objective} | {step}");
        }
    }

    #[test]
    fn parts_and_other_things_are_passed_over() {
        for (objective, step) in [
            ("Compare five brands of paper towel.", "Choose three brands of paper towel."),
            ("Compare six brands of paper towel.", "Each pair tests both of the two brands it drew."),
            ("Compare five brands of paper towel.", "Test the other four brands and record all five volumes."),
            ("Name the properties of three metals.", "Touch all five metals with the magnet."),
            ("Compare three birds by their beaks.", "Tick off the ten birds on the sheet."),
            ("Compare four leaves with a key.", "Look at all six leaves with the hand lens."),
            ("Compare three soils.", "Tear off all four sheets of paper."),
            ("Classify eight rocks with a key.", "The teacher shows all ten rocks of the museum on the projector."),
            ("Classify eight rocks with a key.", "Sort the three darkest of the rocks first."),
        ] {
            assert_eq!(found(objective, step), 0, "{objective} | {step}");
        }
    }
}
