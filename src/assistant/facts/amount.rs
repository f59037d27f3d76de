//! Reads amounts from texts: a number, its unit, and the words after the unit, as in "250 mL of distilled water".

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::Reading;
use super::number::{self, CARDINAL};
use super::pattern::compiled;

/// An amount in a text, such as "250 mL of distilled water".
#[derive(Debug, Clone, PartialEq)]
pub struct Amount {
    /// Number of units.
    pub number: f64,
    /// Unit in its common spelling (`ml`, `g`, `cup`); empty if the text names no unit.
    pub unit: String,
    /// Words after the number and unit, in lower case. At most seven words, and none after a punctuation mark.
    pub name: String,
}

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

static AMOUNT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let units = UNITS.iter().flat_map(|names| names.iter()).copied().collect::<Vec<_>>().join("|");
    compiled(&format!(
        r"\b(?P<number> {CARDINAL} )\s?(?:(?P<unit> {units} )(?:es|s|\.)?\s(?:of\s)?)?(?:the\s)?(?P<name> [a-z][\w'’-]*(?:\s[\w'’-]+){{0,6}} )"
    ))
});

/// Returns the amounts in a text, such as "250 mL of water" and "4 lemons".
pub fn read(text: &str) -> Vec<Reading<Amount>> {
    let Some(amount) = AMOUNT.as_ref() else { return Vec::new() };
    let readings = amount.captures_iter(text).filter_map(|captures| {
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

/// An element of a list in the content, such as the material `{"name": "lemons", "quantity": 4}`.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Index of the element in the list, from 0.
    pub index: usize,
    /// Quantity of the element.
    pub quantity: f64,
    name: String,
    unit: String,
}

impl Listed {
    /// Reads an element. Returns `None` if the name is missing or blank, or if the quantity is not a number.
    pub fn read(index: usize, thing: &Value) -> Option<Self> {
        let name = thing.get("name")?.as_str()?.trim().to_lowercase();
        let unit = common_unit(thing.get("unit").and_then(Value::as_str).unwrap_or_default());
        (!name.is_empty()).then_some(Self { index, quantity: thing.get("quantity")?.as_f64()?, name, unit })
    }

    /// Returns true if a text may contain the name. Ignores the first letter, which may be a capital, and a final `s`.
    pub fn may_be_in(&self, text: &str) -> bool {
        let stem = self.name.strip_suffix('s').unwrap_or(&self.name);
        let rest = stem.char_indices().nth(1).and_then(|(second, _)| stem.get(second..)).unwrap_or_default();
        text.contains(rest)
    }

    /// Returns true if an amount has the unit and name of this element. "4 lemons in the dish" has the name `lemons`;
    /// "4 lemon slices" has a longer name.
    pub fn is_named_by(&self, amount: &Amount) -> bool {
        let stem = self.name.strip_suffix('s').unwrap_or(&self.name);
        let rest = amount.name.strip_prefix(stem).map(|rest| rest.strip_prefix('s').unwrap_or(rest));
        self.unit == amount.unit
            && rest.is_some_and(|rest| match rest.split_whitespace().next() {
                None => true,
                Some(next) => rest.starts_with(' ') && AFTER_A_NAME.contains(&next),
            })
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
