//! A store that fails. Every operation answers with its documented error, and shows no message of the store.

use std::collections::BTreeSet;

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::error::shown;
use super::permissions::with_role;
use crate::support::{Caller, Exchange, TEACHER, TestApp, http_statuses};

/// Operations that are not tested here: those that use no store if the caller has a token, and those whose answers are
/// not in the usual JSON envelope, such as event streams and metrics.
const OTHERS: [&str; 9] = [
    "GET /api/me",
    "POST /api/session",
    "DELETE /api/session",
    "POST /api/investigation/split",
    "GET /api/events",
    "GET /api/investigation/format",
    "GET /health/live",
    "GET /health/ready",
    "GET /metrics",
];

/// Returns every operation that uses the store, with a body if the operation takes one.
fn operations() -> Vec<(&'static str, &'static str, Option<Value>)> {
    let name = json!({"fieldName": "title"});
    let link = json!({"key": "k", "subLink": "t", "description": ""});
    let finding = json!({"fieldName": "title", "conflictsWith": ["grade"], "evidence": ["title"]});
    vec![
        ("POST", "/api/investigation", Some(json!({}))),
        ("GET", "/api/investigation", None),
        ("GET", "/api/investigation/{id}", None),
        ("PATCH", "/api/investigation/{id}", Some(json!({"title": "Beans"}))),
        ("DELETE", "/api/investigation/{id}", None),
        ("POST", "/api/investigation/{id}/clone", None),
        ("GET", "/api/investigation/{id}/history/{fieldPath}", None),
        ("GET", "/api/investigation/{id}/versions", None),
        ("GET", "/api/investigation/{id}/versions/{version}", None),
        ("GET", "/api/investigation/{id}/sheet", None),
        ("PATCH", "/api/investigation/{id}/versions/{version}", Some(json!({"name": "Trial"}))),
        ("POST", "/api/investigation/{id}/versions/{version}/restore", None),
        ("POST", "/api/investigation/{id}/undo", None),
        ("POST", "/api/investigation/{id}/redo", None),
        ("POST", "/api/investigation/{id}/resolve-contradiction", Some(name.clone())),
        ("POST", "/api/investigation/{id}/regenerate", Some(name)),
        ("POST", "/api/investigation/{id}/dismissals", Some(finding)),
        ("DELETE", "/api/investigation/{id}/dismissals/{dismissalId}", None),
        ("POST", "/api/investigation/{id}/pictures", Some(json!({}))),
        ("GET", "/api/investigation/{id}/pictures/{pictureId}", None),
        ("DELETE", "/api/investigation/{id}/pictures/{pictureId}", None),
        ("POST", "/api/investigation/{id}/presence", Some(json!({"open": true}))),
        ("GET", "/api/investigation/{id}/chat", None),
        ("POST", "/api/investigation/{id}/chat", Some(json!({"content": "Another title, please."}))),
        ("GET", "/api/link/investigation/{id}", None),
        ("POST", "/api/link/investigation/{id}", Some(link.clone())),
        ("GET", "/api/investigation/{id}/links", None),
        ("POST", "/api/investigation/{id}/links", Some(link)),
        ("GET", "/api/link/{key}/{subLink}", None),
        ("HEAD", "/api/link/{key}/{subLink}", None),
        ("PATCH", "/api/link/{key}/{subLink}", Some(json!({"archived": true}))),
        ("DELETE", "/api/link/{key}/{subLink}", None),
        ("GET", "/api/link", None),
        ("GET", "/api/link/{key}/{subLink}/visits", None),
        ("GET", "/api/link/{key}/{subLink}/qr.svg", None),
        ("GET", "/api/audit", None),
        ("POST", "/api/investigation/{id}/undelete", None),
        ("GET", "/api/trash", None),
        ("DELETE", "/api/trash/{id}", None),
        ("GET", "/api/people", None),
        ("POST", "/api/people", Some(json!({"name": "Ada"}))),
        ("PATCH", "/api/people/{id}", Some(json!({"name": "Ada"}))),
        ("DELETE", "/api/people/{id}", None),
        ("POST", "/api/people/{id}/link", None),
        ("POST", "/api/people/{id}/reassign", Some(json!({"to": TEACHER}))),
    ]
}

/// Returns the answer of each operation after the test has closed the store.
async fn failures(http: HttpSettings) -> Vec<Exchange> {
    let (app, _, teacher) = TestApp::start_with(http).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "k", "s").await;
    teacher.patch(&format!("/api/investigation/{id}"), json!({"title": "Peas"})).await;
    app.app.store.close().await;
    let mut answers = Vec::new();
    let admin = with_role(&app, TEACHER, "admin");
    for (method, route, body) in operations() {
        answers.push(ask(&admin, &id, method, route, body).await);
    }
    answers
}

async fn ask(caller: &Caller, id: &str, method: &str, route: &str, body: Option<Value>) -> Exchange {
    let path = route.replace("{id}", id).replace("{fieldPath}", "title").replace("{version}", "1");
    let path = path
        .replace("{pictureId}", &"0".repeat(64))
        .replace("{dismissalId}", id)
        .replace("{key}", "k")
        .replace("{subLink}", "s");
    let method = method.parse::<Method>().expect("a method");
    let body = body.map(|body| body.to_string());
    caller.send(method, &path, body.as_deref().map(|body| ("application/json", body))).await
}

