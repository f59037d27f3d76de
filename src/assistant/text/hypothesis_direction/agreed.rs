//! What is said to agree with the hypothesis, and pairs its cause with the other effect.
//!
//! The hypothesis pairs two things that go one way each; whatever the order of words, what agrees with it must pair
//! them in the same way.

use std::ops::Range;

use super::marks::{Mark, marks, words};
use crate::assistant::facts::directions::without_reason;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::phrases::lists;
use crate::assistant::facts::poles::Dimension;

/// What a hypothesis pairs.
pub(super) struct Paired {
    pairs: Vec<(Mark, Mark)>,
    compared: Vec<Compared>,
    alone: Vec<(Mark, Vec<String>)>,
}

/// What goes one way for one of two things.
struct Compared {
    mark: Mark,
    one: Vec<String>,
    other: Vec<String>,
}

/// Words that turn what is said of an amount into its opposite.
const TURNING: &str = "left remaining remain remains remained reflect reflected reflects lose loses lost losing loss missing drop \
    wasted still keep kept keeps hold held retain retains retained resist resists resisted between closed spread";

impl Paired {
    pub fn read(hypothesis: &Text) -> Self {
        let mut read = Self { pairs: Vec::new(), compared: Vec::new(), alone: Vec::new() };
        for sentence in hypothesis.sentences() {
            let said = without_reason(hypothesis, sentence);
            let until = said.clone().find(|at| lists("until before so", hypothesis.word(*at))).unwrap_or(said.end);
            read.of(hypothesis, &(said.start..until));
        }
        read
    }

    fn of(&mut self, text: &Text, said: &Range<usize>) {
        let than = said.clone().find(|at| text.word(*at) == "than");
        let first = said.start..than.unwrap_or(said.end);
        let mut known = marks(text, first.clone());
        let rest = than.map(|than| than + 1..said.end);
        if let Some(rest) = &rest {
            let turned = marks(text, rest.clone());
            if turned.len() > 1 {
                return;
            }
            // "Faster in hot water than in cold water"
            let opposed = |mark: &Mark| turned.iter().any(|other| same(mark, other) && mark.up != other.up);
            if !turned.is_empty() && !known.iter().any(opposed) {
                return;
            }
        }
        if known.len() == 3 {
            known.retain(|mark| !mark.plain);
        }
        match &known[..] {
            [one, other] if !same(one, other) => self.pairs.push((one.clone(), other.clone())),
            [mark] if !mark.plain => match rest {
                Some(rest) => {
                    let (mut one, mut other) = (words(text, first), words(text, rest));
                    let shared: Vec<String> = one.iter().filter(|word| other.contains(word)).cloned().collect();
                    one.retain(|word| !shared.contains(word) && !mark.of.contains(word));
                    other.retain(|word| !shared.contains(word));
                    if !one.is_empty() && !other.is_empty() {
                        self.compared.push(Compared { mark: mark.clone(), one, other });
                    }
                }
                None => self.alone.push((mark.clone(), words(text, first))),
            },
            _ => {}
        }
    }

    /// Whether a sentence that says that it agrees pairs things the other way; `None` where it does not tell.
    pub fn is_turned_round(&self, text: &Text, sentence: &Range<usize>) -> Option<bool> {
        if self.pairs.is_empty() && self.compared.is_empty() && self.alone.is_empty() {
            return None;
        }
        let pieces = pieces(text, sentence);
        let mut turned = None;
        for (index, piece) in pieces.iter().enumerate() {
            let first = before_comparison(text, piece);
            let mut said = marks(text, first.clone());
            let mut verdict = self.verdict(text, &first, &said);
            // "As the string got longer, each swing was over sooner"
            if verdict.is_none()
                && let Some(next) = pieces.get(index + 1).filter(|next| text.word(next.start.wrapping_sub(1)) == ",")
            {
                said.extend(marks(text, before_comparison(text, next)));
                verdict = self.paired(&said);
            }
            match verdict {
                Some(true) => turned = Some(true),
                Some(false) => return Some(false),
                None => {}
            }
        }
        turned
    }

