//! Reads amounts from texts: a number, its unit, and the words after the unit, as in "250 mL of distilled water".

use std::collections::HashMap;

use serde_json::Value;

use super::fact::{MAX_FACTS, Reading};
use super::number::{self, CARDINAL};
use super::pattern::{Pattern, captures, compiled};

#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    pub number: f64,
    /// Unit in its common spelling (`ml`, `g`, `cup`); empty if the text names no unit.
    pub unit: String,
    /// Words after the number and unit, in lower case. At most seven words, and none after a punctuation mark.
    pub name: String,
}

/// Maximum number of things in a list of the document, such as materials, whose names are searched for in each text.
/// With more things, this search is skipped, because its work grows with the number of things times the number of
/// texts.
const MAX_SOUGHT: usize = 50;
/// Maximum length of [`Amount::name`], in characters.
const MAX_NAME: usize = 80;

/// Spellings of units. The first in each line is the common spelling.
const UNITS: [&[&str]; 22] = [
    &["ml", "milliliter", "millilitre", "cc", "cm3"],
    &["l", "liter", "litre"],
    &["g", "gram", "gm"],
    &["kg", "kilogram", "kilo"],
    &["mg", "milligram"],
    &["cm", "centimeter", "centimetre"],
    &["mm", "millimeter", "millimetre"],
    &["m", "meter", "metre"],
    &["cup"],
    &["tbsp", "tablespoon", "tbs"],
    &["tsp", "teaspoon"],
    &["oz", "ounce"],
    &["lb", "pound"],
    &["gal", "gallon"],
    &["pint", "pt"],
    &["quart", "qt"],
    &["drop"],
    &["sheet"],
    &["roll"],
    &["piece"],
    &["bottle"],
    &["box"],
];

static AMOUNT: Pattern = Pattern::new(|| {
    let units = UNITS.iter().flat_map(|names| names.iter()).copied().collect::<Vec<_>>().join("|");
    compiled(&format!(
        r"\b(?P<number> {CARDINAL} )\s?(?:(?P<unit> {units} )(?:es|s|\.)?\s(?:of\s)?)?(?:the\s)?(?P<name> [a-z][\w'’-]*(?:\s[\w'’-]+){{0,6}} )"
    ))
});

pub fn read(text: &str) -> Vec<Reading<Amount>> {
    read_if(text, |_| true)
}

/// Reads the needed amounts in a text. Calls `may_matter` with the whole text first, and reads nothing if the result is
/// false, because that is faster. Then calls `may_matter` with each amount in lower case, and omits the amounts for
/// which the result is false.
pub fn read_if(text: &str, may_matter: impl Fn(&str) -> bool) -> Vec<Reading<Amount>> {
    let Some(amount) = AMOUNT.as_ref().filter(|_| may_matter(text)) else { return Vec::new() };
    let found = amount.find_iter(text).take(MAX_FACTS).filter(|found| may_matter(&found.as_str().to_lowercase()));
    let readings = found.filter_map(|found| {
        let captures = amount.captures_at(text, found.start())?;
        let (whole, written, name) = (captures.get(0)?, captures.name("number")?, captures.name("name")?);
        // Skips a number that is only part of a longer expression, such as the 3 in "No.3" or the 4 in "3-4 cups".
        if text[..written.start()].ends_with(['.', ',', '-', '–', '/', ':']) {
            return None;
        }
        let name: String = name.as_str().to_lowercase().chars().take(MAX_NAME).collect();
        let unit = captures.name("unit").map(|unit| common_unit(unit.as_str())).unwrap_or_default();
        Some((whole.range(), written.range(), Amount { number: number::value(written.as_str())?, unit, name }))
    });
    readings.collect()
}

