//! Numbers: in digits, in words, as fractions and as ranges, where they stand among the tokens of a text.

use std::ops::Range;

use super::units::{self, Dimension};
use super::words::{Kind, Token};

/// A number, or a range of them, in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Numeral {
    /// The number, or where the range begins.
    pub low: f64,
    /// The number, or where the range ends.
    pub high: f64,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// Whether it is written in words.
    pub in_words: bool,
}

impl Numeral {
    /// The number, where it is no range.
    pub fn single(&self) -> Option<f64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The number as a whole one, where it is.
    pub fn whole(&self) -> Option<i64> {
        self.single().filter(|value| value.fract() == 0.0 && value.abs() < 1e9).map(|value| value as i64)
    }

    /// Its bytes in the text of these tokens.
    pub fn bytes(&self, tokens: &[Token]) -> Range<usize> {
        bytes_of(tokens, &self.tokens)
    }
}

/// The bytes from the first to the last of these tokens.
pub fn bytes_of(tokens: &[Token], range: &Range<usize>) -> Range<usize> {
    let start = tokens.get(range.start).map_or(0, |token| token.bytes.start);
    let end = range.end.checked_sub(1).and_then(|last| tokens.get(last)).map_or(start, |token| token.bytes.end);
    start..end.max(start)
}

const SMALL: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [(&str, f64); 9] = [
    ("twenty", 20.0),
    ("thirty", 30.0),
    ("forty", 40.0),
    ("fourty", 40.0),
    ("fifty", 50.0),
    ("sixty", 60.0),
    ("seventy", 70.0),
    ("eighty", 80.0),
    ("ninety", 90.0),
];
const ORDINALS: [&str; 13] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// The number that one small word names: `seven`, `nineteen`.
pub fn small_number(word: &str) -> Option<f64> {
    SMALL.iter().position(|known| *known == word).map(|position| position as f64)
}

/// The number of an ordinal: `third`, `5th`.
pub fn ordinal(tokens: &[Token], at: usize) -> Option<(i64, Range<usize>)> {
    let token = tokens.get(at)?;
    if let Some(position) = ORDINALS.iter().position(|known| token.is(known)) {
        return Some((position as i64, at..at + 1));
    }
    let ending = tokens.get(at + 1)?;
    match token.kind {
        Kind::Number(value)
            if value.fract() == 0.0
                && (0.0..1e6).contains(&value)
                && ending.is_one_of(&["st", "nd", "rd", "th"])
                && ending.bytes.start == token.bytes.end =>
        {
            Some((value as i64, at..at + 2))
        }
        _ => None,
    }
}

