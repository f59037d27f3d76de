//! Quantities: numbers with a unit, where they stand in a text.

use std::ops::Range;

use super::numbers::Numeral;
use super::units::{self, Dimension, Unit};
use super::words::{Kind, Token};

/// A number, or a range of them, with a unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The number as it is written.
    pub numeral: Numeral,
    /// What it measures.
    pub unit: Unit,
    /// The least it can be, in the base unit.
    pub low: f64,
    /// The most it can be, in the base unit.
    pub high: f64,
    /// The tokens of number and unit.
    pub tokens: Range<usize>,
}

impl Quantity {
    /// What it measures.
    pub fn dimension(&self) -> Dimension {
        self.unit.dimension
    }

    /// Whether both can be the same amount, give or take a hundredth.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let slack = 0.01 * self.high.abs().max(other.high.abs());
        self.low <= other.high + slack && other.low <= self.high + slack
    }
}

/// The unit that is written at a token, and the token after it.
pub fn unit_at(text: &str, tokens: &[Token], at: usize) -> Option<(Unit, usize)> {
    let token = tokens.get(at)?;
    let written = |token: &Token| text.get(token.bytes.clone()).unwrap_or_default().to_owned();
    let next = tokens.get(at + 1);
    if token.is_one_of(&["°", "º"]) || token.is_one_of(&["degree", "degrees", "deg"]) {
        let scale = next.and_then(|next| units::temperature(&next.word));
        return match scale {
            Some(unit) => Some((unit, at + 2)),
            None => units::unit("degree").map(|unit| (unit, at + 1)),
        };
    }
    if token.is("℃") {
        return units::temperature("c").map(|unit| (unit, at + 1));
    }
    if token.is("fl") && next.is_some_and(|next| next.is("oz") || next.is(".")) {
        let end = (at + 1..at + 4).find(|i| tokens.get(*i).is_some_and(|token| token.is("oz")))?;
        return Some((Unit { dimension: Dimension::Volume, factor: 29.5735, offset: 0.0 }, end + 1));
    }
    if let Some(unit) = inches_at(tokens, at) {
        return Some((unit, at + 1));
    }
    let close =
        |i: usize| matches!((tokens.get(i), tokens.get(i + 1)), (Some(a), Some(b)) if a.bytes.end == b.bytes.start);
    // "cm3", "cm³", "mol/L", "m/s": what is written together is looked up together first.
    let joined_to = (at..at + 4).take_while(|i| close(*i)).last().map_or(at + 1, |last| last + 2);
    for end in (at + 2..=joined_to).rev() {
        let joined: String = tokens.get(at..end)?.iter().map(written).collect();
        if joined.chars().any(|c| !c.is_alphabetic())
            && let Some(unit) = units::unit(&joined)
        {
            return Some((unit, end));
        }
    }
    if token.kind == Kind::Sign && !token.is("%") && !token.is("ω") {
        return None;
    }
    let unit = units::unit(&written(token))?;
    // "m²" is no length, "g/mL" no mass, "N/m" no force.
    let powered = close(at)
        && next.is_some_and(|next| next.is_one_of(&["²", "³", "/", "^"]) || matches!(next.kind, Kind::Number(_)));
    // "2 g per pot" is so much of each.
    let of_unit = |token: &Token| !token.is_one_of(&["cup", "spoon"]) && units::unit(&token.word).is_some();
    let rate = next.is_some_and(|next| next.is("per")) && tokens.get(at + 2).is_some_and(of_unit);
    (!powered && !rate).then_some((unit, at + 1))
}

