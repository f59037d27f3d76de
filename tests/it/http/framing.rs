//! The framing of requests. The service refuses a malformed request before it does anything. If a refusal closes the
//! connection, the answer says so.

use fieldbook::admission::READ_AHEAD;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::{Exchange, TestApp, raw::Raw};

const LIVE: &str = "GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n";
/// The longest request head that the service accepts, as in SECURITY.md.
const LONGEST_HEAD: usize = 64 * 1024;

/// Asserts that the service refuses the request with an error envelope and closes the connection. Returns the
/// refusal.
async fn check_refused(mut raw: Raw, code: &str, request: &str) -> Exchange {
    let refused = raw.answer().await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{request}: {refused}");
    assert_eq!((&refused.json()["success"], &refused.json()["code"]), (&json!(false), &json!(code)), "{request}");
    assert_eq!(refused.header("connection"), Some("close"), "{request}");
    assert!(refused.header("x-request-id").is_some(), "it is logged like any request: {request}");
    assert_eq!(raw.closed().await, "", "{request}");
    refused
}

/// Asserts that the service refuses the request because of this header.
async fn check_header_refused(raw: Raw, header: &str, request: &str) {
    let refused = check_refused(raw, "validation_failed", request).await;
    assert_eq!(refused.json()["errors"][0]["path"], json!(header), "{request}");
}

#[tokio::test]
async fn request_must_have_exactly_one_valid_host_header() {
    let (app, _, _) = TestApp::start().await;
    for hosts in [
        "",
        "host: x\r\nhost: x\r\n",
        "host: x\r\nhost: y\r\n",
        "host:\r\n",
        "host: a b\r\n",
        "host: x/y\r\n",
        "host: x?y\r\n",
        "host: user@x\r\n",
        "host: http://x\r\n",
        "host: x:port\r\n",
        "host: x:80:80\r\n",
        "host: x:65536\r\n",
        "host: :80\r\n",
        "host: [::1\r\n",
        "host: \u{fc}\r\n",
    ] {
        let request = format!("GET /health/live HTTP/1.1\r\n{hosts}\r\n{LIVE}");
        let raw = Raw::sending(&app, &request).await;
        check_header_refused(raw, "Host", &request).await;
    }
    for sound in ["x", "fieldbook.example:8080", "127.0.0.1", "[::1]", "[::1]:80", "x:", "a_b-c.d", "x:65535"] {
        let mut raw = Raw::connect(&app).await;
        let answer = raw.ask(format!("GET /health/live HTTP/1.1\r\nhost: {sound}\r\n\r\n")).await;
        assert_eq!((answer.status, answer.header("connection")), (StatusCode::OK, None), "{sound}");
    }
    // HTTP/1.0 does not require a `Host` header, but a `Host` header must be valid there too.
    let mut raw = Raw::connect(&app).await;
    assert_eq!(raw.ask("GET /health/live HTTP/1.0\r\n\r\n").await.status, StatusCode::OK);
    let mut raw = Raw::connect(&app).await;
    let twice = "GET /health/live HTTP/1.0\r\nhost: x\r\nhost: y\r\n\r\n";
    raw.send(twice).await;
    check_header_refused(raw, "Host", twice).await;
}

#[tokio::test]
async fn host_in_the_request_line_overrides_the_host_header() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    let picture = async |target: &str, host: &str| {
        let request = format!("GET {target}{link}/qr.svg HTTP/1.1\r\nhost: {host}\r\n\r\n");
        Raw::connect(&app).await.ask(request).await.text
    };
    let right = picture("", "lessons.example.org:8080").await;
    assert_eq!(picture("http://lessons.example.org:8080", "other.example.org").await, right);
    assert_ne!(picture("", "other.example.org").await, right);
    let request = format!("GET http://user@x{link} HTTP/1.1\r\nhost: x\r\n\r\n");
    check_header_refused(Raw::sending(&app, &request).await, "", &request).await;
    let request = format!("GET http://x{link} HTTP/1.1\r\n\r\n");
    check_header_refused(Raw::sending(&app, &request).await, "Host", &request).await;
}

