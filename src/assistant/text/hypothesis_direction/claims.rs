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
        let than = than.map(|than| directions::clause(text, than + 1..piece.end).words).unwrap_or_default();
        if let Some(pole) = in_the_end(text, &piece, &pole) {
            found.push(Claim { words: words.clone(), than: than.clone(), pole, follows: true });
        }
        found.push(Claim { words, than, pole, follows: false });
    }
    found
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
    (!words.is_empty() && !than.is_empty()).then_some(Claim { words, than, pole, follows: false })
}
