//! Finds misspelled and misplaced keywords in a content schema. A validator ignores unknown keywords, so such a keyword
//! would have no effect.

use serde_json::Value;

use super::schema_error::SchemaError;
use super::text::common_letters;

/// Keywords that contain one schema: for the same value (`SAME_VALUE`), for the members of an object or their names
/// (`MEMBERS`), or for the elements of an array (`ELEMENTS`).
pub(super) const SAME_VALUE: [&str; 5] = ["if", "then", "else", "not", "contentSchema"];
pub(super) const MEMBERS: [&str; 3] = ["additionalProperties", "unevaluatedProperties", "propertyNames"];
pub(super) const ELEMENTS: [&str; 3] = ["items", "contains", "unevaluatedItems"];
/// Keywords that contain a list of schemas for the same value.
pub(super) const COMBINATIONS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
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
const AT_ROOT: [&str; 4] = ["$schema", "$id", "$vocabulary", "x-rules-off"];
/// Keywords of Fieldbook. Operators may use other keywords with the prefix `x-`, unless these look like a misspelling
/// of one of Fieldbook's keywords.
const OWN: [&str; 5] = ["x-audience", "x-complete", "x-order", "x-pupil-title", "x-rules-off"];

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Checks the keywords of a whole schema.
pub fn check(root: &Value) -> Result<(), SchemaError> {
    check_schema(root, root, "")
}

fn check_schema(root: &Value, schema: &Value, place: &str) -> Result<(), SchemaError> {
    schema.as_object().into_iter().flatten().try_for_each(|(key, value)| check_keyword(root, key, value, place))
}

fn check_keyword(root: &Value, key: &str, value: &Value, schema: &str) -> Result<(), SchemaError> {
    let place = child(schema, key);
    let refused = |reason: &str| Err(SchemaError::invalid(&place, reason));
    let is_root = schema.is_empty();
    let is_field = schema.strip_prefix("/properties/").is_some_and(|name| !name.contains('/'));
    match key {
        "$ref" => target(root, value).map(drop).or_else(refused),
        "$schema" if is_root && value.as_str().is_none_or(|draft| draft.trim_end_matches('#') != DRAFT) => {
            refused(&format!("must be \"{DRAFT}\""))
        }
        "x-audience" if is_field && !matches!(value.as_str(), Some("pupil" | "teacher")) => {
            refused("must be \"pupil\" or \"teacher\"")
        }
        "x-pupil-title" if is_field && !value.is_string() => refused("must be a string"),
        "x-complete" | "x-audience" | "x-pupil-title" if is_field => Ok(()),
        "x-complete" | "x-audience" | "x-pupil-title" => refused("has an effect only on a top-level field"),
        "x-order" if value.is_number() => Ok(()),
        "x-order" => refused("must be a number"),
        _ if AT_ROOT.contains(&key) && is_root => Ok(()),
        _ if AT_ROOT.contains(&key) => refused("is allowed only at the root of the schema"),
        _ if PLAIN.contains(&key) => Ok(()),
        _ if SAME_VALUE.contains(&key) || MEMBERS.contains(&key) || ELEMENTS.contains(&key) => {
            check_schema(root, value, &place)
        }
        _ if COMBINATIONS.contains(&key) || key == "prefixItems" => {
            let mut schemas = value.as_array().into_iter().flatten().enumerate();
            schemas.try_for_each(|(index, part)| check_schema(root, part, &child(&place, &index.to_string())))
        }
        _ if NAMED.contains(&key) => {
            let mut schemas = value.as_object().into_iter().flatten();
            schemas.try_for_each(|(name, part)| check_schema(root, part, &child(&place, name)))
        }
        _ if key.starts_with("x-") && OWN.iter().all(|own| is_not_misspelling_of(key, own)) => Ok(()),
        _ => refused("is not a known keyword and would have no effect"),
    }
}

fn child(place: &str, key: &str) -> String {
    format!("{place}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Returns whether two words are too different for one to be a misspelling of the other: without the common prefix and
/// suffix, the longer word has more than two characters.
fn is_not_misspelling_of(one: &str, other: &str) -> bool {
    let longer = one.chars().count().max(other.chars().count());
    longer > common_letters(one, other) + 2
}

/// Returns the target of a reference. The reference must be a JSON Pointer to a position inside the schema.
pub(super) fn target<'s>(root: &'s Value, reference: &'s Value) -> Result<&'s Value, &'static str> {
    let pointer = reference.as_str().and_then(|reference| reference.strip_prefix('#'));
    let pointer = pointer.filter(|pointer| pointer.is_empty() || pointer.starts_with('/'));
    let pointer = pointer.ok_or("must be a JSON Pointer into this schema, such as \"#/$defs/step\"")?;
    root.pointer(pointer).ok_or("leads nowhere")
}
