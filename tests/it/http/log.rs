//! Data that must never appear in a log.

use fieldbook::app::HttpSettings;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::provider::{Key, Mode, Provider};
use crate::support::token::{IN_AN_HOUR, signed, signed_with};
use crate::support::{SECRET, TEACHER, TestApp, log, raw::Raw};

/// Asserts that the log contains no long part of a token and no `authorization` header.
fn check_silent(log: &str, tokens: &[String]) {
    for token in tokens {
        for part in token.split(['.', ' ']).filter(|part| part.len() > 8) {
            assert!(!log.contains(part), "{part} of {token} stands in the log:\n{log}");
        }
    }
    assert!(!log.contains("authorization"), "{log}");
}

#[tokio::test]
async fn tokens_signed_with_the_secret_are_never_logged() {
    let (log, _guard) = log::captured();
    let (app, _, _) = TestApp::start_with(HttpSettings { log_requests: true, ..HttpSettings::default() }).await;
    let claims = json!({"userId": TEACHER, "exp": IN_AN_HOUR});
    let good = signed(&claims);
    let tokens = [
        good.clone(),
        signed(&json!({"userId": TEACHER, "exp": 1})),
        signed_with(jsonwebtoken::Algorithm::HS512, SECRET, &claims),
        format!("{good}x"),
        "opaque-token-of-another-service".to_owned(),
        format!("{good} {good}"),
        "x".repeat(20_000),
    ];
    for token in &tokens {
        let caller = app.anon().bearing(token);
        for path in ["/api/investigation", "/api/link/a/b", "/nothing", "/docs/", "/metrics", "/api/investigation/x"] {
            caller.get(path).await;
        }
        caller.post("/api/investigation", json!({"title": "Cress"})).await;
        caller.post_text("/api/investigation", "text/plain", "?").await;
        let assistant = caller.with_header("accept", "application/json, text/event-stream");
        assistant.post("/mcp", json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).await;
    }
    let mut raw = Raw::connect(&app).await;
    raw.ask(format!("GET /api/investigation HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {good}\r\nauthorization: Bearer {good}\r\n\r\n")).await;
    raw.send(format!("GET / HTTP/1.1\r\nauthorization: Bearer {good}\r\nno colon here\r\n\r\n")).await;
    let text = log.text();
    assert!(text.contains("request served"), "{text}");
    check_silent(&text, &tokens);
    assert!(!text.contains(std::str::from_utf8(SECRET).expect("a text")), "{text}");
}

#[tokio::test]
async fn tokens_of_a_provider_are_never_logged() {
    let (log, _guard) = log::captured();
    let key = Key::ec();
    let provider = Provider::start(&[key.jwk("k")]).await;
    let app = TestApp::start_with_provider(&provider.settings()).await;
    let good = provider.claims(TEACHER, IN_AN_HOUR);
    let tokens = [
        key.token("k", &good),
        key.token("unknown", &good),
        Key::ec().token("k", &good),
        key.token("k", &json!({"exp": IN_AN_HOUR, "iss": "https://another.example.org"})),
    ];
    for token in &tokens {
        app.anon().bearing(token).get("/api/investigation").await;
    }
    provider.set_mode(Mode::Refuses(500));
    app.clock.advance(std::time::Duration::from_secs(600));
    for token in &tokens {
        app.anon().bearing(token).get("/api/investigation").await;
    }
    assert_eq!(app.anon().bearing(&tokens[0]).get("/api/investigation").await.status, StatusCode::OK);
    let text = log.text();
    assert!(text.contains("the keys of the token provider cannot be fetched"), "{text}");
    check_silent(&text, &tokens);
}

#[tokio::test]
async fn successful_requests_are_logged_only_if_the_setting_for_it_is_on() {
    for (log_requests, lines) in [(false, 0), (true, 1)] {
        let (log, _guard) = log::captured();
        let (_app, _, teacher) = TestApp::start_with(HttpSettings { log_requests, ..HttpSettings::default() }).await;
        assert_eq!(teacher.get("/api/investigation").await.status, StatusCode::OK);
        let text = log.text();
        assert_eq!(text.matches("request served").count(), lines, "{text}");
        let durations = text.split("duration_ms=").skip(1).filter_map(|rest| rest.split_whitespace().next());
        let digits = durations.map(|number| number.split_once('.').map_or(0, |(_, digits)| digits.len()));
        assert!(digits.clone().count() == lines && digits.max().unwrap_or_default() <= 3, "{text}");
    }
}
