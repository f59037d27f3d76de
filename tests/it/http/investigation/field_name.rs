//! The field name in requests to resolve and to regenerate.

use serde_json::json;

use super::chat::entries;
use super::regenerate::too_long;
use super::versions::listed;
use crate::support::TestApp;

const OPERATIONS: [&str; 2] = ["resolve-contradiction", "regenerate"];

#[tokio::test]
async fn missing_field_name_is_refused_before_the_investigation_is_loaded() {
    let (_app, teacher, known) = TestApp::with(too_long()).await;
    let refusal = r#"{"success":false,"message":"Field name is required","code":"field_name_required"}"#;
    for operation in OPERATIONS {
        for path in [&known, "/api/investigation/ffffffffffffffffffffffff"] {
            let path = format!("{path}/{operation}");
            let mut refused = vec![teacher.post_empty(&path).await];
            for body in [
                json!({}),
                json!({"fieldName": null}),
                json!({"fieldName": ""}),
                json!({"fieldName": " \t"}),
                json!({"fieldname": "steps"}),
            ] {
                refused.push(teacher.post(&path, body).await);
            }
            for refused in refused {
                assert_eq!((refused.status.as_u16(), refused.text.as_str()), (400, refusal), "{refused}");
            }
        }
    }
    assert_eq!((listed(&teacher, &known).await.as_str(), entries(&teacher, &known).await.len()), ("", 0));
}

#[tokio::test]
async fn field_name_that_is_not_a_string_is_refused() {
    let (_app, teacher, id) = TestApp::with_id(too_long()).await;
    for operation in OPERATIONS {
        let path = format!("/api/investigation/{id}/{operation}");
        for name in [json!(7), json!({}), json!(["steps"]), json!(false)] {
            let refused = teacher.post(&path, json!({ "fieldName": name })).await;
            let violations = json!([{"path": "fieldName", "message": "must be a string"}]);
            assert_eq!((refused.status.as_u16(), &refused.json()["errors"]), (400, &violations), "{refused}");
        }
        for body in ["[]", "\"steps\"", "{", "{\"fieldName\":\"steps\",\"fieldName\":\"x\"}"] {
            let refused = teacher.post_text(&path, "application/json", body).await;
            assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (400, &json!("validation_failed")));
        }
        let typeless = teacher.post_text(&path, "text/plain", "{\"fieldName\":\"steps\"}").await;
        assert_eq!(typeless.status.as_u16(), 415, "{typeless}");
    }
}
