//! `?dryRun=true` for the operations that change an investigation: update, undo, redo, resolve and regenerate.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::chat::entries;
use crate::support::endpoint::{Answer, Endpoint, Question, finds, proposes};
use crate::support::{COLLEAGUE, Caller, Exchange, TestApp};

#[tokio::test]
async fn a_dry_run_answers_with_what_would_come_of_it_and_stores_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    let path = teacher.create_path(json!({"durationMinutes": 30, "steps": [{"text": "Sow", "minutes": 20}]})).await;
    let before = teacher.get(&path).await.text;
    assert_snapshot!(teacher.patch(&format!("{path}?dryRun=true"), json!({"durationMinutes": 10})).await, @r#"
    PATCH /api/investigation/000000000000000000000001?dryRun=true
    {"durationMinutes":10}
    200 OK
    {
      "success": true,
      "updatedInvestigation": {
        "_id": "000000000000000000000001", "durationMinutes": 10, "steps": [{"text": "Sow", "minutes": 20}],
        "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": "aaaaaaaaaaaaaaaaaaaaaaaa"}, "lastChangeWithAI": false,
        "contradictions": [
          {
            "fieldName": "durationMinutes", "conflictsWith": ["steps"],
            "reason": "The steps take 20 minutes, but the lesson lasts 10.",
            "evidence": [
              {"fieldPath": "durationMinutes", "quote": "10"},
              {"fieldPath": "steps.0.minutes", "quote": "20"}
            ],
            "suggestion": "Set the duration to 20 minutes, or shorten the steps.", "source": "rule:duration_sum"
          }
        ],
        "hints": [], "dismissed": [], "version": 1, "revision": 2, "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z", "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
    assert_eq!(teacher.get(&path).await.text, before);
    assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
}

#[tokio::test]
async fn a_dry_run_is_refused_like_the_update_itself() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
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
async fn an_undo_and_a_redo_are_shown_and_not_stored() {
    let (_app, _, teacher) = TestApp::start().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
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

async fn asked(caller: &Caller, id: &str, operation: &str, field: &str) -> Exchange {
    caller.post(&format!("/api/investigation/{id}/{operation}"), json!({"fieldName": field})).await
}

#[tokio::test]
async fn what_resolving_and_regenerating_would_come_to_is_shown_and_not_stored() {
    let (_app, _, teacher) = TestApp::start().await;
    for (operation, field) in [("resolve-contradiction", "durationMinutes"), ("regenerate", "steps")] {
        let id = teacher.create(too_long()).await;
        let path = format!("/api/investigation/{id}");
        let before = teacher.get(&path).await.text;
        let shown = asked(&teacher, &id, &format!("{operation}?dryRun=true"), field).await;
        assert_eq!((shown.status.as_u16(), shown.header("etag")), (200, None), "{shown}");
        assert_eq!(shown.data()["investigation"]["durationMinutes"], 9, "{shown}");
        assert_eq!(teacher.get(&path).await.text, before);
        assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
        assert_eq!(entries(&teacher, &id).await, Vec::<Value>::new());
        // Without `dryRun`, the operation gives the same answer.
        assert_eq!(asked(&teacher, &id, operation, field).await.text, shown.text);
    }
}

#[tokio::test]
async fn what_would_be_resolved_is_refused_like_resolving_itself() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let shown = async |caller: &Caller, id: &str, field: &str| {
        asked(caller, id, "resolve-contradiction?dryRun=true", field).await.text
    };
    let stored = async |field: &str| asked(&teacher, &id, "resolve-contradiction", field).await.text;
    assert_eq!(shown(&teacher, &id, "title").await, stored("title").await);
    let stale = teacher.clone().with_header("if-match", "\"9\"");
    assert!(shown(&stale, &id, "steps").await.contains("revision_mismatch"));
    assert!(shown(&teacher, "ffffffffffffffffffffffff", "steps").await.contains("investigation_not_found"));
}

#[tokio::test]
async fn a_language_model_is_asked_and_what_it_proposes_is_not_stored() {
    let endpoint = Endpoint::start(|question| match question.kind {
        "regenerate" => proposes(&[("title", json!("Cress in nine minutes"))], "The title says how long it takes."),
        "findings" => finds(&[]),
        _ => Answer::Refuses(403),
    })
    .await;
    let (_app, teacher) = TestApp::start_with_model(endpoint.settings(), Default::default()).await;
    let id = teacher.create(json!({"title": "Cress", "durationMinutes": 9})).await;
    let shown = asked(&teacher, &id, "regenerate?dryRun=true", "durationMinutes").await;
    assert_eq!(shown.data()["investigation"]["title"], "Cress in nine minutes", "{shown}");
    assert_eq!(endpoint.count("regenerate"), 1);
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.data()["title"], "Cress");
    assert_eq!(entries(&teacher, &id).await, Vec::<Value>::new());
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
async fn what_a_language_model_proposed_to_be_shown_is_what_is_stored_and_it_is_not_asked_again() {
    for (operation, kind) in [("resolve-contradiction", "resolve"), ("regenerate", "regenerate")] {
        let endpoint = Endpoint::start(of_many_minds).await;
        let (app, teacher) = TestApp::start_with_model(endpoint.settings(), Default::default()).await;
        let id = teacher.create(json!({"title": "Cress", "assessment": "Draw the bean."})).await;
        let colleague = app.signed_in(COLLEAGUE);
        let (dry_run, path) = (format!("{operation}?dryRun=true"), format!("/api/investigation/{id}"));
        let title = |exchange: &Exchange| exchange.data()["investigation"]["title"].clone();
        let proposed = async |caller: &Caller| title(&asked(caller, &id, &dry_run, "assessment").await);
        assert_eq!(proposed(&colleague).await, "Cress no. 1");
        // Each dry run asks the model for a new proposal. The operation then stores the latest proposal.
        assert_eq!((proposed(&teacher).await, proposed(&teacher).await), (json!("Cress no. 2"), json!("Cress no. 3")));
        let questions = endpoint.count("findings");
        assert_eq!(title(&asked(&teacher, &id, operation, "assessment").await), "Cress no. 3");
        assert_eq!((endpoint.count(kind), endpoint.count("findings")), (3, questions));
        let record = &teacher.get(&format!("{path}/versions")).await.data()[0];
        assert_eq!((&record["kind"], &record["withAI"]), (&json!(kind), &json!(true)));
        assert_eq!(entries(&teacher, &id).await.len(), 1);
        // The service asks the model again when the content or the conversation has changed, and after ten minutes.
        teacher.post_empty(&format!("{path}/undo")).await;
        assert_eq!(title(&asked(&teacher, &id, operation, "assessment").await), "Cress no. 4");
        teacher.post_empty(&format!("{path}/undo")).await;
        assert_eq!(proposed(&teacher).await, "Cress no. 5");
        app.clock.advance(Duration::from_secs(10 * 60));
        assert_eq!(title(&asked(&teacher, &id, operation, "assessment").await), "Cress no. 6");
    }
}
