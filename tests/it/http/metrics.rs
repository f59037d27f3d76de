//! `GET /metrics`

use fieldbook::app::Edge;
use reqwest::Method;

use crate::authoring::{at_odds, finds_birds};
use crate::support::TestApp;
use crate::support::endpoint::Endpoint;

/// The number of the one line that begins like this; 0 where there is none yet.
fn number(text: &str, begins: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(begins)?.strip_prefix(' '));
    line.map_or(0.0, |number| number.parse().expect("a number"))
}

#[tokio::test]
async fn requests_are_counted_by_method_route_and_status_without_a_word_of_their_own() {
    let (_app, anon, teacher) = TestApp::start().await;
    let counted = [
        "fieldbook_requests_total{method=\"GET\",route=\"/api/investigation/{id}\",status=\"401\"}",
        "fieldbook_requests_total{method=\"other\",route=\"none\",status=\"404\"}",
        "fieldbook_request_seconds_count{route=\"/api/investigation/{id}\"}",
        "fieldbook_request_seconds_bucket{route=\"/api/investigation/{id}\",le=\"+Inf\"}",
    ];
    let before = anon.get("/metrics").await;
    assert_eq!(
        (before.status.as_u16(), before.header("content-type")),
        (200, Some("text/plain; version=0.0.4; charset=utf-8"))
    );
    anon.get("/api/investigation/aaaaaaaaaaaaaaaaaaaaaaaa?secret=word").await;
    teacher.send(Method::from_bytes(b"MADEUP").expect("a method"), "/made/up", None).await;
    let after = anon.get("/metrics").await;
    for line in counted {
        // Other tests may count in the same process.
        assert!(number(&after.text, line) >= number(&before.text, line) + 1.0, "{line}\n{after}");
    }
    for word in ["aaaaaaaaaaaaaaaaaaaaaaaa", "secret", "MADEUP", "/made/up"] {
        assert!(!after.text.contains(word), "{after}");
    }
}

#[tokio::test]
async fn calls_of_the_language_model_are_counted_by_outcome() {
    let endpoint = Endpoint::start(finds_birds).await;
    let (app, teacher) = TestApp::start_with_model(endpoint.settings(), Edge::default()).await;
    let line = "fieldbook_model_calls_total{outcome=\"answered\"}";
    let before = number(&app.anon().get("/metrics").await.text, line);
    teacher.create(at_odds()).await;
    let after = app.anon().get("/metrics").await;
    assert!(number(&after.text, line) >= before + 2.0, "{after}");
    assert!(after.text.contains("# HELP fieldbook_model_calls_total "), "{after}");
}
