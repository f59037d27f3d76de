//! Rewrites the content schema for generators of client code. Each object has a named schema, each `$ref` refers to
//! such a name, and Fieldbook's own keywords (`x-…`) are removed.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::keywords::{COMBINATIONS, ELEMENTS, MEMBERS, NAMED, SAME_VALUE, target};

/// Name of the schema of the content.
pub const CONTENT: &str = "Content";
/// Name of the schema of a merge patch of the content.
pub const PATCH: &str = "ContentPatch";

/// Keywords that are removed, because clients do not need them or generators misread them. A `title` is only a label,
/// but generators would name types after it. A `default` would make a field look required, although the service fills
/// in no defaults. `$defs` is not needed, because each schema in it that is used becomes a named schema.
const DROPPED: [&str; 11] = [
    "$schema",
    "$id",
    "$vocabulary",
    "$comment",
    "$anchor",
    "$dynamicAnchor",
    "$defs",
    "definitions",
    "title",
    "contentSchema",
    "default",
];

/// Keywords that can exclude null. A schema without any of these keywords accepts null.
const REFUSE_NULL: [&str; 7] = ["type", "$ref", "enum", "const", "allOf", "anyOf", "oneOf"];

/// Keywords that are removed for merge patches. A patch may violate them, because it is only a part of the content.
const WHOLE_ONLY: [&str; 9] = [
    "required",
    "minProperties",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "then",
    "else",
    "not",
    "unevaluatedProperties",
];

/// Keywords that are removed from the root. They would also apply to the system fields in the same JSON object.
const OF_ALL_MEMBERS: [&str; 3] = ["propertyNames", "minProperties", "maxProperties"];

/// Converts a content schema to named schemas. Two of them are [`CONTENT`], the schema of whole content, and [`PATCH`],
/// the schema of a merge patch. If the content schema restricts fields that it does not name, [`CONTENT`] and [`PATCH`]
/// contain this restriction as `unevaluatedProperties`.
pub fn named_schemas(root: &Value) -> Map<String, Value> {
    let mut namer = Namer { root, names: HashMap::new(), schemas: Map::new() };
    let wholes = [(CONTENT, false), (PATCH, true)];
    namer.names.extend(wholes.map(|(name, is_patch)| ((std::ptr::from_ref(root), is_patch), name.to_owned())));
    for (name, is_patch) in wholes {
        let mut schema = namer.converted(root, name, is_patch);
        if let Some(members) = schema.as_object_mut() {
            let (additional, unevaluated) =
                (members.shift_remove("additionalProperties"), members.shift_remove("unevaluatedProperties"));
            members.retain(|key, _| !OF_ALL_MEMBERS.contains(&key.as_str()));
            members.insert("type".to_owned(), json!("object"));
            match additional.or(unevaluated) {
                None | Some(Value::Bool(true)) => members.insert("additionalProperties".to_owned(), json!(true)),
                Some(unknown) => members.insert("unevaluatedProperties".to_owned(), unknown),
            };
        }
        namer.schemas.insert(name.to_owned(), schema);
    }
    namer.schemas
}

struct Namer<'s> {
    root: &'s Value,
    /// Names of converted schemas. The key is the memory address of the schema, and whether the name is for merge
    /// patches.
    names: HashMap<(*const Value, bool), String>,
    schemas: Map<String, Value>,
}

impl<'s> Namer<'s> {
    /// Converts a part of another schema. If the part has `properties`, returns a reference to a named schema. `name`
    /// is the preferred name. If the name is taken, a number is appended.
    fn part(&mut self, schema: &'s Value, name: &str, is_patch: bool) -> Value {
        if schema.get("properties").is_some() {
            return self.reference(schema, name, is_patch);
        }
        self.converted(schema, name, is_patch)
    }

