//! `GET /api/openapi.json` and the pages under `/docs`

use std::collections::BTreeSet;

use axum::routing::MethodFilter;
use fieldbook::domain::content::SYSTEM_FIELDS;
use fieldbook::domain::dismissal::MAX_REASON;
use fieldbook::domain::event::{Cause, EventKind};
use fieldbook::domain::history::{self, Kind};
use fieldbook::domain::json::MAX_COUNT;
use fieldbook::domain::link::{self, Shows};
use fieldbook::domain::list::ROW_FIELDS;
use fieldbook::domain::named::Named;
use fieldbook::domain::password;
use fieldbook::domain::permission::Role;
use fieldbook::domain::person;
use fieldbook::domain::size::MAX_LIST;
use fieldbook::domain::status::Status;
use fieldbook::http::{ErrorCode, api_paths, openapi};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use strum::VariantNames;

use super::permissions::with_role;
use crate::support::{TEACHER, TestApp, documented};

async fn document() -> Value {
    let (_app, anon, _) = TestApp::start().await;
    documented::served(&anon).await
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

/// Removes the examples of a request body or answer. Returns their number.
fn remove_examples(body: &mut Value) -> usize {
    let Some(content) = body.get_mut("content").and_then(Value::as_object_mut) else { return 0 };
    let described = content.values_mut().filter_map(Value::as_object_mut);
    described.filter_map(|described| described.shift_remove("example")).count()
}

#[tokio::test]
async fn served_openapi_document_is_the_committed_file_plus_a_server_and_content_schemas_and_examples() {
    let (_app, anon, _) = TestApp::start().await;
    let served = anon.get("/api/openapi.json").await;
    assert_eq!((served.status, served.header("content-type")), (StatusCode::OK, Some("application/json")));
    let mut document = served.json();
    let servers = document.as_object_mut().expect("members").shift_remove("servers");
    assert_eq!(servers, Some(json!([{"url": "/", "description": "This service"}])));
    let schemas = document["components"]["schemas"].as_object_mut().expect("schemas");
    schemas.retain(|name, _| !name.starts_with("Content"));
    for schema in schemas.values_mut().filter(|schema| schema["additionalProperties"] == json!(true)) {
        schema.as_object_mut().expect("a schema").shift_remove("additionalProperties");
    }
    let mut examples = 0;
    for item in document["paths"].as_object_mut().expect("paths").values_mut() {
        for operation in item.as_object_mut().expect("operations").values_mut() {
            examples += operation.get_mut("requestBody").map_or(0, remove_examples);
            for answer in operation["responses"].as_object_mut().expect("answers").values_mut() {
                examples += remove_examples(answer);
            }
        }
    }
    assert!(examples > 15);
    assert_eq!(document, openapi());
}

#[test]
fn openapi_document_describes_exactly_the_routes_of_the_service() {
    let document = openapi();
    let mut described = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        described.extend(item.as_object().expect("operations").keys().map(|method| (path.as_str(), method.as_str())));
    }
    let name = |routed: MethodFilter| {
        let is_routed = |name: &&str| {
            let method = Method::from_bytes(name.to_uppercase().as_bytes()).expect("a method");
            MethodFilter::try_from(method).is_ok_and(|method| method == routed)
        };
        ["get", "head", "post", "put", "patch", "delete"].into_iter().find(is_routed).expect("a method")
    };
    let routes = api_paths();
    let routed = routes.iter().flat_map(|route| route.methods.iter().map(|(method, _)| (route.path, name(*method))));
    assert_eq!(routed.collect::<BTreeSet<_>>(), described);
}

#[test]
fn every_enumeration_in_the_openapi_document_matches_the_code() {
    let document = openapi();
    let schemas = &document["components"]["schemas"];
    let listed = |name: &str| schemas[name]["enum"].clone();
    assert_eq!(listed("ErrorCode"), json!(ErrorCode::VARIANTS));
    assert_eq!(listed("EventType"), json!(EventKind::VARIANTS));
    assert_eq!(listed("Status"), json!(Status::names()));
    assert_eq!(listed("Shows"), json!(Shows::names()));
    assert_eq!(listed("Role"), json!(Role::names().into_iter().rev().collect::<Vec<_>>()));
    assert_eq!(listed("VersionKind"), json!(Kind::names()));
    let causes = Kind::names().into_iter().map(|kind| json!(kind)).chain([json!(Cause::Undo), json!(Cause::Redo)]);
    assert_eq!(listed("Cause"), causes.collect::<Value>());
    let webhooks = document["webhooks"].as_object().expect("webhooks").keys();
    assert_eq!(webhooks.collect::<Vec<_>>(), EventKind::VARIANTS);
    assert_eq!(schemas["ListedFields"]["required"], json!(ROW_FIELDS));
    assert_eq!(schemas["ListedFields"]["properties"], schemas["SystemFields"]["properties"]);
}

