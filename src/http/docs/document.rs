//! The OpenAPI document, with the content schema and the examples of this service.

use std::sync::{Arc, OnceLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::routing::{MethodRouter, get};
use serde_json::{Value, json};

use super::content;
use crate::app::App;
use crate::domain::schema::BUILT_IN;

/// Example requests and responses, by operation and status. A test generates the file.
const EXAMPLES: &str = include_str!("../../../api/examples.json");

/// Returns the OpenAPI document, without the parts that depend on the settings or the content schema.
pub fn openapi() -> Value {
    serde_json::from_str(include_str!("../../../api/openapi.json")).unwrap_or_default()
}

pub fn document() -> MethodRouter<App> {
    let text: Arc<OnceLock<Bytes>> = Arc::default();
    get(move |State(app): State<App>| {
        let text = text.get_or_init(|| document_of(&app).into()).clone();
        std::future::ready(([("content-type", "application/json"), ("cache-control", "no-cache")], text))
    })
}

fn document_of(app: &App) -> String {
    let mut document = openapi();
    let url = app.http.public_url.as_deref().unwrap_or("/");
    document["servers"] = json!([{"url": url, "description": "This service"}]);
    let schema = app.schema.document();
    // The examples contain content for the built-in schema, so they would be invalid with another schema.
    if serde_json::from_str::<Value>(BUILT_IN).is_ok_and(|built_in| built_in == *schema) {
        add_examples(&mut document);
    }
    content::add_content(&mut document, schema);
    format!("{document:#}")
}

fn add_examples(document: &mut Value) {
    let examples: Value = serde_json::from_str(EXAMPLES).unwrap_or_default();
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    for operation in paths.filter_map(Value::as_object_mut).flat_map(|path| path.values_mut()) {
        let example = operation["operationId"].as_str().and_then(|name| examples[name].as_object());
        for (part, value) in example.into_iter().flatten() {
            let body =
                if part == "request" { &mut operation["requestBody"] } else { &mut operation["responses"][part] };
            for (_, content) in body["content"].as_object_mut().into_iter().flatten() {
                content["example"] = value.clone();
            }
        }
    }
}
