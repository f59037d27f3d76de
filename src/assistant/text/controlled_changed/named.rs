//! What a lesson keeps the same: the thing, and the property of it.

use std::ops::Range;

use crate::assistant::facts::lesson::{Lesson, Role, Text};
use crate::assistant::facts::nouns::stem;
use crate::assistant::facts::phrases::{self, lists};
use crate::assistant::facts::words::lemma;

/// The thing that is kept the same, and the property of it.
pub(super) struct Named {
    /// What it is called, the head last.
    pub things: Vec<String>,
    /// The stems of these.
    stems: Vec<String>,
    /// What of it is kept.
    pub property: Option<String>,
    /// Whether it is a person.
    pub by_person: bool,
    /// Whether it is said to be the same one.
    pub same: bool,
    /// Whether it is one thing, and no stuff of which there is always more.
    pub single: bool,
    /// Whether how much there is of something is changed on purpose.
    pub varied_amount: bool,
    /// Whether how high or steep something is, is changed on purpose.
    pub tilted: bool,
}

const PROPERTIES: &str = "temperature height slope angle size amount length mass weight distance thickness brightness \
    concentration depth speed volume type kind brand number tilt time colour shape material diameter steepness strength position force";

/// Words for how high or steep something is.
const TILTS: &str = "height high higher slope steep steepness angle tilt incline gradient ramp level books blocks drop";

/// Things of which one takes a new one each time without changing anything, being used up.
const USED_UP: &str = "water air soil sand salt sugar yeast vinegar milk oil soap juice paper tape foil ice food bread solution acid \
    liquid powder tea bag tablet cup straw piece sample filter seed leaf cube egg potato match swab pipette tip cloth";

/// Whether a new one of it changes nothing.
pub(super) fn is_used_up(thing: &str) -> bool {
    lists!(USED_UP, thing)
}

/// Whether a text speaks of one thing: "one and the same ball", "same spring", but not "same seeds", "same water".
fn is_single(text: &Text) -> bool {
    let end = (0..text.tokens.len()).find(|at| lists!("( : , ; – — for in throughout", text.word(*at)));
    let end = end.unwrap_or(text.tokens.len());
    let Some(head) = (0..end).rev().map(|at| text.word(at)).find(|word| !phrases::is_empty(word)) else { return false };
    let only = (0..end).any(|at| lists!("one single", text.word(at)));
    let plural = lemma(head) != head;
    !plural && (only || !is_used_up(head))
}

impl Named {
    pub fn read(lesson: &Lesson, text: &Text) -> Option<Self> {
        let end = (0..text.tokens.len()).find(|at| lists!("( : , ; – —", text.word(*at))).unwrap_or(text.tokens.len());
        let noise = |word: &String| {
            !lists(
                "same constant keep whole entire complete full duration investigation study lesson single experiment throughout trial time used every each stay fixed lie facing straight run all test bench identical",
                word,
            )
        };
        let mut words: Vec<String> = phrases::content_words(text, 0..end).into_iter().filter(noise).collect();
        // "One layer of material" says how much of it there is.
        let layered = (2..end).any(|at| {
            text.word(at) == "material" && text.word(at - 1) == "of" && !lists("kind type sort", text.word(at - 2))
        });
        let named = |word: &&String| lists!(PROPERTIES, word) && !(layered && *word == "material");
        let mut property = words.iter().find(named).cloned();
        if property.is_none() && is_time(text, end) {
            property = Some("time".to_owned());
        }
        if words.iter().any(|word| word == "flat" || word == "level") {
            property = Some("slope".to_owned());
        }
        words.retain(|word| !lists(PROPERTIES, word) && !lists("flat level lying kept gentle steady", word));
        let independent = lesson.text(Role::Independent);
        let of_independent =
            |word: &String| independent.is_some_and(|text| text.tokens.iter().any(|token| token.lemma == *word));
        let by_person = words.iter().any(|word| lists!("person student pupil thrower dropper timer partner learner reader runner kicker roller tester child member launcher observer recorder measurer judge", word));
        if property.as_ref().is_some_and(of_independent) && words.iter().all(of_independent)
            || !by_person && property.is_none() && words.iter().any(of_independent)
        {
            return None;
        }
        (words.len() <= 5 && !(words.is_empty() && property.is_none())).then_some(Self {
            stems: words.iter().map(|word| stem(word)).collect(),
            things: words,
            property,
            by_person,
            same: (0..text.tokens.len()).any(|at| text.word(at) == "same"),
            single: is_single(text),
            varied_amount: independent.is_some_and(|text| {
                (0..text.tokens.len()).any(|at| lists!("amount volume much many number quantity mass", text.word(at)))
                    || text.tokens.iter().any(|token| token.word.starts_with(|c: char| c.is_ascii_digit()))
            }),
            tilted: independent.is_some_and(|text| (0..text.tokens.len()).any(|at| lists!(TILTS, text.word(at)))),
        })
    }

    /// Whether these tokens tell of an act that the property belongs to: "drop" of a height, "stir" of a speed.
    pub fn is_used(&self, text: &Text, mut range: Range<usize>) -> bool {
        let verbs: &[&str] = match self.property.as_deref() {
            Some("height") => &["drop", "release", "launch", "start", "let"],
            Some("time") => &["leave", "wait", "soak", "stir", "take", "remove", "shake", "boil", "lift"],
            Some("angle" | "slope" | "tilt") => &["release", "let", "swing", "launch"],
            Some("force") => &["pull", "push", "press", "stretch", "throw"],
            Some("speed") => &["stir", "blow", "push", "throw", "pour", "shake"],
            _ => return false,
        };
        range.any(|at| phrases::verb(text.word(at), verbs).is_some())
    }

    /// Whether these tokens name the thing.
    pub fn is_in(&self, text: &Text, mut range: Range<usize>) -> bool {
        range.any(|at| {
            let (lemma, word) = (text.lemma(at), text.word(at));
            let begins = |thing: &String| thing.as_bytes().first() == word.as_bytes().first();
            if !self.things.iter().chain(&self.stems).any(begins) {
                return false;
            }
            let stem = stem(word);
            self.things.iter().any(|thing| thing == lemma || *thing == stem) || self.stems.contains(&stem)
        })
    }
}

/// Whether a time is kept, "soaking time" or "time in the solution", and not "the same all the time".
fn is_time(text: &Text, end: usize) -> bool {
    (0..end).any(|at| {
        lists!("time duration", text.word(at))
            && !lists("each every the all same", text.word(at.wrapping_sub(1))) | lists!("in for of", text.word(at + 1))
            && !(at + 1..end).any(|t| lists!("day year", text.word(t)))
    })
}

/// Whether a word may be a comparative: "warmer".
pub(super) fn is_comparative(word: &str) -> bool {
    word.len() > 4
        && word.ends_with("er")
        && !lists("water other paper number timer ruler order under rubber over", word)
}
