//! A hypothesis that lets an effect go one way, and another text that lets it go the other.
//!
//! Cause and effect must be the same on both sides. Where the other text refers to the prediction, less is asked for.

mod agreed;
mod alternatives;
mod claims;
mod entities;
mod figures;
mod judged;
mod marks;
mod orders;
mod parts;
mod predicted;
mod ranked;
mod ranks;

use std::cell::LazyCell;
use std::ops::Range;

use agreed::Paired;
use predicted::Predicted;
use ranked::Ranked;

use super::amounts::place;
use super::{Match, conflict};
use crate::assistant::facts::directions;
use crate::assistant::facts::lesson::{Lesson, Role, Text, shortened};
use crate::assistant::facts::lists::lists;
use crate::assistant::facts::other_lessons;
use crate::assistant::facts::poles::Form;
use crate::assistant::facts::stances::{Stance, is_under_other_circumstances, sentences, stance};
use crate::assistant::facts::verdicts::{Verdict, verdict};

/// How sure two sentences go against each other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Opposed {
    No,
    Maybe,
    Surely,
}

/// The texts that go against the hypothesis: the first of each field.
pub fn find(lesson: &Lesson) -> Vec<Match> {
    let Some(hypothesis) = lesson.text(Role::Hypothesis) else { return Vec::new() };
    let told = |text: &Text| {
        let both =
            Lesson::kept(vec![hypothesis.alone(), text.alone()], 0, |both| told_otherwise(both).into_iter().collect());
        both.first().map(|(sentence, surely)| told(hypothesis, text, sentence, *surely))
    };
    lesson.texts_of(may_tell).filter_map(told).collect()
}

/// The first sentence of the last text that has it go another way than the hypothesis before it, and whether it surely does.
fn told_otherwise(both: &Lesson) -> Option<(Range<usize>, bool)> {
    let (hypothesis, text) = (both.text(Role::Hypothesis)?, both.texts().last()?);
    if let Some(sentence) = judged::denial(hypothesis, text) {
        return Some((sentence, true));
    }
    let predicted = LazyCell::new(|| Predicted::read(hypothesis));
    let paired = LazyCell::new(|| Paired::read(hypothesis));
    let ranked = LazyCell::new(|| Ranked::read(hypothesis));
    let all = sentences(text);
    let fails = |said| verdict(text, said).is_some_and(|verdict| verdict != Verdict::Holds);
    let denied = LazyCell::new(|| all.iter().any(fails));
    // "It was as we expected. The hotter, the slower."
    let mut before: Option<Range<usize>> = None;
    for sentence in all.iter().cloned() {
        // "How much water gives the highest flight?"
        let asks = text.word(sentence.end.saturating_sub(1)) == "?";
        if asks && !sentence.clone().any(|at| text.word(at) == "why") {
            continue;
        }
        let known = directions::may_tell(text, sentence.clone()) && compares(text, &sentence);
        let compares = known || marks::may_tell(text, &sentence) || ranks::may_tell(text, &sentence);
        let cue = before.replace(sentence.clone()).filter(|_| compares);
        if !compares {
            continue;
        }
        let carried = cue.is_some_and(|cue| {
            stance(text, &cue, false) == Stance::Agrees && marks::marks(text, cue.clone()).is_empty()
        });
        let stance = stance(text, &sentence, carried);
        // "Cola cleaned them better. So I was wrong."
        let stated = stance == Stance::States;
        if stance == Stance::Open
            || stated && (is_under_other_circumstances(text, &sentence, hypothesis) || *denied)
            || stated && is_told_of_others(text, &sentence)
            || is_compared_with_it(text, &sentence)
        {
            continue;
        }
        let reflects = |text: &Text| text.tokens.iter().any(|token| token.word.starts_with("reflect"));
        if reflects(text) != reflects(hypothesis) {
            continue;
        }
        let mut opposed = if known { predicted.opposed(text, &sentence, stance) } else { Opposed::No };
        if stance == Stance::Agrees {
            // What is said to agree is read as it stands, where that tells anything.
            let conditional = matches!(text.word(sentence.start), "if" | "when");
            opposed = match paired.is_turned_round(text, &sentence) {
                _ if ranked::tells_of_other_events(hypothesis, text, &sentence) => Opposed::No,
                Some(true) => Opposed::Surely,
                Some(false) => Opposed::No,
                None if ranked.is_turned_round(text, &sentence) == Some(true) => Opposed::Surely,
                None if conditional => Opposed::No,
                // "Smaller than the other" agrees with "bigger", where one is told from the other.
                None if sentence.clone().any(|at| text.word(at) == "than")
                    && ranked.is_turned_round(text, &sentence) == Some(false) =>
                {
                    Opposed::No
                }
                None => opposed,
            };
        }
        if opposed != Opposed::No {
            return Some((sentence, opposed == Opposed::Surely));
        }
    }
    None
}

