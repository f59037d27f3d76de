//! `POST /api/investigation/{id}/chat`

use fieldbook::app::{ErrorStatuses, HttpSettings};
use fieldbook::domain::schema::BUILT_IN;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::chat::{entries, lose_chat};
use super::versions::listed;
use crate::support::{Caller, Exchange, TestApp};

const UNKNOWN: &str = "ffffffffffffffffffffffff";

async fn say(caller: &Caller, id: &str, content: &str) -> Exchange {
    caller.post(&format!("/api/investigation/{id}/chat"), json!({"content": content})).await
}

#[tokio::test]
async fn without_a_language_model_it_fails_and_says_which_setting_helps() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let before = teacher.get(&format!("/api/investigation/{id}")).await;
    assert_snapshot!(say(&teacher, &id, "Make it shorter").await, @r#"
    POST /api/investigation/000000000000000000000001/chat
    {"content":"Make it shorter"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Conversation needs a language model: configure one with --assistant, such as ollama",
      "code": "no_model"
    }
    "#);
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.text, before.text);
    assert_eq!((listed(&teacher, &id).await.as_str(), entries(&teacher, &id).await), ("", Vec::<Value>::new()));
}

#[tokio::test]
async fn what_is_no_message_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}/chat");
    assert_snapshot!(teacher.post(&path, json!({"content": " \n"})).await, @r#"
    POST /api/investigation/000000000000000000000001/chat
    {"content":" \n"}

    400 Bad Request
    {
      "success": false,
      "message": "Validation failed",
      "errors": [
        {
          "path": "content",
          "message": "must not be blank"
        }
      ],
      "code": "validation_failed"
    }
    "#);
    let mut refused = Vec::new();
    for body in [
        json!({}),
        json!({"content": null}),
        json!({"content": 7}),
        json!({"content": ["Hello"]}),
        json!({"content": ""}),
        json!({"content": "x".repeat(16 * 1024 + 1)}),
        json!([]),
    ] {
        let answer = teacher.post(&path, body).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (400, &json!("validation_failed")), "{answer}");
        refused.push(answer.json()["errors"][0]["message"].as_str().expect("a message").to_owned());
    }
    assert_eq!(
        refused,
        [
            "is required",
            "must be a string",
            "must be a string",
            "must be a string",
            "must not be blank",
            "must have at most 16384 bytes",
            "must be a JSON object",
        ]
    );
    assert_eq!(teacher.post_empty(&path).await.status.as_u16(), 415);
    let longest = say(&teacher, &id, &"x".repeat(16 * 1024)).await;
    assert_eq!(longest.json()["code"], json!("no_model"), "{longest}");
    assert_eq!(entries(&teacher, &id).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_missing_id_is_asked_for() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(say(&teacher, "", "Hello").await, @r#"
    POST /api/investigation//chat
    {"content":"Hello"}

    400 Bad Request
    {
      "success": false,
      "message": "Investigation ID is required",
      "code": "investigation_id_required"
    }
    "#);
    assert_eq!(say(&teacher, "%20", "Hello").await.json()["code"], json!("investigation_id_required"));
}

#[tokio::test]
async fn an_unknown_investigation_and_a_lost_chat_fail() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    lose_chat(&app, &id);
    assert_snapshot!(say(&teacher, UNKNOWN, "Hello").await, @r#"
    POST /api/investigation/ffffffffffffffffffffffff/chat
    {"content":"Hello"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Investigation not found",
      "code": "investigation_not_found"
    }
    "#);
    assert_snapshot!(say(&teacher, &id, "Hello").await, @r#"
    POST /api/investigation/000000000000000000000001/chat
    {"content":"Hello"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Chat not found for the investigation with id: 000000000000000000000001",
      "code": "chat_not_found"
    }
    "#);
}

#[tokio::test]
async fn failures_are_not_found_and_unavailable_where_statuses_are_those_of_http() {
    let http = HttpSettings { error_statuses: ErrorStatuses::Http, ..HttpSettings::default() };
    let (_app, _, teacher) = TestApp::start_with(http, BUILT_IN).await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    assert_eq!(say(&teacher, UNKNOWN, "Hello").await.status.as_u16(), 404);
    assert_eq!(say(&teacher, &id, "Hello").await.status.as_u16(), 503);
}

#[tokio::test]
async fn a_message_about_another_revision_than_the_one_meant_is_not_answered() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let refused = say(&teacher.clone().with_header("if-match", "\"2\""), &id, "Hello").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (412, &json!("revision_mismatch")), "{refused}");
}
