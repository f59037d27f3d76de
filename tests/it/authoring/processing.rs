//! The findings of a language model. The service stores them, asks for them once, and applies them only to the
//! content that they belong to.

use std::time::Duration;

use fieldbook::admission::{ASSISTANT, share_of};
use fieldbook::app::HttpSettings;
use fieldbook::assistant::model::ModelSettings;
use serde_json::{Value, json};

use super::{REASON, at_odds, finds_birds, found, start, start_at_odds, updated};
use crate::support::endpoint::{Answer, Endpoint, Question, finds};
use crate::support::raw::Raw;
use crate::support::{TEACHER, TestApp};

#[tokio::test]
async fn model_findings_are_added_to_rule_findings_without_a_new_version() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    app.clock.advance(Duration::from_secs(5));
    let mut content = at_odds();
    content["durationMinutes"] = json!(5);
    content["steps"] = json!([{"text": "Sow", "minutes": 9}]);
    let created = teacher.post("/api/investigation", content).await;
    assert_eq!((created.status.as_u16(), created.header("etag")), (201, Some("\"2\"")), "{created}");
    let created = created.data();
    assert_eq!(found(&created), ["rule:duration_sum durationMinutes", "model:muse phenomenon"]);
    assert_eq!(
        created["contradictions"][1],
        json!({
            "fieldName": "phenomenon", "conflictsWith": ["assessment"], "reason": REASON,
            "evidence": [
                {"fieldPath": "phenomenon", "quote": "leans to the window"},
                {"fieldPath": "assessment", "quote": "three birds"},
            ],
            "source": "model:muse",
        })
    );
    assert_eq!((&created["version"], &created["lastChangeWithAI"]), (&json!(0), &json!(false)));
    assert_eq!(created["updatedAt"], "2026-11-21T08:00:05.000Z");
    assert_eq!(endpoint.all().len(), 1);
    let path = "/api/investigation/000000000000000000000001";
    assert_eq!(teacher.get(path).await.data(), created);
    assert_eq!(teacher.get(&format!("{path}/versions")).await.data(), json!([]));
}

#[tokio::test]
async fn status_follows_model_findings_unless_a_person_set_it() {
    let complete = |question: &Question| match question.kind {
        _ if question.holds(&["three birds"]) => finds(&[("title", "Cress", "assessment", "three birds", REASON)]),
        _ => finds(&[]),
    };
    let (_endpoint, _app, teacher) = start(complete).await;
    let content = json!({
        "title": "Cress", "grade": 4, "curriculum": "Biology", "drivingQuestion": "What does cress need?", "objectives": ["Observe"],
        "materials": [{"name": "Cress"}], "durationMinutes": 45, "steps": [{"text": "Sow the cress"}], "assessment": "Draw it.",
    });
    let path = teacher.create_path(content).await;
    assert_eq!(teacher.get(&path).await.data()["status"], "draft_non_contradictory_complete");
    let birds = updated(&teacher.patch(&path, json!({"assessment": "Name three birds."})).await);
    assert_eq!((&birds["status"], &birds["version"]), (&json!("draft_contradictory_complete"), &json!(1)));
    let set = updated(&teacher.patch(&path, json!({"status": "published"})).await);
    assert_eq!((&set["status"], found(&set).len()), (&json!("published"), 1));
    let computed = updated(&teacher.patch(&path, json!({"status": "draft_incomplete"})).await);
    assert_eq!(computed["status"], "draft_contradictory_complete");
}

