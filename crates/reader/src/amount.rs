//! The amount in the name of a material: "300 ml of water", "2 × spoon", "sugar cubes (6)".
//!
//! A number that describes the material is not an amount, but part of its name: "12 V lamp" is one lamp, and "250 cm³
//! beaker" is one beaker.

use serde_json::{Number, Value};

use crate::marks::latin_digit;
use crate::words;

#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    pub name: String,
    /// A number, or the original text if the number would not be printed the same way, as for "1,000" and "½".
    pub quantity: Value,
    pub unit: Option<String>,
    /// A word between amount and name that belongs to neither: "of", "x".
    pub joint: Option<String>,
}

/// Symbols of units that measure an amount of a material.
const MEASURES: [&str; 42] = [
    "ml", "mL", "cl", "dl", "l", "L", "hl", "µl", "μl", "µL", "μL", "g", "mg", "kg", "µg", "μg", "dag", "mm", "cm",
    "dm", "m", "km", "cm³", "cm3", "dm³", "dm3", "m³", "m3", "mm³", "cm²", "cm2", "m²", "m2", "dm²", "mm²", "mol",
    "mmol", "cc", "ML", "Ml", "gr", "lt",
];
/// Symbols of units that describe a material, as in "12 V lamp".
const RATINGS: [&str; 36] = [
    "V", "A", "W", "N", "Ω", "Ω", "Hz", "kHz", "MHz", "K", "J", "kJ", "M", "mM", "mA", "mV", "kV", "kΩ", "kW", "kWh",
    "mW", "Pa", "kPa", "hPa", "bar", "°C", "°F", "°", "C", "F", "s", "h", "min", "pH", "mol/dm³", "%",
];

/// Parses a number. Returns `None` if the number would not be printed as the same text.
pub fn number(text: &str) -> Option<Number> {
    let number: Number = serde_json::from_str(text).ok()?;
    let printed = number.as_i64().map(|whole| whole.to_string()).or_else(|| Some(number.as_f64()?.to_string()))?;
    (printed == text).then_some(number)
}

/// Returns a quantity: a number if this loses nothing, otherwise the text.
pub fn quantity(text: &str) -> Value {
    let text = text.trim();
    number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number)
}

/// Maximum length of a text that can be a material, in bytes.
const MAX_LENGTH: usize = 300;

/// Returns the amount in a text, and the rest of the text as the name.
pub fn split(text: &str) -> Option<Amount> {
    if text.len() > MAX_LENGTH {
        return None;
    }
    in_front(text.trim()).or_else(|| behind(text.trim())).filter(|amount| !amount.name.trim().is_empty())
}

/// A number with its unit at the beginning of a text.
struct Measure<'t> {
    quantity: &'t str,
    unit: Option<&'t str>,
    /// Whether the unit is a container, such as a cup or a box, which can be a material itself.
    is_thing: bool,
    rest: &'t str,
}

/// Returns the quantity and the unit, if the text contains nothing else.
pub(crate) fn whole(text: &str) -> Option<Amount> {
    let found = measure(text.trim())?;
    found.rest.is_empty().then(|| amount(&found, None, ""))
}

fn amount(found: &Measure<'_>, joint: Option<&str>, name: &str) -> Amount {
    Amount {
        name: name.to_owned(),
        quantity: quantity(found.quantity),
        unit: found.unit.map(str::to_owned),
        joint: joint.map(str::to_owned),
    }
}

fn in_front(text: &str) -> Option<Amount> {
    let found = measure(text)?;
    if found.unit.is_none() {
        if let Some(rest) = times(found.rest) {
            // In "9 x 13 in. pan" and "3 x 5 cards", the numbers are a size, not an amount.
            let is_size =
                measure(rest).is_some_and(|inner| inner.unit.map_or_else(|| is_countable(inner.rest), is_length));
            let sign = found.rest.split_whitespace().next();
            return (!is_size).then(|| amount(&found, sign, rest));
        }
        return is_countable(found.rest).then(|| amount(&found, None, found.rest));
    }
    // In "20 cm x 20 cm foil", the numbers are a size, not an amount.
    if times(found.rest).is_some_and(|rest| measure(rest).is_some()) {
        return None;
    }
    let (joint, rest) = joint(found.rest);
    if rest.is_empty() || joint.is_none() && is_thing(rest) {
        // In "1 cup" and "2 bottles", the container itself is the material.
        let is_thing_itself = rest.is_empty() && found.is_thing;
        let name = text.get(text.find(found.unit?)?..)?;
        return is_thing_itself.then(|| amount(&Measure { unit: None, ..found }, None, name));
    }
    let is_noun = |word: &str| word.starts_with(char::is_uppercase);
    let is_box = found.is_thing && !words::is("units", found.unit?);
    let name = text.get(text.find(found.unit?)?..)?;
    // "3 boîtes de Petri" (Petri dishes) are not boxes of something.
    let is_compound = found.is_thing && words::begins("compounds", name);
    if is_compound || is_box && joint.is_none() && !(is_noun(found.unit?) && is_noun(rest)) {
        return Some(amount(&Measure { unit: None, ..found }, None, name));
    }
    Some(amount(&found, joint, rest))
}

