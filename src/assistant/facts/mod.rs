//! Reads facts from texts: typed statements, each with its path and a verbatim quote.
//!
//! All functions are pure. The patterns match English; texts in other languages yield no facts. A fact is only what a
//! text states. The rules of the schema decide whether two facts agree.

pub mod amount;
pub mod grade;
pub mod group_size;
mod hash;
pub mod lesson_length;
pub mod number;
pub mod pattern;
pub mod standard_code;
pub mod step_minutes;
pub mod step_reference;

use std::collections::{BTreeSet, HashMap};
use std::hash::{Hash, Hasher, RandomState};
use std::ops::Range;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::Value;

use hash::hash_field;

use super::rules::quotes;
use crate::domain::content::{self, Content};
use crate::domain::path::FieldPath;

/// Maximum number of statements of one kind, such as group sizes, that are read from one document. Others are ignored.
const MAX_FACTS: usize = 1000;
/// Maximum length of a number in a text, in bytes. Statements with longer numbers are ignored.
const MAX_NUMBER: usize = 100;

/// A statement that was read from a text, such as "groups of four".
#[derive(Debug, Clone, PartialEq, Hash)]
pub struct Fact<T> {
    /// Path of the text.
    pub path: FieldPath,
    /// Word before the quote, in lower case and at most 200 characters. Empty at the start of a text or clause.
    pub before: String,
    /// Words of the statement, verbatim. A quote of more than 200 characters is cut off.
    pub quote: String,
    /// Byte range of the number in the text. A fix replaces this range. It is empty if no number is written.
    pub number: Range<usize>,
    /// Number as written in the text.
    pub written: String,
    /// Value that the text states.
    pub value: T,
}

/// A statement in a text: byte range of the quote, byte range of the number, and value.
pub type Reading<T> = (Range<usize>, Range<usize>, T);

/// Values that a fact states, by name, such as the `low` and `high` of a range.
pub type Values = Vec<(&'static str, i64)>;

/// A kind of facts that rules can read.
#[derive(Debug)]
pub struct Kind {
    /// Name of the function that returns these facts in rules.
    pub function: &'static str,
    read: fn(&str) -> Vec<Reading<Values>>,
}

/// All kinds of facts. Amounts are no kind, because a rule compares them with a list; see [`amounts`].
pub const KINDS: [Kind; 5] = [
    Kind { function: "stepReferences", read: |text| named(step_reference::read(text), |step| vec![("number", step)]) },
    Kind {
        function: "lessonLengths",
        read: |text| {
            named(lesson_length::read(text), |length| vec![("minutes", length.minutes), ("unit", length.unit)])
        },
    },
    Kind { function: "groupSizes", read: |text| named(group_size::read(text), |size| range(size.low, size.high)) },
    Kind { function: "gradeNames", read: |text| named(grade::read(text), |grades| range(grades.low, grades.high)) },
    Kind {
        function: "standardCodes",
        read: |text| named(standard_code::read(text), |grades| range(grades.low, grades.high)),
    },
];

fn named<T>(readings: Vec<Reading<T>>, values: impl Fn(T) -> Values) -> Vec<Reading<Values>> {
    readings.into_iter().map(|(quote, number, value)| (quote, number, values(value))).collect()
}

fn range(low: i64, high: i64) -> Values {
    vec![("low", low), ("high", high)]
}

/// Facts, one list per element of [`KINDS`].
type Lists = [Vec<Fact<Values>>; KINDS.len()];

/// Facts of a document, in document order. Clones share the facts.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Hash of each top-level field.
    fields: HashMap<String, u64>,
    kinds: [Arc<Vec<Fact<Values>>>; KINDS.len()],
    amounts: Vec<(String, Arc<Vec<Fact<ListedAmount>>>)>,
}

impl Facts {
    /// Returns the hash of a field, or `None` if the document lacks the field.
    pub fn hash_of(&self, field: &str) -> Option<u64> {
        self.fields.get(field).copied()
    }

    /// Returns the facts that a function of [`KINDS`] returns, or `None` for another function.
    pub fn returned_by(&self, function: &str) -> Option<&Arc<Vec<Fact<Values>>>> {
        let index = KINDS.iter().position(|kind| kind.function == function)?;
        self.kinds.get(index)
    }

    /// Returns the amounts of the things in this list, or `None` if the reader was not created for the list.
    pub fn amounts_of(&self, list: &str) -> Option<&Arc<Vec<Fact<ListedAmount>>>> {
        self.amounts.iter().find(|(name, _)| name == list).map(|(_, amounts)| amounts)
    }
}

/// Reads the facts of documents. An edit usually changes one field, so the facts of recently read fields are cached.
pub struct FactReader {
    /// Whether each element of [`KINDS`] is read.
    wanted: [bool; KINDS.len()],
    /// Names of the lists whose amounts are read, such as `materials`.
    lists: BTreeSet<String>,
    key: RandomState,
    cache: Cache<u64, Arc<Lists>, ByBytes>,
}

/// Approximate maximum size of the cached facts, in bytes.
const MAX_CACHED: u64 = 1024 * 1024;

#[derive(Clone)]
struct ByBytes;

