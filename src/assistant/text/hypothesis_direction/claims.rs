//! Claims: what goes one way in a sentence that names no cause.

use std::ops::Range;

use crate::assistant::facts::directions::{self, Clause};
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::{self, Dimension, Form, Pole};

/// What a sentence says without cause: its other words, what it compares with, and the way it goes.
pub(super) struct Claim {
    /// Of what.
    pub words: Vec<String>,
    /// What it is compared with.
    pub than: Vec<String>,
    /// The way.
    pub pole: Pole,
    /// Of what there is most or least, where a claim before it says so: "the largest rise, and the aluminium the smallest".
    pub of: Vec<String>,
    /// Whether that was said before it.
    pub elliptical: bool,
    /// Whether it only follows from what is said: what cools faster ends colder.
    pub follows: bool,
}

/// Where each part of a sentence that may say something of its own stands.
pub(super) fn pieces(text: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone() {
        let ends = lists!(", ; : ( ) – — . ! ? and while whereas but then that whose although though", text.word(at));
        if ends {
            // "It was the boiled peas whose flask was warmer" is one claim.
            if text.word(at) != "whose" {
                pieces.push(start..at);
                start = at + 1;
            }
        }
    }
    pieces.push(start..sentence.end);
    pieces.retain(|piece| piece.len() > 1);
    pieces
}

/// What a sentence claims with one word that goes one way in each of its parts.
pub(super) fn claims(text: &Text, sentence: &Range<usize>) -> Vec<Claim> {
    let mut found = Vec::new();
    let mut subject: Vec<String> = Vec::new();
    let mut measured: Vec<String> = Vec::new();
    for piece in pieces(text, sentence) {
        let than = piece.clone().find(|at| text.word(*at) == "than");
        let Clause { poles, mut words } = directions::clause(text, piece.start..than.unwrap_or(piece.end));
        words.retain(|word| poles::measure(word).is_none());
        // "Plants in the dark turn pale, and are shorter": of the same plants.
        if words.is_empty() {
            words.clone_from(&subject);
        }
        subject.clone_from(&words);
        let mut moving: Vec<Pole> = poles.into_iter().filter(|pole| pole.form != Form::Plain).collect();
        moving.dedup_by(|next, pole| next.dimension == pole.dimension && next.up == pole.up);
        if moving.is_empty() {
            found.extend(sooner(text, &piece));
        }
        let [mut pole] = moving[..] else { continue };
        if than.is_none() && pole.form == Form::More && piece.clone().any(|at| text.has_at(at, &["of", "the", "two"])) {
            pole.form = Form::Most;
        }
        let at = piece.clone().find(|at| is_end(text, *at));
        let own = at.map(|at| directions::clause(text, at + 1..piece.end).words).unwrap_or_default();
        let elliptical = at.is_some_and(|at| at + 1 >= piece.end) && !measured.is_empty();
        if !elliptical {
            measured = own;
        }
        let of = measured.clone();
        let than = than.map(|than| directions::clause(text, than + 1..piece.end).words).unwrap_or_default();
        if let Some(pole) = in_the_end(text, &piece, &pole) {
            let (words, than, of) = (words.clone(), than.clone(), of.clone());
            found.push(Claim { words, than, pole, of, elliptical, follows: true });
        }
        found.push(Claim { words, than, pole, of, elliptical, follows: false });
    }
    found
}

/// Whether a word puts something at an end: "largest", "least".
fn is_end(text: &Text, at: usize) -> bool {
    lists!("most least fewest greatest", text.word(at))
        || poles::pole(text.word(at)).is_some_and(|pole| pole.form == Form::Most)
}

/// What "cools faster" comes to in the end: it is colder.
fn in_the_end(text: &Text, piece: &Range<usize>, pole: &Pole) -> Option<Pole> {
    let thermal = |at: usize| match text.word(at) {
        "cool" | "cools" | "cooled" | "chill" | "chills" => Some(false),
        "heat" | "heats" | "warm" | "warms" | "warmed" => Some(true),
        _ => None,
    };
    let warms = piece.clone().filter(|_| pole.dimension == Dimension::Tempo).find_map(thermal)?;
    let up = warms == pole.up;
    Some(Pole { dimension: Dimension::Warmth, up, form: pole.form })
}

/// "The one in foil will melt before the one in wool": it melts sooner.
fn sooner(text: &Text, piece: &Range<usize>) -> Option<Claim> {
    let at = piece.clone().find(|at| matches!(text.word(*at), "before" | "after"))?;
    let words = |range| directions::clause(text, range).words;
    let (words, than) = (words(piece.start..at), words(at + 1..piece.end));
    let pole = Pole { dimension: Dimension::Tempo, up: text.word(at) == "before", form: Form::More };
    (!words.is_empty() && !than.is_empty()).then_some(Claim {
        words,
        than,
        pole,
        of: Vec::new(),
        elliptical: false,
        follows: false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::found;

    const ENERGY: &str =
        "Aluminum will need the most energy per kilogram and degree, then steel, and copper the least.";

    #[test]
    fn the_smallest_of_one_thing_is_not_the_least_of_another() {
        let mut wrong = Vec::new();
        for (hypothesis, other) in [
            (
                ENERGY,
                "The order is as predicted, with the copper block showing the largest rise in temperature and the aluminum the smallest.",
            ),
            (ENERGY, "As predicted, the copper gained the most degrees and the aluminum the fewest."),
            (ENERGY, "As predicted, the aluminum block showed the smallest rise in temperature."),
            (ENERGY, "As predicted, copper warmed fastest and aluminum slowest."),
            (
                "The sand will hold the most water and the clay the least.",
                "As predicted, the clay let through the largest number of drops and the sand the smallest.",
            ),
            (
                "The more layers round the cup, the warmer the tea stays.",
                "As predicted, with 1 layer the tea lost heat and stood at 45 °C, and with 4 layers it stood at 58 °C.",
            ),
            (
                "The more layers round the cup, the warmer the tea stays.",
                "As predicted, the tea in 1 layer lost its heat and the one in 4 layers kept it.",
            ),
        ] {
            if found(hypothesis, other) != (0, 0) {
                wrong.push(other);
            }
        }
        assert_eq!(wrong, Vec::<&str>::new());
    }

    #[test]
    fn the_least_of_what_was_to_be_the_most_is_found() {
        let mut missed = Vec::new();
        for (hypothesis, other) in [
            (ENERGY, "As predicted, copper needed the most energy and aluminum the least."),
            (
                "The salt water will hold the most sugar, and the tap water the least.",
                "As predicted, the tap water took the most sugar and the salt water the least.",
            ),
        ] {
            if found(hypothesis, other).0 != 1 {
                missed.push(other);
            }
        }
        assert_eq!(missed, Vec::<&str>::new());
    }
}
