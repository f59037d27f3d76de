//! The examples and headers in the OpenAPI document match the answers of the service.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Map, Value, json};

use super::docs_content::fits;
use crate::support::{Caller, Exchange, TestApp, documented};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/api/examples.json");

/// Requests that create, change and delete a lesson: operation, method, path and body.
fn requests() -> Vec<(&'static str, Method, &'static str, Value)> {
    let lesson = json!({
        "title": "Cress", "grade": 5, "durationMinutes": 40,
        "steps": [{"text": "Sow the cress", "minutes": 30}, {"text": "Water it", "minutes": 20}],
    });
    let finding =
        json!({"fieldName": "durationMinutes", "conflictsWith": ["steps"], "reason": "Pupils water at home."});
    vec![
        ("createInvestigation", Method::POST, "/api/investigation", lesson),
        ("getInvestigation", Method::GET, "{id}", Value::Null),
        (
            "getInvestigations",
            Method::GET,
            "/api/investigation?status=draft_incomplete&fields=title,grade",
            Value::Null,
        ),
        ("updateInvestigation", Method::PATCH, "{id}", json!({"title": "Garden cress", "grade": null})),
        ("undoInvestigation", Method::POST, "{id}/undo", Value::Null),
        ("redoInvestigation", Method::POST, "{id}/redo", Value::Null),
        ("getInvestigationVersions", Method::GET, "{id}/versions", Value::Null),
        ("getFieldHistory", Method::GET, "{id}/history/title", Value::Null),
        ("cloneInvestigation", Method::POST, "{id}/clone", Value::Null),
        ("dismissFinding", Method::POST, "{id}/dismissals", finding),
        (
            "resolveContradiction",
            Method::POST,
            "{clone}/resolve-contradiction",
            json!({"fieldName": "durationMinutes"}),
        ),
        (
            "createLink",
            Method::POST,
            "/api/link/investigation/000000000000000000000001",
            json!({"key": "class-5b", "subLink": "cress", "description": "For class 5b", "shows": "handout"}),
        ),
        ("resolveLink", Method::GET, "/api/link/class-5b/cress", Value::Null),
        ("listOwnLinks", Method::GET, "/api/link", Value::Null),
    ]
}

async fn ask(caller: &Caller, created: &[String], (_, method, path, body): &(&str, Method, &str, Value)) -> Exchange {
    let mut path = (*path).to_owned();
    for (name, address) in ["{id}", "{clone}"].iter().zip(created) {
        path = path.replace(name, address);
    }
    let body = (!body.is_null()).then(|| body.to_string());
    caller.send(method.clone(), &path, body.as_deref().map(|body| ("application/json", body))).await
}

fn operations(document: &Value) -> BTreeMap<&str, &Value> {
    let items = document["paths"].as_object().expect("paths").values().filter_map(Value::as_object);
    items.flat_map(|item| item.values()).map(|one| (one["operationId"].as_str().expect("a name"), one)).collect()
}

#[tokio::test]
async fn examples_in_the_openapi_document_match_the_answers_of_the_service() {
    let (_app, anon, teacher) = TestApp::start().await;
    let document = documented::served(&anon).await;
    let operations = operations(&document);
    let (mut created, mut examples) = (Vec::new(), Map::new());
    for request in requests() {
        let answer = ask(&teacher, &created, &request).await;
        assert!(answer.status.is_success(), "{answer}");
        let status = answer.status.as_str();
        let documented = &operations[request.0]["responses"][status];
        let schema = documented["content"]["application/json"]["schema"]["$ref"].as_str().expect("a named schema");
        fits(&document, schema.rsplit('/').next().expect("a name"), &answer.json()).expect("an answer as documented");
        for name in documented["headers"].as_object().expect("headers").keys() {
            let only_at_times = ["Idempotent-Replayed", "Preference-Applied", "Allow"].contains(&name.as_str());
            assert!(only_at_times || answer.header(&name.to_lowercase()).is_some(), "{name}: {answer}");
        }
        if status == "201" {
            created.push(answer.header("location").expect("an address").to_owned());
        }
        let mut example = Map::from_iter([(status.to_owned(), answer.json())]);
        if !request.3.is_null() {
            example.insert("request".to_owned(), request.3.clone());
        }
        examples.insert(request.0.to_owned(), Value::Object(example));
    }
    // The answers of a second run must not depend on the first run.
    let text = format!("{:#}\n", Value::Object(examples));
    if std::fs::read_to_string(EXAMPLES).ok().as_ref() != Some(&text) {
        std::fs::write(EXAMPLES, text).expect("written");
        panic!("api/examples.json was out of date and has been written anew: look at it and commit it");
    }
}

#[tokio::test]
async fn location_header_and_openapi_server_use_the_public_url_if_it_is_set() {
    let public_url = Some("https://lessons.example.org".to_owned());
    let http = fieldbook::app::HttpSettings { public_url, ..Default::default() };
    let (_app, anon, teacher) = TestApp::start_with(http).await;
    let created = teacher.post("/api/investigation", json!({})).await;
    let id = created.data()["_id"].as_str().expect("an id").to_owned();
    let address = format!("https://lessons.example.org/api/investigation/{id}");
    assert_eq!(created.header("location"), Some(address.as_str()));
    let document = documented::served(&anon).await;
    assert_eq!(document["servers"][0]["url"], json!("https://lessons.example.org"));
}

#[tokio::test]
async fn refused_requests_get_the_headers_that_the_openapi_document_lists() {
    let (_app, anon, teacher) = TestApp::start().await;
    let document = documented::served(&anon).await;
    let refused = anon.get("/api/trash").await;
    let documented = &operations(&document)["listTrash"]["responses"]["401"]["headers"];
    assert!(documented.get("WWW-Authenticate").is_some() && refused.header("www-authenticate").is_some(), "{refused}");
    assert!(refused.header("x-request-id").is_some());
    let codes = document["components"]["schemas"]["ErrorCode"]["enum"].as_array().expect("codes");
    for refused in [refused, teacher.get("/api/nothing").await, teacher.get("/api/link/no/where").await] {
        assert!(codes.contains(&refused.json()["code"]), "{refused}");
    }
}

#[tokio::test]
async fn openapi_document_marks_deprecated_paths_and_operations_that_need_no_token() {
    let (_app, anon, _) = TestApp::start().await;
    let document = documented::served(&anon).await;
    let with = |key: &str, value: Value| -> Vec<&str> {
        operations(&document).into_iter().filter(|(_, one)| one[key] == value).map(|(name, _)| name).collect()
    };
    let public = ["createSession", "getLinkQrCode", "headLink", "live", "metrics", "ready", "resolveLink"];
    assert_eq!(with("security", json!([])), public);
    assert_eq!(with("deprecated", json!(true)), ["createInvestigationLink", "listInvestigationLinks"]);
}
