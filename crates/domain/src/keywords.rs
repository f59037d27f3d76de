//! Checks a content schema for mistakes that JSON Schema ignores, and for excessive validation cost.
//!
//! A validator ignores unknown keywords, so a misspelt keyword would have no effect. The cost of validating a document
//! depends on the number of subschemas that are tried per value. This module computes the maximum of this number.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::json::MAX_DEPTH;
use super::pattern;

/// Keywords that contain one schema: for the same value (`SAME_VALUE`), for the members of an object or their names
/// (`MEMBERS`), or for the elements of an array (`ELEMENTS`).
pub(super) const SAME_VALUE: [&str; 5] = ["if", "then", "else", "not", "contentSchema"];
pub(super) const MEMBERS: [&str; 3] = ["additionalProperties", "unevaluatedProperties", "propertyNames"];
pub(super) const ELEMENTS: [&str; 3] = ["items", "contains", "unevaluatedItems"];
/// Keywords that contain a list of schemas for the same value.
pub(super) const CHOICES: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// Keywords that contain an object whose values are schemas.
pub(super) const NAMED: [&str; 5] = ["$defs", "definitions", "properties", "patternProperties", "dependentSchemas"];
/// Keywords that contain no schema.
const PLAIN: [&str; 34] = [
    "$anchor",
    "$dynamicAnchor",
    "contentEncoding",
    "contentMediaType",
    "$comment",
    "$ref",
    "title",
    "description",
    "default",
    "deprecated",
    "readOnly",
    "writeOnly",
    "examples",
    "type",
    "enum",
    "const",
    "multipleOf",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "format",
    "maxItems",
    "minItems",
    "uniqueItems",
    "maxContains",
    "minContains",
    "required",
    "dependentRequired",
    "maxProperties",
    "minProperties",
];
/// Keywords that are allowed only at the root.
const AT_ROOT: [&str; 4] = ["$schema", "$id", "$vocabulary", "x-rules"];
/// Keywords of Fieldbook. Operators may use other keywords with the prefix `x-`, unless these look like a misspelling
/// of one of Fieldbook's keywords.
const OWN: [&str; 5] = ["x-audience", "x-complete", "x-order", "x-pupil-title", "x-rules"];

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Maximum number of subschemas that are tried on the path from the root of a document to one value. It is limited
/// because a document can have several hundred thousand values.
const MAX_TRIED: u64 = 400;
/// Maximum number of nested references and choices that apply to the same value.
const MAX_CHAIN: usize = 32;
/// Maximum number of patterns in a schema. It is limited because each pattern has a cache per thread.
const MAX_PATTERNS: usize = 64;
/// Assumed result of [`pattern::positions`] for a pattern that this function cannot parse.
const UNREAD: u64 = 1000;
/// Maximum number of subschemas in a schema. No schema that a person writes needs more.
const MAX_SCHEMAS: usize = 5000;

/// A problem in a schema, and its position.
#[derive(Debug, PartialEq, Eq)]
pub struct Refused {
    /// Position in the schema, as a JSON Pointer.
    pub place: String,
    /// The problem.
    pub reason: String,
}

/// Checks a whole schema. Returns the maximum number of subschemas that are tried on the path from the root of a
/// document to one value.
///
/// # Errors
/// The first problem.
pub fn check(root: &Value) -> Result<u64, Refused> {
    let mut walk = Walk { root, schemas: Vec::new(), targets: Vec::new(), patterns: HashMap::new() };
    walk.schema(root, "")?;
    let known: HashSet<_> = walk.schemas.iter().map(|(_, schema)| std::ptr::from_ref(*schema)).collect();
    if let Some((place, _)) = walk.targets.iter().find(|(_, target)| !known.contains(&std::ptr::from_ref(*target))) {
        return Err(refused(place, "refers to something that is not a schema"));
    }
    let Walk { schemas, patterns, .. } = walk;
    let tried = TriedSchemas { root, patterns, before: HashMap::new(), now: HashMap::new() }.most(&schemas)?;
    if tried > MAX_TRIED {
        let reason = format!(
            "tries more than {MAX_TRIED} subschemas on one value; reduce the repetition in choices and references"
        );
        return Err(refused("/", reason));
    }
    Ok(tried)
}

fn refused(place: &str, reason: impl Into<String>) -> Refused {
    Refused { place: place.to_owned(), reason: reason.into() }
}

fn child(place: &str, key: &str) -> String {
    format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))
}

