//! Resolution with a language model. The rules fix what they can. For the remaining contradictions, the model gets up
//! to three attempts.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use super::{REASON, at_odds, draws, everything, finds_birds, found, resolve, start, start_at_odds, updated};
use crate::http::investigation::version::content;
use crate::http::investigation::versions::listed;
use crate::support::TEACHER;
use crate::support::endpoint::{Answer, finds, proposes, resolves};

#[tokio::test]
async fn contradiction_that_a_rule_can_fix_is_not_sent_to_the_model() {
    let (endpoint, _app, teacher) = start(finds_birds).await;
    let path = teacher.create_path(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})).await;
    let resolved = resolve(&teacher, &path, "durationMinutes").await.data();
    assert_eq!(resolved["investigation"]["durationMinutes"], 9);
    assert_eq!((endpoint.count("resolve"), endpoint.count("findings")), (0, 2));
}

#[tokio::test]
async fn contradiction_that_no_rule_can_fix_is_resolved_by_the_model() {
    let (_endpoint, app, teacher, path) = start_at_odds(draws).await;
    app.clock.advance(Duration::from_secs(5));
    let resolved = resolve(&teacher, &path, "phenomenon").await.data();
    let investigation = &resolved["investigation"];
    let message = "Changed Assessment from \"Name three birds.\" to \"Draw the window.\" ".to_owned() + REASON;
    assert_eq!((&resolved["message"], &resolved["explanation"]), (&json!(message), &json!("I drew it.")));
    assert_eq!(
        content(investigation),
        r#"{"phenomenon":"The cress leans to the window.","assessment":"Draw the window."}"#
    );
    assert_eq!((&investigation["lastChangeWithAI"], &investigation["contradictions"]), (&json!(true), &json!([])));
    assert_eq!((&investigation["version"], &investigation["revision"]), (&json!(1), &json!(3)));
    assert_eq!(investigation["updatedAt"], "2026-11-21T08:00:05.000Z");
    let (_, chat, _) = everything(&teacher, &path).await;
    assert_eq!(
        chat,
        [json!({
            "user": {"content": ""},
            "assistant": {
                "content": message, "metadata": investigation.to_string(), "content_for_llm": "[investigation_provided]",
            },
        })]
    );
    let record = teacher.get(&format!("{path}/versions")).await.data()[0].clone();
    assert_eq!((&record["kind"], &record["by"], &record["withAI"]), (&json!("resolve"), &json!(TEACHER), &json!(true)));
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((content(&undone), found(&undone).len()), (at_odds().to_string(), 1));
}

#[tokio::test]
async fn resolve_applies_rule_fixes_before_the_model_resolves_other_contradictions() {
    let (endpoint, _app, teacher) = start(|question| match question.kind {
        "resolve" => proposes(&[("phenomenon", json!("It grows."))], "Done."),
        _ if question.holds(&["leans to the window", "Sow cress"]) => {
            finds(&[("phenomenon", "leans to the window", "steps.0.text", "Sow", REASON)])
        }
        _ => finds(&[]),
    })
    .await;
    let mut document = at_odds();
    document["durationMinutes"] = json!(5);
    document["steps"] = json!([{"text": "Sow cress", "minutes": 9}]);
    let path = teacher.create_path(document).await;
    let resolved = resolve(&teacher, &path, "steps").await.data();
    assert_eq!(
        content(&resolved["investigation"]),
        r#"{"phenomenon":"It grows.","assessment":"Name three birds.","durationMinutes":5,"steps":[{"text":"Sow cress","minutes":5}]}"#
    );
    assert!(endpoint.last("resolve").holds(&["\"text\":\"5\""]), "the model sees what the rules have fixed");
    assert_eq!((found(&resolved["investigation"]).len(), listed(&teacher, &path).await.as_str()), (0, "1"));
}

#[tokio::test]
async fn rule_fix_that_causes_a_model_finding_is_rejected() {
    let (_endpoint, _app, teacher) = start(|question| match question.kind {
        "resolve" => proposes(&[("steps.0.minutes", json!(5))], "Done."),
        _ if question.holds(&["\"Duration in minutes\",\"text\":\"9\"", "Five minutes"]) => {
            finds(&[("durationMinutes", "9", "assessment", "Five minutes", REASON)])
        }
        _ => finds(&[]),
    })
    .await;
    let document =
        json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}], "assessment": "Five minutes."});
    let path = teacher.create_path(document).await;
    let resolved = resolve(&teacher, &path, "durationMinutes").await.data();
    assert_eq!(
        content(&resolved["investigation"]),
        r#"{"durationMinutes":5,"steps":[{"text":"Sow","minutes":5}],"assessment":"Five minutes."}"#
    );
    assert_eq!(found(&resolved["investigation"]), [""; 0]);
}

