//! Request bodies. The service stores a body exactly, or refuses it with a reason.

use insta::assert_snapshot;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{Caller, TestApp, raw::Raw};

const JSON: &str = "application/json";
/// The largest body.
const LIMIT: usize = 1024 * 1024;
/// The largest content.
const CONTENT: usize = 256 * 1024;

async fn check_nothing_was_created(teacher: &Caller) {
    let listed = teacher.get("/api/investigation").await;
    assert_eq!(listed.data()["pagination"]["total"], json!(0), "{listed}");
}

/// Returns content of exactly this many bytes.
fn of_length(bytes: usize) -> String {
    format!("{{\"notes\":\"{}\"}}", "x".repeat(bytes - 12))
}

/// Returns a body of exactly this many bytes with the largest content.
fn padded(bytes: usize) -> String {
    format!("{}{}", of_length(CONTENT), " ".repeat(bytes - CONTENT))
}

fn nested(depth: usize) -> String {
    format!("{}{{}}{}", "{\"a\":".repeat(depth - 1), "}".repeat(depth - 1))
}

pub(super) fn creating(app: &TestApp, more: &str) -> String {
    let head = "POST /api/investigation HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    format!("{head}{}{more}\r\n\r\n", app.bearer())
}

#[tokio::test]
async fn values_that_cannot_be_stored_are_refused_with_their_path() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    let inexact = |number: &str| format!("is a number that cannot be stored exactly: {number}; write it as a string");
    let nul = || "holds a NUL character".to_owned();
    let twice = |key: &str| format!("has the key \"{key}\" twice");
    for (body, place, message) in [
        (r#"{"a": {"b": [0, 1e400]}}"#, "a.b.1", inexact("1e400")),
        (r#"{"a": -1e400}"#, "a", inexact("-1e400")),
        (r#"{"a": 1e-400}"#, "a", inexact("1e-400")),
        (r#"{"a": 18446744073709551617}"#, "a", inexact("18446744073709551617")),
        (r#"{"a": 0.10000000000000000001}"#, "a", inexact("0.10000000000000000001")),
        (r#"{"a": 12345678901234567890123}"#, "a", inexact("12345678901234567890123")),
        (r#"{"a": 0.1234567890123456789}"#, "a", inexact("0.1234567890123456789")),
        (r#"{"a": ["x\u0000y"]}"#, "a.0", nul()),
        (r#"{"a": "x\u0000y"}"#, "a", nul()),
        (r#"{"a": {"x\u0000y": 1}}"#, "a", nul()),
        (r#"{"a": 1, "a": 1}"#, "", twice("a")),
        (r#"{"a": [{"b": 1, "b": 2}]}"#, "a.0", twice("b")),
        (r#"{"metadata": {"author": 1, "author": 2}}"#, "metadata", twice("author")),
        (r#"{"a": "\ud800"}"#, "a", "is not valid JSON: unexpected end of hex escape at line 1 column 8".to_owned()),
    ] {
        let expected = format!(r#"400 "validation_failed" "Validation failed" "{place}" {}"#, json!(message));
        for refused in
            [teacher.post_text("/api/investigation", JSON, body).await, teacher.patch_text(&path, JSON, body).await]
        {
            assert_eq!(refused.refusal(), expected, "{refused}");
        }
    }
    let kept = teacher.get(&path).await.data();
    assert_eq!((&kept["title"], &kept["revision"], kept.get("a")), (&json!("Cress"), &json!(1), None));
    assert_eq!(teacher.get("/api/investigation").await.data()["pagination"]["total"], json!(1));
}

#[tokio::test]
async fn body_that_is_not_a_json_object_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    for (body, message) in [
        ("", "is not valid JSON: EOF while parsing a value at line 1 column 0"),
        (" ", "is not valid JSON: EOF while parsing a value at line 1 column 1"),
        ("{", "is not valid JSON: EOF while parsing an object at line 1 column 1"),
        (r#"{"a":"#, "is not valid JSON: EOF while parsing a value at line 1 column 5"),
        (r#"{"title": "Cre"#, "is not valid JSON: EOF while parsing a string at line 1 column 14"),
        (r#"{"a":1,}"#, "is not valid JSON: key must be a string at line 1 column 8"),
        ("{} {}", "is not valid JSON: trailing characters at line 1 column 4"),
        ("[]", "must be a JSON object"),
        (r#""title""#, "must be a JSON object"),
        ("7", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("true", "must be a JSON object"),
    ] {
        let refused = teacher.post_text("/api/investigation", JSON, body).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
        assert_eq!(refused.json()["errors"], json!([{"path": "", "message": message}]), "{refused}");
    }
    for body in [r#"{"a":nul}"#, r#"{"a":[1,]}"#, r#"{"a":NaN}"#, r#"{"a":01}"#, &"[".repeat(500_000)] {
        let refused = teacher.post_text("/api/investigation", JSON, body).await.json();
        let message = refused["errors"][0]["message"].as_str().expect("a message");
        assert!(message.starts_with("is not valid JSON: "), "{message}");
    }
    check_nothing_was_created(&teacher).await;
}

#[tokio::test]
async fn bom_before_a_json_body_is_skipped() {
    let (_app, _, teacher) = TestApp::start().await;
    let created = teacher.post_text("/api/investigation", JSON, "\u{feff}{\"title\":\"Cress\"}").await;
    assert_eq!((created.status, &created.data()["title"]), (StatusCode::CREATED, &json!("Cress")), "{created}");
    let second = teacher.post_text("/api/investigation", JSON, "\u{feff}\u{feff}{}").await;
    assert_eq!(second.status, StatusCode::BAD_REQUEST, "{second}");
    let kept = teacher.post_text("/api/investigation", JSON, "{\"title\":\"\u{feff}Cress\"}").await;
    assert_eq!(kept.data()["title"], "\u{feff}Cress", "inside a text it is content");
}

#[tokio::test]
async fn request_body_with_invalid_utf8_is_refused() {
    let (app, _, teacher) = TestApp::start().await;
    let mut raw = Raw::connect(&app).await;
    let head = creating(&app, "content-length: 14").into_bytes();
    let refused = raw.ask([&head[..], b"{\"title\":\"\xff\xc3\"}"].concat()).await;
    assert_snapshot!(refused.refusal(), @r#"400 "validation_failed" "Validation failed" "" "is not valid JSON: not UTF-8 after byte 10""#);
    check_nothing_was_created(&teacher).await;
}

#[tokio::test]
async fn request_body_without_a_supported_content_type_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.post_text("/api/investigation", "text/plain", r#"{"title":"Cress"}"#).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation
    {"title":"Cress"}
    415 Unsupported Media Type
    {
      "success": false, "message": "Unsupported media type",
      "error": "Send the header Content-Type: application/json", "code": "unsupported_media_type"
    }
    "#);
    for kind in [
        "application/merge-patch+json",
        "application/x-www-form-urlencoded",
        "application/jsonx",
        "application/json; charset=iso-8859-1",
        "application/json; charset=latin1",
        "json",
        "",
    ] {
        let refused = teacher.post_text("/api/investigation", kind, "{}").await;
        assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{kind}: {refused}");
    }
    let refused = teacher.send(Method::POST, "/api/investigation", None).await;
    assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{refused}");
    check_nothing_was_created(&teacher).await;
    for kind in [JSON, "Application/JSON", "application/json; charset=utf-8", "application/json;charset=\"UTF-8\""] {
        let created = teacher.post_text("/api/investigation", kind, "{}").await;
        assert_eq!(created.status, StatusCode::CREATED, "{kind}: {created}");
    }
}

#[tokio::test]
async fn deepest_allowed_nesting_is_stored_and_one_more_level_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    // A body may be nested deeper than the content that people write, because stored content may be nested deeper.
    for (depth, limit) in [(33, 32), (64, 32), (65, 64)] {
        let refused = teacher.post_text("/api/investigation", JSON, &nested(depth)).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
        let errors = refused.json()["errors"].clone();
        assert_eq!(errors[0]["path"], json!(vec!["a"; limit].join(".")), "{refused}");
        assert_eq!(errors[0]["message"], json!(format!("is nested deeper than {limit} levels")), "{refused}");
    }
    let refused = teacher.post_text("/api/investigation", JSON, &nested(50_000)).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.status);
    let lists = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth - 1), "]".repeat(depth - 1));
    let refused = teacher.post_text("/api/investigation", JSON, &lists(33)).await;
    assert_eq!(refused.json()["errors"][0]["message"], "is nested deeper than 32 levels");
    check_nothing_was_created(&teacher).await;

    assert_eq!(teacher.post_text("/api/investigation", JSON, &lists(32)).await.status, StatusCode::CREATED);
    let created = teacher.post_text("/api/investigation", JSON, &nested(32)).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    let whole: Value = serde_json::from_str(&nested(32)).expect("JSON");
    assert_eq!(created.data()["a"], whole["a"]);
    let path = format!("/api/investigation/{}", created.data()["_id"].as_str().expect("an id"));
    assert_eq!(teacher.patch_text(&path, JSON, &nested(33)).await.status, StatusCode::BAD_REQUEST);
    assert_eq!(teacher.get(&path).await.data()["a"], whole["a"]);
}

#[tokio::test]
async fn largest_body_is_accepted_and_one_byte_more_is_refused() {
    let (app, _, teacher) = TestApp::start().await;
    // The `Content-Length` header alone is enough for a refusal.
    let mut raw = Raw::connect(&app).await;
    let refused = raw.ask(creating(&app, &format!("content-length: {}", LIMIT + 1))).await;
    assert_snapshot!(refused.answer(), @r#"
    413 Payload Too Large
    {
      "success": false, "message": "Too large", "error": "The body has more than 1048576 bytes",
      "code": "too_large"
    }
    "#);
    // Without a `Content-Length` header, the service counts the bytes.
    let mut raw = Raw::sending(&app, creating(&app, "transfer-encoding: chunked")).await;
    raw.send(format!("{:x}\r\n{}\r\n", LIMIT + 1, padded(LIMIT + 1))).await;
    let counted = raw.answer().await;
    assert_eq!((counted.status, &counted.text), (refused.status, &refused.text));
    check_nothing_was_created(&teacher).await;

    let created = teacher.post_text("/api/investigation", JSON, &padded(LIMIT)).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.status);
    assert_eq!(created.data()["notes"].as_str().map(str::len), Some(CONTENT - 12));
    let mut raw = Raw::sending(&app, creating(&app, "transfer-encoding: chunked")).await;
    raw.send(format!("{LIMIT:x}\r\n{}\r\n0\r\n\r\n", padded(LIMIT))).await;
    assert_eq!(raw.answer().await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn largest_content_is_accepted_and_one_byte_or_value_more_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let created = teacher.post_text("/api/investigation", JSON, &of_length(CONTENT)).await;
    assert_eq!(created.status, StatusCode::CREATED, "{}", created.status);
    let refused = teacher.post_text("/api/investigation", JSON, &of_length(CONTENT + 1)).await;
    assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("too_large")));
    assert_snapshot!(refused.json()["error"], @r#""The investigation would take 262145 bytes; at most 262144 are allowed""#);
    let values = |count: usize| json!({"list": vec![1; count]});
    let path = teacher.create_path(values(10_000)).await;
    let refused = teacher.post("/api/investigation", values(10_001)).await;
    assert_snapshot!(refused.refusal(), @r#"400 "validation_failed" "Validation failed" "" "would have 10001 values; at most 10000 are allowed""#);
    assert_eq!(teacher.patch(&path, json!({"more": 1})).await.refusal(), refused.refusal());
    assert_eq!(teacher.patch(&path, json!({"list": {"0": 1}, "more": 1})).await.status, StatusCode::OK);
}

#[tokio::test]
async fn update_that_would_grow_an_investigation_beyond_the_size_limit_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let part = "x".repeat(CONTENT / 2);
    let path = teacher.create_path(json!({"a": part})).await;
    let refused = teacher.patch(&path, json!({"b": part})).await;
    assert_eq!((refused.status, &refused.json()["code"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("too_large")));
    assert_snapshot!(refused.json()["error"], @r#""The investigation would take 262159 bytes; at most 262144 are allowed""#);
    let kept = teacher.get(&path).await.data();
    assert_eq!((&kept["revision"], &kept["version"], kept.get("b")), (&json!(1), &json!(0), None));
    // The limit applies to the result. So `b` may replace `a`, although both together would be too large.
    let replaced = teacher.patch(&path, json!({"a": null, "b": part})).await;
    assert_eq!(replaced.status, StatusCode::OK, "{}", replaced.status);
}

#[tokio::test]
async fn numbers_are_stored_and_returned_with_the_same_value() {
    let (_app, _, teacher) = TestApp::start().await;
    // The value is kept, not the notation.
    let numbers = "[0,-1,9007199254740993,18446744073709551615,-9223372036854775808,0.1,2.5e-3,1e300,1.10,1E5,-0,5.0]";
    let created = teacher.post_text("/api/investigation", JSON, &format!("{{\"numbers\":{numbers}}}")).await;
    let id = created.data()["_id"].as_str().expect("an id").to_owned();
    let kept = teacher.get(&format!("/api/investigation/{id}")).await.data();
    assert_snapshot!(kept["numbers"], @"[0,-1,9007199254740993,18446744073709551615,-9223372036854775808,0.1,0.0025,1e+300,1.1,100000.0,-0.0,5.0]");
}
