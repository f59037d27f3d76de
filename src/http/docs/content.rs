//! The content schema in the OpenAPI document.

use serde_json::{Value, json};

use crate::domain::client_schema::{CONTENT, PATCH, named_schemas};

/// The schemas that combine the content with other fields.
const BESIDE_CONTENT: [&str; 5] =
    ["Investigation", "InvestigationBody", "InvestigationPatch", "ListedInvestigation", "VersionContent"];

/// Adds the content schema `schema` to the schemas of the OpenAPI document, which refer to it.
pub fn add_content(document: &mut Value, schema: &Value) {
    let mut named = named_schemas(schema);
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    for (content, request) in [(CONTENT, "InvestigationBody"), (PATCH, "InvestigationPatch")] {
        // The content is combined with system fields. So the rule against unknown fields is moved to the combined
        // schema.
        let unknown = named[content].as_object_mut().and_then(|schema| schema.shift_remove("unevaluatedProperties"));
        if let Some(unknown) = unknown {
            schemas[request]["unevaluatedProperties"] = unknown;
        }
    }
    if named[CONTENT].get("additionalProperties").is_some() {
        for name in BESIDE_CONTENT {
            schemas[name]["additionalProperties"] = json!(true);
        }
    }
    schemas.extend(named);
    schemas.sort_keys();
}
