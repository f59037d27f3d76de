//! Whether a sentence singles out one or some of the cases that a lesson compares: "at the second length", "for the last
//! two", "for 30 and 40 turns" where the numbers of turns are what is changed on purpose.

use std::ops::Range;

use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::phrases::{self, lists};

/// Words that tell one case from others.
static SINGLING: List = list!("next second third fourth fifth last other following rest previous");
/// Words that tell that something goes on from case to case.
static REPEATING: List = list!("each every whenever time");
/// Words of a sentence that keeps something the same, is a rehearsal, or puts right what went wrong.
static SPARED: List = list!(
    "same equal equally identical constant practise practice homework instead extension if suppose would question predict \
     imagine unless flat dead fails broken breaks worn slips leaks optional challenge rehearse original back"
);

/// The cases of a lesson: the values of what is changed on purpose.
pub(super) struct Levels {
    words: Vec<String>,
    values: Vec<f64>,
}

impl Levels {
    /// "Surface: tile, carpet or sandpaper", "number of turns (10, 20, 30)": what stands behind the sign.
    pub fn read(lesson: &Lesson) -> Self {
        let Some(text) = lesson.text(Role::Independent) else { return Self { words: Vec::new(), values: Vec::new() } };
        let all = text.tokens.len();
        let sign = (0..all).find(|at| lists!("( : – —", text.word(*at))).map_or(all, |sign| sign + 1);
        let head = phrases::content_words(text, 0..sign);
        let mut words = phrases::content_words(text, sign..all);
        words.retain(|word| word.len() > 2 && !head.contains(word) && !lists("none different three four", word));
        let values = text.numerals().iter().filter(|one| one.tokens.start >= sign);
        Self { words, values: values.filter_map(|one| one.single()).collect() }
    }

    /// Whether a sentence speaks of some of the cases and not of all alike; of what is done each time if `repeated`. The
    /// word at `but` tells of none.
    pub fn are_told(&self, step: &Text, sentence: &Range<usize>, repeated: bool, but: Option<usize>) -> bool {
        let word = |at: usize| step.word(at);
        if sentence.clone().any(|at| SPARED.has(word(at))) || phrases::is_question(step, sentence.start) {
            return false;
        }
        let measured = |at: usize| lists!("a one per each", word(at.wrapping_sub(1))) && lists!("second", word(at));
        // "Before the next step" speaks of the lesson.
        let planned = |at: usize| {
            lists!("next last previous following", word(at))
                && lists!("step lesson part day class minute", step.lemma(at + 1))
        };
        let some = |at: usize| lists!("for with at in on", word(at.wrapping_sub(1))) && lists!("these those", word(at));
        let named = |at: usize| {
            SINGLING.has(word(at)) && !measured(at) && !planned(at) && but != Some(at)
                || some(at)
                || repeated && REPEATING.has(word(at))
                || self.words.iter().any(|level| level == step.lemma(at))
        };
        let valued = || {
            let inside = |at: usize| sentence.contains(&at);
            step.numerals().iter().filter(|one| inside(one.tokens.start)).any(|one| {
                let measured = step.quantities().iter().any(|quantity| quantity.tokens.start == one.tokens.start);
                !measured && one.low > 2.0 && one.single().is_some_and(|value| self.values.contains(&value))
            })
        };
        sentence.clone().any(named) || valued()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_sentence_tells_of_some_of_the_cases_or_of_all() {
        for (independent, step, expected) in [
            ("Number of turns: 10, 20, 30, 40", "For thirty and forty turns do it.", true),
            (
                "Temperature of the bath: 10, 25, 37, 60 and 95 °C",
                "In the tubes at 37 and 60 it overflows; do it.",
                true,
            ),
            ("Surface: tile, carpet, sandpaper", "Then do it for the sandpaper.", true),
            ("Length of the string", "Do it at the third length.", true),
            ("Surface: tile, carpet, sandpaper", "Do it on every one.", false),
            ("Number of turns: 10, 20, 30, 40", "Wait for 30 s.", false),
            ("Number of turns", "Let it turn once a second.", false),
            ("Surface: tile, carpet, sandpaper", "Do it before the next step.", false),
            ("Surface: tile, carpet, sandpaper", "If the carpet slips, do it.", false),
        ] {
            let content = json!({"variables": {"independent": independent}, "steps": [{"text": step}]});
            let lesson = Lesson::of(content.as_object().expect("an object"));
            let (_, step) = lesson.steps().next().expect("a step");
            assert_eq!(Levels::read(&lesson).are_told(step, &step.sentence(0), false, None), expected, "{independent}");
        }
    }
}
