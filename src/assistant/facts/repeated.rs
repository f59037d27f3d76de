//! What is done so many times: "stir it 30 times", "pour it through twice".

use super::beside::clause;
use super::nouns::{self, Phrase};
use super::numbers::Numeral;
use super::words::Token;

/// What is done so many times: of "stir it 30 times" it is `stir`.
pub(super) fn repeated(tokens: &[Token], numeral: &Numeral) -> Option<Phrase> {
    const DONE: [&str; 40] = [
        "stir", "shake", "press", "pump", "swirl", "squeeze", "tap", "dip", "flip", "fold", "rub", "stroke", "clap",
        "jump", "push", "blow", "spray", "swing", "spin", "invert", "knead", "bend", "pour", "dunk", "wipe", "scrub",
        "brush", "pluck", "strike", "knock", "puff", "pull", "lift", "twist", "sweep", "hit", "scratch", "rinse",
        "wave", "sniff",
    ];
    // Each time of these is a trial; what is repeated so often is done once more than that.
    const TRIED: [&str; 11] = ["go", "roll", "drop", "releas", "launch", "throw", "run", "try", "test", "toss", "race"];
    let times = numeral.tokens.end;
    let more = tokens.get(times + 1).is_some_and(|token| {
        token.is_one_of(&["as", "the", "more", "its", "faster", "larger", "bigger", "stronger", "longer", "a"])
    });
    if !tokens.get(times)?.is("times") || more {
        return None;
    }
    let whole = clause(tokens, &numeral.tokens);
    let verb = |at: usize| {
        let stem = nouns::stem(&tokens.get(at)?.word);
        let head = match stem.as_str() {
            "repeat" => Some("repetition"),
            "wind" | "wound" | "wrap" | "coil" => Some("turn"),
            tried if TRIED.contains(&tried) => Some("trial"),
            stem => DONE.into_iter().find(|done| nouns::stem(done) == stem),
        };
        head.map(|head| Phrase { head: head.to_owned(), modifiers: Vec::new(), tokens: numeral.tokens.end..times + 1 })
    };
    (whole.start..numeral.tokens.start).rev().find_map(verb)
}
