//! `POST /api/investigation/split`

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::authoring::start;
use crate::support::endpoint::{Answer, Endpoint};
use crate::support::{TestApp, compact};

const TEXT: &str = "Cress in the dark\n\nWhat you need per group\n- 40 cress seeds\n- two saucers\n\n\
    On the day\n1. Sow the seeds on\nboth saucers. (15 min)\n2. Cover one saucer. Ask Mr. Miller for the key.\n\n\
    Duration: 45 minutes\nThe caretaker opens the room.";

/// Starts a service whose model answers every split with this content and these headings.
async fn splits(content: Value, headings: Value) -> (TestApp, crate::support::Caller, Endpoint) {
    let said = json!({"content": content, "headings": headings});
    let (model, app, teacher) = start(move |_| Answer::Says(said.clone())).await;
    (app, teacher, model)
}

#[tokio::test]
async fn a_text_comes_back_in_fields_with_what_is_in_none_of_them() {
    let content = json!({
        "title": "Cress in the dark", "durationMinutes": 45,
        "materials": [{"name": "cress seeds", "quantity": 40}, {"name": "two saucers"}],
        "steps": [{"text": "Sow the seeds on both saucers.", "minutes": 15}, {"text": "Cover one saucer."}],
    });
    let (_app, teacher, model) = splits(content, json!(["What you need per group", "On the day", "Duration:"])).await;
    assert_snapshot!(teacher.post("/api/investigation/split", json!({"text": TEXT})).await, @r#"
    POST /api/investigation/split
    {"text":"Cress in the dark\n\nWhat you need per group\n- 40 cress seeds\n- two saucers\n\nOn the day\n1. Sow the seeds on\nboth saucers. (15 min)\n2. Cover one saucer. Ask Mr. Miller for the key.\n\nDuration: 45 minutes\nThe caretaker opens the room."}
    200 OK
    {
      "success": true, "message": "Text split successfully",
      "data": {
        "content": {
          "title": "Cress in the dark", "durationMinutes": 45,
          "materials": [{"name": "cress seeds", "quantity": 40}, {"name": "two saucers"}],
          "steps": [{"text": "Sow the seeds on\nboth saucers.", "minutes": 15}, {"text": "Cover one saucer."}]
        },
        "unplaced": ["On the day", "Ask Mr. Miller for the key.", "The caretaker opens the room."]
      }
    }
    "#);
    let asked = model.last("split").text;
    assert!(asked.contains(r#"{"line":"The caretaker opens the room."}"#), "{asked}");
    assert_eq!(teacher.get("/api/investigation").await.json()["data"]["pagination"]["total"], 0, "nothing is stored");
}

#[tokio::test]
async fn what_the_model_makes_up_is_left_out() {
    let content = json!({
        "title": "Cress in the light", "_id": "ffffffffffffffffffffffff", "status": "published", "mood": "On the day",
        "grade": 7, "durationMinutes": 90,
        "materials": [{"name": "cress seeds", "quantity": 4, "colour": "two"}, {"quantity": 40}, {"name": "gold"}],
        "steps": [{"text": "Cover one saucer."}, {"text": "Over one sauce"}, {"minutes": 15}, "Sow", null],
        "objectives": "two saucers",
    });
    let (_app, teacher, _) = splits(content, json!(["Ask Mr. Miller for the key."])).await;
    let split = teacher.post("/api/investigation/split", json!({"text": TEXT})).await.data();
    assert_eq!(
        split["content"],
        json!({"materials": [{"name": "cress seeds"}], "steps": [{"text": "Cover one saucer."}]})
    );
    assert_snapshot!(compact(&split["unplaced"]), @r#"
    [
      "Cress in the dark", "What you need per group", "40 cress seeds", "two saucers", "On the day",
      "Sow the seeds on", "both saucers. (15 min)", "Ask Mr. Miller for the key.", "Duration: 45 minutes",
      "The caretaker opens the room."
    ]
    "#);
}

#[tokio::test]
async fn a_model_that_fails_or_takes_nothing_of_the_text_is_a_failure() {
    let (_app, teacher, model) = splits(json!({"title": "Something else"}), json!([])).await;
    let answer = teacher.post("/api/investigation/split", json!({"text": TEXT})).await;
    assert_eq!(
        answer.refusal(),
        "409 \"no_proposal_taken\" \"The language model made 1 proposals, and none was valid. The last one: Nothing in it stands in the text.\""
    );
    assert_eq!(model.count("split"), 1);
    let (model, _app, teacher) = start(|_| Answer::Says(json!({"content": []}))).await;
    let answer = teacher.post("/api/investigation/split", json!({"text": TEXT})).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (503, &json!("model_failed")), "{answer}");
    assert_eq!(model.count("split"), 2, "an unreadable answer is asked for once more");
}

#[tokio::test]
async fn what_cannot_be_split_is_refused_before_the_model_is_asked() {
    let (app, teacher, model) = splits(json!({"title": "Cress"}), json!([])).await;
    let mut told = String::new();
    for (caller, body) in [
        (&teacher, json!({})),
        (&teacher, json!({"text": " \n"})),
        (&teacher, json!({"text": 7})),
        (&teacher, json!({"text": "Cress", "grade": 5})),
        (&teacher, json!({"text": "x".repeat(60_001)})),
        (&teacher, json!({"text": "x\n".repeat(30_000)})),
        (&app.anon(), json!({"text": "Cress"})),
    ] {
        told.push_str(&format!("{}\n", caller.post("/api/investigation/split", body).await.refusal()));
    }
    let (_app, _, without) = TestApp::start().await;
    told.push_str(&without.post("/api/investigation/split", json!({"text": "Cress"})).await.refusal());
    assert_snapshot!(told, @r#"
    400 "validation_failed" "Validation failed" "text" "must be the only member: a text that is not blank, with at most 60000 bytes"
    400 "validation_failed" "Validation failed" "text" "must be the only member: a text that is not blank, with at most 60000 bytes"
    400 "validation_failed" "Validation failed" "text" "must be the only member: a text that is not blank, with at most 60000 bytes"
    400 "validation_failed" "Validation failed" "text" "must be the only member: a text that is not blank, with at most 60000 bytes"
    400 "validation_failed" "Validation failed" "text" "must be the only member: a text that is not blank, with at most 60000 bytes"
    503 "model_failed" "The text is too large for the language model. Split a part of it."
    401 "unauthenticated" "Authentication required"
    503 "no_model" "Splitting a text needs a language model: configure one with --assistant, such as ollama"
    "#);
    assert_eq!(model.count("split"), 0);
}

#[tokio::test]
async fn a_split_counts_for_the_rate_limit_of_the_assistant() {
    let model = Endpoint::start(|_| Answer::Says(json!({"content": {"title": "Cress"}, "headings": []}))).await;
    let http = HttpSettings { assistant_rate_limit: 1, ..HttpSettings::default() };
    let (_app, teacher) = TestApp::start_with_model(model.settings(), http).await;
    let split = async || teacher.post("/api/investigation/split", json!({"text": "Cress"})).await.status.as_u16();
    assert_eq!((split().await, split().await, model.count("split")), (200, 429, 1));
}
