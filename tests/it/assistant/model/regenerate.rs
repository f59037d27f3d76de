//! A model proposes edits that make the other fields agree with one field.

use fieldbook::assistant::model::ModelError;
use fieldbook::domain::chat::{AssistantTurn, ChatEntry, INVESTIGATION_PROVIDED, UserTurn};
use serde_json::json;

use super::{Endpoint, cress, data, proposed, said, schema};

fn turn(person: &str, assistant: &str) -> ChatEntry {
    ChatEntry {
        user: UserTurn { content: person.to_owned(), by: None },
        assistant: AssistantTurn {
            content: assistant.to_owned(),
            metadata: "{\"much\":\"too long\"}".into(),
            content_for_llm: INVESTIGATION_PROVIDED.to_owned(),
        },
    }
}

#[tokio::test]
async fn regeneration_sends_the_conversation_and_the_field_to_keep_to_the_model() {
    let edits = json!([
        {"path": "steps.1", "value": {"text": "Measure the stems.", "minutes": 10}},
        {"path": "hypothesis", "value": "In the dark the stems grow longer."}
    ]);
    let endpoint = Endpoint::saying([said(&proposed(edits, "Added a step and a hypothesis."))]).await;
    let chat = [turn("Let them measure stems.", "A good idea."), turn("", "Successfully regenerated other fields")];
    let proposal = endpoint.model().regenerate(&cress(), &schema(), "title", &chat, &[]).await.expect("a proposal");
    assert_eq!(proposal.message, "Added a step and a hypothesis.");
    assert_eq!(proposal.content["steps"][1]["text"], "Measure the stems.");
    assert_eq!(proposal.content["hypothesis"], "In the dark the stems grow longer.");
    assert_eq!(proposal.content["title"], cress()["title"]);
    let asked = endpoint.asked().await;
    assert_eq!(
        data(&asked[0])[5..],
        [
            json!({"person": "Let them measure stems.", "assistant": "A good idea."}),
            json!({"assistant": "Successfully regenerated other fields"}),
            json!({"keep": "title"}),
        ]
    );
    let system = asked[0]["messages"][0]["content"].as_str().expect("a text");
    assert!(system.contains("\"drivingQuestion\"") && !system.contains("x-rules"), "{system}");
}

#[tokio::test]
async fn model_regeneration_that_edits_the_field_to_keep_is_refused() {
    let edits = json!([{"path": "steps.0.text", "value": "x"}, {"path": "variables.controlled.0", "value": "y"}]);
    let endpoint = Endpoint::saying([said(&proposed(edits, "Done."))]).await;
    let error = endpoint.model().regenerate(&cress(), &schema(), "variables", &[], &[]).await;
    let reason = "The edit of Controlled variable 1 names the field that must stay as it is.";
    assert_eq!(error, Err(ModelError::NotAllowed(reason.to_owned())));
}

#[tokio::test]
async fn regeneration_answer_without_edits_leaves_the_content_unchanged() {
    let endpoint = Endpoint::saying([said(&proposed(json!([]), "Everything fits."))]).await;
    let proposal = endpoint.model().regenerate(&cress(), &schema(), "title", &[], &[]).await.expect("a proposal");
    assert_eq!(proposal.content, cress());
}

#[tokio::test]
async fn only_the_latest_messages_of_a_long_conversation_are_sent_to_the_model() {
    let endpoint = Endpoint::saying([said(&proposed(json!([]), "Everything fits."))]).await;
    let chat: Vec<ChatEntry> = (0..50).map(|i| turn(&format!("{i} {}", "x".repeat(9_000)), "Yes.")).collect();
    endpoint.model().regenerate(&cress(), &schema(), "title", &chat, &[]).await.expect("a proposal");
    let lines = data(&endpoint.asked().await[0]);
    let said: Vec<&str> = lines.iter().filter_map(|line| line["person"].as_str()).collect();
    let beginnings: Vec<&str> = said.iter().filter_map(|text| text.get(..3)).collect();
    assert_eq!(beginnings, ["47 ", "48 ", "49 "]);
    assert!(said.iter().all(|text| text.len() == 4_000));
}
