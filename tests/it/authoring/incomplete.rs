//! Contradiction processing that fails. The operation still succeeds, and the document is not called consistent.

use fieldbook::assistant::rules::{Field, FieldKind, Rule};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{at_odds, finds_birds, found, start, updated};
use crate::support::endpoint::{Answer, finds};
use crate::support::{TEACHER, TestApp, rules};

const SCHEMA: &str = r#"{"properties": {"title": {"x-complete": true}}}"#;

/// One rule fails for a text in `a`, one panics if there is a `list`, and one compares `b` and `c`.
const RULES: [Rule; 3] = [
    rules::FAILS,
    rules::PANICS,
    Rule {
        id: "same",
        fields: &[rules::B, Field { name: "c", kind: FieldKind::Number }],
        find: |document| match rules::differing(document, "b", "c")?.is_empty() {
            true => Ok(Vec::new()),
            false => Ok(vec![rules::fixable("b is not c.", "b", rules::value(document, "c"))]),
        },
        ..rules::SILENT
    },
];

/// Returns the status, the number of contradictions, and whether there may be more contradictions.
fn state(investigation: &Value) -> (&str, usize, bool) {
    let incomplete = investigation.get("contradictionsIncomplete");
    assert!(incomplete.is_none_or(|flag| flag == true), "{investigation}");
    (investigation["status"].as_str().unwrap_or("?"), found(investigation).len(), incomplete.is_some())
}

/// Returns a lesson in which every field that a complete lesson needs is filled in.
fn lesson() -> Value {
    json!({
        "title": "Cress", "grade": 4, "curriculum": "Biology", "drivingQuestion": "What does cress need?",
        "objectives": ["Observe"], "materials": [{"name": "Cress"}], "durationMinutes": 5, "assessment": "Draw it.",
        "steps": [{"text": "Sow the cress", "minutes": 5}],
    })
}

#[tokio::test]
async fn while_a_rule_fails_the_status_changes_only_if_the_other_rules_determine_the_new_status() {
    let (app, teacher) = TestApp::start_with_rules(SCHEMA, &RULES).await;
    let path = teacher.create_path(json!({"title": "t", "a": "text"})).await;
    assert_eq!(state(&teacher.get(&path).await.data()), ("draft_incomplete", 0, true));
    let (consistent, at_odds) = ("draft_non_contradictory_complete", "draft_contradictory_complete");
    for (change, expected) in [
        (json!({"a": 1}), (consistent, 0, false)),
        // The rule fails, so the service cannot compute a new status and keeps the old one.
        (json!({"a": "text"}), (consistent, 0, true)),
        (json!({"b": 1, "c": 2}), (at_odds, 1, true)),
        (json!({"c": 1}), (at_odds, 0, true)),
        (json!({"title": " "}), ("draft_incomplete", 0, true)),
        (json!({"title": "t"}), ("draft_incomplete", 0, true)),
        (json!({"status": "published"}), ("published", 0, true)),
        // The service computes draft statuses. A client cannot set a draft status while the processing is incomplete.
        (json!({"status": consistent}), ("draft_incomplete", 0, true)),
        (json!({"a": 1}), (consistent, 0, false)),
        (json!({"a": null, "list": [1]}), (consistent, 0, true)),
    ] {
        let shown = updated(&teacher.patch(&format!("{path}?dryRun=true"), change.clone()).await);
        let changed = updated(&teacher.patch(&path, change.clone()).await);
        assert_eq!(state(&changed), expected, "{change}");
        assert_eq!(state(&shown), expected, "{change}");
    }
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!(state(&undone), (consistent, 0, false));
    let wished = json!({"title": "t", "a": "text", "status": consistent});
    let wished = teacher.post("/api/investigation", wished).await.data();
    assert_eq!(state(&wished), ("draft_incomplete", 0, true));
    let metrics = teacher.get("/metrics").await.text;
    assert!(metrics.contains("fieldbook_contradictions_incomplete_total{cause=\"rule\"}"), "{metrics}");
    let app = app.restart().await;
    let listed = app.signed_in(TEACHER).get("/api/investigation?sortOrder=asc").await.data();
    assert_eq!(state(&listed["items"][1]), ("draft_incomplete", 0, true));
}

#[tokio::test]
async fn resolution_reports_that_findings_are_incomplete_if_a_rule_fails() {
    let (_app, teacher) = TestApp::start_with_rules(SCHEMA, &RULES).await;
    let id = teacher.create(json!({"title": "t", "a": "text", "b": 1, "c": 2})).await;
    let path = format!("/api/investigation/{id}/resolve-contradiction");
    for dry_run in ["?dryRun=true", ""] {
        let resolved = teacher.post(&format!("{path}{dry_run}"), json!({"fieldName": "b"})).await.data();
        assert_eq!(state(&resolved["investigation"]), ("draft_contradictory_complete", 0, true));
    }
}

#[tokio::test]
async fn document_whose_steps_are_far_longer_than_the_lesson_is_never_consistent() {
    let (_app, _, teacher) = TestApp::start().await;
    let steps = json!({"steps": vec![json!({"text": "Wait", "minutes": 1}); 4_000]});
    let mut long = lesson();
    long["steps"] = steps["steps"].clone();
    let path = teacher.create_path(long).await;
    let created = teacher.get(&path).await.data();
    let (status, contradictions, incomplete) = state(&created);
    assert_ne!(status, "draft_non_contradictory_complete");
    assert!(contradictions > 0 || incomplete);
    // If an update adds these steps, the service also reports a contradiction, or says that its processing is
    // incomplete.
    let path = teacher.create_path(lesson()).await;
    let changed = updated(&teacher.patch(&path, steps).await);
    let (status, contradictions, incomplete) = state(&changed);
    assert!(status == "draft_contradictory_complete" && contradictions > 0 || incomplete, "{status}");
}