    /// Whether marks that are said together are paired the other way; `None` where they are not the ones predicted.
    fn paired(&self, said: &[Mark]) -> Option<bool> {
        self.pairs.iter().find_map(|(one, other)| {
            let only = |known: &Mark| {
                let mut all = said.iter().filter(|mark| same(known, mark));
                all.next().filter(|_| all.next().is_none())
            };
            let (first, second) = (only(one)?, only(other)?);
            if first.plain && second.plain {
                return None;
            }
            Some((one.up == other.up) != (first.up == second.up))
        })
    }

    fn verdict(&self, text: &Text, piece: &Range<usize>, said: &[Mark]) -> Option<bool> {
        if let Some(verdict) = self.paired(said) {
            return Some(verdict);
        }
        if piece.clone().any(|at| lists(TURNING, text.word(at))) {
            return None;
        }
        let spoken = words(text, piece.clone());
        let shares = |known: &[String]| known.iter().any(|word| spoken.contains(word));
        let compared = self.compared.iter().find_map(|known| {
            let mark = said.iter().find(|mark| !mark.plain && same(&known.mark, mark))?;
            let (one, other) = (shares(&known.one), shares(&known.other));
            let swapped = match (one, other) {
                (_, true) => true,
                (true, false) => false,
                _ => return None,
            };
            Some((mark.up == known.mark.up) == swapped)
        });
        compared.or_else(|| self.contradicted(text, piece, said, &spoken))
    }

    /// "Exercise will raise the pulse rate", and "the heart rate fell the harder they exercised".
    fn contradicted(&self, text: &Text, piece: &Range<usize>, said: &[Mark], spoken: &[String]) -> Option<bool> {
        self.alone.iter().find_map(|(known, words)| {
            let mark = said.iter().find(|mark| !mark.plain && same(known, mark))?;
            let causes: Vec<&String> = words.iter().filter(|word| !known.of.contains(word)).collect();
            let shared = causes.iter().filter(|word| spoken.contains(word)).count();
            let others = said.iter().filter(|mark| !same(known, mark)).all(|mark| mark.up);
            let over = piece.clone().any(|at| lists("again rest rested after stopped only plain other", text.word(at)));
            if mark.up == known.up {
                return Some(false);
            }
            (shared * 2 >= causes.len().max(1) && others && !over).then_some(true)
        })
    }
}

/// Whether two marks are of the same, whichever way.
fn same(one: &Mark, other: &Mark) -> bool {
    let lengths = |dimension| matches!(dimension, Dimension::Length | Dimension::Distance);
    let dimension = one.dimension == other.dimension || lengths(one.dimension) && lengths(other.dimension);
    dimension && (one.dimension != Dimension::Amount || one.of.iter().any(|noun| other.of.contains(noun)))
}

/// The part of a piece before what it is compared with.
fn before_comparison(text: &Text, piece: &Range<usize>) -> Range<usize> {
    let begins = |at: &usize| {
        text.word(*at) == "than"
            || text.word(*at) == "as" && lists("to on in from at for", text.word(at + 1)) && *at > piece.start + 2
            || lists("compared unlike against", text.word(*at)) && *at > piece.start
    };
    piece.start..piece.clone().find(begins).unwrap_or(piece.end)
}

/// The pieces of a sentence that may pair something.
fn pieces(text: &Text, sentence: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = sentence.start;
    for at in sentence.clone() {
        let signs = lists(", ; : ( ) – — . ! ? and while whereas but \" ' “ ” ‘ ’", text.word(at));
        let tells = lists("that because since", text.word(at)) && at > sentence.start;
        // "Faster and faster" is one piece.
        let repeated = text.word(at) == "and" && text.word(at.wrapping_sub(1)) == text.word(at + 1);
        if signs && !repeated || tells {
            found.push(start..at);
            start = at + 1;
        }
    }
    found.push(start..sentence.end);
    found.retain(|piece| piece.len() > 1);
    found
}
