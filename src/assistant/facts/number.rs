//! Reads and writes numbers as they appear in texts: digits, fractions, words and ordinals.

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
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ORDINALS: [&str; 13] = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
];

/// The pattern of a cardinal number: `1,000`, `2.5`, `1/2`, `½`, `twenty-five`.
pub const CARDINAL: &str = r"(?: \d{1,3}(?:,\d{3})+ | \d+\s\d/\d | \d+(?:\.\d+|/\d+|\s?[½¼¾⅓⅔])? | [½¼¾⅓⅔]
    | (?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[-\s](?:one|two|three|four|five|six|seven|eight|nine)\b)?
    | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen | eleven | twelve | one | two | three | four
    | five | six | seven | eight | nine | ten )";

/// The pattern of an ordinal number: a word up to `twelfth`, or up to two digits, such as `3rd` or `25th`.
pub const ORDINAL: &str = r"(?: first | second | third | fourth | fifth | sixth | seventh | eighth | ninth | tenth | eleventh | twelfth
    | \d{1,2}(?:st|nd|rd|th) )";

/// Returns the value of a number that [`CARDINAL`] or [`ORDINAL`] matched: 25 for `twenty-five`, 0.5 for `1/2`.
pub fn value(written: &str) -> Option<f64> {
    let lower = written.to_lowercase();
    let place = |list: &[&str], word: &str| list.iter().position(|known| !known.is_empty() && *known == word);
    if let Some(ordinal) = place(&ORDINALS, &lower) {
        return Some(ordinal as f64);
    }
    if lower.starts_with(|c: char| c.is_ascii_digit() || "½¼¾⅓⅔".contains(c)) {
        return digits(lower.trim_end_matches(|c: char| c.is_ascii_alphabetic()));
    }
    let mut words = lower.split(['-', ' ', '\u{a0}']);
    let first = words.next()?;
    let tens = place(&TENS, first).map(|tens| tens * 10);
    let rest = words.next().map(|word| place(&SMALL, word));
    match (tens, rest) {
        (Some(tens), Some(units)) => units.map(|units| (tens + units) as f64),
        (Some(tens), None) => Some(tens as f64),
        (None, _) => place(&SMALL, first).map(|small| small as f64),
    }
}

/// Returns the value of a written number. Returns `None` if the value is not whole, or is a million or more.
pub fn whole(written: &str) -> Option<i64> {
    value(written).filter(|value| value.fract() == 0.0 && value.abs() < 1e6).map(|value| value as i64)
}

fn digits(written: &str) -> Option<f64> {
    let fraction = |c: char| {
        Some(match c {
            '½' => 0.5,
            '¼' => 0.25,
            '¾' => 0.75,
            '⅓' => 1.0 / 3.0,
            '⅔' => 2.0 / 3.0,
            _ => return None,
        })
    };
    if let Some(part) = written.chars().next_back().and_then(fraction) {
        let whole = written.trim_end_matches(|c| fraction(c).is_some()).trim();
        return if whole.is_empty() { Some(part) } else { whole.parse::<f64>().ok().map(|whole| whole + part) };
    }
    if let Some((over, under)) = written.split_once('/') {
        let (whole, over) = over.split_once(' ').unwrap_or(("0", over));
        let (whole, over, under): (f64, f64, f64) = (whole.parse().ok()?, over.parse().ok()?, under.parse().ok()?);
        return (under > 0.0).then(|| whole + over / under);
    }
    written.replace(',', "").parse().ok()
}

/// Writes `number` in the style of `like`: in digits, as an ordinal (`9th` or `ninth`), or as a word. Uses digits if
/// there is no word, as for 100.
pub fn written_like(like: &str, number: i64) -> String {
    let lower = like.to_lowercase();
    let index = usize::try_from(number).unwrap_or(usize::MAX);
    let word = if ORDINALS.contains(&lower.as_str()) {
        ORDINALS.get(index).map(|word| (*word).to_owned())
    } else if lower.starts_with(|c: char| c.is_ascii_digit()) {
        lower.ends_with(|c: char| c.is_ascii_alphabetic()).then(|| nth(number))
    } else {
        let units = SMALL.get(index % 10).filter(|_| index % 10 > 0);
        let tens = TENS.get(index / 10).filter(|tens| !tens.is_empty());
        let compound = tens.map(|tens| units.map_or_else(|| (*tens).to_owned(), |units| format!("{tens}-{units}")));
        SMALL.get(index).map(|word| (*word).to_owned()).or(compound)
    };
    let word = word.unwrap_or_else(|| number.to_string());
    match word.chars().next().filter(|_| like.starts_with(char::is_uppercase)) {
        Some(first) => first.to_uppercase().chain(word.chars().skip(1)).collect(),
        None => word,
    }
}

fn nth(number: i64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