    fn reference(&mut self, schema: &'s Value, name: &str, is_patch: bool) -> Value {
        let key = (std::ptr::from_ref(schema), is_patch);
        let name = match self.names.get(&key) {
            Some(known) => known.clone(),
            None => {
                let taken = |name: &String| self.names.values().any(|other| other == name);
                let numbered = (2_u32..).map(|number| format!("{name}{number}"));
                let mut free = std::iter::once(name.to_owned()).chain(numbered).skip_while(taken);
                let free = free.next().unwrap_or_default();
                // The name is stored before the schema is converted, because the schema may refer to itself.
                self.names.insert(key, free.clone());
                let converted = self.converted(schema, &free, is_patch);
                self.schemas.insert(free.clone(), converted);
                free
            }
        };
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    fn converted(&mut self, schema: &'s Value, name: &str, is_patch: bool) -> Value {
        // Replaces the schemas `true` and `false`, which not all generators know.
        let Some(keywords) = schema.as_object() else {
            return if schema.as_bool() == Some(false) { json!({"not": {}}) } else { json!({}) };
        };
        let mut converted = Map::new();
        for (key, value) in keywords {
            let key = key.as_str();
            let is_dropped = key.starts_with("x-") || DROPPED.contains(&key) || is_patch && WHOLE_ONLY.contains(&key);
            if !is_dropped {
                let value = self.keyword(key, value, name, is_patch);
                match (key, value) {
                    ("$ref", Value::Object(reference)) => converted.extend(reference),
                    // A patch leaves out members, so it may match more than one of the choices.
                    ("oneOf", value) if is_patch => drop(converted.insert("anyOf".to_owned(), value)),
                    (_, value) => drop(converted.insert(key.to_owned(), value)),
                }
            }
        }
        let is_object = keywords.get("type").is_some_and(|kind| {
            kind == "object" || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("object")))
        });
        if is_object && !MEMBERS[..2].iter().any(|key| keywords.contains_key(*key)) {
            converted.insert("additionalProperties".to_owned(), Value::Bool(true));
        }
        Value::Object(converted)
    }

    fn keyword(&mut self, key: &str, value: &'s Value, name: &str, is_patch: bool) -> Value {
        // A patch replaces an array as a whole, so elements have the schemas of the content.
        let whole_name = name.replacen(PATCH, CONTENT, 1);
        match (key, value) {
            ("$ref", _) => match target(self.root, value) {
                Ok(target) => {
                    let base = if is_patch { PATCH } else { CONTENT };
                    let last = value.as_str().and_then(|place| place.rsplit('/').next()).unwrap_or_default();
                    self.reference(target, &format!("{base}{}", pascal(last)), is_patch)
                }
                Err(_) => Value::Bool(true),
            },
            ("additionalProperties" | "unevaluatedProperties", Value::Bool(_)) => value.clone(),
            ("additionalProperties", _) => {
                let part = self.part(value, &format!("{name}Value"), is_patch);
                if is_patch { nullable(part) } else { part }
            }
            ("properties" | "patternProperties", Value::Object(members)) => {
                let member = |(field, schema): (&String, &'s Value)| {
                    let part = self.part(schema, &format!("{name}{}", pascal(field)), is_patch);
                    (field.clone(), if is_patch { nullable(part) } else { part })
                };
                Value::Object(members.iter().map(member).collect())
            }
            (_, Value::Object(members)) if NAMED.contains(&key) => {
                let member =
                    |(field, schema): (&String, &'s Value)| (field.clone(), self.converted(schema, name, is_patch));
                Value::Object(members.iter().map(member).collect())
            }
            (_, Value::Array(parts)) if COMBINATIONS.contains(&key) => {
                Value::Array(parts.iter().map(|part| self.part(part, &format!("{name}Choice"), is_patch)).collect())
            }
            ("prefixItems", Value::Array(parts)) => {
                Value::Array(parts.iter().map(|part| self.part(part, &format!("{whole_name}Item"), false)).collect())
            }
            _ if ELEMENTS.contains(&key) => self.part(value, &format!("{whole_name}Item"), false),
            _ if SAME_VALUE.contains(&key) || MEMBERS.contains(&key) => self.converted(value, name, is_patch),
            _ => value.clone(),
        }
    }
}

/// Returns a schema that also accepts null.
fn nullable(schema: Value) -> Value {
    let null = json!("null");
    match schema {
        Value::Object(mut keywords) if keywords.contains_key("type") && !keywords.contains_key("const") => {
            if let Some(kind) = keywords.get_mut("type") {
                let mut kinds = kind.as_array().cloned().unwrap_or_else(|| vec![kind.clone()]);
                if !kinds.contains(&null) {
                    kinds.push(null);
                }
                *kind = Value::Array(kinds);
            }
            if let Some(Value::Array(values)) = keywords.get_mut("enum") {
                values.push(Value::Null);
            }
            Value::Object(keywords)
        }
        schema if !REFUSE_NULL.iter().any(|key| schema.get(key).is_some()) => schema,
        schema => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}

/// Converts the name of a field to the name of a type: `group-size` becomes `GroupSize`.
fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(|word| word.split_at_checked(1));
    words.map(|(first, rest)| first.to_ascii_uppercase() + rest).collect()
}
