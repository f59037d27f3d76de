//! OpenAPI schemas that are written by hand in `api/common.json`, and the content schema that some of them include.

use serde_json::{Value, json};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::client_schema::{CONTENT, PATCH, named_schemas};

/// Defines types that operations name in order to refer to the schemas.
macro_rules! written_by_hand {
    ($($type:ident)+) => {
        $(
            pub struct $type;

            impl PartialSchema for $type {
                fn schema() -> RefOr<Schema> {
                    Ref::from_schema_name(stringify!($type)).into()
                }
            }

            impl ToSchema for $type {}
        )+
    };
}

written_by_hand! {
    ChatMessageBody DismissalBody FieldNameBody Investigation InvestigationBody InvestigationPatch LinkBody LinkPatch
    ListedInvestigation PresenceBody SplitBody StreamedEvent VersionContent VersionNameBody
}

/// The schemas that combine the content with other fields.
const BESIDE_CONTENT: [&str; 5] =
    ["Investigation", "InvestigationBody", "InvestigationPatch", "ListedInvestigation", "VersionContent"];

/// Returns the OpenAPI document with the content schema `schema` added.
pub fn with_content(mut document: Value, schema: &Value) -> Value {
    let mut named = named_schemas(schema);
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return document };
    for (content, request) in [(CONTENT, "InvestigationBody"), (PATCH, "InvestigationPatch")] {
        // The content is combined with system fields, so only the combined schema can reject unknown fields.
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
    document
}
