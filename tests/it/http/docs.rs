//! `GET /api/openapi.json` and the pages under `/docs`

use std::collections::BTreeSet;
use std::path::Path;

use fieldbook::domain::content::SYSTEM_FIELDS;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::TestApp;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/api/openapi.json");

async fn document() -> Value {
    let (_app, anon, _) = TestApp::start().await;
    anon.get("/api/openapi.json").await.json()
}

fn operations(document: &Value) -> Vec<(&str, &Value)> {
    let items = document["paths"].as_object().expect("paths");
    items
        .iter()
        .flat_map(|(path, item)| {
            let methods = item.as_object().expect("an item").iter();
            let methods =
                methods.filter(|(name, _)| ["get", "head", "post", "patch", "delete"].contains(&name.as_str()));
            methods.map(move |(_, operation)| (path.as_str(), operation))
        })
        .collect()
}

#[tokio::test]
async fn the_committed_document_is_the_one_that_is_served() {
    let (_app, anon, _) = TestApp::start().await;
    let served = anon.get("/api/openapi.json").await;
    assert_eq!((served.status, served.header("content-type")), (StatusCode::OK, Some("application/json")));
    assert!(served.json()["openapi"].as_str().is_some_and(|version| version.starts_with("3.1.")), "{served}");
    let text = format!("{}\n", served.text.trim_end());
    if std::fs::read_to_string(COMMITTED).ok().as_ref() != Some(&text) {
        std::fs::create_dir_all(Path::new(COMMITTED).parent().expect("a folder")).expect("a folder");
        std::fs::write(COMMITTED, text).expect("written");
        panic!("api/openapi.json was out of date and has been written anew: look at it and commit it");
    }
}

/// The `pattern` of a field in the OpenAPI document excludes exactly the texts that the service calls blank.
#[tokio::test]
async fn what_is_blank_the_document_sees_as_the_service_does() {
    let document = document().await;
    let of = |schema: &str, property: &str| &document["components"]["schemas"][schema]["properties"][property];
    let history = &document["paths"]["/api/investigation/{id}/history/{fieldPath}"]["get"]["parameters"];
    let path = history.as_array().expect("parameters").iter().find(|one| one["name"] == "fieldPath").expect("the path");
    for schema in [of("FieldNameBody", "fieldName"), of("ChatMessageBody", "content"), &path["schema"]] {
        let pattern = regex::Regex::new(schema["pattern"].as_str().expect("a pattern")).expect("a pattern");
        for one in '\0'..=char::MAX {
            let text = one.to_string();
            assert_eq!(pattern.is_match(&text), !text.trim().is_empty(), "{schema}: {one:?}");
        }
    }
}

#[tokio::test]
async fn every_operation_has_a_name_of_its_own_and_says_what_it_does() {
    let document = document().await;
    let mut names = BTreeSet::new();
    for (path, operation) in operations(&document) {
        let name = operation["operationId"].as_str().expect("a name");
        assert!(names.insert(name), "{name} twice");
        for text in ["summary", "description"] {
            assert!(operation[text].as_str().is_some_and(|text| !text.is_empty()), "{name} has no {text}");
        }
        let tag = operation["tags"][0].as_str().expect("a tag");
        let known = document["tags"].as_array().expect("tags");
        assert!(known.iter().any(|known| known["name"] == json!(tag)), "{tag}");
        let none = Vec::new();
        let parameters = operation["parameters"].as_array().unwrap_or(&none).iter();
        let in_path = parameters.filter(|parameter| parameter["in"] == json!("path"));
        let declared: BTreeSet<&str> = in_path.map(|parameter| parameter["name"].as_str().expect("a name")).collect();
        let braced = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        assert_eq!(declared, braced.collect(), "{name}");
    }
    assert!(names.contains("createInvestigation") && names.contains("resolveLink"));
}

#[tokio::test]
async fn every_reference_leads_somewhere() {
    fn references<'d>(value: &'d Value, found: &mut BTreeSet<&'d str>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members.values().for_each(|member| references(member, found));
            }
            Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
            _ => {}
        }
    }
    let document = document().await;
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference.strip_prefix('#').expect("a reference into the document");
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    for (_, operation) in operations(&document) {
        for scheme in operation["security"].as_array().into_iter().flatten().filter_map(Value::as_object) {
            let schemes = &document["components"]["securitySchemes"];
            assert!(scheme.keys().all(|name| schemes.get(name).is_some()), "{operation}");
        }
    }
}

