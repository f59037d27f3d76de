//! What is kept the same, and is changed by a step all the same: "same ball", and a different ball each time.

use std::ops::Range;

use super::{Match, conflict};
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::lemma;

/// Words that say that something is done anew.
const REPEATS: &str = "each every time trial run then next again afterwards another turn";
const CHANGES: &[&str] = &[
    "change", "vary", "alter", "raise", "lower", "increase", "decrease", "reduce", "double", "halve", "swap", "switch",
    "replace", "rotate", "adjust", "turn",
];

/// What a comparative says of: the word, and the properties that it changes.
const COMPARATIVES: [(&str, &str); 12] = [
    ("warmer hotter colder cooler", "temperature water"),
    ("higher lower up", "height"),
    ("steeper flatter shallower", "slope angle steepness incline tilt flat"),
    ("bigger larger smaller", "size amount"),
    ("longer shorter", "length time"),
    ("heavier lighter", "mass weight load"),
    ("closer nearer farther further", "distance"),
    ("thicker thinner", "thickness diameter"),
    ("brighter dimmer", "brightness light"),
    ("stronger weaker", "concentration strength"),
    ("deeper shallower", "depth"),
    ("faster slower harder softer", "speed force push"),
];

/// What steps change of what is kept the same.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let mut found = Vec::new();
    for controlled in lesson.controlled() {
        let Some(named) = Named::read(lesson, controlled) else { continue };
        let Some((index, step, at)) =
            lesson.steps().find_map(|(index, step)| Some((index, step, changed_at(&named, step)?)))
        else {
            continue;
        };
        let reason = format!(
            "\"{}\" is to stay the same, but step {} changes it: \"{}\".",
            controlled.text,
            index + 1,
            step.words(&step.sentence(at))
        );
        found.push(conflict("controlled_changed", controlled.quote_all(), step.quote_sentence(at), reason).suggesting(
            format!("Keep it the same in step {}, or take it out of the controlled variables.", index + 1),
        ));
    }
    found
}

/// The thing that is kept the same, and the property of it.
struct Named {
    things: Vec<String>,
    property: Option<String>,
    by_person: bool,
}

const PROPERTIES: &str = "temperature height slope angle size amount length mass weight distance thickness brightness \
    concentration depth speed volume type kind brand number tilt time colour shape material diameter steepness strength position";

impl Named {
    fn read(lesson: &Lesson, text: &Text) -> Option<Self> {
        let end = (0..text.tokens.len()).find(|at| lists("( : , ; – —", text.word(*at))).unwrap_or(text.tokens.len());
        let noise = |word: &String| {
            !lists(
                "same constant keep whole experiment throughout trial time used every each stay fixed lie facing straight run all test bench identical",
                word,
            )
        };
        let mut words: Vec<String> = phrases::content_words(text, 0..end).into_iter().filter(noise).collect();
        let mut property = words.iter().find(|word| lists(PROPERTIES, word)).cloned();
        if words.iter().any(|word| word == "flat" || word == "level") {
            property = Some("slope".to_owned());
        }
        words.retain(|word| !lists(PROPERTIES, word) && !lists("flat level lying kept gentle steady", word));
        let independent = lesson.text(Role::Independent);
        let of_independent =
            |word: &String| independent.is_some_and(|text| text.tokens.iter().any(|token| lemma(&token.word) == *word));
        let by_person = words.iter().any(|word| lists("person student pupil thrower dropper timer partner learner reader runner kicker roller tester child member launcher", word));
        if property.as_ref().is_some_and(of_independent) && words.iter().all(of_independent)
            || !by_person && property.is_none() && words.iter().any(of_independent)
        {
            return None;
        }
        (words.len() <= 5 && !(words.is_empty() && property.is_none())).then_some(Self {
            things: words,
            property,
            by_person,
        })
    }

    /// Whether these tokens name the thing.
    fn is_in(&self, text: &Text, mut range: Range<usize>) -> bool {
        range.any(|at| self.things.iter().any(|thing| *thing == lemma(text.word(at))))
    }
}

/// Where a step changes it.
fn changed_at(named: &Named, step: &Text) -> Option<usize> {
    step.sentences().into_iter().find_map(|sentence| {
        if phrases::is_question(step, sentence.start) {
            return None;
        }
        sentence.clone().find(|at| changes(named, step, &sentence, *at))
    })
}