#[tokio::test]
async fn transfer_codings_other_than_a_single_chunked_are_refused() {
    let (app, _, teacher) = TestApp::start().await;
    let body = r#"{"title":"Cress"}"#;
    for codings in [
        "transfer-encoding: gzip, chunked\r\n",
        "transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n",
        "transfer-encoding: chunked, chunked\r\n",
        "transfer-encoding: identity, chunked\r\n",
        "transfer-encoding: , chunked\r\n",
    ] {
        let head =
            format!("POST /api/investigation HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{codings}");
        let request = format!("{head}{}\r\n{:x}\r\n{body}\r\n0\r\n\r\n{LIVE}", app.bearer(), body.len());
        let raw = Raw::sending(&app, &request).await;
        check_header_refused(raw, "Transfer-Encoding", codings).await;
    }
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(0));
}

#[tokio::test]
async fn malformed_chunks_of_a_body_are_refused_before_any_change() {
    let (app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    assert_eq!(teacher.patch(&path, json!({"title": "Beans"})).await.status, StatusCode::OK);
    let undo = format!("{path}/undo");
    for chunks in [
        "zz\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}zz\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "11111111111111111\r\n{}\r\n0\r\n\r\n",
        "2 2\r\n{}\r\n0\r\n\r\n",
        "\r\n2\r\n{}\r\n0\r\n\r\n",
    ] {
        // One operation reads its body, and the other one takes no body.
        for target in ["/api/investigation", &undo] {
            let head =
                format!("POST {target} HTTP/1.1\r\nhost: x\r\n{}content-type: application/json\r\n", app.bearer());
            let request = format!("{head}transfer-encoding: chunked\r\n\r\n{chunks}");
            let raw = Raw::sending(&app, &request).await;
            check_refused(raw, "body_incomplete", &request).await;
        }
    }
    assert_eq!(teacher.get(&path).await.data()["title"], json!("Beans"));
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(1));
}

#[tokio::test]
async fn request_headers_of_64_kib_are_accepted_and_longer_headers_are_refused() {
    let (app, _, _) = TestApp::start().await;
    let head = |length: usize| {
        let (start, end) = ("GET /health/live HTTP/1.1\r\nhost: x\r\nx-long: ", "\r\n\r\n");
        format!("{start}{}{end}", "y".repeat(length - start.len() - end.len()))
    };
    let mut raw = Raw::connect(&app).await;
    assert_eq!(raw.ask(head(LONGEST_HEAD)).await.status, StatusCode::OK);
    assert_eq!(raw.ask(head(LONGEST_HEAD)).await.status, StatusCode::OK, "the next one may be as long");
    for length in [LONGEST_HEAD + 1, 100_000, 2_000_000] {
        let mut raw = Raw::connect(&app).await;
        let refused = raw.ask(head(length)).await;
        let seen = (refused.status, refused.header("connection"));
        assert_eq!(seen, (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, Some("close")), "{length}");
        assert_eq!(raw.closed().await, "", "{length}");
    }
}

/// Returns requests that the service refuses before it reads their bodies: the expected status, and the head without
/// `Content-Length` or `Transfer-Encoding`.
fn early_refusals() -> Vec<(u16, String)> {
    let json = "content-type: application/json\r\n";
    let unknown = "/api/investigation/cccccccccccccccccccccccc";
    vec![
        (401, format!("POST /api/investigation HTTP/1.1\r\nhost: x\r\n{json}")),
        (401, format!("PATCH {unknown} HTTP/1.1\r\nhost: x\r\n{json}authorization: Bearer no\r\n")),
        (404, "POST /api/nowhere HTTP/1.1\r\nhost: x\r\n".to_owned()),
        (405, "PUT /api/investigation HTTP/1.1\r\nhost: x\r\n".to_owned()),
        (429, "GET /api/link/k/s HTTP/1.1\r\nhost: x\r\n".to_owned()),
    ]
}