/// A number in the form of `written`: digits for digits, `ninth` and `9th` for ordinals, a word for a word.
pub fn in_form_of(written: &str, number: i64) -> Option<String> {
    let lower = written.to_lowercase();
    let place = usize::try_from(number).ok()?;
    if lower.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(number.to_string());
    }
    if lower.starts_with(|c: char| c.is_ascii_digit()) {
        let ending = match (number % 10, number % 100) {
            (_, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        return Some(format!("{number}{ending}"));
    }
    let word = if ORDINALS.contains(&lower.as_str()) {
        ORDINALS.get(place).map(|word| (*word).to_owned()).or_else(|| in_form_of("1st", number))?
    } else {
        match SMALL.get(place) {
            Some(word) => (*word).to_owned(),
            None => {
                let (tens, _) = TENS.iter().find(|(_, tens)| *tens as usize == place / 10 * 10)?;
                let units = SMALL.get(place % 10).filter(|_| place % 10 > 0);
                units.map_or_else(|| (*tens).to_owned(), |units| format!("{tens}-{units}"))
            }
        }
    };
    let capital = written.starts_with(char::is_uppercase);
    let first = word.chars().next().filter(|_| capital);
    Some(first.map_or_else(|| word.clone(), |first| format!("{}{}", first.to_uppercase(), word.get(1..).unwrap_or(""))))
}

fn adjacent(tokens: &[Token], first: usize) -> bool {
    matches!((tokens.get(first), tokens.get(first + 1)), (Some(a), Some(b)) if a.bytes.end == b.bytes.start)
}

/// The numeral without a range that begins at a token.
fn plain(tokens: &[Token], at: usize) -> Option<Numeral> {
    let token = tokens.get(at)?;
    match token.kind {
        Kind::Number(value) => {
            let mut end = at + 1;
            let mut amount = value;
            if let Some(part) = fraction_after(tokens, end) {
                // "1 1/2" and "1½"
                if value.fract() == 0.0 && part.0 < 1.0 {
                    (amount, end) = (value + part.0, part.1);
                }
            }
            if end == at + 1
                && let Some((denominator, after)) = slash_and_number(tokens, end)
            {
                (amount, end) = (value / denominator, after);
            }
            Some(Numeral { low: amount, high: amount, tokens: at..end, in_words: false })
        }
        Kind::Word => in_words(tokens, at),
        Kind::Sign => None,
    }
}

/// `/4` right after a number.
fn slash_and_number(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let denominator = tokens.get(at + 1)?;
    match denominator.kind {
        Kind::Number(value)
            if tokens.get(at)?.is_one_of(&["/", "⁄"])
                && adjacent(tokens, at)
                && value >= 2.0
                && value.fract() == 0.0 =>
        {
            Some((value, at + 2))
        }
        _ => None,
    }
}

/// `1/2` or `½` at a token, with the token after it.
fn fraction_after(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let token = tokens.get(at)?;
    match token.kind {
        Kind::Number(value) if value < 1.0 && !token.word.contains('.') => Some((value, at + 1)),
        Kind::Number(value) => slash_and_number(tokens, at + 1).map(|(denominator, end)| (value / denominator, end)),
        _ => None,
    }
}

fn in_words(tokens: &[Token], at: usize) -> Option<Numeral> {
    let found = |value: f64, end: usize| Some(Numeral { low: value, high: value, tokens: at..end, in_words: true });
    let token = tokens.get(at)?;
    let word = |offset: usize| tokens.get(at + offset).map_or("", |token| token.word.as_str());
    match token.word.as_str() {
        "dozen" => return found(12.0, at + 1),
        "a" if word(1) == "dozen" => return found(12.0, at + 2),
        "half" if word(1) == "a" && word(2) == "dozen" => return found(6.0, at + 3),
        "a" if word(1) == "hundred" => return found(100.0, at + 2),
        "a" if word(1) == "thousand" => return found(1000.0, at + 2),
        _ => {}
    }
    let (mut value, mut end) = match TENS.iter().find(|(known, _)| token.is(known)) {
        Some((_, tens)) => {
            let skip = if word(1) == "-" { 2 } else { 1 };
            match small_number(word(skip)).filter(|units| (1.0..10.0).contains(units)) {
                Some(units) => (tens + units, at + skip + 1),
                None => (*tens, at + 1),
            }
        }
        None => (small_number(&token.word)?, at + 1),
    };
    let next = |end: usize| tokens.get(end).map_or("", |token| token.word.as_str());
    if next(end) == "hundred" {
        value *= 100.0;
        end += 1;
        let skip = usize::from(next(end) == "and");
        if let Some(rest) = in_words(tokens, end + skip).filter(|rest| rest.low < 100.0 && !rest.tokens.is_empty()) {
            // "two hundred and one spoon" reads as 201; "two hundred and a spoon" does not.
            if skip == 1 || rest.low >= 1.0 {
                value += rest.low;
                end = rest.tokens.end;
            }
        }
    }
    if next(end) == "thousand" {
        value *= 1000.0;
        end += 1;
    }
    if next(end) == "dozen" {
        value *= 12.0;
        end += 1;
    }
    if next(end) == "and" && next(end + 1) == "a" && next(end + 2) == "half" {
        value += 0.5;
        end += 3;
    }
    found(value, end)
}

/// "Half a" of "half a cup", "a quarter of a" of "a quarter of a teaspoon": a part of one unit, and the unit behind it.
fn part_of_one(tokens: &[Token], at: usize) -> Option<Numeral> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    if !matches!(word(at), "half" | "quarter" | "a" | "an" | "one" | "two" | "three") {
        return None;
    }
    let counted = if matches!(word(at), "half" | "quarter") { at } else { at + 1 };
    let named = counted + usize::from(counted > at && word(counted) == "-");
    let (value, alone) = match (word(at), word(named)) {
        ("half" | "a" | "one", "half") => (0.5, true),
        ("quarter" | "a" | "one", "quarter") => (0.25, true),
        ("a" | "one", "third") => (1.0 / 3.0, false),
        ("two", "thirds") => (2.0 / 3.0, true),
        ("three", "quarters" | "quarter") => (0.75, true),
        ("a" | "an" | "one", "full" | "whole" | "entire") => (1.0, true),
        _ => return None,
    };
    let of = usize::from(word(named + 1) == "of");
    let article = usize::from(matches!(word(named + 1 + of), "a" | "an"));
    // "A third cup" is one more cup.
    if !alone && article == 0 {
        return None;
    }
    let end = named + 1 + of + article;
    let hyphen = usize::from(of + article == 0 && word(end) == "-");
    let unit = tokens.get(end + hyphen).filter(|token| token.is_word() && token.word.len() > 1)?;
    let substance = matches!(
        units::unit(&unit.word)?.dimension,
        Dimension::Volume | Dimension::Mass | Dimension::Length | Dimension::Spoons | Dimension::Time
    );
    substance.then_some(Numeral { low: value, high: value, tokens: at..end, in_words: true })
}

