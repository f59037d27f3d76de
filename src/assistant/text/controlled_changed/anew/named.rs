//! What is to be one and the same: what it is called, and what of it is kept.

use std::ops::Range;

use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::lists::{List, list};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::quantities::Quantity;

/// Words of a name that are no thing.
const NOISE: &str = "same constant keep whole entire complete full throughout trial every each stay fixed identical equal always one single start \
    finish time all test experiment investigation used use run unchanged ordinary start investigation kept plain only first used";
/// What is measured of things.
const ASPECTS: &str = "size height length width depth distance amount volume mass weight number temperature strength thickness colour type kind brand \
    shape angle slope steepness speed position spot place area concentration brightness level";
/// Names of one thing each, as their stems.
const ALIKE: [&str; 6] = [
    "ball marbl bead spher",
    "car trolley cart truck buggy vehicl lorry",
    "lamp bulb torch light",
    "string thread cord yarn",
    "magnet",
    "sprig shoot cutting stem",
];

/// A variable of more words names nothing that could be compared.
const LONGEST: usize = 80;

/// What is kept the same.
pub(in super::super) struct Named {
    /// The stems of what it is called before a sign, and those after it.
    pub(super) heads: Vec<String>,
    pub(super) more: Vec<String>,
    /// What stands before its last noun: "tennis" of "the same tennis ball".
    pub(super) modifier: Option<(String, String)>,
    /// Whether it is one thing, and no measure of things.
    pub(super) one: bool,
    /// Whether it is only of one kind, so that a new one is no other.
    pub(super) kind: bool,
    /// Whether how high or steep it is is kept.
    pub(super) tilt: bool,
    /// Whether where something begins or stands is kept.
    pub(super) begin: bool,
    /// In what it is measured, and whether a number of things is kept.
    pub(super) measure: Option<Quantity>,
    pub(super) counted: bool,
    /// The stems of all words of what is changed on purpose.
    pub(super) changed: Vec<String>,
    /// Whether what is changed is measured too, or its levels are named.
    pub(super) numeric: bool,
    pub(super) levels: bool,
    /// Whether how warm it is is kept.
    pub(super) warm: bool,
}

impl Named {
    pub fn read(controlled: &Text, independent: Option<&Text>) -> Option<Self> {
        let all = controlled.tokens.len();
        // A variable is named in some words; what is longer is not worth the look at each step.
        if all > LONGEST || independent.is_some_and(|text| text.tokens.len() > LONGEST) {
            return None;
        }
        let sign = (0..all).find(|at| lists!("( : , ; – — . =", controlled.word(*at))).unwrap_or(all);
        let words = |range: Range<usize>| -> Vec<String> {
            let words = phrases::content_words(controlled, range);
            words.into_iter().filter(|word| !lists!(NOISE, word) && word.len() > 1).collect()
        };
        let (before, after) = (words(0..sign), words(sign..all));
        // "One jumbo clip on every flight" is a clip.
        let links = |from: usize| {
            (from..all).find(|at| lists!("on in for at to of with from by per", controlled.word(*at))).unwrap_or(all)
        };
        let (alone, named) = (words(0..sign.min(links(0))), words(sign..links(sign)));
        let has = |words: List| (0..all).any(|at| words.has(controlled.word(at)));
        // "The same marble for every height" is a marble.
        let told = if alone.is_empty() { &before } else { &alone };
        let aspect = told.iter().any(|word| lists!(ASPECTS, word));
        let said_of = |word: &&String| aspect || !lists!(ASPECTS, word);
        let said = has(list!("same one single identical always throughout whole only"));
        let changed: Vec<String> = independent
            .map(|text| text.tokens.iter().filter(|token| token.is_word()).map(|token| stem(&token.lemma)).collect())
            .unwrap_or_default();
        let last_noun = |words: &[String]| {
            let [.., modifier, head] = words else { return None };
            // A cord and a dowel are two things.
            let beside = |at: usize| controlled.lemma(at) == modifier && controlled.lemma(at + 1) == head;
            (0..all).any(beside).then(|| (modifier.clone(), head.clone()))
        };
        let short = sign <= 3 && !aspect;
        let heads: Vec<String> = before.iter().filter(said_of).map(|word| stem(word)).collect();
        Some(Self {
            modifier: last_noun(&named).or_else(|| last_noun(&alone)).filter(|_| !aspect),
            more: after.iter().map(|word| stem(word)).collect(),
            one: !aspect && (said || short) && !has(list!("per amount number groups")),
            kind: has(list!("kind type sort brand make variety")),
            tilt: has(list!("height slope steepness angle tilt incline steep ramp propped"))
                && !changed.iter().any(|word| lists!("height high slop steep angl tilt inclin ramp book", word)),
            begin: has(list!("start line point release begin")) && has(list!("line point place position mark height")),
            measure: controlled.quantities().first().cloned().filter(|_| all < 14),
            counted: has(list!("number many")),
            numeric: independent.is_some_and(|text| !text.quantities().is_empty()),
            levels: independent
                .is_some_and(|text| (0..text.tokens.len()).any(|at| lists!("( : , ; – —", text.word(at)))),
            warm: has(list!("temperature"))
                && !changed.iter().any(|word| lists!("temperatur warm hot heat cold", word)),
            heads,
            changed,
        })
    }

    pub(super) fn is_head(&self, text: &Text, at: usize) -> bool {
        let stem = stem(text.lemma(at));
        stem.len() > 2 && self.heads.contains(&stem) && !self.changed.contains(&stem)
    }

    /// Whether it is called by another name there: "a heavier ball" where a marble is kept.
    pub(super) fn is_alike(&self, text: &Text, at: usize) -> bool {
        let stem = stem(text.lemma(at));
        let known = |row: &str| self.heads.iter().chain(&self.more).any(|head| lists(row, head));
        ALIKE.iter().any(|row| known(row) && lists(row, &stem) && !self.changed.iter().any(|word| lists(row, word)))
    }
}
