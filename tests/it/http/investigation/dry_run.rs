//! `?dryRun=true` for the operations that change an investigation: update, undo, redo, resolve and regenerate.

use std::time::Duration;

use serde_json::{Value, json};

use super::chat::entries;
use crate::authoring::start;
use crate::support::endpoint::{Answer, Question, finds, proposes};
use crate::support::{COLLEAGUE, Caller, Exchange, TestApp};

#[tokio::test]
async fn dry_run_answers_with_the_result_and_stores_nothing() {
    let (_app, teacher, path) =
        TestApp::with(json!({"durationMinutes": 30, "steps": [{"text": "Sow", "minutes": 20}]})).await;
    let before = teacher.get(&path).await.text;
    let shown = teacher.patch(&format!("{path}?dryRun=true"), json!({"durationMinutes": 10})).await;
    assert_eq!((shown.status.as_u16(), shown.header("etag")), (200, None), "{shown}");
    let investigation = &shown.json()["updatedInvestigation"];
    assert_eq!((&investigation["durationMinutes"], &investigation["version"]), (&json!(10), &json!(1)));
    assert_eq!(investigation["contradictions"].as_array().map(Vec::len), Some(1));
    assert_eq!(teacher.get(&path).await.text, before);
    assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
    // Without `dryRun`, the operation gives the same answer.
    assert_eq!(teacher.patch(&path, json!({"durationMinutes": 10})).await.text, shown.text);
}

#[tokio::test]
async fn dry_run_of_an_invalid_update_is_refused_like_the_update() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}?dryRun=true");
    assert_eq!(teacher.patch(&path, json!({"title": 7})).await.json()["errors"][0]["path"], "title");
    let stale = teacher.clone().with_header("if-match", "\"9\"");
    assert_eq!(stale.patch(&path, json!({"title": "Radish"})).await.status, 412);
    let unknown = "/api/investigation/ffffffffffffffffffffffff?dryRun=true";
    assert_eq!(teacher.patch(unknown, json!({})).await.json()["message"], "Failed to update investigation");
    let odd = teacher.patch(&format!("/api/investigation/{id}?dryRun=yes"), json!({})).await;
    assert_eq!(odd.json()["errors"], json!([{"path": "dryRun", "message": "must be true or false"}]));
}

#[tokio::test]
async fn dry_run_of_undo_and_redo_stores_nothing() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    teacher.patch(&path, json!({"title": "Peas"})).await;
    for (operation, title, nothing) in [("undo", "Cress", "Nothing to undo"), ("redo", "Peas", "Nothing to redo")] {
        let before = [teacher.get(&path).await.text, teacher.get(&format!("{path}/versions")).await.text];
        let dry_run = format!("{path}/{operation}?dryRun=true");
        let shown = teacher.post_empty(&dry_run).await;
        assert_eq!((shown.status.as_u16(), shown.header("etag")), (200, None), "{shown}");
        assert_eq!(shown.data()["title"], title);
        assert_eq!([teacher.get(&path).await.text, teacher.get(&format!("{path}/versions")).await.text], before);
        // Without `dryRun`, the operation gives the same answer.
        assert_eq!(teacher.post_empty(&format!("{path}/{operation}")).await.text, shown.text);
        assert_eq!(teacher.post_empty(&dry_run).await.json()["message"], nothing);
    }
    let stale = teacher.with_header("if-match", "\"9\"");
    assert_eq!(stale.post_empty(&format!("{path}/undo?dryRun=true")).await.status, 412);
}

/// A lesson of five minutes with a step of nine minutes.
fn too_long() -> Value {
    json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})
}

async fn asked(caller: &Caller, path: &str, operation: &str, field: &str) -> Exchange {
    caller.post(&format!("{path}/{operation}"), json!({"fieldName": field})).await
}

#[tokio::test]
async fn dry_run_of_resolve_and_regenerate_stores_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    for (operation, field) in [("resolve-contradiction", "durationMinutes"), ("regenerate", "steps")] {
        let path = teacher.create_path(too_long()).await;
        let before = teacher.get(&path).await.text;
        let shown = asked(&teacher, &path, &format!("{operation}?dryRun=true"), field).await;
        assert_eq!((shown.status.as_u16(), shown.header("etag")), (200, None), "{shown}");
        assert_eq!(shown.data()["investigation"]["durationMinutes"], 9, "{shown}");
        assert_eq!(teacher.get(&path).await.text, before);
        assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
        assert_eq!(entries(&teacher, &path).await, Vec::<Value>::new());
        // Without `dryRun`, the operation gives the same answer.
        assert_eq!(asked(&teacher, &path, operation, field).await.text, shown.text);
    }
}

