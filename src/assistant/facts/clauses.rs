//! Clauses: for every word of a text, where its clause begins and ends, and what is said of it before it comes.
//!
//! Read for a whole text in one pass there and one back, so that a sentence without an end costs no more than others.

use super::lesson::Text;
use super::lists::{List, list};
use super::phrases::is_denial;

/// Words of what may not be.
static FANCY: List = list!("suppose imagine would could might pretend why");

/// What stands around a token.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around {
    /// Where its clause begins: after the last sign or contrast, or with its sentence.
    pub start: usize,
    /// Where its clause ends: before the next sign or contrast, or with its sentence.
    pub end: usize,
    /// The last word before it in its clause that denies what follows.
    pub denial: Option<usize>,
    /// Whether it is said of a case that may not be.
    pub supposed: bool,
    /// Whether its sentence asks something.
    pub asked: bool,
}

/// What stands around each token of a text, and around its end.
pub(super) fn read(text: &Text) -> Vec<Around> {
    let length = text.tokens.len();
    let mut all = vec![Around::default(); length + 1];
    let sentences = text.sentences();
    // Before the first token nothing was seen; what stands beyond the end counts to a sentence of all tokens.
    let (mut sign, mut comma, mut denial, mut condition, mut fancy) = (None, None, None, None, None);
    let starts = sentences.iter().flat_map(|sentence| sentence.clone().map(|_| sentence.start)).chain([0]);
    for ((at, around), sentence) in all.iter_mut().enumerate().zip(starts) {
        let since = |place: usize| move |seen: &usize| *seen >= place;
        around.start = sign.filter(since(sentence)).map_or(sentence, |sign| sign + 1);
        around.denial = denial.filter(since(around.start));
        // "If it runs low, top it up" is an order all the same.
        let clause = comma.filter(since(sentence)).unwrap_or(sentence);
        around.supposed =
            condition.is_some_and(|seen: usize| seen >= clause) || fancy.is_some_and(|f: usize| f >= sentence);
        let word = text.word(at);
        let see = |seen: &mut Option<usize>, is: bool| *seen = if is { Some(at) } else { *seen };
        see(&mut sign, matches!(word, "," | ";" | ":" | "!" | "?" | "(" | ")" | "–" | "—" | "but" | "…"));
        see(&mut comma, word == ",");
        see(&mut denial, is_denial(word));
        see(&mut condition, matches!(word, "if" | "unless"));
        see(&mut fancy, FANCY.has(word));
    }
    for sentence in sentences {
        let (mut end, mut asked) = (sentence.end, false);
        for at in sentence.rev() {
            let word = text.word(at);
            if matches!(word, "," | ";" | ":" | "." | "!" | "?" | "(" | ")" | "–" | "—" | "but") {
                end = at;
            }
            asked |= word == "?";
            if let Some(around) = all.get_mut(at) {
                (around.end, around.asked) = (end, asked);
            }
        }
    }
    all
}