/// Returns an amount after the name: "Milk, 200 ml", "wire (2 m)", "cubes (6)", "rods x 3".
fn behind(text: &str) -> Option<Amount> {
    let with = |name: &str, found: Amount| {
        Some(Amount { name: name.trim_end_matches([',', ':', ' ', '–', '-']).to_owned(), ..found })
    };
    if let Some((name, inner)) = text.strip_suffix(')').and_then(|text| text.rsplit_once('(')) {
        let counted = times(inner);
        // A number of millimeters is a size, not an amount.
        let is_size = |found: &Amount| found.unit.as_deref() == Some("mm");
        let found = whole(counted.unwrap_or(inner))
            .filter(|found| found.unit.is_none() || !is_thing(name) && !is_size(found))?;
        let joint = counted.and(inner.split_whitespace().next()).map(str::to_owned);
        return with(name, Amount { joint, ..found });
    }
    for sign in [" × ", " x ", " ×", " x"] {
        if let Some((name, count)) = text.rsplit_once(sign) {
            let found = whole(count).filter(|found| found.unit.is_none());
            if let Some(found) = found.filter(|_| !name.ends_with(|last: char| last.is_ascii_digit())) {
                return with(name, Amount { joint: Some(sign.trim().to_owned()), ..found });
            }
        }
    }
    let sign = text.char_indices().rfind(|(_, character)| matches!(character, ',' | ':' | '–'));
    let by_sign = sign.and_then(|(at, sign)| Some((text.get(..at)?, text.get(at + sign.len_utf8()..)?)));
    let (name, measure) = text.rsplit_once(" - ").or(by_sign)?;
    let found = whole(measure).filter(|found| found.unit.is_some() && !is_thing(name))?;
    with(name, found)
}

fn times(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('×').or_else(|| text.strip_prefix("x ")).or_else(|| text.strip_prefix("X "))?;
    Some(rest.trim_start()).filter(|rest| !rest.is_empty())
}

fn measure(text: &str) -> Option<Measure<'_>> {
    let start = about(text);
    let length = number_length(text.get(start..)?)?;
    let quantity = text.get(..start + length)?;
    let after = text.get(start + length..)?;
    let rest = after.trim_start();
    let is_spaced = rest.len() < after.len();
    // A multiplication sign is not part of a unit, as in "3 × spoon".
    let (unit, behind) = if times(rest).is_some() { (None, rest) } else { unit(rest, is_spaced) };
    if unit.is_none() && !is_spaced && !rest.is_empty() && !rest.starts_with(['×', 'x']) {
        return None;
    }
    let is_thing = unit.is_some_and(|unit| words::is("containers", unit));
    Some(Measure { quantity: quantity.trim(), unit, is_thing, rest: behind })
}

/// Returns the length of words such as "about" before the first number; 0 if there are none.
fn about(text: &str) -> usize {
    let end = text.find(|character: char| latin_digit(character).is_some() || is_vulgar(character)).unwrap_or(0);
    let words = text.get(..end).unwrap_or_default().trim_end();
    if !words.is_empty() && (words::is("about", words) || matches!(words, "~" | "≈")) { end } else { 0 }
}

fn is_vulgar(character: char) -> bool {
    matches!(character, '¼'..='¾' | '⅐'..='⅞')
}

/// Returns the length of a number, a fraction or a range: "2", "0,5", "1 1/2", "1½", "2-3", "2 to 3".
fn number_length(text: &str) -> Option<usize> {
    let single = |text: &str| {
        let digits = |text: &str| text.find(|character: char| latin_digit(character).is_none()).unwrap_or(text.len());
        let mut end = digits(text);
        if end == 0 {
            return text.chars().next().filter(|first| is_vulgar(*first)).map(char::len_utf8);
        }
        while let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix(['.', ',', '/'])) {
            let more = digits(rest);
            if more == 0 {
                break;
            }
            end += 1 + more;
        }
        let rest = text.get(end..)?;
        let vulgar = rest.trim_start().chars().next().filter(|next| is_vulgar(*next));
        if let Some(vulgar) = vulgar {
            end += rest.len() - rest.trim_start().len() + vulgar.len_utf8();
        } else if let Some(fraction) = rest.strip_prefix(' ') {
            let numerator = digits(fraction);
            let denominator = fraction.get(numerator..).and_then(|rest| rest.strip_prefix('/')).map_or(0, digits);
            if numerator > 0 && denominator > 0 {
                end += 2 + numerator + denominator;
            }
        }
        Some(end)
    };
    let first = single(text)?;
    let rest = text.get(first..)?;
    // The second number of a range, as in "2–3" and "2 to 3".
    let (word, _) = rest.strip_prefix(' ').and_then(|rest| rest.split_once(' ')).unwrap_or_default();
    let joint = ["-", "–", " - ", " – "].into_iter().find(|sign| rest.starts_with(sign)).map(str::len);
    let joint = joint.or_else(|| words::is("until", word).then_some(word.len() + 2));
    let second = joint.and_then(|joint| Some(joint + single(rest.get(joint..)?)?));
    Some(first + second.unwrap_or(0))
}