#[tokio::test]
async fn edit_made_during_a_model_call_is_kept_and_the_outdated_answer_is_dropped() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"phenomenon": "The cress leans to the window."})).await;
    endpoint.hold("findings");
    let patch = |body: Value| {
        let (teacher, path) = (teacher.clone(), path.clone());
        tokio::spawn(async move { teacher.patch(&path, body).await })
    };
    let older = patch(json!({"assessment": "Name three birds."}));
    endpoint.asked("findings", 2).await;
    let newer = patch(json!({"assessment": "Draw the cress."}));
    endpoint.asked("findings", 3).await;
    let meanwhile = teacher.get(&path).await.data();
    assert_eq!((&meanwhile["assessment"], &meanwhile["version"]), (&json!("Draw the cress."), &json!(2)));
    endpoint.let_go();
    for answer in [older.await.expect("an answer"), newer.await.expect("an answer")] {
        let answered = updated(&answer);
        assert_eq!((&answered["assessment"], found(&answered).len()), (&json!("Draw the cress."), 0), "{answer}");
    }
    let stored = teacher.get(&path).await.data();
    assert_eq!((&stored["assessment"], found(&stored).len()), (&json!("Draw the cress."), 0));
    // The findings for the older content are stored too, and apply again as soon as that content is back.
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!(
        (&undone["assessment"], found(&undone)),
        (&json!("Name three birds."), vec!["model:muse phenomenon".into()])
    );
    assert_eq!(endpoint.count("findings"), 3);
}

#[tokio::test]
async fn model_is_asked_only_once_about_the_same_content() {
    let (endpoint, app, teacher, path) = start_at_odds(finds_birds).await;
    let changed = updated(&teacher.patch(&path, json!({"assessment": "Draw the cress."})).await);
    assert_eq!((found(&changed).len(), endpoint.count("findings")), (0, 2));
    for (operation, findings) in [("undo", 1), ("redo", 0), ("versions/0/restore", 1), ("clone", 1)] {
        let answer = teacher.post_empty(&format!("{path}/{operation}")).await;
        assert_eq!(found(&answer.data()).len(), findings, "{answer}");
    }
    // Stored findings become part of the change itself.
    let again = teacher.post("/api/investigation", at_odds()).await.data();
    assert_eq!((found(&again).len(), &again["revision"]), (1, &json!(1)));
    let app = app.restart().await;
    let teacher = app.signed_in(TEACHER);
    for (operation, findings) in [("undo", 0), ("redo", 1)] {
        let answer = teacher.post_empty(&format!("{path}/{operation}")).await;
        assert_eq!(found(&answer.data()).len(), findings, "{answer}");
    }
    assert_eq!(endpoint.all().len(), 2);
}

#[tokio::test]
async fn concurrent_requests_share_one_model_call() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    endpoint.hold("findings");
    let mut creations = tokio::task::JoinSet::new();
    for _ in 0..share_of(ASSISTANT) {
        let teacher = teacher.clone();
        creations.spawn(async move { teacher.post("/api/investigation", at_odds()).await.data() });
    }
    endpoint.asked("findings", 1).await;
    endpoint.let_go();
    for created in creations.join_all().await {
        assert_eq!(found(&created), ["model:muse phenomenon"]);
    }
    assert_eq!(endpoint.count("findings"), 1);
}

#[tokio::test]
async fn model_findings_are_kept_after_the_caller_disconnects() {
    let (endpoint, app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"phenomenon": "The cress leans to the window."})).await;
    endpoint.hold("findings");
    let body = r#"{"assessment":"Name three birds."}"#;
    let head = format!("PATCH {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n{}", app.bearer());
    let open = app.connections();
    let mut raw = Raw::connect(&app).await;
    raw.send(format!("{head}content-length: {}\r\n\r\n{body}", body.len())).await;
    endpoint.asked("findings", 2).await;
    drop(raw);
    while app.connections() > open {
        tokio::task::yield_now().await;
    }
    endpoint.let_go();
    assert_eq!(found(&updated(&teacher.patch(&path, json!({})).await)), ["model:muse phenomenon"]);
    assert_eq!(endpoint.count("findings"), 2);
}

#[tokio::test]
async fn change_and_rule_findings_are_stored_even_if_the_model_fails() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("findings", 1..=3) => Answer::Refuses(403),
        _ => finds_birds(question),
    })
    .await;
    let mut content = at_odds();
    content["steps"] = json!([{"text": "Sow", "minutes": 9}]);
    content["durationMinutes"] = json!(5);
    let created = teacher.post("/api/investigation", content).await;
    assert_eq!(
        (created.status.as_u16(), found(&created.data())),
        (201, vec!["rule:duration_sum durationMinutes".into()])
    );
    let path = format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"));
    let updated_once = updated(&teacher.patch(&path, json!({"durationMinutes": 9})).await);
    assert_eq!((found(&updated_once).len(), &updated_once["version"]), (0, &json!(1)));
    assert_eq!(found(&teacher.post_empty(&format!("{path}/undo")).await.data()).len(), 1);
    // The next change asks the model again.
    assert_eq!(found(&teacher.post_empty(&format!("{path}/redo")).await.data()), ["model:muse phenomenon"]);
    assert_eq!(endpoint.count("findings"), 4);
}