/// "Compare with the hypothesis: the library was indeed the cleanest, but the sandpit beat the bus stop" owns up to it.
fn is_compared_with_it(text: &Text, sentence: &Range<usize>) -> bool {
    let named = |at: usize| lists!("hypothesis prediction guess predictions guesses", text.word(at));
    sentence
        .clone()
        .any(|at| lists!("compare compared compares", text.word(at)) && (at + 1..sentence.end.min(at + 6)).any(named))
}

/// "If your graph shows that …, repeat it", "last year's class found that …"
fn is_told_of_others(text: &Text, sentence: &Range<usize>) -> bool {
    let begins = |at: usize| at == sentence.start || text.word(at.wrapping_sub(1)) == ":";
    other_lessons::is_told(text, sentence.start) || sentence.clone().any(|at| text.word(at) == "if" && begins(at))
}

fn told(hypothesis: &Text, text: &Text, sentence: &Range<usize>, sure: bool) -> Match {
    let place = place(text);
    let reason = format!(
        "The hypothesis says \"{}\", but {place} has it go the other way: \"{}\".",
        shortened(hypothesis.text),
        shortened(text.words(sentence))
    );
    let found = conflict("hypothesis_direction", hypothesis.quote_all(), text.quote(sentence), reason)
        .suggesting(format!("Turn round the hypothesis or {place}, whichever is wrong."));
    found.sure_if(sure)
}

fn may_tell(role: Role) -> bool {
    matches!(
        role,
        Role::Phenomenon
            | Role::DrivingQuestion
            | Role::Title
            | Role::Assessment
            | Role::Objective(_)
            | Role::Step(_)
            | Role::Definition(_)
            | Role::Other
    )
}

