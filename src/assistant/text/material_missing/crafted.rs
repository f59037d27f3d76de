//! Things that a lesson makes, draws, or has as stuff of which there is some: words around a name tell.

use super::USING;
use crate::assistant::facts::lesson::Text;
use crate::assistant::facts::words::Token;

/// Whether things are cut and glued, which become another.
pub fn is_crafted(step: &Text) -> bool {
    step.tokens
        .iter()
        .any(|token| token.is_one_of(&["cut", "fold", "glue", "assemble", "punch", "slit", "build", "make"]))
}

/// "Build a thermometer"
pub fn is_made(step: &Text, at: usize) -> bool {
    const MAKING: [&str; 9] =
        ["make", "build", "construct", "assemble", "create", "becomes", "turn", "invent", "homemade"];
    (at.saturating_sub(5)..at).any(|before| MAKING.contains(&step.word(before)))
}

/// "Draw a lamp, a battery and a switch" handles none of them.
pub fn is_drawn(words: &[Token], at: usize) -> bool {
    const DRAWN: [&str; 8] = ["draw", "sketch", "label", "name", "list", "picture", "describe", "write"];
    let before = words.get(..at).unwrap_or_default();
    before.first().is_some_and(|first| first.is_one_of(&DRAWN))
        && !before
            .iter()
            .any(|token| USING.contains(token.word.as_str()) || token.is_one_of(&["then", "on", "around", ";"]))
}

/// "Through filter paper" needs no article.
pub fn is_stuff(name: &str) -> bool {
    ["paper", "foil", "film", "wrap", "tape", "wool"].iter().any(|stuff| name.ends_with(stuff))
}