/// Those of the numerals of a text that have a unit, in order.
pub fn with_units(text: &str, tokens: &[Token], numerals: &[Numeral]) -> Vec<Quantity> {
    let mut found = Vec::new();
    for numeral in numerals {
        let end = numeral.tokens.end;
        // "20-minute", "20–cm"
        let at = if tokens.get(end).is_some_and(|token| token.is_one_of(&["-", "–"])) { end + 1 } else { end };
        // "three full minutes"
        let at =
            if tokens.get(at).is_some_and(|token| token.is_one_of(&["full", "whole", "entire"])) { at + 1 } else { at };
        // "Mark one C and one A" marks no charge.
        let letter = |token: &Token| {
            let written = text.get(token.bytes.clone()).unwrap_or_default();
            written.len() == 1 && written.starts_with(|c: char| c.is_ascii_uppercase())
        };
        if numeral.in_words && tokens.get(at).is_some_and(letter) {
            continue;
        }
        if let Some((unit, end)) = unit_at(text, tokens, at) {
            found.push(quantity(numeral.clone(), unit, end));
        }
    }
    found
}

/// Inches in short: "(12 in.)", "12 in long", "a 12-in string", "length: 12 in", "12″". "Put 12 in" has none.
fn inches_at(tokens: &[Token], at: usize) -> Option<Unit> {
    let is = |at: usize, words: &[&str]| tokens.get(at).is_some_and(|token| token.is_one_of(words));
    const LONG: [&str; 9] = ["length", "height", "width", "distance", "long", "wide", "high", "deep", "diameter"];
    let joined = is(at.checked_sub(1)?, &["-", "–"]);
    let number = tokens.get(at.checked_sub(1 + usize::from(joined))?)?;
    let stop = at + 1 + usize::from(is(at + 1, &["."]));
    let ends = stop >= tokens.len() || is(stop, &[")", ",", ";"]);
    let of_length = || (at.saturating_sub(9)..at).any(|at| is(at, &LONG));
    let inches = joined && !is(at + 1, &["-", "–"]) || is(stop, &LONG) || ends && of_length();
    let written = matches!(number.kind, Kind::Number(_)) && (is(at, &["″"]) || is(at, &["in"]) && inches);
    units::unit("inch").filter(|_| written)
}

fn quantity(numeral: Numeral, unit: Unit, end: usize) -> Quantity {
    let (low, high) = (unit.to_base(numeral.low), unit.to_base(numeral.high));
    let tokens = numeral.tokens.start..end;
    Quantity { numeral, unit, low: low.min(high), high: low.max(high), tokens }
}

#[cfg(test)]
mod tests {
    use super::super::numbers::numerals;
    use super::super::words::tokens;
    use super::*;

    fn quantities(text: &str) -> Vec<Quantity> {
        let tokens = tokens(text, 100);
        with_units(text, &tokens, &numerals(&tokens))
    }

    fn read(text: &str) -> Vec<(Dimension, f64)> {
        quantities(text).into_iter().map(|q| (q.dimension(), q.low)).collect()
    }

    #[test]
    fn a_number_with_a_unit_is_a_quantity() {
        assert_eq!(read("Add 50mL and 0.5 kg"), [(Dimension::Volume, 50.0), (Dimension::Mass, 500.0)]);
        assert_eq!(read("at 20 °C or 68 degrees Fahrenheit").len(), 2);
        assert_eq!(read("a 40-minute lesson of two hours"), [(Dimension::Time, 2400.0), (Dimension::Time, 7200.0)]);
        assert_eq!(read("25 cm3 of 0.5 mol/dm3 acid"), [(Dimension::Volume, 25.0), (Dimension::Concentration, 0.5)]);
        for inches in ["length of the strings (12 in.)", "a 12-in string", "12 in. long", "12″", "width: 12 in"] {
            assert_eq!(read(inches).len(), 1, "{inches}");
        }
        assert_eq!(read("Put 12 in the box. Push all 12 in. 12-in-a-row; twelve in"), []);
        assert_eq!(read("5 m², 3 g/mL, 9 beakers"), []);
    }

    #[test]
    fn amounts_are_compared_in_one_unit() {
        let both = |one: &str, other: &str| {
            let read = |text: &str| quantities(text).remove(0);
            read(one).agrees_with(&read(other))
        };
        assert!(both("500 g", "0.50 kg"));
        assert!(both("60 bpm", "1 Hz"));
        assert!(both("2-3 cm", "25 mm"));
        assert!(!both("50 mL", "75 mL"));
    }
}
