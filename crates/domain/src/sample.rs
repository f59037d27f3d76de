//! Generates a sample document from a schema. The sample has all fields that the schema describes, with values of the
//! right types.
//!
//! The sample is for testing code that reads documents. It may violate patterns, formats or lengths of the schema.

use serde_json::{Map, Number, Value};

use super::content::Content;

/// Maximum nesting depth of the subschemas that are followed.
const MAX_DEPTH: usize = 12;
const MAX_VALUES: usize = 2000;
/// Value of strings, unless the schema contains a value, such as one of `examples`.
const TEXT: &str = "See step 1.";

/// Returns a document with the fields that `schema` describes, and no others.
pub fn sample(schema: &Value) -> Content {
    let mut left = MAX_VALUES;
    match value(schema, schema, MAX_DEPTH, &mut left) {
        Some(Value::Object(content)) => content,
        _ => Content::new(),
    }
}

/// Returns whether the schema describes a field with this name at any depth.
pub fn names(schema: &Value, name: &str) -> bool {
    match schema {
        Value::Object(members) => {
            members.get("properties").is_some_and(|properties| properties.get(name).is_some())
                || members.values().any(|part| names(part, name))
        }
        Value::Array(elements) => elements.iter().any(|part| names(part, name)),
        _ => false,
    }
}

/// Returns a value for a schema; `None` if a limit is reached or no value is known. If there are several choices, uses
/// the first that is not null. `left` is the number of values that may still be generated.
fn value(root: &Value, schema: &Value, depth: usize, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    let list = |key: &str| schema.get(key).and_then(Value::as_array).into_iter().flatten();
    let some = |value: &&Value| !value.is_null();
    let given = schema.get("const").or_else(|| list("enum").find(some)).or_else(|| list("examples").find(some));
    if let Some(given) = given.or(schema.get("default")).filter(some) {
        return Some(given.clone());
    }
    let mut made = of_type(root, schema, depth, left);
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|place| root.pointer(place.strip_prefix('#')?));
    for part in target.into_iter().chain(list("allOf")) {
        made = merged(made, value(root, part, depth, left));
    }
    for choices in ["oneOf", "anyOf"] {
        let chosen = list(choices).find_map(|part| value(root, part, depth, left).filter(|value| !value.is_null()));
        made = merged(made, chosen);
    }
    made
}

fn merged(one: Option<Value>, other: Option<Value>) -> Option<Value> {
    match (one, other) {
        (Some(Value::Object(mut members)), Some(Value::Object(more))) => {
            for (name, member) in more {
                let known = members.get_mut(&name).map(Value::take);
                members.extend(merged(known, Some(member)).map(|member| (name, member)));
            }
            Some(Value::Object(members))
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => {
            Some(Value::Array(merged(one.into_iter().next(), other.into_iter().next()).into_iter().collect()))
        }
        (None | Some(Value::Null), Some(other)) => Some(other),
        (one, _) => one,
    }
}

/// Returns a value for the `type` of a schema, or for the type that its other keywords imply.
fn of_type(root: &Value, schema: &Value, depth: usize, left: &mut usize) -> Option<Value> {
    let of_type = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).find(|of_type| *of_type != "null"),
        Some(of_type) => of_type.as_str(),
        None if schema.get("properties").is_some() => Some("object"),
        None if schema.get("items").is_some() => Some("array"),
        None => None,
    };
    let number = || schema.get("minimum").and_then(Value::as_number).cloned().unwrap_or(Number::from(1));
    match of_type? {
        "object" => {
            let mut members = Map::new();
            for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
                if let Some(member) = value(root, property, depth, left) {
                    members.insert(name.clone(), member);
                }
            }
            Some(Value::Object(members))
        }
        "array" => {
            let element = schema.get("items").and_then(|items| value(root, items, depth, left));
            Some(Value::Array(element.into_iter().collect()))
        }
        "string" => Some(Value::from(TEXT)),
        "integer" | "number" => Some(Value::Number(number())),
        "boolean" => Some(Value::Bool(true)),
        "null" => Some(Value::Null),
        _ => None,
    }
}