/// The numeral that begins at a token: `7`, `twenty-five`, `1 1/2`, `2-3`, `four to six`, `between 5 and 10`.
pub fn numeral(tokens: &[Token], at: usize) -> Option<Numeral> {
    let token = tokens.get(at)?;
    if token.is("between") {
        let low = plain(tokens, at + 1)?;
        let high =
            plain(tokens, low.tokens.end + 1).filter(|_| tokens.get(low.tokens.end).is_some_and(|t| t.is("and")))?;
        return Some(Numeral { low: low.low, high: high.high, tokens: at..high.tokens.end, in_words: low.in_words });
    }
    if let Some(part) = part_of_one(tokens, at) {
        return Some(part);
    }
    let low = plain(tokens, at)?;
    let between = tokens.get(low.tokens.end);
    let ranged = between.is_some_and(|token| token.is_one_of(&["-", "–", "—", "to", "or"]));
    if !ranged {
        return Some(low);
    }
    match plain(tokens, low.tokens.end + 1) {
        Some(high) if high.low > low.low => {
            Some(Numeral { low: low.low, high: high.low, tokens: at..high.tokens.end, in_words: low.in_words })
        }
        _ => Some(low),
    }
}

/// All numerals of a text in order; none within another.
pub fn numerals(tokens: &[Token]) -> Vec<Numeral> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match numeral(tokens, at) {
            Some(numeral) => {
                at = numeral.tokens.end.max(at + 1);
                found.push(numeral);
            }
            None => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::words::tokens;
    use super::*;

    fn read(text: &str) -> Vec<(f64, f64)> {
        numerals(&tokens(text, 100)).into_iter().map(|n| (n.low, n.high)).collect()
    }

    #[test]
    fn numbers_are_read_in_digits_in_words_and_as_fractions() {
        assert_eq!(read("7 of 1,200 and 2.5"), [(7.0, 7.0), (1200.0, 1200.0), (2.5, 2.5)]);
        assert_eq!(read("twenty-five, two hundred and six, a dozen"), [(25.0, 25.0), (206.0, 206.0), (12.0, 12.0)]);
        assert_eq!(
            read("1 1/2 cups, 1½ cups, 3/4 cup, two and a half"),
            [(1.5, 1.5), (1.5, 1.5), (0.75, 0.75), (2.5, 2.5)]
        );
    }

    #[test]
    fn a_part_of_a_unit_is_a_number() {
        assert_eq!(
            read("half a cup, a quarter of a teaspoon, three-quarters of a litre, a quarter teaspoon"),
            [(0.5, 0.5), (0.25, 0.25), (0.75, 0.75), (0.25, 0.25)]
        );
        assert_eq!(read("half a minute, a full metre"), [(0.5, 0.5), (1.0, 1.0)]);
        assert_eq!(read("half a lesson, half of the class, a third cup, a full moon"), []);
    }

    #[test]
    fn ranges_have_both_ends() {
        assert_eq!(read("2-3 drops, four to six, between 5 and 10"), [(2.0, 3.0), (4.0, 6.0), (5.0, 10.0)]);
        assert_eq!(read("10 to 2"), [(10.0, 10.0), (2.0, 2.0)]);
    }

    #[test]
    fn a_number_takes_the_form_of_another() {
        for (written, number, form) in [
            ("9", 5, "5"),
            ("9th", 2, "2nd"),
            ("Ninth", 4, "Fourth"),
            ("eight", 24, "twenty-four"),
            ("six", 30, "thirty"),
        ] {
            assert_eq!(in_form_of(written, number).as_deref(), Some(form), "{written}");
        }
    }

    #[test]
    fn ordinals_are_no_numbers_but_have_one() {
        let text = tokens("the third and the 5th", 9);
        assert_eq!(ordinal(&text, 1).map(|(n, _)| n), Some(3));
        assert_eq!(ordinal(&text, 4).map(|(n, _)| n), Some(5));
    }
}
