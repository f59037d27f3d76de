//! `POST /api/investigation/split`

use fieldbook::admission::{HEAVY, share_of};
use fieldbook::app::HttpSettings;
use fieldbook::limits::Actor;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use crate::authoring::start;
use crate::support::endpoint::{Answer, Endpoint};
use crate::support::{Caller, Exchange, TEACHER, TestApp};

const SPLIT: &str = "/api/investigation/split";
const TEXT: &str = "Cress in the dark\n\nWhat you need per group\n- 40 cress seeds\n- two saucers\n\n\
    Procedure\n1. Sow the seeds. (15 min)\n2. Cover one saucer.\n\nHomework\n\nThe caretaker opens the room.\n\nDuration: 45 minutes";

async fn split(caller: &Caller, query: &str, body: Value) -> Value {
    caller.post(&format!("{SPLIT}{query}"), body).await.data()
}

#[tokio::test]
async fn text_comes_back_in_blocks_and_fields_without_a_language_model() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(teacher.post(SPLIT, json!({"text": "Salt\nMaterials:\n- 5 g salt\n\nHomework: Draw it."})).await, @r#"
    POST /api/investigation/split
    {"text":"Salt\nMaterials:\n- 5 g salt\n\nHomework: Draw it."}
    200 OK
    {
      "success": true, "message": "Document split successfully",
      "data": {
        "content": {
          "title": "Salt", "materials": [{"name": "salt", "quantity": 5, "unit": "g"}], "homework": "Draw it."
        },
        "blocks": [
          {"id": "b1", "kind": "heading", "level": 8, "text": "Salt", "field": "title"},
          {"id": "b2", "kind": "heading", "level": 8, "text": "Materials:", "field": "materials"},
          {"id": "b3", "kind": "item", "level": 1, "text": "5 g salt", "field": "materials"},
          {"id": "b4", "kind": "paragraph", "level": 0, "text": "Homework: Draw it.", "field": "homework"}
        ],
        "notPlaced": [], "notices": [], "splitBy": "headings"
      }
    }
    "#);
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], 0, "nothing is stored");
}

#[tokio::test]
async fn content_can_be_created() {
    let (_app, _, teacher) = TestApp::start().await;
    let content = split(&teacher, "", json!({"text": TEXT})).await["content"].clone();
    let steps = json!([{"text": "Sow the seeds.", "minutes": 15}, {"text": "Cover one saucer."}]);
    assert_eq!((&content["steps"], &content["durationMinutes"]), (&steps, &json!(45)));
    let created = teacher.post("/api/investigation", content.clone()).await;
    assert_eq!((created.status.as_u16(), &created.data()["steps"]), (201, &steps));
}

#[tokio::test]
async fn html_and_files_are_read_by_their_type() {
    let (_app, _, teacher) = TestApp::start().await;
    let html = "<h1>Salt</h1><h2>Safety</h2><ul><li>No tasting.</li></ul><p><img src='a.png' alt='A pan'></p>";
    let markdown = "# Salt\n## Safety\n- No tasting.\n";
    let expected = json!({"title": "Salt", "safety": ["No tasting."]});
    let read = split(&teacher, "", json!({"html": html})).await;
    assert_eq!((&read["content"], read["notices"].as_array().map(Vec::len)), (&expected, Some(1)), "{read}");
    for (media_type, text) in
        [("text/html; charset=utf-8", html), ("text/markdown", markdown), ("text/plain", markdown)]
    {
        let answer = teacher.post_text(SPLIT, media_type, text).await;
        assert_eq!(answer.data()["content"], expected, "{media_type}: {answer}");
    }
}

#[tokio::test]
async fn caller_can_say_which_block_goes_where() {
    let (_app, _, teacher) = TestApp::start().await;
    let body = json!({"text": "Salt\n\n5 g salt\n\n200 ml water\n\nNo tasting."});
    let read = split(&teacher, "?place=materials:2-3;safety:4", body.clone()).await;
    let expected = json!({
        "materials": [{"name": "salt", "quantity": 5, "unit": "g"}, {"name": "water", "quantity": 200, "unit": "ml"}],
        "safety": ["No tasting."],
    });
    assert_eq!((&read["content"], &read["notPlaced"], &read["splitBy"]), (&expected, &json!(["b1"]), &json!("place")));
    let refused = teacher.post(&format!("{SPLIT}?place=materials"), body).await;
    assert_eq!(
        refused.refusal(),
        "400 \"validation_failed\" \"Validation failed\" \"place\" \"must have blocks by field, such as materials:1-4,7;safety:8\""
    );
}

#[tokio::test]
async fn model_names_blocks_and_can_write_nothing() {
    let places = json!({"places": [
        {"field": "materials", "blocks": ["b3", "b4"]},
        {"field": "safety", "blocks": ["b4", "b9", "b99", "A text"]},
    ]});
    let (model, app, teacher) = start(move |_| Answer::Says(places.clone())).await;
    let read = split(&teacher, "", json!({"text": TEXT})).await;
    let expected = json!({
        "materials": [{"name": "cress seeds", "quantity": 40}, {"name": "two saucers"}],
        "safety": ["The caretaker opens the room."],
    });
    assert_eq!(read["content"], expected, "{read}");
    assert!(read["splitBy"].as_str().is_some_and(|by| by.starts_with("model:")), "{read}");
    assert_eq!(split(&teacher, "?assistant=false", json!({"text": TEXT})).await["splitBy"], "headings");
    assert_eq!(model.count("split"), 1);
    drop(app);
}