/// Returns the unit that a text begins with, and the rest.
fn unit(text: &str, is_spaced: bool) -> (Option<&str>, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    // A full stop or comma after the unit may be punctuation of the text.
    let bare = word.trim_end_matches([',', ';', '.']);
    let is_measure = MEASURES.contains(&bare);
    // Units such as "c. à s." and "cuillère à soupe" have several words.
    let longest = text.match_indices(' ').map(|(at, _)| at).chain([text.len()]).take(4).filter(|at| *at > end);
    let several = longest.filter(|at| text.get(..*at).is_some_and(|words| words::is("units", words))).last();
    if let Some(at) = several {
        let (unit, rest) = text.split_at(at);
        return (Some(unit), rest.trim_start());
    }
    let is_word = is_spaced && (words::is("units", bare) || words::is("containers", bare));
    if is_measure || is_word {
        let unit = if words::is("units", word) && word.ends_with('.') && !rest.is_empty() { word } else { bare };
        (Some(unit), rest.trim_start())
    } else {
        (None, text)
    }
}

/// Returns whether a word is a unit, including units of time.
pub(crate) fn is_unit(word: &str) -> bool {
    let is_word = || ["units", "minutes", "hours"].iter().any(|list| words::is(list, word));
    MEASURES.contains(&word) || RATINGS.contains(&word) || is_word()
}

fn is_length(unit: &str) -> bool {
    matches!(unit, "in" | "in." | "cm" | "mm" | "m" | "ft" | "dm" | "inch" | "inches")
}

/// Returns the word "of" at the beginning, and the rest.
fn joint(text: &str) -> (Option<&str>, &str) {
    for elided in ["d'", "d’", "D'", "l'"] {
        if let Some(rest) = text.strip_prefix(elided) {
            return (text.get(..1), rest);
        }
    }
    match text.split_once(' ') {
        Some((word, rest)) if words::is("joins", word) => (Some(word), rest.trim_start()),
        _ => (None, text),
    }
}

/// Returns whether a text names something that can be counted, such as "spoons". A short word is taken for a unit such
/// as "ml", unless it is a known noun.
fn is_countable(text: &str) -> bool {
    const MAX_UNIT: usize = 3;
    let word = text.split_whitespace().next().unwrap_or_default();
    let word = word.trim_matches(|character: char| !character.is_alphanumeric());
    let letters = word.chars().count();
    let is_plain = word.chars().all(|character| character.is_alphabetic() || matches!(character, '-' | '\'' | '’'));
    let is_sign = letters > 1 && word.chars().all(|character| !character.is_lowercase()) && word.to_lowercase() != word;
    let is_short = letters <= MAX_UNIT;
    let is_known = words::is("short", word);
    let is_rating = RATINGS.contains(&word) || word.starts_with('°') || words::is("ratings", word);
    let starts_well = text.starts_with(|first: char| first.is_alphabetic() || matches!(first, '(' | '"' | '“' | '«'));
    // In "6 AA batteries", the capitals are a type and not a unit.
    let next = text.split_whitespace().nth(1).unwrap_or_default();
    let is_type = is_sign && next.chars().count() > MAX_UNIT && next.chars().all(char::is_lowercase);
    letters > 0 && is_plain && starts_well && !is_rating && (is_known || is_type || !is_short && !is_sign)
}

/// Returns whether a name means a thing that is sold in different sizes, such as a beaker. The noun for the thing is
/// the last word of the name; in French, Spanish and Arabic, it is the first word.
fn is_thing(name: &str) -> bool {
    const JOINTS: [&str; 16] =
        ["with", "of", "for", "in", "mit", "für", "aus", "de", "à", "con", "para", "en", "avec", "from", "and", "or"];
    let head = name.split([',', '(', ':']).next().unwrap_or_default();
    let is_name = |word: &&str| !JOINTS.contains(word) && !matches!(*word, "x" | "×");
    let words: Vec<&str> = head.split_whitespace().take_while(is_name).collect();
    words.last().is_some_and(|last| is_noun("things", last))
        || words.first().is_some_and(|first| is_noun("things first", first))
}

fn is_noun(list: &str, word: &str) -> bool {
    const MIN_PART: usize = 4;
    const MAX_WORD: usize = 40;
    if word.len() > MAX_WORD {
        return false;
    }
    let folded = words::fold(word);
    let single = folded.strip_suffix('s').unwrap_or(&folded);
    // German writes compounds as one word, such as "Becherglas", so the ends of the word are looked up.
    let ends = folded.char_indices().map(|(at, _)| at).skip(1).take_while(|at| folded.len() - at >= MIN_PART);
    let mut ends = ends.filter(|_| word.starts_with(char::is_uppercase));
    words::is(list, &folded)
        || words::is(list, single)
        || ends.any(|at| words::is(list, folded.get(at..).unwrap_or_default()))
}
