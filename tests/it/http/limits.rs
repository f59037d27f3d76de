//! Rate limits.

use std::time::Duration;

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::endpoint::{Endpoint, finds, proposes};
use crate::support::{COLLEAGUE, Caller, TEACHER, TestApp};

/// Returns how many of `times` requests are served rather than refused with 429.
async fn served(caller: &Caller, path: &str, times: usize) -> usize {
    let mut served = 0;
    for _ in 0..times {
        served += usize::from(caller.get(path).await.status != StatusCode::TOO_MANY_REQUESTS);
    }
    served
}

async fn visits(teacher: &Caller, link: &str) -> Value {
    teacher.get(&format!("{link}/visits")).await.data()["visitCount"].clone()
}

#[tokio::test]
async fn visits_of_a_link_beyond_the_rate_limit_are_refused_and_not_counted() {
    let http = HttpSettings { resolve_rate_limit: 3, ..HttpSettings::default() };
    let (app, anon, teacher) = TestApp::start_with(http).await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    assert_eq!(served(&anon, &link, 3).await, 3);
    let refused = anon.get(&link).await;
    assert_snapshot!(refused, @r#"
    GET /api/link/k/s
    429 Too Many Requests
    ratelimit: "resolve";r=0;t=1
    ratelimit-policy: "resolve";q=3;w=1
    retry-after: 1
    {
      "success": false, "message": "Too many requests",
      "error": "at most 3 are allowed within 1 s; nothing was done, try again in 1 s", "code": "rate_limited"
    }
    "#);
    // The limit also refuses other requests for links, and requests with a token.
    for path in [&link, "/api/link/k/unknown", "/api/link/k/bad.name", &format!("{link}/qr.svg")] {
        assert_eq!(teacher.get(path).await.status, StatusCode::TOO_MANY_REQUESTS, "{path}");
    }
    let head = anon.head(&link).await;
    assert_eq!((head.status, head.header("retry-after")), (StatusCode::TOO_MANY_REQUESTS, Some("1")));
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.status, StatusCode::OK);
    app.clock.advance(Duration::from_millis(334));
    assert_eq!(served(&anon, &link, 5).await, 1);
    app.clock.advance(Duration::from_secs(1));
    let last = anon.get(&link).await;
    assert_eq!(last.data()["visitCount"], json!(5), "{last}");
    assert_eq!(visits(&teacher, &link).await, json!(5));
}

#[tokio::test]
async fn requests_are_not_rate_limited_by_default() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    assert_eq!(served(&anon, &link, 300).await, 300);
}

#[tokio::test]
async fn addresses_behind_a_trusted_proxy_are_limited_separately() {
    let trusted_proxies = vec!["127.0.0.0/8".parse().expect("a network"), "10.0.0.0/8".parse().expect("a network")];
    let http = HttpSettings { resolve_rate_limit: 1, trusted_proxies, ..HttpSettings::default() };
    let (_app, anon, _) = TestApp::start_with(http).await;
    let link = "/api/link/k/s";
    let from = |list: &str| anon.clone().with_header("x-forwarded-for", list);
    assert_eq!(served(&anon, link, 2).await, 1);
    assert_eq!(served(&from("198.51.100.7"), link, 2).await, 1);
    assert_eq!(served(&from("198.51.100.8"), link, 2).await, 1);
    // A client can only add addresses in front of the one that the proxy adds.
    for pretended in ["1.1.1.1", "2.2.2.2", "10.0.0.1", "127.0.0.1", "unknown"] {
        assert_eq!(served(&from(&format!("{pretended}, 198.51.100.8")), link, 1).await, 0, "{pretended}");
        assert_eq!(served(&from(&format!("{pretended}, 198.51.100.8, 10.0.0.9")), link, 1).await, 0, "{pretended}");
    }
    assert_eq!(served(&from("2001:db8:1:2::1"), link, 1).await, 1);
    assert_eq!(served(&from("2001:db8:1:2:3:4:5:6"), link, 1).await, 0);
    assert_eq!(served(&from("2001:db8:1:3::1"), link, 1).await, 1);
}

#[tokio::test]
async fn forwarded_headers_are_ignored_without_a_trusted_proxy() {
    let (_app, anon, _) = TestApp::start_with(HttpSettings { resolve_rate_limit: 1, ..HttpSettings::default() }).await;
    assert_eq!(served(&anon, "/api/link/k/s", 1).await, 1);
    for header in ["x-forwarded-for", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"] {
        let value = if header == "forwarded" { "for=198.51.100.7" } else { "198.51.100.7" };
        assert_eq!(served(&anon.clone().with_header(header, value), "/api/link/k/s", 1).await, 0, "{header}");
    }
}