#[tokio::test]
async fn status_stays_while_the_model_fails_and_changes_after_the_model_answers() {
    let (endpoint, _app, teacher) = start(|question| match question.kind {
        "findings" if question.holds(&["three birds"]) && question.nth < 6 => Answer::Refuses(403),
        _ => finds_birds(question),
    })
    .await;
    let path = teacher.create_path(lesson()).await;
    let (consistent, at_odds) = ("draft_non_contradictory_complete", "draft_contradictory_complete");
    assert_eq!(state(&teacher.get(&path).await.data()), (consistent, 0, false));
    let birds = json!({"assessment": "Name three birds.", "phenomenon": "The cress leans to the window."});
    assert_eq!(state(&updated(&teacher.patch(&path, birds.clone()).await)), (consistent, 0, true));
    // The findings of the rules still determine the status, because they do not depend on the model.
    let hurried = updated(&teacher.patch(&path, json!({"durationMinutes": 4})).await);
    assert_eq!(state(&hurried), (at_odds, 1, true));
    let resolved = teacher.patch(&path, json!({"durationMinutes": 5})).await;
    assert_eq!(state(&updated(&resolved)), (at_odds, 0, true));
    // A new investigation has no earlier status that it could keep.
    let mut new = lesson();
    birds.as_object().expect("an object").iter().for_each(|(field, value)| new[field] = value.clone());
    assert_eq!(state(&teacher.post("/api/investigation", new).await.data()), ("draft_incomplete", 0, true));
    assert_eq!(endpoint.count("findings"), 5);
    // The next change asks the model again, even a change that edits nothing.
    let read = updated(&teacher.patch(&path, json!({})).await);
    assert_eq!(state(&read), (at_odds, 1, false));
    assert_eq!(updated(&teacher.patch(&path, json!({})).await)["revision"], read["revision"]);
    let metrics = teacher.get("/metrics").await.text;
    let counted = metrics.lines().find(|line| line.starts_with("fieldbook_contradictions_incomplete_total"));
    assert_snapshot!(counted.unwrap_or_default(), @r#"fieldbook_contradictions_incomplete_total{cause="model"} 4"#);
}

#[tokio::test]
async fn clone_is_stored_even_if_the_model_fails() {
    let (endpoint, _app, teacher) = start(|_| Answer::Refuses(403)).await;
    let id = teacher.create(at_odds()).await;
    let cloned = teacher.post_empty(&format!("/api/investigation/{id}/clone")).await;
    assert_eq!(
        (cloned.status.as_u16(), &cloned.json()["message"]),
        (201, &json!("Investigation cloned successfully")),
        "{cloned}"
    );
    let clone = cloned.data();
    assert_eq!(state(&clone), ("draft_incomplete", 0, true));
    assert_eq!((&clone["phenomenon"], &clone["clonedFrom"]), (&at_odds()["phenomenon"], &json!(id)));
    let stored = teacher.get(&format!("/api/investigation/{}", clone["_id"].as_str().expect("an id"))).await.data();
    assert_eq!(stored, clone);
    assert_eq!(endpoint.count("findings"), 2, "the clone was processed, too");
}

/// Sends an update that asks the model, and a second update while the model is still working. Then calls `fails` and
/// lets the model answer. Returns the answer to the first update, and the stored investigation.
async fn updated_while_another(fails: impl FnOnce(&TestApp), answer: fn() -> Answer) -> (Value, Value) {
    let (endpoint, app, teacher) = start(move |question| match question.holds(&["three birds"]) {
        true => answer(),
        false => finds(&[]),
    })
    .await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    endpoint.hold("findings");
    let update = tokio::spawn({
        let (teacher, path) = (teacher.clone(), path.clone());
        async move { teacher.patch(&path, json!({"assessment": "Name three birds."})).await }
    });
    endpoint.asked("findings", 2).await;
    let hurried = teacher.clone().with_header("prefer", "respond-async");
    updated(&hurried.patch(&path, json!({"title": "Beans"})).await);
    fails(&app);
    endpoint.let_go();
    let answered = updated(&update.await.expect("an answer"));
    (answered, teacher.get(&path).await.data())
}

#[tokio::test]
async fn update_whose_model_check_fails_answers_with_the_latest_stored_state() {
    let (answered, stored) = updated_while_another(|_| {}, || Answer::Refuses(403)).await;
    assert_eq!((&answered["title"], &answered["assessment"]), (&json!("Beans"), &json!("Name three birds.")));
    assert_eq!((&answered["revision"], found(&answered).len()), (&stored["revision"], 0));
    // Now the model answers, but the store cannot save its findings.
    let broken = |app: &TestApp| app.behind("ALTER TABLE detection RENAME TO away");
    let (answered, stored) = updated_while_another(broken, || finds(&[])).await;
    assert_eq!((&answered["title"], &answered["assessment"]), (&json!("Beans"), &json!("Name three birds.")));
    assert_eq!(answered["revision"], stored["revision"]);
}