/// Returns requests that the service refuses when it has their bodies.
fn late_refusals(app: &TestApp) -> [(u16, String); 2] {
    let bearer = app.bearer();
    let short = "PATCH /api/investigation/short HTTP/1.1\r\nhost: x\r\ncontent-type: application/json";
    let typed = "POST /api/investigation HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain";
    [(400, format!("{short}\r\n{bearer}")), (415, format!("{typed}\r\n{bearer}"))]
}

/// Starts a service whose rate limit for links is already used up.
async fn start_exhausted() -> TestApp {
    let http = fieldbook::app::HttpSettings { resolve_rate_limit: 1, ..fieldbook::app::HttpSettings::default() };
    let (app, anon, _) = TestApp::start_with(http).await;
    anon.get("/api/link/k/s").await;
    app
}

fn check_envelope(refused: &Exchange, status: u16, head: &str) {
    assert_eq!(refused.status.as_u16(), status, "{head}{refused}");
    assert_eq!(refused.json()["success"], json!(false), "{head}");
}

#[tokio::test]
async fn refused_request_with_a_small_body_keeps_the_connection_open() {
    let app = start_exhausted().await;
    let body = "x".repeat(READ_AHEAD);
    for (status, head) in early_refusals().into_iter().chain(late_refusals(&app)) {
        for framing in [format!("content-length: {READ_AHEAD}").as_str(), "transfer-encoding: chunked"] {
            let mut raw = Raw::connect(&app).await;
            let is_chunked = framing.ends_with("chunked");
            raw.send(format!("{head}{framing}\r\n\r\n")).await;
            // The service may answer now, or after it has read the rest of the body. Both must work.
            tokio::task::yield_now().await;
            raw.send(if is_chunked { format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len()) } else { body.clone() }).await;
            let refused = raw.answer().await;
            check_envelope(&refused, status, &head);
            assert_eq!(refused.header("connection"), None, "{head}");
            assert_eq!(raw.ask(LIVE).await.json(), json!({"status": "ok"}), "{head}");
        }
    }
}

#[tokio::test]
async fn refused_request_with_a_large_body_is_answered_before_the_connection_closes() {
    const LENGTH: usize = 900_000;
    let app = start_exhausted().await;
    for (status, head) in early_refusals() {
        let mut raw = Raw::sending(&app, format!("{head}content-length: {LENGTH}\r\n\r\n")).await;
        let refused = raw.answer().await;
        check_envelope(&refused, status, &head);
        assert_eq!(refused.header("connection"), Some("close"), "{head}");
        assert_eq!(raw.closed().await, "", "{head}");
        // A client that sends everything before it reads gets the same refusal.
        let mut raw = Raw::connect(&app).await;
        raw.send_all(format!("{head}content-length: {LENGTH}\r\n\r\n{}", "x".repeat(LENGTH))).await;
        check_envelope(&raw.answer().await, status, &head);
        assert_eq!(raw.closed().await, "", "{head}");
    }
    let head = format!("POST /api/investigation HTTP/1.1\r\nhost: x\r\n{}", app.bearer());
    for framing in ["content-length: 4000000\r\n\r\n", "transfer-encoding: chunked\r\n\r\n3d0900\r\n"] {
        let mut raw = Raw::connect(&app).await;
        raw.send_all(format!("{head}{framing}{}", "x".repeat(4_000_000))).await;
        let refused = raw.answer().await;
        check_envelope(&refused, 413, framing);
        assert_eq!(refused.header("connection"), Some("close"), "{framing}");
        assert_eq!(raw.closed().await, "", "{framing}");
    }
}

#[tokio::test]
async fn refusal_is_sent_instead_of_the_expected_100_continue() {
    let app = start_exhausted().await;
    for (status, head) in early_refusals() {
        let mut raw = Raw::connect(&app).await;
        let refused = raw.ask(format!("{head}expect: 100-continue\r\ncontent-length: 10\r\n\r\n")).await;
        check_envelope(&refused, status, &head);
        assert_eq!(refused.header("connection"), Some("close"), "{head}");
    }
}
