//! A hypothesis of which the cause is what is kept the same: "if the mass on the block is increased, the friction will
//! increase", where it is the surface that is changed.

use std::ops::Range;

use super::reversed::{Marks, parts};
use super::variable::alike;
use crate::assistant::facts::directions;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension, Form};

/// The sentence of the hypothesis, and what it changes in place of the independent variable.
pub(super) fn kept<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(Range<usize>, &'l Text<'c>)> {
    let hypothesis = lesson.text(Role::Hypothesis)?;
    let (independent, dependent) = (lesson.text(Role::Independent)?, lesson.text(Role::Dependent)?);
    let (changed, measured) = (Marks::of(independent), Marks::of(dependent));
    let stems = |text: &Text| -> Vec<String> {
        text.tokens.iter().filter(|token| token.is_word()).map(|token| stem(alike(&token.lemma))).collect()
    };
    hypothesis.sentences().into_iter().find_map(|sentence| {
        let (cause, effect) = parts(hypothesis, &sentence)?;
        let held = |at: usize| lists!("constant same kept held fixed equal while without however", hypothesis.word(at));
        if !measured.is_in(hypothesis, &effect) || cause.clone().any(held) {
            return None;
        }
        // "The higher the ramp, the farther the car goes" tells nothing of how heavy the car is.
        let where_told = if changed.dimensions.is_empty() { 0..hypothesis.tokens.len() } else { cause.clone() };
        let tokens = hypothesis.tokens.iter().take(where_told.end).skip(where_told.start);
        let spoken: Vec<String> =
            tokens.filter(|token| token.is_word()).map(|token| stem(alike(&token.lemma))).collect();
        let kept = lesson.controlled().find(|kept| {
            let marks = Marks::of(kept);
            let own = changed.without(&marks);
            let levels = stems(independent);
            // Layers of newspaper are the layers round the tin.
            let same = changed.words.first().is_some_and(|head| marks.words.contains(head));
            // Whoever speaks of what is changed, or of one of its levels, does not change another thing.
            let silent = !same
                && !own.words.is_empty()
                && !own.is_in(hypothesis, &where_told)
                && !own.moves_in(hypothesis, &(0..hypothesis.tokens.len()))
                && !levels.iter().any(|word| {
                    word.len() > 3
                        && !marks.words.contains(word)
                        && !measured.words.contains(word)
                        && !is_common(word)
                        && spoken.contains(word)
                });
            silent && is_moved(hypothesis, &cause, kept, &marks.without(&measured))
        })?;
        Some((sentence, kept))
    })
}

/// Words that stand in many a name and tell none.
fn is_common(stem: &str) -> bool {
    lists!("amount number type size each with from mass length height temperatur tim water", stem)
}

/// Whether the cause is that more or less of what is kept: its things are named, and go the way in which it is measured.
fn is_moved(hypothesis: &Text, cause: &Range<usize>, kept: &Text, marks: &Marks) -> bool {
    let said = |word: &String| cause.clone().any(|at| stem(alike(hypothesis.lemma(at))) == *word);
    let things = marks.words.iter().filter(|word| said(word)).count();
    let bare = marks.words.len() <= 1 && !marks.dimensions.is_empty();
    let named = things > 0 && things * 2 >= marks.words.len() || bare;
    let poles = directions::clause(hypothesis, cause.clone()).poles;
    let moving = || poles.iter().filter(|pole| pole.form != Form::Plain);
    let amount = (0..kept.tokens.len().min(3))
        .any(|at| lists!("amount number volume quantity mass much many", kept.word(at)))
        && moving().any(|pole| pole.dimension == Dimension::Amount)
        && is_amount_of(hypothesis, cause, marks);
    let moves = match marks.dimensions.as_slice() {
        [] => amount || is_raised(hypothesis, cause, marks),
        dimensions => {
            // "The higher the ramp"
            let high = kept.tokens.iter().any(|token| token.is("height"))
                && cause.clone().any(|at| lists!("higher highest lower", hypothesis.word(at)));
            amount || high || moving().any(|pole| dimensions.contains(&pole.dimension))
        }
    };
    named && moves
}

/// "The voltage is raised", "a higher voltage": what is kept by a name alone goes up or down.
fn is_raised(hypothesis: &Text, cause: &Range<usize>, marks: &Marks) -> bool {
    const MEASURES: [&str; 7] = ["voltag", "current", "power", "pressur", "forc", "humid", "frequenc"];
    let name =
        marks.words.first().filter(|name| marks.words.len() == 1 && MEASURES.iter().any(|one| name.starts_with(one)));
    let Some(name) = name else { return false };
    let moves = |at: usize| {
        poles::pole(hypothesis.word(at)).is_some_and(|pole| {
            pole.form != Form::Plain && pole.dimension == Dimension::Amount || pole.form == Form::Verb
        })
    };
    cause.clone().any(|at| {
        let is = lists!("is are was gets get", hypothesis.word(at + 1));
        stem(alike(hypothesis.lemma(at))) == *name
            && (is && moves(at + 2)
                || moves(at + 1)
                || at > cause.start && moves(at - 1)
                || at > cause.start + 1 && hypothesis.word(at - 1) == "the" && moves(at - 2))
    })
}

