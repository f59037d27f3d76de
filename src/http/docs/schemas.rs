//! Simplifies the schemas that utoipa derives, so that client generators create one type per schema. A copy of a named
//! schema becomes a reference, and an `allOf` of objects becomes one object.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use crate::domain::client_schema::pascal;

const PLACE: &str = "#/components/schemas/";

/// Simplifies all schemas of an OpenAPI document, so that generated clients have one type per schema.
pub fn simplify(document: &mut Value) {
    let mut schemas = document["components"]["schemas"].as_object().cloned().unwrap_or_default();
    let named: Vec<_> = schemas.iter().map(|(name, schema)| (name.clone(), schema.clone())).collect();
    for schema in schemas.values_mut() {
        parts(schema).for_each(|part| refer(part, &named));
    }
    refer(&mut document["paths"], &named);
    for (name, schema) in schemas.clone() {
        let alternatives = alternatives(&schema, &schemas).unwrap_or_default();
        if let (Some(_), Some(merged)) = (schema.get("allOf"), one_type(&name, alternatives, &mut schemas)) {
            schemas.insert(name, described_as(merged, &schema));
        }
    }
    name_parts(&mut schemas);
    document["components"]["schemas"] = Value::Object(schemas);
    rename(document);
    remove_unused(document);
}

/// Moves each inline object of the remaining `allOf` schemas to a named schema, such as `UndeletedFields`.
fn name_parts(schemas: &mut Map<String, Value>) {
    for (name, mut schema) in schemas.clone() {
        for part in schema.get_mut("allOf").and_then(Value::as_array_mut).into_iter().flatten() {
            if part.get("properties").is_some() {
                let fields = format!("{name}Fields");
                schemas.insert(fields.clone(), std::mem::replace(part, json!({ "$ref": format!("{PLACE}{fields}") })));
            }
        }
        schemas.insert(name, schema);
    }
}

fn parts(value: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match value {
        Value::Object(members) => Box::new(members.values_mut()),
        Value::Array(elements) => Box::new(elements.iter_mut()),
        _ => Box::new(std::iter::empty()),
    }
}

/// Replaces each copy of a named schema by a reference.
fn refer(value: &mut Value, named: &[(String, Value)]) {
    match named.iter().find(|(_, schema)| schema == value) {
        Some((name, _)) => *value = json!({ "$ref": format!("{PLACE}{name}") }),
        None => parts(value).for_each(|part| refer(part, named)),
    }
}

/// Returns the object schemas that `schema` allows: one for an object, several for a `oneOf`. Returns `None` if one of
/// them is not an object, or is the content schema, which is added later.
fn alternatives(schema: &Value, schemas: &Map<String, Value>) -> Option<Vec<Value>> {
    if let Some(name) = schema["$ref"].as_str().and_then(|place| place.strip_prefix(PLACE)) {
        return alternatives(schemas.get(name)?, schemas);
    }
    let list = |key: &str| schema[key].as_array();
    if let Some(choices) = list("oneOf") {
        let choices: Option<Vec<_>> = choices.iter().map(|choice| alternatives(choice, schemas)).collect();
        return choices.map(|choices| choices.concat());
    }
    let Some(parts) = list("allOf") else {
        return schema.get("properties").map(|_| vec![schema.clone()]);
    };
    parts.iter().try_fold(vec![json!({"type": "object"})], |before, part| {
        let part = alternatives(part, schemas)?;
        Some(before.iter().flat_map(|one| part.iter().map(|other| merged(one, other))).collect())
    })
}

fn merged(one: &Value, other: &Value) -> Value {
    let mut merged = one.clone();
    for key in ["properties", "required"] {
        match (&mut merged[key], &other[key]) {
            (Value::Object(all), Value::Object(more)) => all.extend(more.clone()),
            (Value::Array(all), Value::Array(more)) => all.extend(more.clone()),
            (missing @ Value::Null, more) if !more.is_null() => *missing = more.clone(),
            _ => {}
        }
    }
    if let Some(members) = merged.as_object_mut() {
        members.retain(|_, value| !value.is_null());
        members.extend(other.get("description").map(|text| ("description".to_owned(), text.clone())));
    }
    merged
}

/// Returns the only alternative. If there are several, stores each as a named schema and returns a `oneOf`. Its
/// discriminator is the property with a single possible value.
fn one_type(name: &str, mut alternatives: Vec<Value>, schemas: &mut Map<String, Value>) -> Option<Value> {
    if alternatives.len() < 2 {
        return alternatives.pop();
    }
    let properties = alternatives.first()?["properties"].as_object()?;
    let (tag, _) = properties.iter().find(|(_, schema)| schema["enum"].as_array().is_some_and(|one| one.len() == 1))?;
    let (tag, mut mapping) = (tag.clone(), Map::new());
    for alternative in alternatives {
        let value = alternative["properties"][&tag]["enum"][0].as_str()?.to_owned();
        let name = format!("{name}{}", pascal(&value));
        mapping.insert(value, json!(format!("{PLACE}{name}")));
        schemas.insert(name, alternative);
    }
    let choices: Vec<_> = mapping.values().map(|place| json!({"$ref": place})).collect();
    Some(json!({"oneOf": choices, "discriminator": {"propertyName": tag, "mapping": mapping}}))
}

fn described_as(mut schema: Value, original: &Value) -> Value {
    schema["description"] = original["description"].clone();
    schema
}

fn references(value: &Value, found: &mut HashSet<String>) {
    match value {
        Value::Object(members) => members.values().for_each(|member| references(member, found)),
        Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
        Value::String(text) => found.extend(text.strip_prefix(PLACE).map(str::to_owned)),
        _ => {}
    }
}

fn remove_unused(document: &mut Value) {
    loop {
        let mut used = HashSet::new();
        references(document, &mut used);
        let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
        let before = schemas.len();
        schemas.retain(|name, _| used.contains(name));
        if schemas.len() == before {
            return;
        }
    }
}

/// Renames the schemas with [`public_name`], because the derived names contain types of this program.
fn rename(document: &mut Value) {
    fn renamed(value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(name) = text.strip_prefix(PLACE) {
                    *text = format!("{PLACE}{}", public_name(name));
                }
            }
            value => parts(value).for_each(renamed),
        }
    }
    renamed(document);
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        *schemas = std::mem::take(schemas).into_iter().map(|(name, schema)| (public_name(&name), schema)).collect();
        schemas.sort_keys();
    }
}

/// Returns the public name of a derived schema: `LinkListAnswer` for `Paged_Data_Vec_Link`.
fn public_name(name: &str) -> String {
    let (envelope, mut rest) = match name.trim_start_matches("Paged_").split_once('_') {
        Some((envelope, rest)) => (envelope, rest),
        None => ("", name),
    };
    let is_list = rest.starts_with("Vec_");
    rest = rest.trim_start_matches("Vec_");
    let rest = rest.strip_suffix("View").unwrap_or(rest);
    let answer = if envelope.is_empty() { "" } else { "Answer" };
    format!("{rest}{}{answer}", if is_list { "List" } else { "" })
}
