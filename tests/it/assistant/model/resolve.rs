//! A model proposes how contradictions could go.

use fieldbook::assistant::model::ModelFailure;
use fieldbook::domain::finding::{Evidence, Finding};
use serde_json::{Value, json};

use super::{Endpoint, cress, data, proposed, said, schema};

fn the_water() -> Finding {
    let side = |path: &str, quote: &str| Evidence { field_path: path.to_owned(), quote: quote.to_owned() };
    Finding {
        field_name: "variables".to_owned(),
        conflicts_with: vec!["steps".to_owned()],
        reason: "The pots get 20 ml a day, but 30 ml in step 1.".to_owned(),
        evidence: vec![side("variables.controlled.0", "20 ml of water"), side("steps.0.text", "30 ml of water")],
        suggestion: None,
        source: "model:test-model".to_owned(),
    }
}

#[tokio::test]
async fn a_proposal_is_the_whole_content_with_its_edits_and_a_message() {
    let edits = json!([{"path": "steps.0.text", "value": "Give each pot 20 ml of water."}]);
    let endpoint = Endpoint::saying([said(&proposed(edits, " Step 1 gives 20 ml now, as planned. "))]).await;
    let refused = ["The title must not change.".to_owned()];
    let proposal =
        endpoint.model().resolve(&cress(), &schema(), &[the_water()], "steps", &refused).await.expect("a proposal");
    assert_eq!(proposal.message, "Step 1 gives 20 ml now, as planned.");
    assert_eq!(
        Value::Object(proposal.content).to_string(),
        Value::Object(cress()).to_string().replace("30 ml", "20 ml")
    );
    let asked = endpoint.asked().await;
    insta::assert_snapshot!(asked[0]["messages"][1]["content"].as_str().expect("a text"), @r#"
    BEGIN DATA 00000000000000000000000000000001
    {"id":"L1","path":"title","label":"Title","text":"Cress in the dark"}
    {"id":"L2","path":"durationMinutes","label":"Duration in minutes","text":"40"}
    {"id":"L3","path":"variables.controlled.0","label":"Variables > Controlled variables 1","text":"20 ml of water a day"}
    {"id":"L4","path":"steps.0.text","label":"Steps 1 > Text","text":"Give each pot 30 ml of water."}
    {"id":"L5","path":"steps.0.minutes","label":"Steps 1 > Minutes","text":"5"}
    {"contradiction":"C1","reason":"The pots get 20 ml a day, but 30 ml in step 1."}
    {"contradiction":"C1","path":"variables.controlled.0","quote":"20 ml of water"}
    {"contradiction":"C1","path":"steps.0.text","quote":"30 ml of water"}
    {"mayEdit":"variables"}
    {"mayEdit":"steps"}
    {"refused":"The title must not change."}
    {"named":"steps"}
    END DATA 00000000000000000000000000000001
    Answer now, with the one JSON object.
    "#);
    insta::assert_snapshot!(asked[0]["response_format"], @r#"{"type":"json_schema","json_schema":{"name":"proposal","strict":false,"schema":{"type":"object","properties":{"edits":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"value":{"type":["string","number","boolean","object","array","null"]}},"required":["path","value"],"additionalProperties":false}},"message":{"type":"string"}},"required":["edits","message"],"additionalProperties":false}}}"#);
}

#[tokio::test]
async fn a_proposal_that_edits_a_third_field_is_refused_with_the_reason() {
    for (path, reason) in [
        ("title", "The edit of \"title\" names a field that is no side of it."),
        ("durationMinutes", "The edit of \"durationMinutes\" names a field that is no side of it."),
        ("status", "The edit of \"status\" names a field that the service keeps."),
        ("steps.9.text", "The edit of \"steps.9.text\" names a place that is not there."),
    ] {
        let edits = json!([{"path": "steps.0.minutes", "value": 6}, {"path": path, "value": "x"}]);
        let endpoint = Endpoint::saying([said(&proposed(edits, "Done."))]).await;
        let failure = endpoint.model().resolve(&cress(), &schema(), &[the_water()], "steps", &[]).await;
        assert_eq!(failure, Err(ModelFailure::NotAllowed(reason.to_owned())));
        let sentence = ModelFailure::NotAllowed(reason.to_owned()).to_string();
        assert_eq!(sentence, format!("The language model would change what it must not: {reason}"));
    }
}

#[tokio::test]
async fn a_proposal_that_has_not_the_form_is_asked_for_once_more() {
    let edits = json!([{"path": "steps.0.minutes", "value": 6}]);
    let form = |broken: &str| broken.to_owned();
    for broken in [
        form(r#"{"edits":[]}"#),
        form(r#"{"edits":[{"path":"steps"}],"message":"m"}"#),
        form(r#"{"edits":[],"message":" "}"#),
        form(r#"{"edits":[{"path":"steps.0.text","value":"a\u0000"}],"message":"m"}"#),
        form(r#"{"edits":[{"path":"steps.0.minutes","value":1e999}],"message":"m"}"#),
    ] {
        let endpoint = Endpoint::saying([said(&broken), said(&proposed(edits.clone(), "Done."))]).await;
        let proposal = endpoint.model().resolve(&cress(), &schema(), &[the_water()], "steps", &[]).await;
        assert_eq!(proposal.expect("a proposal").content["steps"][0]["minutes"], 6, "{broken}");
        assert!(data(&endpoint.asked().await[1]).iter().any(|line| line.get("fault").is_some()));
    }
}
