//! The content of investigations in the OpenAPI document, which follows the content schema of the operator.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Exchange, TestApp};

/// A schema that refuses unknown fields, refers to itself, and has names and keywords that generators cannot use.
fn own_schema() -> String {
    json!({
        "title": "Recipe", "$comment": "for cooks", "type": "object", "required": ["name"],
        "properties": {
            "name": {"type": "string", "title": "Name", "x-complete": true, "x-order": 1},
            "kind": {"enum": ["soup", "cake"], "default": "soup"}, "remark": true,
            "serving": {"type": "object", "properties": {"people": {"type": "integer"}}, "required": ["people"]},
            "patch": {"$ref": "#/$defs/part"}, "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}}
        },
        "additionalProperties": false,
        "$defs": {
            "part": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "parts": {"type": "array", "items": {"$ref": "#/$defs/part"}}},
                "required": ["name"], "additionalProperties": false
            }
        }
    })
    .to_string()
}

pub fn fits(document: &Value, schema: &str, value: &Value) -> Result<(), String> {
    let mut root = document.clone();
    root["$ref"] = json!(format!("#/components/schemas/{schema}"));
    let validator = jsonschema::draft202012::new(&root).expect("a schema");
    validator.validate(value).map_err(|error| format!("{}: {error}", error.instance_path()))
}

async fn with_own_schema() -> (TestApp, crate::support::Caller, Value) {
    let (app, anon, teacher) = TestApp::start_with_schema(&own_schema()).await;
    let document = anon.get("/api/openapi.json").await.json();
    (app, teacher, document)
}

#[tokio::test]
async fn custom_content_schema_appears_as_named_schemas_in_the_openapi_document() {
    let (_app, _, document) = with_own_schema().await;
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let of_content = schemas.iter().filter(|(name, _)| name.starts_with("Content"));
    let text: String = of_content.map(|(name, schema)| format!("{name}: {schema}\n")).collect();
    assert_snapshot!(text, @r##"
    Content: {"type":"object","required":["name"],"properties":{"name":{"type":"string"},"kind":{"enum":["soup","cake"]},"remark":{},"serving":{"$ref":"#/components/schemas/ContentServing"},"patch":{"$ref":"#/components/schemas/ContentPart"},"parts":{"type":"array","items":{"$ref":"#/components/schemas/ContentPart"}}}}
    ContentPart: {"type":"object","properties":{"name":{"type":"string"},"parts":{"type":"array","items":{"$ref":"#/components/schemas/ContentPart"}}},"required":["name"],"additionalProperties":false}
    ContentPatch: {"type":"object","properties":{"name":{"type":["string","null"]},"kind":{"anyOf":[{"enum":["soup","cake"]},{"type":"null"}]},"remark":{},"serving":{"anyOf":[{"$ref":"#/components/schemas/ContentPatchServing"},{"type":"null"}]},"patch":{"anyOf":[{"$ref":"#/components/schemas/ContentPatchPart"},{"type":"null"}]},"parts":{"type":["array","null"],"items":{"$ref":"#/components/schemas/ContentPart"}}}}
    ContentPatchPart: {"type":"object","properties":{"name":{"type":["string","null"]},"parts":{"type":["array","null"],"items":{"$ref":"#/components/schemas/ContentPart"}}},"additionalProperties":false}
    ContentPatchServing: {"type":"object","properties":{"people":{"type":["integer","null"]}},"additionalProperties":true}
    ContentServing: {"type":"object","properties":{"people":{"type":"integer"}},"required":["people"],"additionalProperties":true}
    "##);
    for body in ["InvestigationBody", "InvestigationPatch"] {
        assert_eq!(schemas[body]["unevaluatedProperties"], json!(false), "{body}");
    }
    // The examples have content for the built-in schema.
    assert!(!document.to_string().contains("Cress"), "{document}");
}

#[tokio::test]
async fn requests_valid_by_the_openapi_document_are_accepted_and_answered_as_documented() {
    let (_app, teacher, document) = with_own_schema().await;
    let body = json!({
        "name": "Soup", "kind": "soup", "serving": {"people": 4}, "parts": [{"name": "stock", "parts": []}],
        "status": "published",
    });
    fits(&document, "InvestigationBody", &body).expect("a creation");
    let created = teacher.post("/api/investigation", body).await;
    fits(&document, "InvestigationAnswer", &created.json()).expect("an answer");
    let path = created.header("location").expect("an address").to_owned();
    let patch = json!({"kind": null, "serving": {"people": null}, "parts": [{"name": "salt"}], "editors": null});
    fits(&document, "InvestigationPatch", &patch).expect("a patch");
    let refused = teacher.patch(&path, patch).await;
    assert_eq!(refused.json()["errors"][0]["path"], json!("serving.people"), "{refused}");
    let patch = json!({"kind": null, "serving": null, "parts": [{"name": "salt"}], "patch": {"name": "later"}});
    fits(&document, "InvestigationPatch", &patch).expect("a patch");
    let updated = teacher.patch(&path, patch).await;
    fits(&document, "Updated", &updated.json()).expect("an answer");
    let list = teacher.get("/api/investigation?fields=name").await.json();
    fits(&document, "InvestigationListAnswer", &list).expect("a list");
    let version = teacher.get(&format!("{path}/versions/1")).await.json();
    fits(&document, "VersionContentAnswer", &version).expect("a version");
}

#[tokio::test]
async fn requests_invalid_by_the_openapi_document_are_refused() {
    let (_app, teacher, document) = with_own_schema().await;
    let bodies = [
        json!({}),
        json!({"name": 1}),
        json!({"name": "Soup", "own": 1}),
        json!({"name": "Soup", "parts": [{}]}),
        json!({"name": "Soup", "kind": "stew"}),
        json!({"name": "Soup", "status": "cooked"}),
    ];
    for body in bodies {
        fits(&document, "InvestigationBody", &body).expect_err("a creation that does not fit");
        let refused: Exchange = teacher.post("/api/investigation", body).await;
        assert_eq!(refused.status.as_u16(), 400, "{refused}");
    }
}

#[tokio::test]
async fn openapi_document_allows_additional_fields_and_null_in_updates() {
    let (_app, anon, _) = TestApp::start().await;
    let document = anon.get("/api/openapi.json").await.json();
    let schemas = &document["components"]["schemas"];
    let all =
        ["Content", "ContentPatch", "ContentStepsItem", "Investigation", "InvestigationBody", "InvestigationPatch"];
    for schema in all {
        assert_eq!(schemas[schema]["additionalProperties"], json!(true), "{schema}");
    }
    assert_eq!(schemas["Content"]["required"], Value::Null);
    assert_eq!(schemas["ContentPatch"]["properties"]["title"]["type"], json!(["string", "null"]));
    for (name, property) in schemas["ContentPatch"]["properties"].as_object().expect("properties") {
        fits(&document, "InvestigationPatch", &json!({ name: null }))
            .unwrap_or_else(|error| panic!("{error}: {property}"));
    }
    for (name, schema) in schemas.as_object().expect("schemas").iter().filter(|(name, _)| name.starts_with("Content")) {
        assert!(!schema.to_string().contains("\"x-"), "{name}: {schema}");
    }
}
