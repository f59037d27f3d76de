//! `GET /api/investigation/{id}/chat`

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

/// Deletes an investigation's chat directly in the store.
pub fn lose_chat(app: &TestApp, id: &str) {
    app.behind(&format!("DELETE FROM chat WHERE body = (SELECT body FROM investigation WHERE id = '{id}')"));
}

pub async fn entries(caller: &Caller, path: &str) -> Vec<Value> {
    let chat = caller.get(&format!("{path}/chat")).await;
    chat.data()["history"].as_array().unwrap_or_else(|| panic!("no history: {chat}")).clone()
}

#[tokio::test]
async fn new_investigation_has_an_empty_chat() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    assert_snapshot!(teacher.get(&format!("{path}/chat")).await, @r#"
    GET /api/investigation/000000000000000000000001/chat
    200 OK
    {
      "success": true, "message": "Chat retrieved successfully",
      "data": {"_id": "000000000000000000000002", "investigationId": "000000000000000000000001", "history": []}
    }
    "#);
}

#[tokio::test]
async fn chat_entry_of_a_regeneration_has_the_message_and_the_investigation() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 1})).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "n"})).await;
    assert_snapshot!(teacher.get(&format!("{path}/chat")).await, @r#"
    GET /api/investigation/000000000000000000000001/chat
    200 OK
    {
      "success": true, "message": "Chat retrieved successfully",
      "data": {
        "_id": "000000000000000000000002", "investigationId": "000000000000000000000001",
        "history": [
          {
            "user": {"content": ""},
            "assistant": {
              "content": "The assistant cannot regenerate the remaining fields because no modification is needed or the input is invalid.",
              "metadata": "{\"_id\":\"000000000000000000000001\",\"n\":1,\"status\":\"draft_incomplete\",\"author\":{\"id\":\"aaaaaaaaaaaaaaaaaaaaaaaa\",\"name\":null,\"email\":null,\"avatar\":null},\"metadata\":{\"author\":null},\"lastChangeWithAI\":false,\"contradictions\":[],\"hints\":[],\"dismissed\":[],\"version\":0,\"revision\":1,\"clonedFrom\":null,\"createdAt\":\"2026-11-21T08:00:00.000Z\",\"updatedAt\":\"2026-11-21T08:00:00.000Z\"}",
              "content_for_llm": "[investigation_provided]"
            }
          }
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn chat_entries_are_in_order_of_creation() {
    let (_app, teacher, path) =
        TestApp::with(json!({"durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]})).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "title"})).await;
    let resolved = teacher.post(&format!("{path}/resolve-contradiction"), json!({"fieldName": "steps"})).await;
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "title"})).await;
    let said: Vec<_> =
        entries(&teacher, &path).await.iter().map(|entry| entry["assistant"]["content"].clone()).collect();
    assert_eq!(said.len(), 3);
    assert_eq!(said[1], resolved.data()["message"]);
    assert_eq!(said[0], said[2]);
}

#[tokio::test]
async fn updates_undo_redo_and_restore_add_no_chat_entries() {
    let (_app, teacher, path) = TestApp::with(json!({"n": 0})).await;
    teacher.patch(&path, json!({"n": 1})).await;
    for operation in ["undo", "redo", "versions/0/restore"] {
        let done = teacher.post_empty(&format!("{path}/{operation}")).await;
        assert_eq!(done.status.as_u16(), 200, "{done}");
    }
    assert_eq!(entries(&teacher, &path).await, [Value::Null; 0]);
}