#[tokio::test]
async fn assistant_requests_beyond_the_rate_limit_are_refused_and_change_nothing() {
    let http = HttpSettings { assistant_rate_limit: 2, ..HttpSettings::default() };
    let (app, anon, teacher) = TestApp::start_with(http).await;
    let content = json!({"durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 20}]});
    let id = teacher.create(content).await;
    let path = |operation: &str| format!("/api/investigation/{id}/{operation}");
    let field = json!({"fieldName": "durationMinutes"});
    assert_eq!(teacher.post(&path("regenerate"), field.clone()).await.status, StatusCode::OK);
    // Refused requests do not count, and neither does a dry run that only runs the rules.
    for _ in 0..3 {
        assert_eq!(teacher.post(&path("resolve-contradiction"), json!({})).await.status, StatusCode::BAD_REQUEST);
        let old = teacher.clone().with_header("if-match", "\"9\"");
        assert_eq!(old.post(&path("regenerate"), field.clone()).await.status, StatusCode::PRECONDITION_FAILED);
        let nowhere = format!("/api/investigation/{COLLEAGUE}/regenerate");
        assert_eq!(teacher.post(&nowhere, field.clone()).await.status, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(teacher.post(&path("regenerate?dryRun=true"), field.clone()).await.status, StatusCode::OK);
    }
    assert_eq!(teacher.post(&path("regenerate"), field.clone()).await.status, StatusCode::OK);
    let refused = teacher.post(&path("resolve-contradiction"), field.clone()).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation/000000000000000000000001/resolve-contradiction
    {"fieldName":"durationMinutes"}
    429 Too Many Requests
    ratelimit: "assistant";r=0;t=30
    ratelimit-policy: "assistant";q=2;w=60
    retry-after: 30
    {
      "success": false, "message": "Too many requests",
      "error": "at most 2 are allowed within 60 s; nothing was done, try again in 30 s", "code": "rate_limited"
    }
    "#);
    assert_eq!(teacher.post(&path("regenerate"), field.clone()).await.status, StatusCode::TOO_MANY_REQUESTS);
    // Another user has a separate limit. A caller without a token gets 401 before any limit.
    let colleague = app.signed_in(COLLEAGUE);
    assert_eq!(colleague.post(&path("regenerate"), field.clone()).await.status, StatusCode::OK);
    assert_eq!(anon.post(&path("regenerate"), field.clone()).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(teacher.get(&path("chat")).await.status, StatusCode::OK, "reading is not limited");
    app.clock.advance(Duration::from_secs(30));
    let teacher = app.signed_in(TEACHER);
    let regenerated = teacher.post(&path("regenerate"), field.clone()).await;
    assert_eq!(regenerated.status, StatusCode::OK, "{regenerated}");
    assert_eq!(teacher.post(&path("resolve-contradiction"), field).await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn assistant_rate_limit_does_not_count_storing_a_proposal_shown_by_a_dry_run() {
    let endpoint = Endpoint::start(|question| match question.kind {
        "findings" => finds(&[]),
        _ => proposes(&[("title", json!(format!("Cress no. {}", question.nth)))], "I numbered it."),
    })
    .await;
    let http = HttpSettings { assistant_rate_limit: 2, ..HttpSettings::default() };
    let (app, teacher) = TestApp::start_with_model(endpoint.settings(), http).await;
    let path = teacher.create_path(json!({"title": "Cress", "durationMinutes": 9})).await;
    let ask = async |operation: &str, body: Value| teacher.post(&format!("{path}/{operation}"), body).await.status;
    let (minutes, grade) = (json!({"fieldName": "durationMinutes"}), json!({"fieldName": "grade"}));
    // The service does not ask the model about an empty field or an empty message.
    for _ in 0..3 {
        assert_eq!(ask("regenerate?dryRun=true", grade.clone()).await, StatusCode::OK);
        assert_eq!(ask("chat", json!({"content": " "})).await, StatusCode::BAD_REQUEST);
    }
    assert_eq!(ask("regenerate?dryRun=true", minutes.clone()).await, StatusCode::OK);
    assert_eq!(ask("regenerate", minutes.clone()).await, StatusCode::OK, "what was shown is taken");
    assert_eq!(ask("chat", json!({"content": "Another title, please."})).await, StatusCode::OK);
    for operation in ["regenerate", "regenerate?dryRun=true"] {
        assert_eq!(ask(operation, minutes.clone()).await, StatusCode::TOO_MANY_REQUESTS, "{operation}");
    }
    assert_eq!(ask("chat", json!({"content": "And another."})).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!((endpoint.count("regenerate"), endpoint.count("converse")), (1, 1));
    app.clock.advance(Duration::from_secs(30));
    assert_eq!(ask("chat", json!({"content": "And another."})).await, StatusCode::OK);
}
