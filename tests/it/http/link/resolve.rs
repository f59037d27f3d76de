//! `GET /api/link/{key}/{subLink}`

use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::json;

use super::{LINK, with_link};
use crate::support::TestApp;

#[tokio::test]
async fn anyone_may_resolve_a_link_and_each_visit_is_counted() {
    let (_app, anon, teacher) = with_link().await;
    let resolved = anon.get(LINK).await;
    assert_snapshot!(resolved, @r#"
    GET /api/link/k/s
    200 OK
    {
      "success": true,
      "data": {"investigationId": "000000000000000000000001", "key": "k", "subLink": "s", "visitCount": 1}
    }
    "#);
    assert_eq!(teacher.get(LINK).await.data()["visitCount"], json!(2));
    assert_eq!(anon.clone().bearing("nonsense").get(LINK).await.data()["visitCount"], json!(3));
}

#[tokio::test]
async fn head_request_to_a_link_counts_no_visit() {
    let (_app, anon, _) = with_link().await;
    let looked = anon.head(LINK).await;
    assert_snapshot!(looked, @"
    HEAD /api/link/k/s
    200 OK
    ");
    assert_eq!(looked.header("content-type"), Some("application/json"));
    assert_eq!(looked.header("content-length"), None, "only GET knows it");
    let browser = anon.clone().with_header("accept", "text/html").head(LINK).await;
    assert_eq!(browser.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(anon.head("/api/link/k/unknown").await.status, StatusCode::NOT_FOUND);
    assert_eq!(anon.head("/api/link/k/bad.name").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(anon.get(LINK).await.data()["visitCount"], json!(1));
}

#[tokio::test]
async fn link_with_an_unknown_key_or_sub_link_is_not_found() {
    let (_app, anon, _) = with_link().await;
    for path in ["/api/link/k/t", "/api/link/K/s", "/api/link/s/k", "/api/link/k/S"] {
        let unknown = anon.get(path).await;
        assert_eq!((unknown.status, &unknown.json()["code"]), (StatusCode::NOT_FOUND, &json!("link_not_found")));
    }
}

#[tokio::test]
async fn link_with_malformed_names_in_its_address_is_refused() {
    let (_app, anon, teacher) = TestApp::start().await;
    let refused = anon.get("/api/link/a%20b/c.d").await;
    assert_snapshot!(refused, @r#"
    GET /api/link/a%20b/c.d
    400 Bad Request
    {
      "success": false, "message": "Validation failed",
      "errors": [
        {"path": "key", "message": "must be 1 to 64 characters of A-Z a-z 0-9 _ -"},
        {"path": "subLink", "message": "must be 1 to 64 characters of A-Z a-z 0-9 _ -"}
      ],
      "code": "validation_failed"
    }
    "#);
    let long = "k".repeat(65);
    for name in ["%00", "%FF", "%zz", "%C3%A9", "a%2Fb", "%20", "a.b", "'--", &long] {
        for path in [format!("/api/link/{name}/s"), format!("/api/link/k/{name}")] {
            let refused = anon.get(&path).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
            assert_eq!(refused.json()["code"], json!("validation_failed"), "{refused}");
        }
    }
    for (method, rest) in
        [(Method::DELETE, ""), (Method::PATCH, ""), (Method::GET, "/visits"), (Method::GET, "/qr.svg")]
    {
        let body = (method == Method::PATCH).then_some(("application/json", "{}"));
        let refused = teacher.send(method, &format!("/api/link/k/a.b{rest}"), body).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
    }
    assert_eq!(anon.get("/api/link//s").await.json()["errors"][0]["path"], json!("key"));
    assert_eq!(anon.get("/api/link/k/").await.json()["errors"][0]["path"], json!("subLink"));
}

#[tokio::test]
async fn link_refuses_methods_that_it_does_not_support() {
    let (_app, anon, _) = with_link().await;
    let refused = anon.post(LINK, json!({})).await;
    assert_snapshot!(refused, @r#"
    POST /api/link/k/s
    {}
    405 Method Not Allowed
    allow: GET,HEAD,PATCH,DELETE
    {
      "success": false, "message": "Method not allowed", "error": "/api/link/k/s does not support POST; see /docs",
      "code": "method_not_allowed"
    }
    "#);
    for method in [Method::PUT, Method::OPTIONS] {
        let refused = anon.send(method, LINK, None).await;
        assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED, "{refused}");
    }
    assert_eq!(anon.get(LINK).await.data()["visitCount"], json!(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_concurrent_visits_of_a_link_get_the_numbers_from_1_to_1000() {
    const CLIENTS: usize = 20;
    const AT_ONCE: usize = 10;
    let (app, _, teacher) = with_link().await;
    let mut visiting = tokio::task::JoinSet::new();
    // Each client sends ten visits at a time, one per connection. One process has enough file handles for 200.
    let clients: Vec<_> = (0..CLIENTS).map(|_| app.anon()).collect();
    for number in 0..CLIENTS * AT_ONCE {
        let client = clients[number % CLIENTS].clone();
        visiting.spawn(async move {
            let mut counts = Vec::new();
            for _ in 0..1000 / (CLIENTS * AT_ONCE) {
                let resolved = client.get(LINK).await;
                assert_eq!(resolved.status, StatusCode::OK, "{resolved}");
                counts.push(resolved.data()["visitCount"].as_u64().expect("a count"));
            }
            counts
        });
    }
    let mut counts = visiting.join_all().await.concat();
    counts.sort_unstable();
    assert_eq!(counts, (1..=1000).collect::<Vec<_>>());
    let listed = teacher.get("/api/link/investigation/000000000000000000000001").await;
    assert_eq!(listed.data()[0]["visitCount"], json!(1000), "{listed}");
    let visits = teacher.get(&format!("{LINK}/visits")).await;
    assert_eq!(visits.data()["days"], json!([{"day": "2026-11-21", "count": 1000}]), "{visits}");
}
