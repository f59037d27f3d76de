//! Terms: the amounts of a calculation in a text, and the signs and words between them.

use std::ops::Range;

use super::lesson::Text;
use super::units::{Dimension, Unit};
use super::{numbers, quantities};

/// What ends a group of words about an amount: after it, the amount is one of something else.
const ENDERS: &[&str] = &[
    "a",
    "an",
    "you",
    "we",
    "they",
    "it",
    "he",
    "she",
    "this",
    "these",
    "those",
    "there",
    "who",
    "what",
    "where",
    "get",
    "have",
    "hold",
    "take",
    "holding",
    "containing",
    "lasting",
    "taking",
    "for",
    "to",
    "at",
    "from",
    "per",
    "each",
    "every",
    "if",
    "then",
    "or",
    "when",
    "until",
    "about",
    "but",
    "after",
    "before",
    "while",
    "than",
    "that",
    "which",
    "so",
    "by",
    "on",
    "in",
    "into",
    "is",
    "are",
    "make",
    "makes",
    "give",
    "gives",
    "and",
    "with",
    "as",
];

/// An amount in a text: a number, its unit, and what it counts.
#[derive(Debug, Clone)]
pub struct Amount {
    /// The number.
    pub value: f64,
    /// Half of what its last digit stands for.
    pub slack: f64,
    /// In what it is given.
    pub unit: Option<Unit>,
    /// The thing counted, in the form in which nouns are compared.
    pub noun: Option<String>,
    /// The tokens of the number.
    pub number: Range<usize>,
    /// The tokens of all that belongs to it.
    pub tokens: Range<usize>,
}

impl Amount {
    /// The amount in the base unit; a temperature as a difference of two.
    pub fn in_base(&self) -> f64 {
        self.value * self.unit.map_or(1.0, |unit| unit.factor)
    }

    /// What it measures.
    pub fn dimension(&self) -> Option<Dimension> {
        self.unit.map(|unit| unit.dimension)
    }
}

/// The amount that begins at a token; none where the number is a range, a label or a part of a sign.
pub fn amount(text: &Text, at: usize) -> Option<Amount> {
    let touches = |first: usize| matches!((text.tokens.get(first), text.tokens.get(first + 1)), (Some(a), Some(b)) if a.bytes.end == b.bytes.start);
    let before = at.checked_sub(1).filter(|before| touches(*before)).map_or("(", |before| text.word(before));
    if !matches!(before, "(" | "=" | "+" | "×" | "\"" | "“" | "‘" | "'" | "—" | "÷" | "*") {
        return None;
    }
    let numeral = numbers::numeral(&text.tokens, at)?;
    let value = numeral.single()?;
    let written = text.words(&numeral.tokens);
    let decimals = written.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(9));
    let slack =
        if written.contains(['/', '½', '¼', '¾', '⅓', '⅔']) { 0.0 } else { 0.5 * 0.1_f64.powi(decimals as i32) };
    let (unit, mut end) = match quantities::unit_at(text.text, &text.tokens, numeral.tokens.end) {
        // Drops, spoons and cups are counted as things are.
        Some((_, end)) if matches!(text.lemma(end.saturating_sub(1)), "drop" | "spoon" | "cup") => (None, end - 1),
        Some((unit, end)) => (Some(unit), end),
        None => (None, numeral.tokens.end),
    };
    // "10th", "2H", "400×": a sign that the number is a part of.
    let glued =
        touches(end.saturating_sub(1)) && !text.word(end).chars().all(|sign| ",.;:!?)+=−–—*/\"”".contains(sign));
    if glued {
        return None;
    }
    let mut noun = None;
    for _ in 0..4 {
        let Some(token) = text.tokens.get(end).filter(|token| token.is_word()) else { break };
        if operator(text, end).is_some()
            || total_at(text, end)
            || ENDERS.contains(&token.word.as_str())
            || numbers::numeral(&text.tokens, end).is_some()
        {
            break;
        }
        let of = token.is("of");
        let counted = text.tokens.get(end + 1).is_some_and(|next| next.is_word() && !next.is_one_of(&["each", "the"]));
        if of && (!counted || numbers::numeral(&text.tokens, end + 1).is_some()) {
            break;
        }
        if !of && unit.is_none() {
            noun = Some(token.lemma.clone());
        }
        end += 1;
        if text.tokens.get(end).is_none_or(|next| !next.is_word()) {
            break;
        }
    }
    Some(Amount { value, slack, unit, noun, tokens: numeral.tokens.start..end, number: numeral.tokens })
}

