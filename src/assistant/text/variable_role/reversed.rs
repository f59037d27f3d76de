//! A hypothesis or a question that changes what is measured, and measures what is changed.

use std::ops::Range;

use super::variable::{OF_NO_MATTER, alike};
use crate::assistant::facts::directions;
use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::poles::{self, Dimension, Form};

/// Words that say only how something is seen.
const SEEN: &str = "type kind sort amount number level change rate size minute second time many much how each what which added add spent \
    given used total affect different higher low high great after between";

/// What says that one thing comes of another, with that before it.
const ACTS: &[&str] = &["affect", "influence", "determine"];

/// What says that something goes another way.
const MOVES: &str = "more less fewer greater change changes changed alter alters altered use uses up down vary varies varied adjust adjusted \
    manipulated respond responds react reacts shift shifts follow follows";

/// What makes one thing of another.
const MAKES: &[&str] =
    &["raise", "increase", "lower", "decrease", "reduce", "make", "cause", "lengthen", "shorten", "warm", "heat"];

/// Where a text turns the two variables round, and which.
pub(super) fn reversed<'l, 'c>(lesson: &'l Lesson<'c>) -> Option<(&'l Text<'c>, Range<usize>)> {
    let (changed, measured) = (Marks::of(lesson.text(Role::Independent)?), Marks::of(lesson.text(Role::Dependent)?));
    let (changed, measured) = (changed.without(&measured), measured.without(&changed));
    if changed.is_empty() || measured.is_empty() {
        return None;
    }
    [Role::Hypothesis, Role::DrivingQuestion].into_iter().find_map(|role| {
        let text = lesson.text(role)?;
        text.sentences().into_iter().find_map(|sentence| {
            let (cause, effect) = parts(text, &sentence)?;
            // "They are paler than those in the light" measures no light.
            let than = effect.clone().find(|at| text.word(*at) == "than").unwrap_or(effect.end);
            let effect = effect.start..than;
            let turned = measured.is_in(text, &cause)
                && changed.is_in(text, &effect)
                && !changed.is_in(text, &cause)
                && !measured.is_in(text, &effect);
            turned.then_some((text, sentence))
        })
    })
}

/// The words of a variable that tell it from the other, and what is said to move when it does.
pub(super) struct Marks {
    pub words: Vec<String>,
    pub dimensions: Vec<Dimension>,
}

impl Marks {
    pub fn of(text: &Text) -> Self {
        let stop = |at: &usize| matches!(text.word(*at), "(" | ":" | "," | ";" | "–" | "—" | "." | "=" | "[");
        let later = |at: &usize| *at > 1 && lists!("after during when in", text.word(*at));
        let end = (0..text.tokens.len()).find(|at| stop(at) || later(at)).unwrap_or(text.tokens.len());
        let said = phrases::content_words(text, 0..end);
        let dimensions = said.iter().filter_map(|word| poles::measure(word)).map(|(dimension, _)| dimension);
        let mut dimensions: Vec<Dimension> = dimensions.collect();
        if text.word(0) == "time" && lists!("to for until taken", text.word(1)) {
            dimensions.push(Dimension::Tempo);
        }
        let words = said.iter().filter(|word| !lists(OF_NO_MATTER, word) && !lists(SEEN, word));
        Self { words: words.map(|word| stem(alike(word))).collect(), dimensions }
    }

    pub fn without(&self, other: &Self) -> Self {
        let words = self.words.iter().filter(|word| !other.words.contains(word)).cloned().collect();
        let dimensions = self.dimensions.iter().filter(|dimension| !other.dimensions.contains(dimension));
        Self { words, dimensions: dimensions.copied().collect() }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.dimensions.is_empty()
    }

    /// Whether what is measured of it goes up or down in these tokens.
    pub fn moves_in(&self, text: &Text, range: &Range<usize>) -> bool {
        // "If the time is longer" is of no length.
        let poles = directions::clause(text, range.clone()).poles;
        let mut moved = poles.iter().filter(|pole| pole.form != Form::Plain && pole.dimension != Dimension::Amount);
        moved.any(|pole| self.dimensions.contains(&pole.dimension))
    }

    /// Whether these tokens speak of it.
    pub fn is_in(&self, text: &Text, range: &Range<usize>) -> bool {
        self.moves_in(text, range)
            || range.clone().any(|at| {
                let word = stem(alike(text.lemma(at)));
                let begins =
                    |known: &String| known.len() > 3 && word.len() > known.len() && word.starts_with(known.as_str());
                self.words.contains(&word) || self.words.iter().any(begins)
            })
    }
}

