//! Sides: of two places or states the one that a thing is in, and a sentence that says it agrees and has it in the other:
//! "the blue slides underneath the red", "as predicted, the blue lay on top".

use std::ops::Range;

use super::entities::are_apart;
use super::marks::words;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;

/// Words for one side, and for the other.
const SIDES: [(&str, &str); 5] = [
    ("under underneath beneath below bottom", "above top"),
    ("dark darkness shade shaded unlit shady", "lit bright brightness sunny light sunlit"),
    ("toward towards", "away"),
    ("damp wet moist", "dry"),
    ("inside", "outside"),
];

/// Colours, as their stems.
const COLOURS: &str = "black white whit red blue green yellow orange orang brown pink purple purpl grey gray silver";

/// The row of [`SIDES`] that needs something to be near to.
const TOWARDS: usize = 2;

/// The row of [`SIDES`] of what is lit.
const LIT: usize = 1;

/// The parts of a sentence that may put something on a side, parted by this word too.
fn parts(text: &Text, sentence: &Range<usize>, also: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone() {
        let word = text.word(at);
        if lists!(", ; : ( ) that because and when while whereas but", word) || word == also {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..sentence.end);
    found
}

/// What a sentence says is on one side.
struct Said {
    row: usize,
    first: bool,
    subject: Vec<String>,
    object: Vec<String>,
    /// Whether it is on a side of what gives light.
    lit: bool,
}

fn said(text: &Text, range: &Range<usize>) -> Option<Said> {
    let denies = |at: usize| {
        matches!(
            text.word(at),
            "hardly" | "few" | "fewest" | "least" | "fewer" | "not" | "never" | "no" | "nor" | "than" | "or"
        ) || text.word(at).ends_with("n't")
    };
    if range.clone().any(denies) {
        return None;
    }
    let mut all = range.clone().filter_map(|at| {
        let row = SIDES.iter().position(|(ones, others)| lists(ones, text.word(at)) || lists(others, text.word(at)))?;
        Some((at, row))
    });
    let (at, row) = all.next()?;
    // "Towards the light" is one side, and no second.
    let goal = |(_, other): &(usize, usize)| row == TOWARDS && *other == LIT;
    if all.find(|other| !goal(other)).is_some() {
        return None;
    }
    let (ones, others) = SIDES.get(row)?;
    let light = lists!("dark damp", ones.split(' ').next().unwrap_or_default());
    // What is said to be dark in colour is in no dark place.
    let goes = range.clone().any(|t| {
        lists!("prefer prefers preferred choose chooses chose gather gathers gathered move moves moved crawl crawled like likes stay stayed go goes went most all majority settle settled rest rested found", text.word(t))
    });
    if light && !goes {
        return None;
    }
    let word = text.word(at);
    let first = !lists(others, word);
    let lit =
        (at + 1..range.end).any(|at| lists!("light window lamp sun sunlight bulb torch source opening", text.word(at)));
    Some(Said { row, first, subject: words(text, range.start..at), object: words(text, at + 1..range.end), lit })
}

/// Whether a sentence that says that it agrees has a thing on the other side than the hypothesis.
pub(super) fn is_other(hypothesis: &Text, text: &Text, sentence: &Range<usize>) -> bool {
    let predicted: Vec<Said> = hypothesis
        .sentences()
        .iter()
        .flat_map(|sentence| parts(hypothesis, sentence, "with"))
        .filter_map(|part| said(hypothesis, &part))
        .collect();
    let [predicted] = &predicted[..] else { return false };
    // What is bent away from the wall is not bent away from the light.
    let same_goal =
        |told: &Said| told.object.iter().any(|word| predicted.object.contains(word)) || told.lit && predicted.lit;
    // The red water is not the blue, and the warm not the cold.
    let is_another = |told: &Said| {
        told.subject.iter().any(|word| {
            !predicted.subject.contains(word)
                && (lists!(COLOURS, word) || predicted.subject.iter().any(|known| are_apart(known, word)))
        })
    };
    // "All seedlings in the box with the hole bent away": what stands behind "with" may only tell which.
    let whole = parts(text, sentence, "");
    let told = parts(text, sentence, "with").into_iter().chain(whole);
    told.filter_map(|part| said(text, &part)).any(|told| {
        if is_another(&told) || predicted.row == TOWARDS && !same_goal(&told) {
            return false;
        }
        let own = |word: &String| predicted.subject.contains(word) && !predicted.object.contains(word);
        let swapped = |word: &String| predicted.object.contains(word) && !predicted.subject.contains(word);
        told.row == predicted.row
            && told.first != predicted.first
            && told.subject.iter().any(own)
            && !told.subject.iter().any(swapped)
    })
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use crate::assistant::facts::lesson::Lesson;
    use serde_json::json;

    fn sure(hypothesis: &str, assessment: &str) -> usize {
        let content = json!({"hypothesis": hypothesis, "assessment": assessment});
        find(&Lesson::of(content.as_object().expect("an object"))).iter().filter(|found| found.sure).count()
    }

    #[test]
    fn what_is_said_to_agree_and_goes_the_other_way_is_found() {
        for (hypothesis, assessment) in [
            (
                "If cold blue water and warm red water meet, then the blue will slide underneath the red.",
                "The caption states that the result matched the prediction, with the cold blue water spreading out on top of the warm red water.",
            ),
            (
                "If light comes from one side only, then the seedlings will bend towards the light.",
                "Our hypothesis was confirmed, as all seedlings in the box with the side hole bent away from the window, by 30° to 45°, while those in the other box stayed upright.",
            ),
            ("Worms prefer the dark.", "Tell how our guess came true and the worms gathered on the lit side."),
            ("Heavier cars roll farther.", "Our prediction held: the light cars rolled farther than the heavy ones."),
            (
                "A penguin in the middle of a huddle will cool more slowly than a penguin standing by itself.",
                "As we predicted, the huddled penguin lost heat more quickly than the lonely one.",
            ),
            (
                "When copper and zinc stand farther away from each other, then the current becomes smaller.",
                "Our supposition was right: the wider the metals stood apart, the bigger the current became.",
            ),
            (
                "Fewer drops of soap water will find place on the coin than of pure water.",
                "Our expectation has proved true, as the coin held more drops of the soap water than of the pure.",
            ),
            (
                "If blue ice melts in lukewarm water, the cold blue water will sink to the bottom.",
                "The prediction was confirmed, because the cold blue water spread across the top while the warm red water stayed at the bottom.",
            ),
            (
                "If the candle is moved closer to the lens, but stays outside the focal length, the image becomes larger.",
                "The hypothesis was confirmed, since the image became smaller and smaller as the candle was moved closer to the lens.",
            ),
            (
                "Sugar dissolves better in warm water than in cold.",
                "The hypothesis is accepted if more sugar dissolves in the cold water.",
            ),
        ] {
            assert_eq!(sure(hypothesis, assessment), 1, "{assessment}");
        }
    }

    #[test]
    fn what_agrees_in_other_words_is_passed_over() {
        for (hypothesis, assessment) in [
            ("The blue water will slide under the red.", "As predicted, the red lay on top of the blue."),
            ("The blue water will slide under the red.", "As predicted, the blue lay under the red."),
            (
                "The seedlings will bend towards the light.",
                "Our hypothesis was confirmed, as all seedlings bent towards the window.",
            ),
            (
                "The roots will grow away from the light.",
                "Our hypothesis was confirmed: the shoots grew towards the light.",
            ),
            (
                "The seedlings will bend towards the light.",
                "Our hypothesis was confirmed, as all seedlings bent away from the closed side of the box.",
            ),
            (
                "The cold blue water will sink to the bottom.",
                "The prediction was confirmed: the warm red water spread across the top while the blue water stayed at the bottom.",
            ),
            (
                "The larger the jar, the longer the candle will go on burning.",
                "The flame under the smallest jar was the first to die, so the prediction was confirmed.",
            ),
            ("Worms prefer the dark.", "As expected, the worms moved away from the lit side."),
            ("A bigger parachute falls more slowly.", "As predicted, the small parachute landed first."),
            (
                "Clay holds more water than sand.",
                "The hypothesis holds when less water comes out of the clay than out of the sand.",
            ),
            (
                "Sugar dissolves better in warm water.",
                "The hypothesis is rejected if more sugar dissolves in cold water.",
            ),
        ] {
            assert_eq!(sure(hypothesis, assessment), 0, "{assessment}");
        }
    }
}
