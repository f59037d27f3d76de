//! A document made from the types of a schema: every field that the schema describes, with a value that fits its type.
//!
//! It is for trying out what reads documents; it need not keep to patterns, formats or lengths.

use serde_json::{Map, Number, Value};

use super::content::Content;

/// How deep references and objects are followed.
const MAX_DEPTH: usize = 12;
/// How many values a sample has at most.
const MAX_VALUES: usize = 2000;
/// What a text says, unless the schema names one.
const TEXT: &str = "See step 1.";

/// A document with all fields of `schema`. What the schema says nothing of is left out.
pub fn sample(schema: &Value) -> Content {
    let mut left = MAX_VALUES;
    match value(schema, schema, MAX_DEPTH, &mut left) {
        Some(Value::Object(content)) => content,
        _ => Content::new(),
    }
}

fn value(root: &Value, schema: &Value, depth: usize, left: &mut usize) -> Option<Value> {
    *left = left.checked_sub(1)?;
    let depth = depth.checked_sub(1)?;
    let first = |key: &str| schema.get(key)?.as_array()?.first();
    if let Some(given) = schema.get("const").or(first("enum")).or(first("examples")).or(schema.get("default")) {
        return Some(given.clone());
    }
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|place| root.pointer(place.strip_prefix('#')?));
    if let Some(part) = target.or(first("oneOf")).or(first("anyOf")).or(first("allOf"))
        && let Some(value) = value(root, part, depth, left)
    {
        return Some(value);
    }
    let of_type = match schema.get("type") {
        Some(Value::Array(types)) => types.first().and_then(Value::as_str),
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
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_sample_has_every_field_of_the_schema_in_its_type() {
        let schema = json!({
            "properties": {
                "title": {"type": "string"}, "grade": {"type": ["integer", "string"], "minimum": 3}, "open": {},
                "level": {"enum": ["low", "high"]}, "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}},
                "place": {"oneOf": [{"properties": {"room": {"type": "boolean"}}}, {"type": "string"}]}
            },
            "$defs": {"step": {"properties": {"text": {"type": "string"}, "then": {"$ref": "#/$defs/step"}}}}
        });
        let mut content = sample(&schema);
        let steps = content.shift_remove("steps").expect("steps");
        assert_eq!(steps[0]["then"]["text"], TEXT);
        assert_eq!(Value::Object(content), json!({"title": TEXT, "grade": 3, "level": "low", "place": {"room": true}}));
    }

    #[test]
    fn a_schema_that_refers_to_itself_has_a_sample_too() {
        assert_eq!(sample(&json!({"$ref": "#"})), Content::new());
        let wide: Map<String, Value> = (0..40).map(|n| (format!("p{n}"), json!({"$ref": "#"}))).collect();
        assert!(sample(&json!({"properties": wide})).len() <= 40);
    }
}
