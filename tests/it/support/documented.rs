//! The OpenAPI document in tests. Every answer to a [`Caller`] is checked against it.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Caller, Exchange};

const SCHEMAS: &str = "/components/schemas/";

/// The OpenAPI document of the repository, made stricter: objects may have only the members that it describes. Only the
/// content of an investigation may be anything.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = fieldbook::http::openapi();
    let schemas = document["components"]["schemas"].as_object_mut().expect("schemas");
    let combined = schemas.values().filter_map(|schema| schema["allOf"].as_array()).flatten();
    let combined: Vec<String> = combined.filter_map(|part| part["$ref"].as_str()).map(str::to_owned).collect();
    for (name, schema) in schemas.iter_mut() {
        // `allOf` applies several schemas to one object, so none of them may forbid members that another one describes.
        if schema.get("properties").is_some() && !combined.contains(&format!("#{SCHEMAS}{name}")) {
            schema["additionalProperties"] = json!(false);
        }
    }
    schemas.extend(["Content", "ContentPatch"].map(|name| (name.to_owned(), json!({}))));
    document
});

/// The schemas of answers that were checked so far.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// Returns the served document, with parameters, request bodies and answers inlined where they are used.
pub async fn served(caller: &Caller) -> Value {
    let document = caller.get("/api/openapi.json").await.json();
    resolved(&document, &document)
}

/// Returns a part of a document, with parameters, request bodies and answers inlined where they are used.
fn resolved(document: &Value, part: &Value) -> Value {
    let resolved = |part| resolved(document, part);
    match part {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(reference) if !reference.contains(SCHEMAS) => {
                resolved(document.pointer(reference.trim_start_matches('#')).expect("a target"))
            }
            _ => members.iter().map(|(name, member)| (name.clone(), resolved(member))).collect(),
        },
        Value::Array(elements) => elements.iter().map(resolved).collect(),
        scalar => scalar.clone(),
    }
}

/// Panics if the answer to a request is not one that the document describes.
pub fn check(method: &Method, path: &str, answer: &Exchange) {
    let Some(operation) = operation(method, path) else { return };
    let documented = resolved(&DOCUMENT, &operation["responses"][answer.status.as_str()]);
    let is_json = answer.headers.get("content-type").is_some_and(|kind| kind == "application/json");
    let Some(described) = documented["content"].get("application/json").filter(|_| is_json && !answer.text.is_empty())
    else {
        return;
    };
    let validator = validator(&described["schema"]);
    let answered = answer.json();
    if let Some(fault) = validator.iter_errors(&answered).next() {
        panic!("not as documented: {}: {fault}: {answer}", fault.instance_path());
    }
}

fn validator(schema: &Value) -> Arc<Validator> {
    let mut known = VALIDATORS.lock().expect("no panic");
    let validator = known.entry(schema.to_string()).or_insert_with(|| {
        let mut root = schema.clone();
        root["components"] = DOCUMENT["components"].clone();
        Arc::new(jsonschema::draft202012::new(&root).expect("a schema"))
    });
    validator.clone()
}

/// Returns the operation that the router chooses for a request, if it is documented.
fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let asked: Vec<&str> = path.split('?').next().unwrap_or_default().split('/').collect();
    let is_parameter = |part: &str| part.starts_with('{');
    let paths = DOCUMENT["paths"].as_object().expect("paths").iter().filter(|(path, _)| {
        let parts: Vec<&str> = path.split('/').collect();
        parts.len() == asked.len() && parts.iter().zip(&asked).all(|(part, asked)| is_parameter(part) || part == asked)
    });
    let (_, item) = paths.min_by_key(|(path, _)| path.split('/').filter(|part| is_parameter(part)).count())?;
    item.get(method.as_str().to_lowercase())
}