#[test]
fn body_limits_in_the_openapi_document_match_the_code() {
    let limits = [
        ("CreateFields", "editors", "maxItems", MAX_LIST as u64),
        ("DismissalBody", "conflictsWith", "maxItems", MAX_LIST as u64),
        ("DismissalBody", "evidence", "maxItems", MAX_LIST as u64),
        ("DismissalBody", "reason", "maxLength", MAX_REASON as u64),
        ("InvitationBody", "email", "maxLength", person::MAX_EMAIL as u64),
        ("InvitationBody", "name", "maxLength", person::MAX_NAME as u64),
        ("LinkBody", "description", "maxLength", link::MAX_DESCRIPTION as u64),
        ("LinkBody", "key", "maxLength", link::MAX_NAME as u64),
        ("LinkBody", "maxVisits", "maximum", MAX_COUNT),
        ("LinkBody", "subLink", "maxLength", link::MAX_NAME as u64),
        ("LinkPatch", "description", "maxLength", link::MAX_DESCRIPTION as u64),
        ("LinkPatch", "maxVisits", "maximum", MAX_COUNT),
        ("PersonChange", "currentPassword", "maxLength", password::LONGEST as u64),
        ("PersonChange", "email", "maxLength", person::MAX_EMAIL as u64),
        ("PersonChange", "name", "maxLength", person::MAX_NAME as u64),
        ("PersonChange", "password", "maxLength", password::LONGEST as u64),
        ("SignInBody", "email", "maxLength", person::MAX_EMAIL as u64),
        ("SignInBody", "password", "maxLength", password::LONGEST as u64),
        ("UpdateFields", "editors", "maxItems", MAX_LIST as u64),
        ("VersionNameBody", "name", "maxLength", history::MAX_NAME as u64),
    ];
    let document = openapi();
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let bodies = ["Body", "Change", "Fields", "Patch"];
    let documented: Vec<String> = schemas
        .iter()
        .filter(|(name, _)| bodies.iter().any(|end| name.ends_with(end)))
        .flat_map(|(name, schema)| {
            let properties = schema["properties"].as_object().into_iter().flatten();
            properties.flat_map(move |(property, form)| {
                ["maxItems", "maxLength", "maximum"]
                    .into_iter()
                    .filter_map(move |limit| Some(format!("{name}.{property} {limit} {}", form[limit].as_u64()?)))
            })
        })
        .collect();
    let expected = limits.map(|(schema, property, limit, most)| format!("{schema}.{property} {limit} {most}"));
    assert_eq!(BTreeSet::from_iter(documented), BTreeSet::from(expected));
}

#[tokio::test]
async fn parameters_accept_exactly_the_choices_and_limits_in_the_openapi_document() {
    let (app, anon, teacher) = TestApp::start().await;
    let admin = with_role(&app, TEACHER, "admin");
    let id = teacher.create(json!({})).await;
    teacher.create_link(&id, "k", "s").await;
    let document = documented::served(&anon).await;
    let mut checked = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        let path = path.replace("{id}", &id).replace("{fieldPath}", "title").replace("{key}/{subLink}", "k/s");
        for parameter in item["get"]["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().expect("a name");
            let ask = async |value: &str| admin.get(&format!("{path}?{name}={value}")).await;
            if let Some(most) = parameter["schema"]["maximum"].as_u64() {
                assert_eq!(ask(&most.to_string()).await.status, StatusCode::OK, "{path} {name}");
                assert_eq!(ask(&(most + 1).to_string()).await.status, StatusCode::BAD_REQUEST, "{path} {name}");
                checked += 1;
            }
            if let Some(choices) = parameter["schema"]["enum"].as_array() {
                let choices: Vec<&str> = choices.iter().map(|choice| choice.as_str().expect("a text")).collect();
                for choice in &choices {
                    assert_eq!(ask(choice).await.status, StatusCode::OK, "{path} {name}={choice}");
                }
                let refused = ask("other").await.json();
                assert_eq!(refused["errors"][0]["message"], format!("must be one of {}", choices.join(", ")));
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 16);
}

/// The `pattern` of a field in the OpenAPI document excludes exactly the texts that the service calls blank.
#[tokio::test]
async fn openapi_document_and_service_agree_on_which_texts_are_blank() {
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
async fn every_operation_in_the_openapi_document_has_a_unique_name_and_a_description() {
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
async fn every_reference_in_the_openapi_document_resolves() {
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
async fn openapi_schema_lists_exactly_the_system_fields_of_responses() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let response = teacher.get(&path).await.data();
    let document = teacher.get("/api/openapi.json").await.json();
    let schema = &document["components"]["schemas"]["SystemFields"]["properties"];
    let described: BTreeSet<&str> = schema.as_object().expect("properties").keys().map(String::as_str).collect();
    assert_eq!(described, SYSTEM_FIELDS.into());
    let held: BTreeSet<&str> = response.as_object().expect("fields").keys().map(String::as_str).collect();
    let only_when_true = BTreeSet::from(["contradictionsIncomplete", "contradictionsPending", "editors"]);
    let always: BTreeSet<&str> = described.difference(&only_when_true).copied().collect();
    assert!(always.is_subset(&held), "{held:?}");
}

#[tokio::test]
async fn openapi_schemas_of_link_requests_have_every_setting_of_a_link() {
    let document = document().await;
    let members = |schema: &str| -> BTreeSet<String> {
        document["components"]["schemas"][schema]["properties"]
            .as_object()
            .expect("properties")
            .keys()
            .cloned()
            .collect()
    };
    let without = |members: BTreeSet<String>, others: &[&str]| -> BTreeSet<String> {
        members.into_iter().filter(|name| !others.contains(&name.as_str())).collect()
    };
    let of_service = ["_id", "investigationId", "creator", "visitCount", "createdAt"];
    assert_eq!(members("LinkBody"), without(members("Link"), &of_service));
    assert_eq!(members("LinkPatch"), without(members("LinkBody"), &["key", "subLink"]));
}

#[tokio::test]
async fn docs_page_loads_nothing_from_other_hosts() {
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
async fn docs_page_is_compressed_for_clients_that_accept_it() {
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
async fn docs_address_without_a_slash_redirects() {
    let (_app, anon, _) = TestApp::start().await;
    let page = anon.get("/docs").await; // the HTTP client of the test follows the redirect
    assert_eq!(page.status, StatusCode::OK, "{page}");
    assert!(page.text.contains("<html"), "{page}");
}