#[tokio::test]
async fn dry_run_of_an_invalid_resolve_is_refused_like_resolve() {
    let (_app, teacher, path) = TestApp::with(too_long()).await;
    let shown = async |caller: &Caller, path: &str, field: &str| {
        asked(caller, path, "resolve-contradiction?dryRun=true", field).await.text
    };
    let stored = asked(&teacher, &path, "resolve-contradiction", "title").await.text;
    assert_eq!(shown(&teacher, &path, "title").await, stored);
    let stale = teacher.clone().with_header("if-match", "\"9\"");
    assert!(shown(&stale, &path, "steps").await.contains("revision_mismatch"));
    let unknown = "/api/investigation/ffffffffffffffffffffffff";
    assert!(shown(&teacher, unknown, "steps").await.contains("investigation_not_found"));
}

#[tokio::test]
async fn dry_run_asks_the_language_model_and_stores_nothing() {
    let (endpoint, _app, teacher) = start(|question| match question.kind {
        "regenerate" => proposes(&[("title", json!("Cress in nine minutes"))], "The title says how long it takes."),
        "findings" => finds(&[]),
        _ => Answer::Refuses(403),
    })
    .await;
    let path = teacher.create_path(json!({"title": "Cress", "durationMinutes": 9})).await;
    let shown = asked(&teacher, &path, "regenerate?dryRun=true", "durationMinutes").await;
    assert_eq!(shown.data()["investigation"]["title"], "Cress in nine minutes", "{shown}");
    assert_eq!(endpoint.count("regenerate"), 1);
    assert_eq!(teacher.get(&path).await.data()["title"], "Cress");
    assert_eq!(entries(&teacher, &path).await, Vec::<Value>::new());
}

/// Plays a model that proposes a new title for each question. The model finds a contradiction as long as the title is
/// not one of its proposals.
fn of_many_minds(question: &Question) -> Answer {
    match question.kind {
        "findings" if question.holds(&["Cress no. "]) => finds(&[]),
        "findings" => {
            finds(&[("title", "Cress", "assessment", "Draw the bean.", "The lesson is on cress, but a bean is drawn.")])
        }
        _ => proposes(&[("title", json!(format!("Cress no. {}", question.nth)))], "I numbered it."),
    }
}

#[tokio::test]
async fn operation_after_its_dry_run_stores_the_shown_proposal_without_asking_the_model() {
    for (operation, kind) in [("resolve-contradiction", "resolve"), ("regenerate", "regenerate")] {
        let (endpoint, app, teacher) = start(of_many_minds).await;
        let path = teacher.create_path(json!({"title": "Cress", "assessment": "Draw the bean."})).await;
        let colleague = app.signed_in(COLLEAGUE);
        let dry_run = format!("{operation}?dryRun=true");
        let title = |exchange: &Exchange| exchange.data()["investigation"]["title"].clone();
        let proposed = async |caller: &Caller| title(&asked(caller, &path, &dry_run, "assessment").await);
        assert_eq!(proposed(&colleague).await, "Cress no. 1");
        // Each dry run asks the model for a new proposal. The operation then stores the latest proposal.
        assert_eq!((proposed(&teacher).await, proposed(&teacher).await), (json!("Cress no. 2"), json!("Cress no. 3")));
        let questions = endpoint.count("findings");
        assert_eq!(title(&asked(&teacher, &path, operation, "assessment").await), "Cress no. 3");
        assert_eq!((endpoint.count(kind), endpoint.count("findings")), (3, questions));
        let record = &teacher.get(&format!("{path}/versions")).await.data()[0];
        assert_eq!((&record["kind"], &record["withAI"]), (&json!(kind), &json!(true)));
        assert_eq!(entries(&teacher, &path).await.len(), 1);
        // The service asks the model again when the content or the conversation has changed, and after ten minutes.
        teacher.post_empty(&format!("{path}/undo")).await;
        assert_eq!(title(&asked(&teacher, &path, operation, "assessment").await), "Cress no. 4");
        teacher.post_empty(&format!("{path}/undo")).await;
        assert_eq!(proposed(&teacher).await, "Cress no. 5");
        app.clock.advance(Duration::from_secs(10 * 60));
        assert_eq!(title(&asked(&teacher, &path, operation, "assessment").await), "Cress no. 6");
    }
}
