//! Imported content that is larger than the limits for people. It stays usable, and can become smaller.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{Caller, TestApp};

fn nested(levels: usize) -> Value {
    (1..levels).fold(json!("x"), |inner, _| json!([inner]))
}

/// Content beyond each limit: of bytes, of values, of nesting levels, and of a length in the schema.
fn large() -> [(&'static str, Value); 4] {
    [
        ("text", json!("x".repeat(600_000))),
        ("list", json!(vec![1; 20_000])),
        ("deep", nested(60)),
        ("title", json!("t".repeat(2_000))),
    ]
}

async fn start(field: &str, value: &Value) -> (TestApp, Caller, String) {
    let (app, _, teacher) = TestApp::start().await;
    let id = app.import(json!({field: value, "note": "a", "more": "b"})).await;
    (app, teacher, format!("/api/investigation/{id}"))
}

async fn check_field(teacher: &Caller, path: &str, field: &str, value: &Value) {
    let read = teacher.get(path).await;
    assert_eq!(read.status, StatusCode::OK, "{field}: {:.300}", read.text);
    assert!(read.data()[field] == *value, "{field}: {:.300}", read.text);
}

#[tokio::test]
async fn stored_content_beyond_a_limit_can_be_read_listed_found_and_cloned() {
    for (field, value) in large() {
        let (_app, teacher, path) = start(field, &value).await;
        check_field(&teacher, &path, field, &value).await;
        check_field(&teacher, &format!("{path}/versions/0"), field, &value).await;
        for query in ["", "?search=b", &format!("?fields={field}")] {
            let listed = teacher.get(&format!("/api/investigation{query}")).await;
            assert!(listed.data()["items"][0][field] == value, "{field}: {:.300}", listed.text);
        }
        let cloned = teacher.post_empty(&format!("{path}/clone")).await;
        assert_eq!(cloned.status, StatusCode::CREATED, "{field}: {:.300}", cloned.text);
        assert!(cloned.data()[field] == value, "{field}");
    }
}

#[tokio::test]
async fn stored_content_beyond_a_limit_can_be_changed_undone_redone_and_restored() {
    for (field, value) in large() {
        let (_app, teacher, path) = start(field, &value).await;
        // This change does not make the content larger.
        assert_eq!(teacher.patch(&path, json!({"note": "c"})).await.status, StatusCode::OK, "{field}");
        assert_eq!(teacher.patch(&path, json!({field: null})).await.status, StatusCode::OK, "{field}");
        for operation in ["undo", "undo", "redo"] {
            let done = teacher.post_empty(&format!("{path}/{operation}")).await;
            assert_eq!(done.status, StatusCode::OK, "{field}: {:.300}", done.text);
            check_field(&teacher, &path, field, &value).await;
        }
        teacher.post_empty(&format!("{path}/redo")).await;
        check_field(&teacher, &path, field, &Value::Null).await;
        let restored = teacher.post_empty(&format!("{path}/versions/1/restore")).await;
        assert_eq!(restored.status, StatusCode::OK, "{field}: {:.300}", restored.text);
        check_field(&teacher, &path, field, &value).await;
    }
}

#[tokio::test]
async fn stored_content_beyond_a_limit_may_shrink_but_not_grow() {
    let [text, list, deep, _] = large();
    for ((field, value), smaller, larger, refusal) in [
        (text, json!("x".repeat(400_000)), json!("x".repeat(600_100)), "413 Payload Too Large"),
        (list, json!(vec![2; 15_000]), json!(vec![2; 20_001]), "400 Bad Request"),
        (deep, nested(40), nested(61), "400 Bad Request"),
    ] {
        let (_app, teacher, path) = start(field, &value).await;
        let refused = teacher.patch(&path, json!({field: larger})).await;
        assert_eq!(refused.status.to_string(), refusal, "{field}: {:.300}", refused.text);
        check_field(&teacher, &path, field, &value).await;
        let changed = teacher.patch(&path, json!({field: smaller})).await;
        assert_eq!(changed.status, StatusCode::OK, "{field}: {:.300}", changed.text);
        check_field(&teacher, &path, field, &smaller).await;
        // Content that became smaller may not grow again by an update, only by an undo.
        assert_eq!(teacher.patch(&path, json!({field: value})).await.status.to_string(), refusal, "{field}");
        assert_eq!(teacher.post_empty(&format!("{path}/undo")).await.status, StatusCode::OK, "{field}");
        check_field(&teacher, &path, field, &value).await;
    }
}

#[tokio::test]
async fn schema_length_limits_apply_to_new_text_but_not_to_stored_text() {
    let (app, _, teacher) = TestApp::start().await;
    for (field, most) in [("title", 300), ("grade", 60), ("curriculum", 300)] {
        // The limit is in characters, not in bytes.
        let created = teacher.post("/api/investigation", json!({field: "ö".repeat(most)})).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created}");
        let refused = teacher.post("/api/investigation", json!({field: "o".repeat(most + 1)})).await;
        let expected = json!([{"path": field, "message": format!("must have at most {most} characters")}]);
        assert_eq!((refused.status, &refused.json()["errors"]), (StatusCode::BAD_REQUEST, &expected), "{refused}");
        let path = format!("/api/investigation/{}", app.import(json!({field: "o".repeat(most + 1)})).await);
        assert_eq!(teacher.patch(&path, json!({"note": "x"})).await.status, StatusCode::OK);
        assert_eq!(teacher.patch(&path, json!({field: "ö".repeat(most + 1)})).await.json()["errors"], expected);
    }
    let whole = teacher.post("/api/investigation", json!({"grade": 123_456_789})).await;
    assert_eq!(whole.status, StatusCode::CREATED, "{whole}");
}
