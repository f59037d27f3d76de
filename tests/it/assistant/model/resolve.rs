//! A model proposes edits that resolve contradictions.

use fieldbook::domain::finding::{Evidence, Finding};
use fieldbook::domain::path::FieldPath;
use serde_json::json;

use super::{Endpoint, cress, data, proposed, said, schema};

fn the_water() -> Finding {
    let side = |path: &str, quote: &str| Evidence::new(&FieldPath::parse(path), quote);
    Finding {
        field_name: "variables".to_owned(),
        conflicts_with: vec!["steps".to_owned()],
        reason: "The pots get 20 ml a day, but 30 ml in step 1.".to_owned(),
        evidence: vec![side("variables.controlled.0", "20 ml of water"), side("steps.0.text", "30 ml of water")],
        also_at: Vec::new(),
        suggestion: None,
        source: "model:test-model".to_owned(),
    }
}

#[tokio::test]
async fn model_proposal_has_edits_for_each_contradiction_and_a_message() {
    let edits = json!([
        {"path": "steps.0.text", "value": "Give each pot 20 ml of water.", "for": ["C1"]},
        {"path": "variables.controlled.0", "value": null, "for": ["C2", "C3"]},
        {"path": "steps.0.minutes", "value": 6},
        {"path": "title", "value": "Cress"}
    ]);
    let endpoint = Endpoint::saying([said(&proposed(edits, " Step 1 gives 20 ml now, as planned. "))]).await;
    let refused = ["The title must not change.".to_owned()];
    let mut vinegar = the_water();
    vinegar.evidence = vec![vinegar.evidence[1].clone(), Evidence::missing(&FieldPath::parse("materials"))];
    (vinegar.field_name, vinegar.conflicts_with) = ("steps".to_owned(), vec!["materials".to_owned()]);
    vinegar.also_at.push("steps.3.text".to_owned());
    let findings = [the_water(), vinegar.clone()];
    let resolution =
        endpoint.model().resolve(&cress(), &schema(), &findings, "steps", &refused).await.expect("a proposal");
    assert_eq!(resolution.message, "Step 1 gives 20 ml now, as planned.");
    let paths = |position: usize, finding: &Finding| -> Vec<&str> {
        resolution.edits_for(position, finding).iter().map(|edit| edit.path.as_str()).collect()
    };
    // An edit without `for` belongs to every contradiction about the edited field.
    assert_eq!(paths(0, &the_water()), ["steps.0.text", "steps.0.minutes"]);
    assert_eq!(paths(1, &vinegar), ["variables.controlled.0", "steps.0.minutes"]);
    let asked = endpoint.asked().await;
    insta::assert_snapshot!(asked[0]["messages"][1]["content"].as_str().expect("a text"), @r#"
    BEGIN DATA 00000000000000000000000000000001
    {"path":"title","label":"Title","text":"Cress in the dark"}
    {"path":"durationMinutes","label":"Duration in minutes","text":"40"}
    {"path":"variables.controlled.0","label":"Controlled variable 1","text":"20 ml of water a day"}
    {"path":"steps.0.text","label":"Step 1","text":"Give each pot 30 ml of water."}
    {"path":"steps.0.minutes","label":"Step 1, minutes","text":"5"}
    {"contradiction":"C1","reason":"The pots get 20 ml a day, but 30 ml in step 1."}
    {"contradiction":"C1","path":"variables.controlled.0","quote":"20 ml of water"}
    {"contradiction":"C1","path":"steps.0.text","quote":"30 ml of water"}
    {"contradiction":"C2","reason":"The pots get 20 ml a day, but 30 ml in step 1."}
    {"contradiction":"C2","path":"steps.0.text","quote":"30 ml of water"}
    {"contradiction":"C2","path":"materials","missing":true}
    {"contradiction":"C2","alsoAt":"steps.3.text"}
    {"mayEdit":"variables"}
    {"mayEdit":"steps"}
    {"mayEdit":"materials"}
    {"refused":"The title must not change."}
    {"named":"steps"}
    END DATA 00000000000000000000000000000001
    Answer now, with the one JSON object.
    "#);
    insta::assert_snapshot!(asked[0]["response_format"], @r#"{"type":"json_schema","json_schema":{"name":"proposal","strict":false,"schema":{"type":"object","properties":{"edits":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"value":{"type":["string","number","boolean","object","array","null"]},"for":{"type":"array","items":{"type":"string"}}},"required":["path","value","for"],"additionalProperties":false}},"message":{"type":"string"}},"required":["edits","message"],"additionalProperties":false}}}"#);
}

#[tokio::test]
async fn malformed_model_proposal_is_requested_a_second_time() {
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
        assert_eq!(proposal.expect("a proposal").edits[0].value, 6, "{broken}");
        assert!(data(&endpoint.asked().await[1]).iter().any(|line| line.get("fault").is_some()));
    }
}