#[tokio::test]
async fn model_is_asked_again_if_its_cached_findings_are_unreadable() {
    let (endpoint, app, teacher, path) = start_at_odds(finds_birds).await;
    app.behind("UPDATE detection SET findings = '[]'");
    let changed = updated(&teacher.patch(&path, json!({"status": "published"})).await);
    assert_eq!((found(&changed), endpoint.count("findings")), (vec!["model:muse phenomenon".into()], 2));
    let changed = updated(&teacher.patch(&path, json!({"status": "in_development"})).await);
    assert_eq!((found(&changed), endpoint.count("findings")), (vec!["model:muse phenomenon".into()], 2));
}

#[tokio::test]
async fn model_is_not_asked_about_content_that_changed_while_its_question_was_queued() {
    let endpoint = Endpoint::start(finds_birds).await;
    let settings = ModelSettings { concurrent_calls: 1, ..endpoint.settings() };
    let (_app, teacher) = TestApp::start_with_model(settings, HttpSettings::default()).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let patch = |title: &'static str| {
        let (teacher, path) = (teacher.clone(), path.clone());
        tokio::spawn(async move { teacher.patch(&path, json!({"title": title})).await })
    };
    endpoint.hold("findings");
    let first = patch("First");
    endpoint.asked("findings", 2).await;
    let others = ["Second", "Third", "Fourth"].map(patch);
    // A change is stored before its request is answered, so this loop waits for the stored version.
    while teacher.get(&path).await.data()["version"] != 4 {}
    endpoint.let_go();
    updated(&first.await.expect("an answer"));
    for other in others {
        updated(&other.await.expect("an answer"));
    }
    assert_eq!(endpoint.count("findings"), 3);
    let last = teacher.get(&path).await.data()["title"].clone();
    assert!(endpoint.last("findings").holds(&[last.as_str().expect("a title")]));
}

#[tokio::test]
async fn stopping_service_answers_a_change_without_waiting_for_the_model() {
    let (endpoint, mut app, teacher) = start(finds_birds).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    endpoint.hold("findings");
    let update = tokio::spawn({
        let path = format!("/api/investigation/{id}");
        async move { teacher.patch(&path, at_odds()).await }
    });
    endpoint.asked("findings", 2).await;
    app.stop().await;
    let stored = updated(&update.await.expect("an answer"));
    assert_eq!((&stored["version"], found(&stored).len()), (&json!(1), 0));
    assert_eq!(stored["contradictionsPending"], true);
}

#[tokio::test]
async fn dry_run_asks_no_model_and_shows_cached_findings() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"phenomenon": "The cress leans to the window."})).await;
    let birds = json!({"assessment": "Name three birds."});
    let preview = updated(&teacher.patch(&format!("{path}?dryRun=true"), birds.clone()).await);
    assert_eq!((found(&preview).len(), endpoint.count("findings")), (0, 1));
    updated(&teacher.patch(&path, birds.clone()).await);
    teacher.post_empty(&format!("{path}/undo")).await;
    let preview = updated(&teacher.patch(&format!("{path}?dryRun=true"), birds).await);
    assert_eq!((found(&preview), endpoint.count("findings")), (vec!["model:muse phenomenon".into()], 2));
}

#[tokio::test]
async fn investigation_deleted_during_the_model_call_stays_deleted() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    endpoint.hold("findings");
    let update = tokio::spawn({
        let (teacher, path) = (teacher.clone(), path.clone());
        async move { teacher.patch(&path, at_odds()).await }
    });
    endpoint.asked("findings", 2).await;
    assert_eq!(teacher.delete(&path).await.status.as_u16(), 200);
    endpoint.let_go();
    // The update happened before the deletion, so it succeeds.
    assert_eq!(updated(&update.await.expect("an answer"))["version"], 1);
    assert_eq!(teacher.get(&path).await.json()["code"], "investigation_not_found");
}