fn compares(text: &Text, sentence: &Range<usize>) -> bool {
    directions::clause(text, sentence.clone()).poles.iter().any(|pole| pole.form != Form::Plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// How many are found surely, and how many are hints.
    pub(super) fn found(hypothesis: &str, assessment: &str) -> (usize, usize) {
        let content = json!({"hypothesis": hypothesis, "assessment": assessment});
        let (sure, hints): (Vec<_>, Vec<_>) =
            find(&Lesson::of(content.as_object().expect("an object"))).into_iter().partition(|found| found.sure);
        (sure.len(), hints.len())
    }

    #[test]
    fn what_is_said_to_agree_with_the_hypothesis_and_goes_the_other_way_is_found() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "If a paper seed has bigger wings, then it will fall more slowly, because more air is in the way.",
                "A full answer says that our results agreed with the hypothesis: the bigger the wings, the faster the seed dropped.",
            ),
            (
                "The stronger the solution, the sooner the cross is hidden.",
                "Conclusions should agree with our prediction: the time to vanish rises as the solution gets more concentrated.",
            ),
            (
                "The thermistor will have less and less resistance as we heat it.",
                "Discuss: the resistance went up as the bath got warmer, just as we predicted.",
            ),
            (
                "Tilting the track more will give the cart a greater acceleration.",
                "It must confirm what we predicted: the more we tilt the track, the smaller the acceleration.",
            ),
            (
                "We predict that the car will roll the shortest way on carpet.",
                "Finish: 'Just as we predicted, the car went farthest on the carpet, because…'",
            ),
            (
                "As more drops of juice go into the cabbage water, it will become pinker.",
                "Use the graph, which bore out the prediction, to explain why every extra drop of juice made the cabbage water less pink.",
            ),
            (
                "The flask of germinating peas will end up warmer than the flask of boiled peas.",
                "Just as predicted, it was the boiled peas whose flask became the warmer of the two.",
            ),
            (
                "The can in the woolly sock will stay the warmest, and the bare one will cool down most.",
                "Point out that, exactly as your group expected, the bare can was still the warmest at the end.",
            ),
            (
                "More turns of wire will lift more paper clips.",
                "As expected, the magnet with more turns lifted fewer paper clips.",
            ),
            ("The reading will fall in the open flask.", "As we predicted, the reading rose in the open flask."),
            (
                "The nearer the lamp, the more bubbles.",
                "State that the hypothesis was confirmed, that is, that the count became smaller as the lamp approached.",
            ),
            (
                "The more salt there is in the water, the colder it will need to be before it turns to ice.",
                "The results verify the prediction: each addition of salt has moved the freezing temperature up.",
            ),
            (
                "The nearer the lamp, the more bubbles per 2 minutes.",
                "It was as predicted: the count fell as the lamp approached.",
            ),
            (
                "The black can will cool faster than the shiny one.",
                "Our prediction turned out right: the shiny can had lost the more heat and the black one was still the warmer at the end.",
            ),
        ] {
            if found(hypothesis, other) != (1, 0) {
                wrong.push((hypothesis, other));
            }
        }
        assert_eq!(wrong, []);
    }

    #[test]
    fn a_fact_about_the_same_cause_and_effect_that_goes_the_other_way_is_found() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "The hotter the water, the faster the sugar dissolves.",
                "The colder the water, the faster sugar dissolves.",
            ),
            (
                "If the water is hotter, the sugar will dissolve faster.",
                "Hotter water makes sugar dissolve more slowly.",
            ),
            ("Darker surfaces will warm up more in the sun.", "Darker surfaces stay cooler in the sun."),
            ("The clay ball will sink.", "The clay ball floats."),
            ("Longer strings make lower notes.", "Explain why longer strings make higher notes."),
            ("Plants grow taller with more light.", "Why do plants grow shorter when they get more light?"),
            (
                "As the temperature increases, the reaction time decreases.",
                "The reaction time increases as the temperature rises.",
            ),
            ("Copper heats up faster than glass.", "Glass heats up faster than copper."),
            (
                "Increasing the mass of the cart will decrease its acceleration.",
                "A larger mass gives the cart a greater acceleration.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                wrong.push((hypothesis, other));
            }
        }
        assert_eq!(wrong, []);
    }

    #[test]
    fn what_agrees_asks_doubts_or_speaks_of_something_else_is_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                "The hotter the water, the faster the sugar dissolves.",
                "As predicted, the colder the water, the slower the sugar dissolves.",
            ),
            (
                "The hotter the water, the faster the sugar dissolves.",
                "As predicted, the sugar took less time in hotter water.",
            ),
            (
                "The hotter the water, the faster the sugar dissolves.",
                "Sam claims: the hotter the water, the slower the sugar dissolves.",
            ),
            (
                "The hotter the water, the faster the sugar dissolves.",
                "Does sugar dissolve more slowly in hotter water?",
            ),
            ("The hotter the water, the faster the sugar dissolves.", "The hotter the water, the less gas it holds."),
            (
                "The hotter the water, the faster the sugar dissolves.",
                "Say whether it went as predicted or hotter water was slower.",
            ),
            (
                "The hotter the water, the faster the sugar dissolves.",
                "Correct this: 'The hotter the water, the slower sugar dissolves.'",
            ),
            (
                "The higher the drop, the wider the crater.",
                "As predicted, the lower the drop, the narrower the crater.",
            ),
            ("The car will roll the shortest way on carpet.", "As predicted, the car went farthest on the tiles."),
            ("The clay ball will sink.", "The clay boat floats."),
            ("Vinegar cleans coins better than cola.", "Cola cleaned the coins better than vinegar. So I was wrong."),
            (
                "The hotter the iron, the faster the crease goes.",
                "If your graph shows that the hotter the iron, the slower the crease goes, repeat the trial.",
            ),
            ("The clay ball will not float.", "As predicted, the clay ball sank."),
            (
                "The anode loses mass while the cathode gains mass.",
                "As predicted, the cathode gained mass and the anode lost mass.",
            ),
            (
                "Tweezer beaks will collect the most rice; spoon beaks the most beans.",
                "As predicted, spoon beaks collected the most beans.",
            ),
            (
                "More salt makes the egg float higher.",
                "Contrary to our hypothesis, more salt made the egg float lower.",
            ),
            ("The nearer the lamp, the more bubbles.", "As predicted, the count rose as the lamp approached."),
            ("The nearer the lamp, the more bubbles.", "Count again as the lamp approaches: it may be smaller."),
            ("The black can will cool faster than the shiny one.", "As predicted, the shiny one was the warmer."),
            ("More salt makes the ice melt faster.", "As predicted, adding salt made the ice melt faster."),
            ("More worms will settle on the damp side.", "As predicted, fewer worms were found on the dry side."),
            ("塩が多いほど速い", "塩が多いほど遅い"),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push((hypothesis, other));
            }
        }
        assert_eq!(wrong, []);
    }
}
