//! OpenAPI schemas that combine the content of an investigation, as the content schema describes it, and other fields.

use std::borrow::Cow;

use serde_json::{Value, json};
use utoipa::openapi::schema::{AllOfBuilder, Schema as ApiSchema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use crate::domain::client_schema::{CONTENT, PATCH, named_schemas};
use crate::domain::id::ObjectId;
use crate::domain::list::ROW_FIELDS;
use crate::domain::status::Status;
use crate::http::envelope::SystemFields;
use crate::http::investigation::version::VersionFields;

/// Defines types whose OpenAPI schema combines the content with other fields, as an `allOf`.
macro_rules! beside_content {
    ($($type:ident as $name:literal: $content:ident with $fields:ty, $description:literal;)+) => {
        $(
            #[doc = $description]
            pub struct $type;

            impl PartialSchema for $type {
                fn schema() -> RefOr<ApiSchema> {
                    let of = |name: &str| Ref::from_schema_name(name);
                    let parts = AllOfBuilder::new().item(of($content)).item(of(&<$fields>::name()));
                    parts.description(Some($description)).into()
                }
            }

            impl ToSchema for $type {
                fn name() -> Cow<'static, str> {
                    $name.into()
                }

                fn schemas(schemas: &mut Vec<(String, RefOr<ApiSchema>)>) {
                    schemas.push((<$fields>::name().into(), <$fields>::schema()));
                    <$fields>::schemas(schemas);
                }
            }
        )+

        const BESIDE_CONTENT: &[&str] = &[$($name),+];
    };
}

beside_content! {
    InvestigationSchema as "Investigation": CONTENT with SystemFields,
        "An investigation: its content fields, and beside them the fields that the service keeps.";
    ListedInvestigation as "ListedInvestigation": CONTENT with ListedFields,
        "An investigation in a list: whole, or with the fields that the parameter `fields` names.";
    VersionContent as "VersionContent": CONTENT with VersionFields,
        "The content of an investigation at a version.";
    InvestigationBody as "InvestigationBody": CONTENT with CreateFields, "The body of a request that creates an investigation.";
    InvestigationPatch as "InvestigationPatch": PATCH with UpdateFields,
        "The body of an update, a JSON Merge Patch: omitted fields stay, and null removes a field.";
}

/// The fields beside the content that a client may set when it creates an investigation. Other system fields are
/// ignored.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `CreateRequest` reads")]
pub struct CreateFields {
    /// Id of the author, or a profile object from a response. If it is omitted or null, the caller is the author.
    author: Option<ObjectId>,
    /// Status to set: `in_development` or `published`. A draft status means any draft: the service computes which one.
    #[schema(nullable = false)]
    status: Option<Status>,
    /// Ids of the users who, in addition to the author, may change the investigation.
    #[schema(max_items = 100)]
    editors: Option<Vec<ObjectId>>,
    /// An object. Its member `author` is stored if it is an id. Other members are ignored.
    metadata: Option<Value>,
}

/// The fields beside the content that a client may set by an update. Other system fields are ignored.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what `UpdateRequest` reads")]
pub struct UpdateFields {
    /// Status to set: `in_development` or `published`. A draft status means any draft: the service computes which one.
    #[schema(nullable = false)]
    status: Option<Status>,
    /// Ids of the users who, in addition to the author, may change the investigation; null removes all.
    #[schema(max_items = 100)]
    editors: Option<Vec<ObjectId>>,
    /// An object. Its member `author` is stored if it is an id. Other members are ignored.
    metadata: Option<Value>,
}

/// The system fields of a listed investigation. With the parameter `fields`, only [`ROW_FIELDS`] are always present.
struct ListedFields;

impl PartialSchema for ListedFields {
    fn schema() -> RefOr<ApiSchema> {
        let mut schema = SystemFields::schema();
        if let RefOr::T(ApiSchema::Object(object)) = &mut schema {
            object.required = ROW_FIELDS.map(str::to_owned).to_vec();
        }
        schema
    }
}

impl ToSchema for ListedFields {}

/// Returns the OpenAPI document with the content schema `schema` added.
pub fn with_content(mut document: Value, schema: &Value) -> Value {
    let mut named = named_schemas(schema);
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return document };
    for (content, request) in [(CONTENT, InvestigationBody::name()), (PATCH, InvestigationPatch::name())] {
        // The content is combined with system fields, so only the combined schema can reject unknown fields.
        let unknown = named[content].as_object_mut().and_then(|schema| schema.shift_remove("unevaluatedProperties"));
        if let (Some(unknown), Some(request)) = (unknown, schemas.get_mut(&*request)) {
            request["unevaluatedProperties"] = unknown;
        }
    }
    if named[CONTENT].get("additionalProperties").is_some() {
        schemas.iter_mut().filter(|(name, _)| BESIDE_CONTENT.contains(&name.as_str())).for_each(|(_, schema)| {
            schema["additionalProperties"] = json!(true);
        });
    }
    schemas.extend(named);
    schemas.sort_keys();
    document
}
