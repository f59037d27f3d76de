//! `POST /api/investigation/{id}/chat`

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::chat::entries;
use super::versions::listed;
use crate::support::{Caller, Exchange, TestApp};

async fn say(caller: &Caller, path: &str, content: &str) -> Exchange {
    caller.post(&format!("{path}/chat"), json!({"content": content})).await
}

#[tokio::test]
async fn chat_without_a_language_model_fails_and_names_the_setting() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let before = teacher.get(&path).await;
    let refused = say(&teacher, &path, "Make it shorter").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (500, &json!("no_model")), "{refused}");
    assert_eq!(teacher.get(&path).await.text, before.text);
    assert_eq!((listed(&teacher, &path).await.as_str(), entries(&teacher, &path).await), ("", Vec::<Value>::new()));
}

#[tokio::test]
async fn invalid_chat_message_is_refused() {
    let (_app, teacher, investigation) = TestApp::with(json!({"title": "Cress"})).await;
    let path = format!("{investigation}/chat");
    assert_snapshot!(teacher.post(&path, json!({"content": " \n"})).await.refusal(), @r#"400 "validation_failed" "Validation failed" "content" "must not be blank""#);
    for (body, message) in [
        (json!({}), "is required"),
        (json!({"content": null}), "must be a string"),
        (json!({"content": 7}), "must be a string"),
        (json!({"content": ["Hello"]}), "must be a string"),
        (json!({"content": ""}), "must not be blank"),
        (json!({"content": "x".repeat(16 * 1024 + 1)}), "must have at most 16384 bytes"),
        (json!([]), "must be a JSON object"),
    ] {
        let answer = teacher.post(&path, body).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (400, &json!("validation_failed")), "{answer}");
        assert_eq!(answer.json()["errors"][0]["message"], message, "{answer}");
    }
    assert_eq!(teacher.post_empty(&path).await.status.as_u16(), 415);
    let longest = say(&teacher, &investigation, &"x".repeat(16 * 1024)).await;
    assert_eq!(longest.json()["code"], json!("no_model"), "{longest}");
    assert_eq!(entries(&teacher, &investigation).await, Vec::<Value>::new());
}
