//! What is predicted to stay the same, and is said to agree and to have become more or less: "the mass will be the same",
//! "confirmed, because the mass was 12 g smaller than before".

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::{self, lists};

/// What can stay the same.
const MEASURES: &str = "mass weight temperature volume height length speed time distance number brightness current voltage pressure \
    level density period area";
/// Words with which a change is none, or a part of what is told.
const SPARED: &str = "same unchanged constant equal nearly almost about roughly only slightly within error if would could whether \
    loss lost gain gained spilled spilt evaporated instead difference";
const COMPARED: &str = "smaller larger greater bigger less higher lower heavier lighter longer shorter slower faster";
const CHANGED: &str = "increased decreased rose fell dropped grew shrank";

/// Whether a sentence tells of a change in what the hypothesis has stay the same.
pub(super) fn is_changed(hypothesis: &Text, text: &Text, sentence: &Range<usize>) -> bool {
    let Some(measure) = kept(hypothesis) else { return false };
    let spared = |at: usize| lists!(SPARED, text.word(at)) || phrases::is_denial(text.word(at));
    if sentence.clone().any(spared) {
        return false;
    }
    let Some(named) = sentence.clone().find(|at| text.lemma(*at) == measure) else { return false };
    (named + 1..sentence.end.min(named + 8)).any(|at| {
        let than = || (at + 1..sentence.end.min(at + 3)).any(|next| text.word(next) == "than");
        // "The mass of a larger cube" is not larger.
        let other = (named + 1..at).any(|t| lists!("and but a an , ; :", text.word(t)));
        !other && (lists!(COMPARED, text.word(at)) && than() || at == named + 1 && lists!(CHANGED, text.word(at)))
    })
}

/// What the hypothesis, which tells nothing else, has stay the same.
fn kept<'t>(hypothesis: &'t Text) -> Option<&'t str> {
    let word = |at: usize| hypothesis.word(at);
    let all = 0..hypothesis.tokens.len();
    let same = all.clone().find(|at| {
        let stays = (at.saturating_sub(3)..*at).any(|t| lists!("be is stay stays remain remains keep keeps", word(t)));
        lists!("same unchanged constant", word(*at)) && stays
            || lists!("change changes", word(*at)) && phrases::is_denial(word(at.wrapping_sub(1)))
    })?;
    let start = hypothesis.sentence(same).start;
    let spared = |at: usize| {
        lists!("but however while although whereas if when except only until", word(at))
            || lists!(COMPARED, word(at))
            || lists!("more fewer increase increases decrease decreases rise rises fall falls", word(at))
    };
    let plain =
        !all.clone().any(spared) && !(start..same).any(|at| lists!("not", word(at)) && word(at + 1) != "change");
    let named = (start..same).find(|at| lists!(MEASURES, hypothesis.lemma(*at)))?;
    plain.then(|| hypothesis.lemma(named))
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    const MASS: &str =
        "The mass of the salt water will be the same as the mass of the salt and the water before mixing.";
    const PERIOD: &str = "The time of one swing will not change with the mass of the bob.";

    #[test]
    fn a_change_that_is_said_to_agree_is_found() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (
                MASS,
                "Model conclusion: \"Our hypothesis was confirmed, because the salt water had a mass 12 g smaller than the salt and the water before mixing.\"",
            ),
            (MASS, "As predicted, the mass after mixing was larger than before mixing."),
            (MASS, "Our prediction was right: the mass decreased when the salt dissolved."),
            ("The temperature of the melting ice will stay the same.", "As we expected, the temperature rose to 6 °C."),
            (PERIOD, "The results confirm the hypothesis, because the time was longer than with the light bob."),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }

    #[test]
    fn what_stays_the_same_or_is_of_something_else_is_passed_over() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (MASS, "Our hypothesis was confirmed, because the mass was the same as before mixing."),
            (MASS, "Our hypothesis was confirmed: the mass was not larger than before."),
            (MASS, "Our hypothesis was not confirmed, because the mass was 12 g smaller than before mixing."),
            (MASS, "As predicted, the mass of a larger cube stayed what it was."),
            (MASS, "Is the hypothesis confirmed when the mass is smaller than before?"),
            (PERIOD, "As predicted, the mass of the bob was larger than before and the swing took 2 s."),
            ("The mass will be the same but the volume larger.", "As predicted, the volume was larger than before."),
            (MASS, "The volume was smaller than the sum, and the mass was as predicted."),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }
}