#[tokio::test]
async fn model_may_propose_three_times_and_is_told_why_a_proposal_failed() {
    let (endpoint, _app, teacher, path) = start_at_odds(|question| match (question.kind, question.nth) {
        ("resolve", 1) => proposes(&[], "I would not."),
        ("resolve", 2) => proposes(&[("assessment", json!("Name three birds, gladly."))], "Better."),
        ("resolve", _) => proposes(&[("assessment", json!(["Name", 3]))], "Best."),
        _ => finds_birds(question),
    })
    .await;
    let before = everything(&teacher, &path).await;
    assert_snapshot!(resolve(&teacher, &path, "assessment").await.refusal(), @r#"500 "no_proposal_taken" "The language model made 3 proposals, and none was valid. The last one: Assessment must be a string.""#);
    assert_eq!((endpoint.count("resolve"), everything(&teacher, &path).await), (3, before));
    let last = endpoint.last("resolve");
    assert!(
        last.holds(&["It changes nothing, and says: I would not.", "Assessment is still contradicted"]),
        "{}",
        last.text
    );
}

#[tokio::test]
async fn third_and_last_proposal_is_accepted_if_it_resolves_the_contradiction() {
    let (endpoint, _app, teacher, path) = start_at_odds(|question| match (question.kind, question.nth) {
        ("resolve", 1 | 2) => proposes(&[], "I would not."),
        _ => draws(question),
    })
    .await;
    let resolved = resolve(&teacher, &path, "assessment").await.data();
    assert_eq!(resolved["investigation"]["assessment"], "Draw the window.");
    assert_eq!((endpoint.count("resolve"), listed(&teacher, &path).await.as_str()), (3, "1"));
}

#[tokio::test]
async fn proposal_that_changes_an_unrelated_field_or_adds_a_contradiction_is_refused() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("resolve", 1) => {
            resolves(&[("C1", "assessment", json!("Draw it.")), ("C1", "title", json!("Window"))], "And a title.")
        }
        ("resolve", 2) => resolves(&[("C1", "assessment", json!("Draw step 3."))], "Look."),
        ("resolve", _) => resolves(&[("C1", "assessment", json!("Name three birds, gladly."))], "Better."),
        _ => finds_birds(question),
    })
    .await;
    let mut document = at_odds();
    document["steps"] = json!([{"text": "Sow"}]);
    let path = teacher.create_path(document).await;
    let before = everything(&teacher, &path).await;
    let refused = resolve(&teacher, &path, "assessment").await;
    assert_eq!(refused.json()["code"], "no_proposal_taken", "{refused}");
    let last = endpoint.last("resolve");
    assert!(last.holds(&["Title is on neither side", "It causes another contradiction: "]), "{}", last.text);
    assert_eq!(everything(&teacher, &path).await, before);
}

#[tokio::test]
async fn resolution_succeeds_despite_a_failing_model_if_the_rules_fix_everything() {
    let (_endpoint, _app, teacher) = start(|_| Answer::Refuses(403)).await;
    let path = teacher
        .create_path(json!({"title": "Cress", "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]}))
        .await;
    let resolved = resolve(&teacher, &path, "steps").await;
    assert_eq!(resolved.status.as_u16(), 200, "{resolved}");
    assert_eq!(resolve(&teacher, &path, "title").await.json()["code"], "model_failed");
}

#[tokio::test]
async fn resolve_fails_for_a_field_without_findings() {
    let (endpoint, _app, teacher, path) = start_at_odds(draws).await;
    let refused = resolve(&teacher, &path, "title").await;
    assert_eq!(refused.json()["message"], "No contradiction was found for \"title\"", "{refused}");
    assert_eq!(endpoint.count("resolve"), 0);
}

#[tokio::test]
async fn resolution_succeeds_although_the_status_changed_while_the_model_answered() {
    let (endpoint, _app, teacher, path) = start_at_odds(draws).await;
    endpoint.hold("resolve");
    let asked = tokio::spawn({
        let (teacher, path) = (teacher.clone().with_header("if-match", "\"2\""), path.clone());
        async move { resolve(&teacher, &path, "phenomenon").await }
    });
    endpoint.asked("resolve", 1).await;
    updated(&teacher.patch(&path, json!({"status": "in_development"})).await);
    endpoint.let_go();
    let resolved = asked.await.expect("an answer").data();
    let investigation = &resolved["investigation"];
    assert_eq!(
        (&investigation["status"], &investigation["assessment"], &investigation["version"]),
        (&json!("in_development"), &json!("Draw the window."), &json!(2))
    );
}