#[tokio::test]
async fn the_schema_of_an_investigation_names_what_a_response_holds() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let response = teacher.get(&format!("/api/investigation/{id}")).await.data();
    let document = teacher.get("/api/openapi.json").await.json();
    let schema = &document["components"]["schemas"]["SystemFields"]["properties"];
    let described: BTreeSet<&str> = schema.as_object().expect("properties").keys().map(String::as_str).collect();
    assert_eq!(described, SYSTEM_FIELDS.into());
    let held: BTreeSet<&str> = response.as_object().expect("fields").keys().map(String::as_str).collect();
    let only_when_true = BTreeSet::from(["contradictionsIncomplete", "contradictionsPending", "editors"]);
    let always: BTreeSet<&str> = described.difference(&only_when_true).copied().collect();
    assert!(always.is_subset(&held), "{held:?}");
}

/// Returns a schema, merged with the parts of its `allOf`.
fn whole(document: &Value, schema: &Value) -> Value {
    let mut all = json!({"properties": schema["properties"].as_object().cloned().unwrap_or_default(), "required": []});
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    all["required"].as_array_mut().expect("a list").extend(required);
    for part in schema["allOf"].as_array().into_iter().flatten() {
        let part = part["$ref"].as_str().and_then(|place| document.pointer(&place[1..])).unwrap_or(part);
        let part = whole(document, part);
        all["properties"]
            .as_object_mut()
            .expect("an object")
            .extend(part["properties"].as_object().cloned().expect("an object"));
        all["required"].as_array_mut().expect("a list").extend(part["required"].as_array().cloned().expect("a list"));
    }
    all
}

#[tokio::test]
async fn the_schemas_of_links_name_what_responses_hold() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    let document = anon.get("/api/openapi.json").await.json();
    for (schema, response) in [
        ("Visit", anon.get(&link).await.data()),
        ("Link", teacher.get(&format!("/api/link/investigation/{id}")).await.data()[0].clone()),
        ("Visits", teacher.get(&format!("{link}/visits")).await.data()),
        ("ErrorBody", anon.get("/api/link/k/a.b").await.json()),
    ] {
        let schema = whole(&document, &document["components"]["schemas"][schema]);
        let described: BTreeSet<&String> = schema["properties"].as_object().expect("properties").keys().collect();
        let held: BTreeSet<&String> = response.as_object().expect("fields").keys().collect();
        assert!(held.is_subset(&described), "{schema}: {response}");
        for required in schema["required"].as_array().expect("required fields") {
            assert!(response.get(required.as_str().expect("a name")).is_some(), "{required}: {response}");
        }
    }
}

#[tokio::test]
async fn the_reading_page_needs_no_other_host() {
    let (_app, anon, _) = TestApp::start().await;
    let page = anon.get("/docs/").await;
    assert_eq!(page.status, StatusCode::OK, "{page}");
    assert!(page.header("content-type").is_some_and(|kind| kind.starts_with("text/html")), "{page}");
    let mut loaded = Vec::new();
    for attribute in ["src=\"", "href=\""] {
        loaded.extend(page.text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next()));
    }
    assert!(loaded.len() >= 3, "{loaded:?}");
    for file in loaded {
        assert!(!file.contains("//"), "{file}");
        let answer = anon.get(&format!("/docs/{}", file.trim_start_matches("./"))).await;
        assert_eq!(answer.status, StatusCode::OK, "{file}");
    }
    assert!(!page.text.contains("http://") && !page.text.contains("https://"), "{page}");
    let starter = anon.get("/docs/swagger-initializer.js").await;
    assert_eq!(starter.status, StatusCode::OK, "{starter}");
    assert!(!starter.text.contains("http://") && !starter.text.contains("https://"), "{starter}");
    assert!(starter.text.contains("/api/openapi.json"), "{starter}");
    // Without this setting, the page would send the document to a validator on another host.
    assert!(starter.text.contains("\"validatorUrl\": \"none\""), "{starter}");
}

#[tokio::test]
async fn the_reading_page_is_compressed_for_clients_that_accept_it() {
    let (_app, anon, _) = TestApp::start().await;
    let plain = anon.get("/docs/swagger-ui.css").await;
    assert_eq!((plain.status, plain.header("content-encoding")), (StatusCode::OK, None), "{plain}");
    assert!(plain.text.contains(".swagger-ui"), "{plain}");
    let compressed = anon.with_header("accept-encoding", "gzip").get("/docs/swagger-ui.css").await;
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    assert_eq!(compressed.header("vary"), Some("accept-encoding"));
    assert!(compressed.text.len() < plain.text.len() / 2, "{} bytes", compressed.text.len());
}

#[tokio::test]
async fn the_address_without_a_slash_leads_to_the_page() {
    let (_app, anon, _) = TestApp::start().await;
    let page = anon.get("/docs").await; // the client follows redirects
    assert_eq!(page.status, StatusCode::OK, "{page}");
    assert!(page.text.contains("<html"), "{page}");
}
