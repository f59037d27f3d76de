//! Every route, and addresses that are not a route.

use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Exchange, TestApp, raw::Raw};

/// Asserts that the answer is a refusal in the error envelope.
fn check_refused(refused: &Exchange, status: StatusCode) {
    assert_eq!(refused.status, status, "{refused}");
    assert_eq!(refused.header("content-type"), Some("application/json"), "{refused}");
    let body = refused.json();
    assert_eq!(body["success"], json!(false), "{refused}");
    assert!(body["message"].is_string() && body["code"].is_string(), "{refused}");
}

#[tokio::test]
async fn unknown_route_is_not_found() {
    let (_app, anon, _) = TestApp::start().await;
    let refused = anon.get("/api/nothing?of=that").await;
    assert_snapshot!(refused, @r#"
    GET /api/nothing?of=that
    404 Not Found
    {
      "success": false, "message": "Not found", "error": "GET /api/nothing does not exist; see /docs",
      "code": "route_not_found"
    }
    "#);
    let head = anon.head("/api/nothing").await;
    assert_eq!((head.status, head.text.as_str()), (StatusCode::NOT_FOUND, ""));
}

#[tokio::test]
async fn refusal_of_an_unsupported_method_names_the_allowed_methods() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.send(Method::PUT, "/api/investigation", None).await;
    assert_snapshot!(refused, @r#"
    PUT /api/investigation
    405 Method Not Allowed
    allow: POST,GET,HEAD
    {
      "success": false, "message": "Method not allowed",
      "error": "/api/investigation does not support PUT; see /docs", "code": "method_not_allowed"
    }
    "#);
}

#[tokio::test]
async fn every_route_refuses_unsupported_methods() {
    let (app, anon, teacher) = TestApp::start().await;
    let document = anon.get("/api/openapi.json").await.json();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let asked = path.replace("{id}", "aaaaaaaaaaaaaaaaaaaaaaaa").replace("{version}", "1").replace(['{', '}'], "");
        let known = |method: &str| item.get(method).is_some();
        for method in ["get", "head", "post", "put", "patch", "delete", "options", "trace", "brew"] {
            if known(method) || (method == "head" && known("get")) {
                continue;
            }
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).expect("a method");
            if method == Method::HEAD {
                assert_eq!(teacher.head(&asked).await.status, StatusCode::METHOD_NOT_ALLOWED, "HEAD {path}");
                continue;
            }
            let refused = teacher.send(method, &asked, None).await;
            check_refused(&refused, StatusCode::METHOD_NOT_ALLOWED);
            let allowed: Vec<&str> = refused.header("allow").expect("methods").split(',').map(str::trim).collect();
            for method in ["get", "post", "patch", "delete"] {
                assert_eq!(allowed.contains(&method.to_uppercase().as_str()), known(method), "{path}: {allowed:?}");
            }
        }
    }
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(0));
    drop(app);
}

#[tokio::test]
async fn unknown_or_overlong_paths_are_refused_with_a_json_error() {
    let (app, _, _) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    let long = format!("/api/investigation/{}", "a".repeat(30_000));
    let deep = format!("/api{}", "/a".repeat(5_000));
    for path in [
        "/ui/",
        "/api",
        "/api/",
        "//",
        "//api/investigation",
        "/api//investigation",
        "/api/investigation/%zz",
        "/api/investigation/%FF",
        "/api/investigation/%",
        "/api/investigation/../link",
        "/api/investigation/./",
        "/api/link/../investigation/x",
        "/api/investigation/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/api/investigation/%00",
        "/api/link/%FF/%FE",
        "/api/link/a/b/c",
        "/API/investigation",
        "/api/investigation/format/",
        "/api/investigation;x=1",
        "/health",
        "/health/",
        "/api/investigation/aaaaaaaaaaaaaaaaaaaaaaaa/nothing",
        "///////////",
        "*",
        long.as_str(),
        deep.as_str(),
    ] {
        let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\n{}\r\n", app.bearer());
        let refused = raw.ask(head).await;
        let shown = &path[..path.len().min(60)];
        assert!([400, 404].contains(&refused.status.as_u16()), "{shown}: {refused}");
        check_refused(&refused, refused.status);
    }
}

#[tokio::test]
async fn absolute_asterisk_and_connect_request_targets_are_never_forwarded() {
    let (app, _, _) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    let absolute = raw.ask("GET http://elsewhere.example/health/live HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert_eq!(absolute.status, StatusCode::OK, "{absolute}");
    let asterisk = raw.ask("OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n").await;
    check_refused(&asterisk, StatusCode::NOT_FOUND);
    let proxy = raw.ask("CONNECT elsewhere.example:443 HTTP/1.1\r\nhost: x\r\n\r\n").await;
    check_refused(&proxy, StatusCode::NOT_FOUND);
}