fn changes(named: &Named, step: &Text, sentence: &Range<usize>, at: usize) -> bool {
    if phrases::is_denied(step, at) || phrases::is_supposed(step, at) {
        return false;
    }
    let word = step.word(at);
    let clause = phrases::clause_start(step, at)..phrases::clause_end(step, at);
    let repeated = sentence.clone().any(|t| lists(REPEATS, step.word(t)));
    let each = sentence.clone().any(|t| lists("each every", step.word(t)));
    let property = named.property.as_deref();
    // "a different ball each time", "a new ball for every drop"
    if lists("different", word) && lists("a use using another", step.word(at.wrapping_sub(1))) && each {
        let head = (at + 1..(at + 4).min(clause.end)).find(|t| {
            named.things.last().is_some_and(|thing| *thing == lemma(step.word(*t)))
                || property.is_some_and(|property| property == lemma(step.word(*t)))
        });
        return head.is_some_and(|head| {
            !lists("and or", step.word(head + 1))
                && (property.is_none()
                    || property == Some(lemma(step.word(head)).as_str()) && named.is_in(step, sentence.clone()))
        });
    }
    // "take turns dropping", "swap throwers"
    if named.by_person
        && each | sentence.clone().any(|t| lists("turns trial trials throw drop run after", step.word(t)))
    {
        let turns = word == "turns" && phrases::is_form_of(step.word(at.wrapping_sub(1)), "take");
        let swap = phrases::verb(word, &["swap", "switch", "rotate", "change"]).is_some()
            && (at + 1..clause.end).any(|t| {
                named.things.iter().any(|thing| lemma(step.word(t)) == *thing)
                    || lists("jobs roles throwers droppers timers", step.word(t))
            });
        let deed = (at + 1..clause.end).any(|t| {
            lists(
                "dropping throwing timing rolling releasing pushing kicking launching reading bouncing shooting",
                step.word(t),
            )
        });
        return turns && deed || swap && each;
    }
    let Some(property) = property else { return false };
    let Some(last) = named.things.last() else {
        return false;
    };
    let about = clause.clone().any(|t| *last == lemma(step.word(t)));
    // "raise the ramp for each trial", "change the temperature of the water every time"
    let verb = phrases::verb(word, CHANGES);
    if verb.is_some() && about && each && phrases::actor(step, at).is_some() {
        let directly = (at + 1..clause.end).any(|t| lemma(step.word(t)) == *property);
        let implied = matches!((verb, property), (Some("raise" | "lower"), "height" | "slope" | "angle"));
        return directly || implied && (at + 1..(at + 4).min(clause.end)).any(|t| *last == lemma(step.word(t)));
    }
    // "use warmer water each time", "prop the panel up by ten degrees … for each"
    let compared = COMPARATIVES.iter().any(|(words, of)| lists(words, word) && lists(of, property) && word != "up");
    let than = clause.clone().any(|t| step.word(t) == "than");
    let made = || {
        sentence
            .clone()
            .any(|t| phrases::verb(step.word(t), &["tip", "prop", "tilt", "raise", "make", "set"]).is_some())
    };
    let in_sentence = || sentence.clone().any(|t| *last == lemma(step.word(t)));
    if compared && (each && about || than && lists("slope height angle", property) && in_sentence() && made()) {
        return true;
    }
    let props =
        phrases::is_form_of(word, "prop") || phrases::is_form_of(word, "tilt") || phrases::is_form_of(word, "tip");
    props
        && lists("slope angle tilt", property)
        && about
        && (at + 1..clause.end).any(|t| lists("degrees steeper more", step.word(t)))
        && repeated
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn count(independent: &str, controlled: &str, step: &str) -> usize {
        let content =
            json!({"variables": {"independent": independent, "controlled": [controlled]}, "steps": [{ "text": step }]});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_step_that_changes_what_is_kept_the_same_is_found() {
        for (independent, controlled, step) in [
            (
                "drop height",
                "one and the same tennis ball for the whole experiment",
                "Carry on, taking a different ball from the bin every time you go up.",
            ),
            (
                "ground cover",
                "The slope of the trays",
                "Tip the mulch tray up on two blocks so that it is steeper than the other trays.",
            ),
            (
                "lamp height",
                "Panel lying flat on the bench",
                "Raise the lamp, prop the panel up by ten degrees and read again, another ten degrees for each.",
            ),
            ("amount of salt", "temperature of the water", "Use warmer water each time."),
            ("type of car", "height of the ramp", "Raise the ramp for each trial."),
            ("ball type", "same person drops the ball", "Take turns dropping the ball."),
            ("fertilizer", "Same brand of soil", "Use a different brand of soil for each pot."),
        ] {
            assert_eq!(count(independent, controlled, step), 1, "{controlled} / {step}");
        }
    }

    #[test]
    fn what_is_changed_on_purpose_or_not_at_all_is_passed_over() {
        for (independent, controlled, step) in [
            ("height of the ramp", "same ramp", "Raise the ramp for each trial."),
            ("drop height", "same ball", "Use a different height each time."),
            ("water temperature", "amount of water", "Use warmer water each time."),
            ("type of ball", "drop height", "Drop a different ball each time."),
            ("surface", "same car", "Do not use a different car each time."),
            ("mass", "length of the string", "Tie a heavier bob to the string each time."),
            ("surface", "same person pushes", "Take turns writing down the numbers."),
            ("Licht", "gleiche Temperatur", "Nimm jedes Mal wärmeres Wasser."),
        ] {
            assert_eq!(count(independent, controlled, step), 0, "{controlled} / {step}");
        }
    }
}