struct Walk<'s> {
    root: &'s Value,
    schemas: Vec<(String, &'s Value)>,
    /// Position of each `$ref`, and the value to which it refers.
    targets: Vec<(String, &'s Value)>,
    /// Number of positions of each pattern, see [`pattern::positions`].
    patterns: HashMap<&'s str, u64>,
}

impl<'s> Walk<'s> {
    fn schema(&mut self, schema: &'s Value, place: &str) -> Result<(), Refused> {
        if self.schemas.len() == MAX_SCHEMAS {
            return Err(refused(place, format!("the schema has more than {MAX_SCHEMAS} subschemas")));
        }
        self.schemas.push((place.to_owned(), schema));
        schema.as_object().into_iter().flatten().try_for_each(|(key, value)| self.keyword(key, value, place))
    }

    fn keyword(&mut self, key: &str, value: &'s Value, schema: &str) -> Result<(), Refused> {
        let place = child(schema, key);
        let is_root = schema.is_empty();
        let is_field = schema.strip_prefix("/properties/").is_some_and(|name| !name.contains('/'));
        for text in patterns_of(key, value) {
            // The validator may accept patterns that `positions` cannot parse. Such a pattern is assumed to be large.
            self.patterns.entry(text).or_insert_with(|| pattern::positions(text).unwrap_or(UNREAD));
        }
        if self.patterns.len() > MAX_PATTERNS {
            return Err(refused(&place, format!("the schema has more than {MAX_PATTERNS} patterns")));
        }
        if self.patterns.values().fold(0, |sum, places| places.saturating_add(sum)) > pattern::MAX_POSITIONS {
            return Err(refused(&place, "is too large, alone or with the other patterns of the schema"));
        }
        match key {
            "$ref" => {
                let target = target(self.root, value).map_err(|reason| refused(&place, reason))?;
                self.targets.push((place, target));
                Ok(())
            }
            "$schema" if is_root && value.as_str().is_none_or(|draft| draft.trim_end_matches('#') != DRAFT) => {
                Err(refused(&place, format!("must be \"{DRAFT}\"")))
            }
            "x-audience" if is_field && !matches!(value.as_str(), Some("pupil" | "teacher")) => {
                Err(refused(&place, "must be \"pupil\" or \"teacher\""))
            }
            "x-pupil-title" if is_field && !value.is_string() => Err(refused(&place, "must be a string")),
            "x-complete" | "x-audience" | "x-pupil-title" if is_field => Ok(()),
            "x-complete" | "x-audience" | "x-pupil-title" => {
                Err(refused(&place, "counts only for a field of the document itself"))
            }
            "x-order" if value.is_number() => Ok(()),
            "x-order" => Err(refused(&place, "must be a number")),
            _ if AT_ROOT.contains(&key) && is_root => Ok(()),
            _ if AT_ROOT.contains(&key) => Err(refused(&place, "is allowed only at the root of the schema")),
            _ if PLAIN.contains(&key) => Ok(()),
            _ if SAME_VALUE.contains(&key) || MEMBERS.contains(&key) || ELEMENTS.contains(&key) => {
                self.schema(value, &place)
            }
            _ if CHOICES.contains(&key) || key == "prefixItems" => {
                let mut schemas = value.as_array().into_iter().flatten().enumerate();
                schemas.try_for_each(|(index, part)| self.schema(part, &child(&place, &index.to_string())))
            }
            _ if NAMED.contains(&key) => {
                let mut schemas = value.as_object().into_iter().flatten();
                schemas.try_for_each(|(name, part)| self.schema(part, &child(&place, name)))
            }
            _ if key.starts_with("x-") && OWN.iter().all(|own| is_not_misspelling_of(key, own)) => Ok(()),
            _ => Err(refused(&place, "is not a known keyword and would have no effect")),
        }
    }
}

/// Returns whether two words are too different for one to be a misspelling of the other: without the common prefix and
/// suffix, the longer word has more than two characters.
fn is_not_misspelling_of(one: &str, other: &str) -> bool {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    let from_front = same(&mut one.chars().zip(other.chars()));
    let from_back = same(&mut one.chars().rev().zip(other.chars().rev()));
    let longer = one.chars().count().max(other.chars().count());
    longer > from_front + from_back + 2
}

fn patterns_of<'s>(key: &str, value: &'s Value) -> Vec<&'s str> {
    match (key, value) {
        ("pattern", Value::String(text)) => vec![text],
        ("patternProperties", Value::Object(members)) => members.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Returns the target of a reference. The reference must be a JSON Pointer to a position inside the schema.
pub(super) fn target<'s>(root: &'s Value, reference: &'s Value) -> Result<&'s Value, &'static str> {
    let id = root.get("$id").and_then(Value::as_str).map(|id| id.trim_end_matches('#')).unwrap_or_default();
    let inside = |reference: &'s str| reference.strip_prefix(id).unwrap_or(reference).strip_prefix('#');
    let pointer = reference.as_str().and_then(inside);
    let pointer = pointer.filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
    let pointer = pointer.ok_or("must be a place in this schema, written \"#/…\"")?;
    let pointer = decoded(pointer).ok_or("is not written like an address")?;
    root.pointer(&pointer).ok_or("leads nowhere")
}