#[tokio::test]
async fn headings_sort_what_a_model_does_not() {
    let (model, _app, teacher) = start(|_| Answer::Says(json!({"places": {}}))).await;
    let read = split(&teacher, "", json!({"text": TEXT})).await;
    assert_eq!((&read["splitBy"], &read["content"]["title"]), (&json!("headings"), &json!("Cress in the dark")));
    let notice = read["notices"][0].as_str().expect("a notice");
    assert!(notice.starts_with("The assistant did not sort this: "), "{notice}");
    assert_eq!(model.count("split"), 2, "an unreadable answer is asked for once more");
    let long = split(&teacher, "", json!({"text": format!("Salt\n\n{}", "- x\n".repeat(3_000))})).await;
    assert_eq!((&long["splitBy"], model.count("split")), (&json!("headings"), 2));
}

#[tokio::test]
async fn large_document_keeps_no_heavy_permit_while_the_model_sorts_it() {
    let (model, app, teacher) = start(|_| Answer::Says(json!({"places": []}))).await;
    model.hold("split");
    let text = "Stir the salt into the water. ".repeat(1_000);
    let asking = tokio::spawn(async move { teacher.post(SPLIT, json!({ "text": text })).await });
    model.asked("split", 1).await;
    let admission = &app.app.admission;
    let caller = Actor::User(TEACHER.parse().expect("an id"));
    let heavy = admission.heavy.try_take(caller, share_of(HEAVY)).expect("a free permit");
    let turn = admission.files.try_take(caller, 1).expect("a free turn");
    model.let_go();
    let read = asking.await.expect("an answer").data();
    assert!(read["splitBy"].as_str().is_some_and(|by| by.starts_with("model:")), "{read}");
    drop((heavy, turn));
}

/// Returns a line with the refusal and its reason.
fn refusal(answer: &Exchange) -> String {
    format!("{} {}\n", answer.refusal(), answer.json()["error"])
}

#[tokio::test]
async fn what_is_no_document_is_refused() {
    let (app, _, teacher) = TestApp::start().await;
    let mut refusals = String::new();
    for (caller, body) in [
        (&teacher, json!({})),
        (&teacher, json!({"text": " \n"})),
        (&teacher, json!({"text": 7})),
        (&teacher, json!({"text": "Cress", "html": "Cress"})),
        (&teacher, json!({"title": "Cress"})),
        (&teacher, json!(["Cress", null])),
        (&teacher, json!({"text": "- x\n".repeat(10_001)})),
        (&teacher, json!({"html": "<div>".repeat(300)})),
        (&app.anon(), json!({"text": "Cress"})),
    ] {
        refusals.push_str(&refusal(&caller.post(SPLIT, body).await));
    }
    let word = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    for (media_type, text) in [("application/pdf", "%PDF-1.7"), ("image/png", "x"), (word, "PK\u{3}\u{4}"), (word, "x")]
    {
        refusals.push_str(&refusal(&teacher.send(Method::POST, SPLIT, Some((media_type, text))).await));
    }
    let large = "x".repeat(fieldbook_reader::MAX_BYTES + 1);
    refusals.push_str(&refusal(&teacher.post_text(SPLIT, "text/plain", &large).await));
    assert_snapshot!(refusals, @r#"
    400 "validation_failed" "Validation failed" "" "must have one member: text or html, a string that is not blank" null
    400 "validation_failed" "Validation failed" "" "must have one member: text or html, a string that is not blank" null
    400 "validation_failed" "Validation failed" "" "must have one member: text or html, a string that is not blank" null
    400 "validation_failed" "Validation failed" "" "must have one member: text or html, a string that is not blank" null
    400 "validation_failed" "Validation failed" "" "must have one member: text or html, a string that is not blank" null
    400 "validation_failed" "Validation failed" "" "must have one member: text or html, a string that is not blank" null
    413 "too_large" "Too large" "the document has more than 10,000 paragraphs, list items and table rows"
    400 "validation_failed" "Validation failed" "" "the document is nested deeper than 256 levels" null
    401 "unauthenticated" "Authentication required" "send a token in the header \"Authorization: Bearer …\""
    415 "unsupported_media_type" "Unsupported media type" "this is a PDF; copy its text and paste it"
    415 "unsupported_media_type" "Unsupported media type" "files of this type are not read; use .docx, .html, .md or .txt"
    400 "validation_failed" "Validation failed" "" "the file is damaged" null
    400 "validation_failed" "Validation failed" "" "the file is damaged" null
    413 "too_large" "Too large" "The body has more than 5242880 bytes"
    "#);
}

#[tokio::test]
async fn only_what_a_model_sorts_counts_for_the_rate_limit_of_the_assistant() {
    let model = Endpoint::start(|_| Answer::Says(json!({"places": []}))).await;
    let http = HttpSettings { assistant_rate_limit: 1, ..HttpSettings::default() };
    let (_app, teacher) = TestApp::start_with_model(model.settings(), http).await;
    let status = async |query: &str| {
        let answer = teacher.post(&format!("{SPLIT}{query}"), json!({"text": "Cress"})).await;
        answer.status.as_u16()
    };
    assert_eq!((status("").await, status("").await, status("?assistant=false").await), (200, 429, 200));
    assert_eq!(model.count("split"), 1);
}
