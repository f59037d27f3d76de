//! `POST /api/investigation/split`

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fieldbook::admission::{Actor, HEAVY, share_of};
use fieldbook::app::HttpSettings;
use flate2::Crc;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use crate::authoring::start;
use crate::support::endpoint::{Answer, Endpoint};
use crate::support::picture::{numbered, png};
use crate::support::word::{WORD, document, illustrated, paragraph};
use crate::support::{Caller, Exchange, TEACHER, TestApp};

const SPLIT: &str = "/api/investigation/split";
const TEXT: &str = "Cress in the dark\n\nWhat you need per group\n- 40 cress seeds\n- two saucers\n\n\
    Procedure\n1. Sow the seeds. (15 min)\n2. Cover one saucer.\n\nHomework\n\nThe caretaker opens the room.\n\nDuration: 45 minutes";

async fn split(caller: &Caller, query: &str, body: Value) -> Value {
    caller.post(&format!("{SPLIT}{query}"), body).await.data()
}

#[tokio::test]
async fn text_is_split_into_blocks_and_fields_without_a_language_model() {
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
          {"id": "b2", "kind": "heading", "level": 8, "text": "Materials:", "field": "materials", "below": 1},
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
async fn content_returned_by_split_can_be_used_to_create_an_investigation() {
    let (_app, _, teacher) = TestApp::start().await;
    let content = split(&teacher, "", json!({"text": TEXT})).await["content"].clone();
    let steps = json!([{"text": "Sow the seeds.", "minutes": 15}, {"text": "Cover one saucer."}]);
    assert_eq!((&content["steps"], &content["durationMinutes"]), (&steps, &json!(45)));
    let created = teacher.post("/api/investigation", content.clone()).await;
    assert_eq!((created.status.as_u16(), &created.data()["steps"]), (201, &steps));
}

#[tokio::test]
async fn split_reads_html_and_files_by_their_type() {
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
async fn caller_can_choose_the_field_of_a_block() {
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
async fn model_assigns_blocks_to_fields_and_cannot_add_text() {
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
async fn split_uses_the_headings_if_the_model_fails() {
    let (model, _app, teacher) = start(|_| Answer::Says(json!({"places": {}}))).await;
    let read = split(&teacher, "", json!({"text": TEXT})).await;
    assert_eq!((&read["splitBy"], &read["content"]["title"]), (&json!("headings"), &json!("Cress in the dark")));
    let notice = read["notices"][0].as_str().expect("a notice");
    assert!(notice.starts_with("The assistant could not sort this: "), "{notice}");
    assert_eq!(model.count("split"), 2, "an unreadable answer is asked for once more");
    let long = split(&teacher, "", json!({"text": format!("Salt\n\n{}", "- x\n".repeat(3_000))})).await;
    assert_eq!((&long["splitBy"], model.count("split")), (&json!("headings"), 2));
}

#[tokio::test]
async fn request_to_split_a_large_document_holds_no_permit_for_heavy_requests_while_the_model_answers() {
    let (model, app, teacher) = start(|_| Answer::Says(json!({"places": []}))).await;
    model.hold("split");
    let text = "Stir the salt into the water. ".repeat(1_000);
    let asking = tokio::spawn(async move { teacher.post(SPLIT, json!({ "text": text })).await });
    model.asked("split", 1).await;
    let admission = &app.app.admission;
    let caller = Actor::User(TEACHER.parse().expect("an id"));
    let heavy = admission.heavy.try_take(caller, share_of(HEAVY)).expect("a free permit");
    let turn = admission.pictures.try_take(caller, 1).expect("a free turn");
    model.let_go();
    let read = asking.await.expect("an answer").data();
    assert!(read["splitBy"].as_str().is_some_and(|by| by.starts_with("model:")), "{read}");
    drop((heavy, turn));
}

async fn split_word(caller: &Caller, query: &str, file: Vec<u8>) -> Value {
    caller.post_bytes(&format!("{SPLIT}{query}"), WORD, file).await.data()
}

/// Returns the picture blocks, with only the beginning of the data of each picture.
fn pictures(read: &Value) -> Vec<Value> {
    let mut blocks = read["blocks"].as_array().expect("blocks").clone();
    blocks.retain(|block| block["kind"] == "picture");
    for data in blocks.iter_mut().filter_map(|block| block.pointer_mut("/picture/data")) {
        *data = data.as_str().expect("Base64").chars().take(12).collect::<String>().into();
    }
    blocks
}

#[tokio::test]
async fn picture_blocks_name_the_step_or_field_that_the_picture_belongs_to() {
    let (_app, _, teacher) = TestApp::start().await;
    let lesson = [
        illustrated("p0", "The school", "Salt"),
        paragraph("Steps:"),
        paragraph("1. Pour."),
        illustrated("p1", "A funnel", "2. Filter."),
        illustrated("p2", "A filter", ""),
    ];
    let file = document(&lesson, &[numbered(1), numbered(2), numbered(3)]);
    let read = split_word(&teacher, "", file.clone()).await;
    assert_eq!(
        read["content"],
        json!({"title": "Salt", "steps": [{"text": "Pour."}, {"text": "Filter."}]}),
        "a creation refers to no picture"
    );
    let block = |id: &str, text: &str, picture: Value| json!({"id": id, "kind": "picture", "level": 0, "text": text, "picture": picture});
    let made = |path: &str| json!({"path": path, "type": "image/png", "data": "iVBORw0KGgoA"});
    let expected = [
        block("b2", "The school", made("pictures")),
        block("b6", "A funnel", made("steps.1.picture")),
        block("b7", "A filter", made("pictures")),
    ];
    assert_eq!(pictures(&read), expected, "a step has one picture");
    assert_eq!((&read["notPlaced"], &read["notices"]), (&json!(["b2", "b6", "b7"]), &json!([])));
    // A caller that chooses fields has received the pictures before, so this answer leaves out their data.
    let moved = split_word(&teacher, "?place=title:1;steps:3-6;pictures:2", file).await;
    let expected = [
        block("b2", "The school", json!({"path": "pictures"})),
        block("b6", "A funnel", json!({"path": "steps.1.picture"})),
        json!({"id": "b7", "kind": "picture", "level": 0, "text": "A filter"}),
    ];
    assert_eq!(pictures(&moved), expected);
}

/// Returns a picture of one pixel whose header states another size. Each number gives a different one.
fn stating(number: u8, width: u32, height: u32) -> Vec<u8> {
    let mut file = png(1, 1, [number; 4]);
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let mut checksum = Crc::new();
    checksum.update(&file[12..29]);
    file[29..33].copy_from_slice(&checksum.sum().to_be_bytes());
    file
}

#[tokio::test]
async fn pictures_that_bring_a_document_above_120_megapixels_in_total_are_left_out() {
    let (_app, _, teacher) = TestApp::start().await;
    let paragraphs: Vec<String> = (0..7).map(|at| illustrated(&format!("p{at}"), &format!("{at}"), "")).collect();
    let mut files: Vec<Vec<u8>> = (0..6).map(|at| stating(at, 6_000, 4_000)).collect();
    files.push(png(1, 1, [9; 4]));
    let read = split_word(&teacher, "", document(&[&[paragraph("Salt")][..], &paragraphs].concat(), &files)).await;
    let left_out = |at: u8, why: &str| json!(format!("The picture “{at}” is left out: {why}."));
    let damaged = (0..5).map(|at| left_out(at, "the picture is damaged, or a part of it is missing"));
    let too_many = (5..7).map(|at| left_out(at, "the pictures have more than 120 megapixels in total"));
    assert_eq!(read["notices"], Value::Array(damaged.chain(too_many).collect()));
}

#[tokio::test]
async fn split_notices_name_the_pictures_that_are_not_in_the_lesson() {
    let (_app, _, teacher) = TestApp::start().await;
    let bad = [
        paragraph("Salt"),
        illustrated("p0", "A lie", ""),
        illustrated("p1", "A wall", ""),
        illustrated("p2", "", ""),
        illustrated("p3", "A pan", ""),
        illustrated("p3", "A pan", ""),
        illustrated("linked", "A linked pan", ""),
        illustrated("lost", "A lost pan", ""),
    ];
    let file = document(&bad, &[b"%PDF-1.7".to_vec(), stating(1, 10_000, 10_000), b"<svg/>".to_vec(), numbered(1)]);
    let read = split_word(&teacher, "", file).await;
    let expected = json!([
        "Pictures that are not in the lesson: 2. Add them by hand.",
        "The picture “A lie” is left out: this is not a PNG, JPEG, WebP or GIF picture; save it as one of them.",
        "The picture “A wall” is left out: the picture has more than 24 megapixels; make it smaller.",
        "A picture is left out: this is an SVG drawing; export it as PNG.",
    ]);
    assert_eq!(read["notices"], expected);
    let come =
        pictures(&read).into_iter().filter(|block| !block["picture"].is_null()).map(|block| block["text"].clone());
    assert_eq!(come.collect::<Vec<_>>(), ["A pan"], "a picture that is there twice comes once");
}

#[tokio::test]
async fn only_the_first_twenty_pictures_of_a_document_are_returned() {
    let (_app, _, teacher) = TestApp::start().await;
    let paragraphs: Vec<String> = (0..500).map(|at| illustrated(&format!("p{at}"), "", "")).collect();
    let many: Vec<Vec<u8>> = (0..500).map(|at| png(1 + at, 1, [9, 9, 9, 255])).collect();
    let read = split_word(&teacher, "", document(&[&[paragraph("Salt")][..], &paragraphs].concat(), &many)).await;
    assert_eq!(pictures(&read).len(), 20);
    assert_eq!(read["notices"], json!(["Pictures that are not in the lesson: 480. Add them by hand."]));
}

#[tokio::test]
async fn only_one_picture_of_a_document_is_converted_at_a_time() {
    let (app, _, teacher) = TestApp::start().await;
    let data = STANDARD.encode(numbered(1));
    let html = json!({"html": format!("<h1>Salt</h1><img alt='A pan' src='data:image/png;base64,{data}'>")});
    let caller = Actor::User(TEACHER.parse().expect("an id"));
    let turn = app.app.admission.pictures.try_take(caller, 1).expect("a free turn");
    let refused = teacher.post(SPLIT, html.clone()).await;
    assert_eq!(refused.status.as_u16(), 503, "{refused}");
    drop(turn);
    assert_eq!(pictures(&split(&teacher, "", html).await)[0]["picture"]["path"], "pictures");
}

/// Returns a line with the refusal and its reason.
fn refusal(answer: &Exchange) -> String {
    format!("{} {}\n", answer.refusal(), answer.json()["error"])
}

#[tokio::test]
async fn split_refuses_invalid_documents() {
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
        (&teacher, json!({"text": "x".repeat(fieldbook_reader::MAX_TEXT + 1)})),
        (&teacher, json!({"html": "<b></b>".repeat(fieldbook_reader::MAX_PIECES)})),
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
    413 "too_large" "Too large" "the document has more than 10,000 paragraphs, list items and table rows; divide it into several documents"
    413 "too_large" "Too large" "the document has more than 1 MiB of text; divide it into several documents"
    413 "too_large" "Too large" "the document has more than 400,000 pieces of formatting; copy its text and paste it as plain text"
    400 "validation_failed" "Validation failed" "" "the document is nested deeper than 256 levels" null
    401 "unauthenticated" "Authentication required" "send a token in the header \"Authorization: Bearer …\""
    415 "unsupported_media_type" "Unsupported media type" "this is a PDF; copy its text and paste it"
    415 "unsupported_media_type" "Unsupported media type" "files of this type are not supported; use .docx, .html, .md or .txt"
    400 "validation_failed" "Validation failed" "" "the file is damaged" null
    400 "validation_failed" "Validation failed" "" "the file is damaged" null
    413 "too_large" "Too large" "The body has more than 5242880 bytes"
    "#);
}

#[tokio::test]
async fn assistant_rate_limit_counts_only_splits_that_ask_the_model() {
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
