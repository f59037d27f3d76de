//! Regeneration with a language model.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use super::{at_odds, everything, finds_birds, found, regenerate, start, start_at_odds};
use crate::http::investigation::version::content;
use crate::http::investigation::versions::listed;
use crate::support::TEACHER;
use crate::support::endpoint::{Answer, proposes};

#[tokio::test]
async fn regeneration_stores_the_proposal_of_the_model_for_the_other_fields() {
    let (endpoint, app, teacher, path) = start_at_odds(|question| match question.kind {
        "regenerate" => proposes(
            &[("assessment", json!("Draw the window.")), ("hypothesis", json!("Light pulls the cress."))],
            "In line.",
        ),
        _ => finds_birds(question),
    })
    .await;
    app.clock.advance(Duration::from_secs(5));
    let regenerated = regenerate(&teacher, &path, "phenomenon").await.data();
    let investigation = &regenerated["investigation"];
    assert_eq!((&regenerated["explanation"], &regenerated["hasChanges"]), (&json!("In line."), &json!(true)));
    assert_eq!(regenerated["changedFields"], json!(["assessment", "hypothesis"]));
    assert_eq!(
        content(investigation),
        r#"{"phenomenon":"The cress leans to the window.","assessment":"Draw the window.","hypothesis":"Light pulls the cress."}"#
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
                "content": "Successfully regenerated other fields", "metadata": investigation.to_string(),
                "content_for_llm": "[investigation_provided]",
            },
        })]
    );
    let record = teacher.get(&format!("{path}/versions")).await.data()[0].clone();
    assert_eq!(
        (&record["kind"], &record["by"], &record["withAI"]),
        (&json!("regenerate"), &json!(TEACHER), &json!(true))
    );
    let undone = teacher.post_empty(&format!("{path}/undo")).await.data();
    assert_eq!((content(&undone), found(&undone).len()), (at_odds().to_string(), 1));
    regenerate(&teacher, &path, "phenomenon").await;
    assert!(endpoint.last("regenerate").holds(&["Successfully regenerated other fields"]), "the chat goes along");
}

#[tokio::test]
async fn model_regeneration_that_edits_the_field_to_keep_or_breaks_the_schema_is_refused() {
    let (endpoint, _app, teacher, path) = start_at_odds(|question| match (question.kind, question.nth) {
        ("regenerate", 2) => proposes(&[("durationMinutes", json!("an hour"))], "Longer."),
        ("regenerate", _) => proposes(&[("phenomenon", json!("It does not lean."))], "Shorter."),
        _ => finds_birds(question),
    })
    .await;
    let before = everything(&teacher, &path).await;
    assert_snapshot!(regenerate(&teacher, &path, "phenomenon").await.refusal(), @r#"500 "no_proposal_taken" "The language model made 3 proposals, and none was valid. The last one: The edit of Phenomenon names the field that must stay as it is.""#);
    let last = endpoint.last("regenerate");
    assert!(last.holds(&["Duration in minutes must be a whole number"]), "{}", last.text);
    assert_eq!((endpoint.count("regenerate"), everything(&teacher, &path).await), (3, before));
}

#[tokio::test]
async fn model_regeneration_without_edits_adds_only_a_chat_entry() {
    let (endpoint, _app, teacher, path) = start_at_odds(|question| match question.kind {
        "regenerate" => proposes(&[], "All fits."),
        _ => finds_birds(question),
    })
    .await;
    let before = everything(&teacher, &path).await.0;
    // A field that is missing or empty implies nothing, so the service does not ask the model.
    for (field, asked) in [("assessment", 1), ("title", 1), ("status", 1), ("steps.0", 1)] {
        let answer = regenerate(&teacher, &path, field).await;
        assert_eq!(answer.json()["message"], "Regeneration completed with no changes", "{answer}");
        assert_eq!((&answer.data()["hasChanges"], &answer.data()["changedFields"]), (&json!(false), &json!([])));
        assert_eq!(endpoint.count("regenerate"), asked);
    }
    let (after, chat, versions) = everything(&teacher, &path).await;
    assert_eq!((after, chat.len(), versions.as_str()), (before, 4, ""));
}

#[tokio::test]
async fn regenerated_content_is_stored_even_if_the_model_cannot_check_it() {
    let (endpoint, _app, teacher) = start(|question| match (question.kind, question.nth) {
        ("findings", 2..) => Answer::Refuses(403),
        ("regenerate", _) => proposes(&[("durationMinutes", json!(5))], "Shorter."),
        _ => finds_birds(question),
    })
    .await;
    let path = teacher.create_path(json!({"title": "Cress", "steps": [{"text": "Sow", "minutes": 9}]})).await;
    let data = regenerate(&teacher, &path, "title").await.data();
    assert_eq!(data["changedFields"], json!(["durationMinutes"]));
    assert_eq!(found(&data["investigation"]), ["rule:duration_sum durationMinutes"]);
    assert_eq!((endpoint.count("findings"), listed(&teacher, &path).await.as_str()), (2, "1"));
}

#[tokio::test]
async fn question_that_the_model_asks_is_shown_with_the_unresolved_contradictions() {
    let (_endpoint, _app, teacher) = start(|question| match question.kind {
        "regenerate" => proposes(&[], "Which way does the cress lean?"),
        _ => finds_birds(question),
    })
    .await;
    let id = teacher.create(at_odds()).await;
    for path in ["regenerate?dryRun=true", "regenerate"] {
        let answer = teacher.post(&format!("/api/investigation/{id}/{path}"), json!({"fieldName": "phenomenon"})).await;
        let explanation = answer.data()["explanation"].clone();
        let asked = "Which way does the cress lean? Could not be resolved: The cress leans to the window, but the birds say otherwise.";
        assert_eq!(explanation, asked, "{path}");
    }
}