/// Whether the amount is that of what is kept: "more water", and not "more salt in the water".
fn is_amount_of(hypothesis: &Text, cause: &Range<usize>, marks: &Marks) -> bool {
    let is_kept = |at: usize| marks.words.contains(&stem(alike(hypothesis.lemma(at))));
    cause.clone().any(|at| match hypothesis.word(at) {
        "more" | "less" | "fewer" => is_kept(at + 1),
        "amount" | "number" | "volume" | "quantity" => {
            let noun = if hypothesis.word(at + 2) == "the" { at + 3 } else { at + 2 };
            hypothesis.word(at + 1) == "of" && is_kept(noun)
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn found(independent: &str, dependent: &str, controlled: &str, hypothesis: &str) -> usize {
        let content = json!({"hypothesis": hypothesis, "variables": {
            "independent": independent, "dependent": dependent, "controlled": [controlled]}});
        find(&Lesson::of(content.as_object().expect("an object"))).len()
    }

    #[test]
    fn a_hypothesis_that_changes_what_is_kept_is_found() {
        let mut missed = Vec::new();
        for (independent, dependent, controlled, hypothesis) in [
            (
                "the kind of surface: glass, wood, cloth or sandpaper",
                "the force of friction",
                "the mass of the block and its load, 200 g",
                "If the mass on the block is increased, the force of friction will increase.",
            ),
            (
                "Length of the pendulum",
                "Period",
                "Mass of the bob",
                "The heavier the bob, the longer the period will be.",
            ),
            (
                "Distance from the lamp",
                "Number of bubbles",
                "Temperature of the water",
                "If the temperature of the water rises, the number of bubbles will rise.",
            ),
            (
                "Type of soil",
                "Height of the bean plant",
                "Amount of water",
                "If a bean plant gets more water, it will grow to a greater height.",
            ),
            (
                "Temperature of the water",
                "Time to dissolve",
                "Mass of sugar",
                "If more sugar is added, it will take longer to dissolve.",
            ),
            (
                "Light intensity",
                "Number of bubbles",
                "Temperature",
                "The warmer the water, the more bubbles there will be.",
            ),
            (
                "Mass of the car",
                "Distance travelled",
                "Height of the ramp",
                "The higher the ramp, the farther the car will travel.",
            ),
            (
                "Number of coils",
                "Number of paper clips",
                "Voltage",
                "If the voltage is raised, the magnet will pick up more paper clips.",
            ),
        ] {
            if found(independent, dependent, controlled, hypothesis) != 1 {
                missed.push(hypothesis);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn a_hypothesis_that_changes_what_is_changed_is_passed_over() {
        for (independent, dependent, controlled, hypothesis) in [
            (
                "the kind of surface: glass, wood, cloth or sandpaper",
                "the force of friction",
                "the mass of the block",
                "If the block slides over cloth with the same mass, the force of friction will be greater.",
            ),
            (
                "Length of the pendulum",
                "Period",
                "Mass of the bob",
                "The longer the pendulum, the longer the period will be, however heavy the bob.",
            ),
            (
                "Mass of the car",
                "Distance travelled",
                "Height of the ramp",
                "The heavier the car on the high ramp, the farther it will travel.",
            ),
            (
                "Concentration of the acid",
                "Time to react",
                "Temperature",
                "The stronger the acid, the faster it reacts.",
            ),
            (
                "Number of coils",
                "Number of paper clips",
                "Voltage",
                "If more coils are wound at this voltage, more paper clips will be picked up.",
            ),
            (
                "Height of the drop: 25, 50 and 100 cm",
                "Width of the crater",
                "Same marble",
                "The higher the marble starts, the wider the crater will be.",
            ),
            (
                "Amount of salt",
                "Temperature at which the water boils",
                "Amount of water",
                "If more salt is added to the water, the temperature at which it boils will rise.",
            ),
            (
                "Type of soil",
                "Height of the bean plant",
                "Amount of water",
                "If the soil holds more water, the bean plant will grow to a greater height.",
            ),
            (
                "Salinity",
                "Height at which the egg floats",
                "Amount of water",
                "If more salt is dissolved in the water, the egg will float at a greater height.",
            ),
            (
                "Brightness of the lamp",
                "Number of bubbles",
                "Amount of pondweed",
                "If more light falls on the pondweed, the number of bubbles will rise.",
            ),
            (
                "Crushing",
                "Time the fizzing lasts",
                "Amount of chalk",
                "The more of the chalk touches the vinegar, the shorter the fizzing time will be.",
            ),
            (
                "Steepness of the ramp",
                "Speed of the car",
                "Mass of the car",
                "If the ramp is steeper, the car will be faster.",
            ),
        ] {
            assert_eq!(found(independent, dependent, controlled, hypothesis), 0, "{hypothesis}");
        }
    }
}