#[test]
fn list_of_operations_in_this_test_is_complete() {
    let described = fieldbook::http::openapi();
    let mut all = BTreeSet::new();
    for (route, item) in described["paths"].as_object().expect("paths") {
        let methods = ["get", "post", "patch", "put", "delete", "head"].into_iter();
        all.extend(methods.filter(|m| item.get(m).is_some()).map(|m| format!("{} {route}", m.to_uppercase())));
    }
    let tested = operations().into_iter().map(|(method, route, _)| format!("{method} {route}"));
    assert_eq!(tested.chain(OTHERS.map(str::to_owned)).collect::<BTreeSet<_>>(), all);
}

#[tokio::test]
async fn store_failure_is_not_shown_to_the_caller() {
    assert_snapshot!(shown(&failures(HttpSettings::default()).await), @r#"
    POST /api/investigation {} -> 500 {"success":false,"message":"Failed to create investigation","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known} -> 500 {"success":false,"message":"Failed to fetch investigation","error":"Unknown error","code":"store_unavailable"}
    PATCH /api/investigation/{known} {"title":"Beans"} -> 500 {"success":false,"message":"Failed to update investigation","error":"Unknown error","code":"store_unavailable"}
    DELETE /api/investigation/{known} -> 500 {"success":false,"message":"Failed to delete investigation","error":"Unknown error","code":"store_unavailable"}
    POST /api/investigation/{known}/clone -> 500 {"success":false,"message":"Failed to clone investigation","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known}/history/title -> 500 {"success":false,"message":"Failed to fetch field history","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known}/versions -> 500 {"success":false,"message":"Failed to fetch investigation versions","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known}/versions/1 -> 500 {"success":false,"message":"Failed to fetch investigation version","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known}/sheet -> 500 {"success":false,"message":"Failed to write sheet","error":"Unknown error","code":"store_unavailable"}
    PATCH /api/investigation/{known}/versions/1 {"name":"Trial"} -> 500 {"success":false,"message":"Failed to name investigation version","error":"Unknown error","code":"store_unavailable"}
    POST /api/investigation/{known}/versions/1/restore -> 500 {"success":false,"message":"Failed to restore investigation version","code":"store_unavailable"}
    POST /api/investigation/{known}/undo -> 500 {"success":false,"message":"Failed to undo investigation","code":"store_unavailable"}
    POST /api/investigation/{known}/redo -> 500 {"success":false,"message":"Failed to redo investigation","code":"store_unavailable"}
    POST /api/investigation/{known}/resolve-contradiction {"fieldName":"title"} -> 500 {"success":false,"message":"Failed to resolve contradiction","code":"store_unavailable"}
    POST /api/investigation/{known}/regenerate {"fieldName":"title"} -> 500 {"success":false,"message":"Failed to regenerate other fields","code":"store_unavailable"}
    POST /api/investigation/{known}/dismissals {"fieldName":"title","conflictsWith":["grade"],"evidence":["title"]} -> 500 {"success":false,"message":"Failed to dismiss finding","code":"store_unavailable"}
    DELETE /api/investigation/{known}/dismissals/{known} -> 500 {"success":false,"message":"Failed to remove dismissal","code":"store_unavailable"}
    POST /api/investigation/{known}/pictures {} -> 500 {"success":false,"message":"Failed to add picture","code":"store_unavailable"}
    GET /api/investigation/{known}/pictures/0000000000000000000000000000000000000000000000000000000000000000 -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    DELETE /api/investigation/{known}/pictures/0000000000000000000000000000000000000000000000000000000000000000 -> 500 {"success":false,"message":"Failed to remove picture","code":"store_unavailable"}
    POST /api/investigation/{known}/presence {"open":true} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known}/chat -> 500 {"success":false,"message":"Failed to fetch chat","error":"Unknown error","code":"store_unavailable"}
    POST /api/investigation/{known}/chat {"content":"Another title, please."} -> 500 {"success":false,"message":"Failed to converse","code":"store_unavailable"}
    GET /api/link/investigation/{known} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    POST /api/link/investigation/{known} {"key":"k","subLink":"t","description":""} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/investigation/{known}/links -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    POST /api/investigation/{known}/links {"key":"k","subLink":"t","description":""} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/link/k/s -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    HEAD /api/link/k/s -> 503
    PATCH /api/link/k/s {"archived":true} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    DELETE /api/link/k/s -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/link -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/link/k/s/visits -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/link/k/s/qr.svg -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/audit -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    POST /api/investigation/{known}/undelete -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/trash -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    DELETE /api/trash/{known} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    GET /api/people -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    POST /api/people {"name":"Ada"} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    PATCH /api/people/{known} {"name":"Ada"} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    DELETE /api/people/{known} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    POST /api/people/{known}/link -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    POST /api/people/{known}/reassign {"to":"aaaaaaaaaaaaaaaaaaaaaaaa"} -> 503 {"success":false,"message":"Service unavailable","error":"Unknown error","code":"store_unavailable"}
    "#);
}

#[tokio::test]
async fn store_failure_has_status_503_if_the_service_is_set_to_use_standard_http_statuses() {
    for failure in failures(http_statuses()).await {
        assert_eq!(failure.status, StatusCode::SERVICE_UNAVAILABLE, "{failure}");
        assert_eq!(failure.header("retry-after"), Some("1"), "{failure}");
    }
}