/// What is done with two amounts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Operator {
    /// `+`, `plus`
    Plus,
    /// `-`, `minus`
    Minus,
    /// `×`, `times`
    Times,
    /// `÷`, `divided by`
    Over,
}

/// The operator at a token, and the token after it.
pub fn operator(text: &Text, at: usize) -> Option<(Operator, usize)> {
    let spaced = || {
        let token = text.tokens.get(at)?;
        let before = text.tokens.get(at.checked_sub(1)?)?;
        let after = text.tokens.get(at + 1)?;
        Some(before.bytes.end < token.bytes.start && token.bytes.end < after.bytes.start)
    };
    Some(match text.word(at) {
        "+" | "plus" => (Operator::Plus, at + 1),
        "−" | "minus" => (Operator::Minus, at + 1),
        "-" | "–" if spaced() == Some(true) => (Operator::Minus, at + 1),
        "×" | "*" => (Operator::Times, at + 1),
        // "3 times from each height" counts.
        "times" if numbers::numeral(&text.tokens, at + 1).is_some() => (Operator::Times, at + 1),
        "x" if spaced() == Some(true) => (Operator::Times, at + 1),
        "multiplied" if text.word(at + 1) == "by" => (Operator::Times, at + 2),
        "÷" => (Operator::Over, at + 1),
        "divided" if text.word(at + 1) == "by" => (Operator::Over, at + 2),
        _ => return None,
    })
}

/// What says that the calculation is done.
#[derive(Debug)]
pub struct Link {
    /// The token after it.
    pub end: usize,
    /// Whether it states the result by itself; otherwise a word of a total must follow.
    pub states: bool,
}

/// The link at a token: `=`, `which makes a total of`, `: `
pub fn link(text: &Text, at: usize) -> Option<Link> {
    let mut end = at;
    let mut loose = false;
    let mut states = false;
    // ", which makes a total of", " = ", ": ", " (so ", " together is "
    for _ in 0..6 {
        match text.word(end) {
            "so" => (loose, states) = (true, states || numbers::numeral(&text.tokens, end + 1).is_some()),
            "," | ":" | "(" | "—" | "–" | "or" | "hence" | "thus" => loose = true,
            "which" | "that" | "together" | "they" | "this" | "it" | "we" | "you" | "get" | "have" | "up" | "to"
            | "a" | "of" | "exactly" | "in" | "all"
                if loose || states || matches!(text.word(end), "together" | "which" | "that" | "in" | "all") => {}
            "=" | "is" | "are" | "makes" | "make" | "making" | "gives" | "give" | "giving" | "equals" | "equal"
            | "totals" | "totalling" | "totaling" | "means" | "mean" | "yields" | "yield" | "comes" | "come"
            | "adds" | "add" | "total" => states = true,
            "for" if text.has_at(end + 1, &["a", "total", "of"]) => states = true,
            _ => break,
        }
        end += 1;
    }
    (loose || states).then_some(Link { end, states })
}

/// Words after a result that make it a total.
pub fn total_at(text: &Text, at: usize) -> bool {
    ["altogether", "overall", "together"].contains(&text.word(at))
        || ["all", "total", "sum"].contains(&text.word(at + 1)) && text.word(at) == "in"
        || text.word(at) == "total"
        || text.has_at(at, &["all", "told"])
}

/// Whether nothing more is said of the amount before this token.
pub fn ends_at(text: &Text, at: usize) -> bool {
    total_at(text, at)
        || matches!(text.word(at), "" | "." | "," | ";" | ":" | ")" | "!" | "and" | "so" | "—" | "”" | "\"")
}
