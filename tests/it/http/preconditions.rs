//! `If-Match`: the service writes only if the investigation still has the revision that the caller has seen.
//! `If-None-Match`: the service returns the investigation only if the caller does not know its revision.

use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::{Caller, TEACHER, TestApp, http_statuses, raw::Raw};

/// The operations that change an investigation: method, rest of the path, body, and the status without a mismatch.
const CHANGES: [(Method, &str, &str, u16); 10] = [
    (Method::PATCH, "", r#"{"title":"Beans"}"#, 200),
    (Method::DELETE, "", "", 200),
    (Method::POST, "/undo", "", 200),
    (Method::POST, "/redo", "", 200),
    (Method::POST, "/versions/0/restore", "", 200),
    (Method::PATCH, "/versions/1", r#"{"name":"Trial"}"#, 200),
    (Method::POST, "/resolve-contradiction", r#"{"fieldName":"durationMinutes"}"#, 200),
    (Method::POST, "/regenerate", r#"{"fieldName":"steps"}"#, 200),
    (Method::POST, "/dismissals", r#"{"fieldName":"durationMinutes","conflictsWith":["steps"]}"#, 201),
    // No language model is configured.
    (Method::POST, "/chat", r#"{"content":"Hello"}"#, 503),
];

/// Creates an investigation at revision 4, with a contradiction, a version to undo, and one to redo.
async fn changed(teacher: &Caller) -> String {
    let lesson = json!({"n": 0, "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]});
    let path = teacher.create_path(lesson).await;
    for n in 1..=2 {
        teacher.patch(&path, json!({ "n": n })).await;
    }
    assert_eq!(teacher.post_empty(&format!("{path}/undo")).await.header("etag"), Some("\"4\""));
    path
}

/// Returns the data that a change could modify, for comparison.
async fn everything(teacher: &Caller, path: &str) -> [String; 3] {
    let read = async |rest| teacher.get(&format!("{path}{rest}")).await.text;
    [read("").await, read("/versions").await, read("/chat").await]
}

#[tokio::test]
async fn change_with_an_if_match_of_another_revision_changes_nothing() {
    let refusal = r#"{"success":false,"message":"The investigation has changed","error":"It is at revision 4 now; read it again and repeat the change on that","code":"revision_mismatch"}"#;
    let wrong = r#"{"success":false,"message":"Validation failed","errors":[{"path":"If-Match","message":"must be *, or entity tags in their quotes, such as \"3\""}],"code":"validation_failed"}"#;
    let (_app, _, teacher) = TestApp::start_with(http_statuses()).await;
    let plain = teacher.create(json!({"title": "Cress"})).await;
    for (method, rest, body, status) in CHANGES {
        let path = changed(&teacher).await;
        let before = everything(&teacher, &path).await;
        let send = async |tags: &str, path: &str| {
            let body = (!body.is_empty()).then_some(("application/json", body));
            teacher.clone().with_header("if-match", tags).send(method.clone(), &format!("{path}{rest}"), body).await
        };
        for tags in ["\"1\"", "\"3\", \"5\"", "W/\"4\"", "\"one\""] {
            let refused = send(tags, &path).await;
            assert_eq!((refused.status.as_u16(), refused.text.as_str()), (412, refusal), "{tags}: {refused}");
        }
        for tags in ["4", ""] {
            let refused = send(tags, &path).await;
            assert_eq!((refused.status.as_u16(), refused.text.as_str()), (400, wrong), "{tags}: {refused}");
        }
        assert_eq!(everything(&teacher, &path).await, before, "{method} {rest}");
        let refused = send("\"7\"", &format!("/api/investigation/{plain}")).await;
        assert_eq!(refused.json()["code"], "revision_mismatch", "{refused}");
        let done = send("\"1\", \"4\"", &path).await;
        assert_eq!(done.status.as_u16(), status, "{done}");
        if method != Method::DELETE && status != 503 {
            assert_eq!(done.header("etag"), Some("\"5\""), "{done}");
        }
    }
}

#[tokio::test]
async fn if_match_accepts_a_star_or_a_list_of_strong_tags() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress", "metadata": {"author": TEACHER}})).await;
    for (header, status) in [
        ("\"1\"", StatusCode::OK),
        ("*", StatusCode::OK),
        ("\"8\", \"1\"", StatusCode::OK),
        ("\"8\",W/\"1\" , \"1\"", StatusCode::OK),
        ("\"2\"", StatusCode::PRECONDITION_FAILED),
        ("W/\"1\"", StatusCode::PRECONDITION_FAILED),
        ("\"one\"", StatusCode::PRECONDITION_FAILED),
        ("\"\"", StatusCode::PRECONDITION_FAILED),
        ("\"a,b\", \"1\",", StatusCode::OK),
        ("1", StatusCode::BAD_REQUEST),
        ("", StatusCode::BAD_REQUEST),
        (",", StatusCode::BAD_REQUEST),
        ("garbage", StatusCode::BAD_REQUEST),
        ("\"1", StatusCode::BAD_REQUEST),
        ("\"1\"\"2\"", StatusCode::BAD_REQUEST),
        ("w/\"1\"", StatusCode::BAD_REQUEST),
        ("*, \"1\"", StatusCode::BAD_REQUEST),
        ("\"99999999999999999999999\"", StatusCode::PRECONDITION_FAILED),
    ] {
        // The title does not change, so the revision stays the same.
        let caller = teacher.clone().with_header("if-match", header);
        let answer = caller.patch(&path, json!({"title": "Cress"})).await;
        assert_eq!(answer.status, status, "{header}: {answer}");
    }
}

#[tokio::test]
async fn several_if_match_headers_count_as_one_list() {
    let (app, _, path) = TestApp::with(json!({"title": "Cress"})).await;
    let tags = "if-match: \"8\"\r\nif-match: \"1\"";
    let head = format!("DELETE {path} HTTP/1.1\r\nhost: x\r\n{}{tags}", app.bearer());
    let deleted = Raw::connect(&app).await.ask(format!("{head}\r\n\r\n")).await;
    assert_eq!(deleted.status, StatusCode::OK, "{deleted}");
}

#[tokio::test]
async fn read_with_if_none_match_of_the_current_revision_answers_304_without_a_body() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let read = async |tags: &str| teacher.clone().with_header("if-none-match", tags).get(&path).await;
    let known = read("\"1\"").await;
    assert_snapshot!(known, @r#"
    GET /api/investigation/000000000000000000000001
    304 Not Modified
    etag: "1"
    "#);
    for tags in ["W/\"1\"", "\"7\", \"1\"", "*"] {
        let known = read(tags).await;
        assert_eq!((known.status, known.text.as_str()), (StatusCode::NOT_MODIFIED, ""), "{tags}");
    }
    for tags in ["\"2\"", "\"01\"", "1", ""] {
        let other = read(tags).await;
        assert_eq!((other.status, &other.data()["title"]), (StatusCode::OK, &json!("Cress")), "{tags}");
    }
    teacher.patch(&path, json!({"title": "Peas"})).await;
    let changed = read("\"1\"").await;
    assert_eq!((changed.status, changed.header("etag")), (StatusCode::OK, Some("\"2\"")), "{changed}");
    let unknown = teacher.with_header("if-none-match", "*").get("/api/investigation/00000000000000000000ffff").await;
    assert_eq!(unknown.json()["code"], "investigation_not_found", "{unknown}");
}
