//! The stored findings of a language model. The store keeps a limited number of them.

use fieldbook::domain::finding::{Evidence, Finding, Findings};
use fieldbook::domain::path::FieldPath;
use fieldbook::store::MAX_DETECTIONS;

use crate::support::{TestApp, postgres};

fn findings(reason: &str) -> Findings {
    let finding = Finding {
        field_name: "steps".into(),
        conflicts_with: vec!["safety".into()],
        reason: reason.into(),
        evidence: vec![
            Evidence::new(&FieldPath::parse("steps.0.text"), "“Taste” it"),
            Evidence::missing(&FieldPath::parse("safety")),
        ],
        also_at: vec!["assessment".into()],
        suggestion: None,
        source: "model:m".into(),
    };
    Findings { contradictions: vec![finding.clone()], hints: vec![finding], ..Findings::default() }
}

#[tokio::test]
async fn what_was_found_is_kept_over_a_restart_and_the_first_answer_stays() {
    let (app, _, _) = TestApp::start().await;
    assert_eq!(app.app.store.detection("a".into()).await.expect("read"), None);
    app.app.store.keep_detection("a".into(), findings("first")).await.expect("kept");
    app.app.store.keep_detection("a".into(), findings("second")).await.expect("kept");
    app.app.store.keep_detection("nothing".into(), Findings::default()).await.expect("kept");
    let app = app.restart().await;
    assert_eq!(app.app.store.detection("a".into()).await.expect("read"), Some(findings("first")));
    assert_eq!(app.app.store.detection("nothing".into()).await.expect("read"), Some(Findings::default()));
}

#[tokio::test]
async fn beyond_the_limit_the_oldest_go() {
    let (app, _, _) = TestApp::start().await;
    let store = &app.app.store;
    for key in ["oldest", "older"] {
        store.keep_detection(key.into(), findings(key)).await.expect("kept");
    }
    let fill = format!(
        "INSERT INTO detection (n, key, findings) VALUES ({MAX_DETECTIONS}, 'full', '{{\"contradictions\":[],\"hints\":[]}}')"
    );
    app.behind(&fill);
    if let Some(server) = postgres::server() {
        // PostgreSQL takes the numbers from a sequence, which must count on from the inserted number.
        let count_on = "SELECT setval(pg_get_serial_sequence('detection', 'n'), (SELECT max(n) FROM detection))";
        postgres::execute_in(app.folder(), &server, count_on);
    }
    store.keep_detection("newest".into(), findings("newest")).await.expect("kept");
    assert_eq!(store.detection("oldest".into()).await.expect("read"), None);
    for key in ["older", "newest"] {
        assert_eq!(store.detection(key.into()).await.expect("read"), Some(findings(key)), "{key}");
    }
}