impl Weighter<u64, Arc<Lists>> for ByBytes {
    fn weight(&self, _: &u64, lists: &Arc<Lists>) -> u64 {
        let path = |path: &FieldPath| path.segments().iter().map(|segment| segment.len() + 32).sum::<usize>();
        let texts = |fact: &Fact<Values>| fact.before.len() + fact.quote.len() + fact.written.len();
        let fact = |fact: &Fact<Values>| 256 + texts(fact) + path(&fact.path);
        256 + lists.iter().flatten().map(fact).sum::<usize>() as u64
    }
}

impl FactReader {
    /// Creates a reader for the kinds of facts whose function is `wanted`, and for amounts of the things in `lists`.
    pub fn new(wanted: impl Fn(&str) -> bool, lists: BTreeSet<String>) -> Self {
        let cache = Cache::with_weighter(MAX_CACHED as usize / 512, MAX_CACHED, ByBytes);
        Self { wanted: KINDS.each_ref().map(|kind| wanted(kind.function)), lists, key: RandomState::new(), cache }
    }

    /// Returns the facts of a document.
    pub fn read(&self, content: &Content) -> Facts {
        let (mut all, mut fields) = (Lists::default(), HashMap::new());
        for (field, value) in content {
            let hash = hash_field(&self.key, field, value);
            fields.insert(field.clone(), hash);
            if !(value.is_string() || value.is_array() || value.is_object()) {
                continue;
            }
            let lists = self.cache.get(&hash).unwrap_or_else(|| {
                let lists = Arc::new(self.read_field((field, value)));
                self.cache.insert(hash, lists.clone());
                lists
            });
            for (all, more) in all.iter_mut().zip(&*lists) {
                all.extend(more.iter().take(MAX_FACTS - all.len()).cloned());
            }
        }
        let amounts = self.lists.iter().map(|list| (list.clone(), Arc::new(amounts(content, list))));
        Facts { fields, kinds: all.map(Arc::new), amounts: amounts.collect() }
    }

    fn read_field(&self, field: (&String, &Value)) -> Lists {
        let mut lists = Lists::default();
        content::for_each_leaf([field], &mut |path, leaf| {
            let Value::String(text) = leaf else { return };
            for ((kind, list), _) in KINDS.iter().zip(&mut lists).zip(self.wanted).filter(|(_, wanted)| *wanted) {
                append(list, path, text, |text| (kind.read)(text));
            }
        });
        lists
    }
}

/// An amount in a text of a thing that a list of the document names.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedAmount {
    /// Amount in the text.
    pub number: f64,
    /// Quantity in the list.
    pub listed: f64,
    /// Path of the quantity in the list.
    pub listed_path: FieldPath,
}

impl Hash for ListedAmount {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.number.to_bits(), self.listed.to_bits(), &self.listed_path).hash(state);
    }
}

/// Returns the amounts in texts that name an element of the list `content[list]` exactly and have the same unit.
pub fn amounts(content: &Content, list: &str) -> Vec<Fact<ListedAmount>> {
    let elements = content.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let listed = elements.iter().enumerate().filter_map(|(index, thing)| amount::Listed::read(index, thing));
    let listed: Vec<_> = listed.collect();
    if listed.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    content::for_each_leaf(content, &mut |path, leaf| {
        let Value::String(text) = leaf else { return };
        // Most texts name nothing in the list, and this check is faster than reading amounts.
        if listed.iter().any(|thing| thing.may_be_in(text)) {
            append(&mut found, path, text, amount::read);
        }
    });
    let joined = found.into_iter().filter_map(|Fact { path, before, quote, number, written, value }| {
        let thing = listed.iter().find(|thing| thing.is_named_by(&value))?;
        let listed_path = FieldPath::root().child(list).child(thing.index.to_string()).child("quantity");
        let value = ListedAmount { number: value.number, listed: thing.quantity, listed_path };
        Some(Fact { path, before, quote, number, written, value })
    });
    joined.collect()
}

/// Appends the facts that `read` finds in the text at `path`, up to the maximum.
fn append<T>(facts: &mut Vec<Fact<T>>, path: &FieldPath, text: &str, read: impl Fn(&str) -> Vec<Reading<T>>) {
    if facts.len() >= MAX_FACTS {
        return;
    }
    let room = MAX_FACTS - facts.len();
    let readings = read(text).into_iter().filter(|(_, number, _)| number.len() <= MAX_NUMBER);
    facts.extend(readings.take(room).filter_map(|(quote, number, value)| {
        let before = quotes::shortened(&word_before(text.get(..quote.start)?));
        let (quote, written) = (quotes::shortened(text.get(quote)?), text.get(number.clone())?.to_owned());
        Some(Fact { path: path.clone(), before, quote, number, written, value })
    }));
}

/// Returns the last word of a text, in lower case: "for" in "Magnets for". Returns an empty string if the text ends
/// with punctuation. Includes an opening parenthesis directly before the word.
fn word_before(text: &str) -> String {
    let text = text.trim_end();
    let start =
        text.rfind(|c: char| !c.is_alphanumeric()).map_or(0, |at| at + usize::from(!text[at..].starts_with('(')));
    text.get(start..).unwrap_or_default().to_lowercase()
}

#[cfg(test)]
#[path = "../../../tests/unit/assistant/facts/mod.rs"]
mod tests;
