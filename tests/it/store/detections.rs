//! The stored findings of a language model. The store keeps a limited number of them.

use fieldbook::domain::finding::{Evidence, Finding, Findings};
use fieldbook::domain::id::ObjectId;
use fieldbook::domain::path::FieldPath;
use fieldbook::store::MAX_DETECTIONS;
use serde_json::json;

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
async fn cached_findings_survive_a_restart_and_are_not_replaced_by_later_findings() {
    let (app, _, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let id: ObjectId = id.parse().expect("an id");
    assert_eq!(app.app.store.detection("a".into()).await.expect("read"), None);
    app.app.store.keep_detection(id, "a".into(), findings("first")).await.expect("kept");
    app.app.store.keep_detection(id, "a".into(), findings("second")).await.expect("kept");
    app.app.store.keep_detection(id, "nothing".into(), Findings::default()).await.expect("kept");
    let app = app.restart().await;
    assert_eq!(app.app.store.detection("a".into()).await.expect("read"), Some(findings("first")));
    assert_eq!(app.app.store.detection("nothing".into()).await.expect("read"), Some(Findings::default()));
}

#[tokio::test]
async fn cached_findings_are_deleted_with_their_investigation() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let store = &app.app.store;
    let mut ids = Vec::new();
    for key in ["gone", "other"] {
        let id = teacher.create(json!({ "title": key })).await;
        let known: ObjectId = id.parse().expect("an id");
        store.keep_detection(known, key.into(), findings(key)).await.expect("kept");
        ids.push((id, known));
    }
    teacher.delete(&format!("/api/investigation/{}", ids[0].0)).await;
    app.sweep().await;
    assert_eq!(app.rows("detection"), 2, "it can be restored");
    teacher.delete(&format!("/api/trash/{}", ids[0].0)).await;
    store.keep_detection(ids[0].1, "later".into(), findings("later")).await.expect("an answer");
    app.sweep().await;
    let kept = async |key: &str| store.detection(key.into()).await.expect("read");
    assert_eq!((kept("gone").await, kept("later").await), (None, None));
    assert_eq!(kept("other").await, Some(findings("other")));
}

#[tokio::test]
async fn oldest_cached_findings_are_deleted_when_the_cache_is_full() {
    let (app, _, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let id: ObjectId = id.parse().expect("an id");
    let store = &app.app.store;
    for key in ["oldest", "older"] {
        store.keep_detection(id, key.into(), findings(key)).await.expect("kept");
    }
    let fill = format!(
        "INSERT INTO detection (n, body, key, findings)
         VALUES ({MAX_DETECTIONS}, 1, 'full', '{{\"contradictions\":[],\"hints\":[]}}')"
    );
    app.behind(&fill);
    if let Some(server) = postgres::server() {
        // PostgreSQL numbers new rows with a sequence, which must continue after the number of the row inserted above.
        let count_on = "SELECT setval(pg_get_serial_sequence('detection', 'n'), (SELECT max(n) FROM detection))";
        postgres::execute_in(app.folder(), &server, count_on);
    }
    store.keep_detection(id, "newest".into(), findings("newest")).await.expect("kept");
    assert_eq!(store.detection("oldest".into()).await.expect("read"), None);
    for key in ["older", "newest"] {
        assert_eq!(store.detection(key.into()).await.expect("read"), Some(findings(key)), "{key}");
    }
}