/// Matches words that state for whom an amount is, such as "for two groups", but not "for two minutes". "Each group"
/// does not match, because an amount for each group can be compared with the list of materials: whether the list is for
/// one group or for the whole class, it must contain at least this amount.
static FOR_WHOM: Pattern = Pattern::new(|| {
    compiled(&format!(
        r"\bfor\s {CARDINAL} [-\s]?(?:s|secs?|seconds?|min|minutes?|h|hours?|days?|nights?|weeks?|months?)\b
            | \b(?P<whom> for\s(?:the\s)?(?:{CARDINAL}|whole|entire|other|next|rest|you|us|them|him|her|your|our|their|my|those|everyone|everybody|anyone)
                | altogether | in\stotal | between | among(?:st)? | everyone | everybody | class(?:es)?
                | (?:{CARDINAL}|all|both|several|many)\s(?:the\s)?(?:groups|teams|crews|pairs) )\b"
    ))
});

pub fn says_for_whom(sentence: &str) -> bool {
    captures(&FOR_WHOM, sentence).any(|captures| captures.name("whom").is_some())
}

/// A thing in a list of the document, such as the material `{"name": "lemons", "quantity": 4}`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Listed {
    pub index: usize,
    pub quantity: f64,
}

/// The things in a list that have a name and a quantity, by name in lower case without a final `s`, and by unit.
#[derive(Debug, Default)]
pub struct ListedThings(HashMap<String, HashMap<String, Listed>>);

impl ListedThings {
    pub fn read(elements: &[Value]) -> Self {
        let mut things: HashMap<String, HashMap<_, _>> = HashMap::new();
        for (index, element) in elements.iter().enumerate() {
            let text = |key: &str| element.get(key).and_then(Value::as_str).unwrap_or_default();
            let name = text("name").trim().to_lowercase();
            let Some(quantity) = element.get("quantity").and_then(Value::as_f64).filter(|_| !name.is_empty()) else {
                continue;
            };
            let stem = name.strip_suffix('s').unwrap_or(&name).to_owned();
            let units = things.entry(stem).or_default();
            units.entry(common_unit(text("unit"))).or_insert(Listed { index, quantity });
        }
        Self(things)
    }

    /// Returns false if a text names none of the things. This is faster than reading amounts, unless there are many
    /// things.
    pub fn may_be_in(&self, text: &str) -> bool {
        // Compares without the first letter, so that its case does not matter.
        let rest = |stem: &'_ str| stem.char_indices().nth(1).map_or(0, |(second, _)| second);
        let may_be = |stem: &String| stem.get(rest(stem)..).is_some_and(|rest| text.contains(rest));
        self.0.len() > MAX_SOUGHT || self.0.keys().any(may_be)
    }

    /// Returns the first thing with the unit and the name of an amount. "4 lemons in the dish" names `lemons`; "4 lemon
    /// slices" names something else.
    pub fn named_by(&self, amount: &Amount) -> Option<Listed> {
        let name = amount.name.as_str();
        let ends_here = |rest: &str| rest.split_whitespace().next().is_none_or(|next| AFTER_A_NAME.contains(&next));
        let ends = name.match_indices(' ').map(|(end, _)| end).filter(|end| name.get(*end..).is_some_and(ends_here));
        let names = ends.chain([name.len()]).filter_map(|end| name.get(..end));
        let stems = names.flat_map(|name| [Some(name), name.strip_suffix('s')]).flatten();
        let things = stems.filter_map(|stem| self.0.get(stem)?.get(&amount.unit));
        things.copied().min_by_key(|thing| thing.index)
    }
}

/// Words that can follow the name of a thing, such as `in` after `lemons`. Any other word belongs to a longer name.
const AFTER_A_NAME: [&str; 14] =
    ["and", "or", "in", "into", "on", "onto", "to", "for", "with", "at", "from", "per", "each", "under"];

/// Returns the common spelling of a unit: `ml` for `millilitres`. Returns an unknown unit in lower case and singular.
fn common_unit(unit: &str) -> String {
    let lower = unit.trim().trim_end_matches('.').to_lowercase();
    let singular = lower.strip_suffix('s').filter(|short| short.len() > 1).unwrap_or(&lower);
    let known = UNITS.iter().find(|names| names.contains(&lower.as_str()) || names.contains(&singular));
    known.and_then(|names| names.first()).map_or(singular, |name| name).to_owned()
}