/// Decodes the `%xx` sequences of a reference; `None` if a sequence or the resulting UTF-8 is invalid.
fn decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        bytes.extend(part.get(2..)?.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

/// Computes, for each schema, the maximum number of subschemas that are tried on the path from a value down to one
/// value inside it. The first round assumes that values contain no other values. Each later round allows one more level
/// of nesting, until the result is stable or too large, or the maximum depth of a document is reached.
struct TriedSchemas<'s> {
    root: &'s Value,
    patterns: HashMap<&'s str, u64>,
    /// Results of the previous round, by schema.
    before: HashMap<*const Value, u64>,
    /// Results of this round, by schema.
    now: HashMap<*const Value, u64>,
}

impl<'s> TriedSchemas<'s> {
    /// Returns the maximum number of tried subschemas for the root schema.
    fn most(mut self, schemas: &[(String, &'s Value)]) -> Result<u64, Refused> {
        for _ in 0..=MAX_DEPTH {
            for (place, schema) in schemas {
                let chain = self.of(schema, &mut HashSet::new());
                chain.map_err(|reason| refused(if place.is_empty() { "/" } else { place }, reason))?;
            }
            let settled = self.now == self.before;
            self.before = std::mem::take(&mut self.now);
            if settled || self.whole() > MAX_TRIED {
                break;
            }
        }
        Ok(self.whole())
    }

    fn whole(&self) -> u64 {
        self.before.get(&std::ptr::from_ref(self.root)).copied().unwrap_or(0)
    }

    /// Returns the maximum number of tried subschemas for `schema` in this round. `chain` contains the schemas through
    /// which `schema` was reached for the same value.
    fn of(&mut self, schema: &'s Value, chain: &mut HashSet<*const Value>) -> Result<u64, String> {
        let key = std::ptr::from_ref(schema);
        if let Some(known) = self.now.get(&key) {
            return Ok(*known);
        }
        if !chain.insert(key) {
            return Err("refers to itself without a step into the value".to_owned());
        }
        if chain.len() > MAX_CHAIN {
            return Err(format!("stands in a chain of more than {MAX_CHAIN} references and choices"));
        }
        let list = |key: &str| schema.get(key).and_then(Value::as_array).into_iter().flatten();
        let named = |key: &str| schema.get(key).and_then(Value::as_object).into_iter().flatten().map(|(_, part)| part);
        let referred = schema.get("$ref").and_then(|reference| target(self.root, reference).ok());
        let same = CHOICES.iter().flat_map(|key| list(key)).chain(named("dependentSchemas")).chain(referred);
        let same = same.chain(SAME_VALUE.iter().filter_map(|key| schema.get(key)));
        let mut tried = 1 + self.own(schema);
        for part in same {
            tried = tried.saturating_add(self.of(part, chain)?);
        }
        let inside = |part: &Value| self.before.get(&std::ptr::from_ref(part)).copied().unwrap_or(0);
        let one = |keys: [&str; 3]| -> u64 { keys.iter().filter_map(|key| schema.get(key)).map(inside).sum() };
        let member = named("properties").map(inside).max().unwrap_or(0).saturating_add(one(MEMBERS));
        let member = member.saturating_add(named("patternProperties").map(inside).sum());
        let element = list("prefixItems").map(inside).max().unwrap_or(0).saturating_add(one(ELEMENTS));
        tried = tried.saturating_add(member.max(element));
        chain.remove(&key);
        self.now.insert(key, tried);
        Ok(tried)
    }

    /// Returns the cost of a schema's keywords without the cost of its subschemas, measured in tried subschemas.
    fn own(&self, schema: &Value) -> u64 {
        let length = |key: &str| match schema.get(key) {
            Some(Value::Array(elements)) => elements.len(),
            Some(Value::Object(members)) => members.len(),
            _ => 0,
        };
        let named = ["required", "properties", "dependentRequired"].map(length).iter().sum::<usize>() / 8;
        // Comparing a value with those in `enum` is cheap, because most of them differ in the first byte.
        let named = named + length("enum") / 32;
        let read = ["format", "uniqueItems"].iter().filter(|key| schema.get(**key).is_some()).count() * 4;
        let patterns = ["pattern", "patternProperties"].into_iter();
        let patterns =
            patterns.flat_map(|key| schema.get(key).map(|value| patterns_of(key, value)).unwrap_or_default());
        let matched: u64 = patterns.map(|text| 4 + self.patterns.get(text).copied().unwrap_or(UNREAD) / 8).sum();
        (named + read) as u64 + matched
    }
}