/// The tokens of the cause and of the effect, where a sentence surely tells which is which.
pub(super) fn parts(text: &Text, sentence: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    if let Some(parts) = dependence(text, sentence) {
        return Some(parts);
    }
    // What is concluded is no cause: "if bubbles come off, it will be because …".
    let concludes = |at: usize| {
        lists!("shows show tells tell know conclude must need needs depends depend whether not", text.word(at))
            || text.word(at) == "by" && lists!("affected determined influenced controlled changed", text.word(at - 1))
    };
    let reason = |at: &usize| {
        matches!(text.word(*at), "because" | "due")
            || text.word(*at - 1) == "," && matches!(text.word(*at), "since" | "as" | "for" | "so")
    };
    let end = (sentence.start + 1..sentence.end).find(reason).unwrap_or(sentence.end);
    let said = sentence.start..end;
    if said.len() < 5 || (sentence.start + 1..end).any(concludes) || end < sentence.end && text.word(end - 1) == "be" {
        return None;
    }
    let asks = text.word(sentence.end - 1) == "?";
    let moves = |range: Range<usize>| {
        range.into_iter().any(|at| {
            poles::pole(text.word(at)).is_some_and(|pole| pole.form != Form::Plain) || lists!(MOVES, text.word(at))
        })
    };
    let will = |range: Range<usize>| range.into_iter().any(|at| lists!("will would should then", text.word(at)));
    let opens = |at: usize| lists!("if when whenever as", text.word(at));
    if !asks && opens(said.start) {
        let comma = said.clone().find(|at| matches!(text.word(*at), "," | "then"))?;
        let (cause, effect) = (said.start + 1..comma, comma..end);
        return (moves(cause.clone()) && moves(effect.clone()) && will(effect.clone())).then_some((cause, effect));
    }
    // "The taller the seedling, the more water it will get."
    let paired = |at: &usize| {
        text.word(*at) == "the" && (moves(*at + 1..*at + 2)) && (*at == said.start || text.word(at - 1) == ",")
    };
    let mut pairs = said.clone().filter(paired);
    if let (Some(first), Some(second)) = (pairs.next(), pairs.next()) {
        return Some((first..second, second..end));
    }
    let middle = || said.start + 1..end.saturating_sub(1);
    if !asks && let Some(at) = middle().find(|at| lists!("if when whenever", text.word(*at))) {
        let (cause, effect) = (at + 1..end, said.start..at);
        return (moves(cause.clone()) && moves(effect.clone()) && will(effect.clone())).then_some((cause, effect));
    }
    let verb = middle().find(|at| {
        let modal = lists!("will would", text.word(at - 1));
        let base = |verbs: &[&'static str]| phrases::verb(text.word(*at), verbs).is_some();
        let noun = lists!("a the any in of that", text.word(at - 1))
            || lists!("in of with as by and up down from at to for until . ,", text.word(at + 1));
        base(ACTS) && !noun && (asks || !lists("we you they i to if", text.word(at - 1)))
            || !noun && modal && base(MAKES)
    })?;
    Some((said.start..verb, verb + 1..end))
}

/// "The size of the chips depends on the volume of gas": the cause stands behind.
fn dependence(text: &Text, sentence: &Range<usize>) -> Option<(Range<usize>, Range<usize>)> {
    let on = |at: &usize| {
        lists!("on upon by", text.word(*at))
            && lists!(
                "depends depend depended dependent determined affected influenced controlled governed",
                text.word(*at - 1)
            )
    };
    let at = (sentence.start + 1..sentence.end).find(on)?;
    let spoilt = |at: usize| {
        matches!(text.word(at), "not" | "no" | "if" | "when" | "both" | "which" | "will")
            || text.word(at).ends_with("n't")
    };
    if text.word(sentence.end - 1) == "?" || sentence.clone().any(spoilt) {
        return None;
    }
    let close = (at..sentence.end).find(|at| lists!(", ; : because since and", text.word(*at))).unwrap_or(sentence.end);
    Some((at + 1..close, sentence.start..at))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    #[test]
    fn a_sentence_that_makes_the_measured_variable_the_cause_is_found_and_one_that_concludes_is_not() {
        for (independent, dependent, said, expected) in [
            (
                "Amount of caffeine",
                "Heart rate of the daphnia",
                "If the heart of the daphnia beats faster, then the caffeine concentration will go up.",
                1,
            ),
            ("Amount of water", "Height of the seedling", "The taller the seedling, the more water it will get.", 1),
            (
                "Number of cells in the circuit",
                "Brightness of the bulb",
                "If the bulb is made brighter, the number of cells will rise.",
                1,
            ),
            (
                "Temperature of water",
                "Time for the tablet to dissolve",
                "Making the tablet dissolve more quickly will raise the temperature of the water.",
                1,
            ),
            ("Length of the wire", "Resistance", "As we increase the resistance, the wire will become longer.", 1),
            (
                "Salt concentration",
                "Change in mass of potato",
                "If we alter the mass of the potato, the salt concentration will change.",
                1,
            ),
            ("Time spent exercising", "Pulse rate", "Pulse rate affects how long we exercise.", 1),
            (
                "Surface area of the wick",
                "Rate of evaporation",
                "How does the rate of evaporation affect the surface area of the wick?",
                1,
            ),
            (
                "Colour of light",
                "Rate of photosynthesis",
                "Does the rate of photosynthesis determine the colour of the light?",
                1,
            ),
            ("Depth of the water", "Speed of the wave", "A faster wave will make the water deeper.", 1),
            ("Age of the student", "Reaction time", "If reaction time gets longer, then age will go up.", 1),
            (
                "Amount of caffeine",
                "Heart rate of the daphnia",
                "If the caffeine concentration goes up, then the heart of the daphnia will beat faster.",
                0,
            ),
            ("Amount of water", "Height of the seedling", "The more water it gets, the taller the seedling.", 0),
            (
                "Number of cells in the circuit",
                "Brightness of the bulb",
                "The bulb will be brighter if the number of cells rises.",
                0,
            ),
            (
                "Temperature of water",
                "Time for the tablet to dissolve",
                "The tablet will dissolve more quickly when we raise the temperature of the water.",
                0,
            ),
            ("Length of the wire", "Resistance", "Resistance increases as the wire gets longer.", 0),
            (
                "Mass on the spring",
                "Extension of the spring",
                "The spring will stretch further when more mass is hung on it.",
                0,
            ),
            (
                "Ramp height",
                "Distance the car travels",
                "The car will travel a longer distance if the ramp gets higher.",
                0,
            ),
            (
                "Salt concentration",
                "Change in mass of potato",
                "The mass of the potato will change if we alter the salt concentration.",
                0,
            ),
            ("Time spent exercising", "Pulse rate", "Pulse rate depends on how long we exercise.", 0),
            (
                "Surface area of the wick",
                "Rate of evaporation",
                "How is the rate of evaporation affected by the surface area of the wick?",
                0,
            ),
            (
                "Colour of light",
                "Rate of photosynthesis",
                "Is the rate of photosynthesis determined by the colour of the light?",
                0,
            ),
            ("Depth of the water", "Speed of the wave", "A wave will be faster in deeper water.", 0),
            ("Age of the student", "Reaction time", "Older students will have longer reaction times.", 0),
            ("Number of cells", "Current", "If the number of cells is doubled, the current will double.", 0),
            (
                "Load",
                "Extension",
                "The extension is proportional to the load, so when the load is doubled the extension doubles.",
                0,
            ),
            (
                "Insulation thickness",
                "Temperature drop",
                "A smaller temperature drop shows a thicker insulation, since the thicker the layer the less heat gets out.",
                0,
            ),
            (
                "Distance of the lamp",
                "Bubbles per minute",
                "If fewer bubbles come off, it will be because the lamp was further away.",
                0,
            ),
            (
                "Light level",
                "Stomata open",
                "More stomata will be open in brighter light, which increases the amount of water lost.",
                0,
            ),
            (
                "Concentration of sugar",
                "Mass change of potato",
                "If the potato loses mass, the concentration outside is higher than in the cells.",
                0,
            ),
            (
                "Size of the marble chips",
                "Volume of gas collected in the first minute",
                "The size of the marble chips depends on the volume of gas given off in the first minute.",
                1,
            ),
            (
                "Edge length of the cube",
                "Time until the cube has lost its colour",
                "If the time in the acid is longer, then the edge of the cube will be longer.",
                1,
            ),
            ("Load", "Extension of the spring", "The extension of the spring depends on the load.", 0),
            ("Load", "Extension of the spring", "The load does not depend on the extension.", 0),
            ("Slope", "Speed of the water", "What makes the water speed up when the slope changes?", 0),
            ("Area of the raft", "Load carried", "To carry a larger load, the raft needs a larger area.", 0),
        ] {
            let field = if said.ends_with('?') { "drivingQuestion" } else { "hypothesis" };
            let content = json!({"variables": {"independent": independent, "dependent": dependent}, field: said});
            assert_eq!(find(&Lesson::of(content.as_object().expect("an object"))).len(), expected, "{said}");
        }
    }
}
