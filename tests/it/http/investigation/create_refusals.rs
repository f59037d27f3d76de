//! Refused creations. The answer names every violation.

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use super::create::{create, total, violations};
use crate::support::TestApp;

#[tokio::test]
async fn content_that_breaks_the_schema_is_refused_with_every_violation() {
    let (_app, _, teacher) = TestApp::start().await;
    let broken = json!({"title": 7, "grade": 1.5, "groupSize": 0, "steps": [{"minutes": 1}, {"text": "a", "minutes": "b"}],
        "materials": [{}], "variables": {"controlled": "x"}, "safety": null});
    assert_snapshot!(violations(&create(&teacher, broken).await), @"
    400 Bad Request
    title: must be a string
    grade: must be a whole number or a string
    groupSize: must be at least 1
    steps.0.text: is required
    steps.1.minutes: must be a number
    materials.0.name: is required
    variables.controlled: must be an array
    safety: must be an array
    ");
    assert_eq!(total(&teacher).await, 0);
}

#[tokio::test]
async fn a_closed_schema_refuses_fields_that_it_does_not_name() {
    let closed = r#"{"properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}"#;
    let (_app, _, teacher) = TestApp::start_with(HttpSettings::default(), closed).await;
    assert_snapshot!(violations(&create(&teacher, json!({"colour": "red", "grade": 5})).await), @"
    400 Bad Request
    colour: is not a field of the schema
    grade: is not a field of the schema
    title: is required
    ");
    let with_system_fields = json!({"title": "Cress", "status": "published", "version": 3});
    assert_eq!(create(&teacher, with_system_fields).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn what_could_only_be_kept_altered_is_refused_by_name() {
    let (_app, _, teacher) = TestApp::start().await;
    let nested = |levels: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(levels - 1), "]".repeat(levels - 1));
    let mut report = String::new();
    for body in [
        r#"{"a":[0.1,12345678901234567890123]}"#,
        r#"{"a":{"b":1e999}}"#,
        r#"{"a":0.10000000000000000001}"#,
        r#"{"a":["x\u0000y"]}"#,
        r#"{"a":{"\u0000":1}}"#,
        r#"{"a":{"b":1,"b":1}}"#,
        r#"{"a":"#,
        "[]",
        "",
    ] {
        let refused = teacher.post_text("/api/investigation", "application/json", body).await;
        report += &format!("{}\n", violations(&refused));
    }
    assert_snapshot!(report, @r#"
    400 Bad Request
    a.1: is a number that cannot be stored exactly: 12345678901234567890123; write it as a string
    400 Bad Request
    a.b: is a number that cannot be stored exactly: 1e999; write it as a string
    400 Bad Request
    a: is a number that cannot be stored exactly: 0.10000000000000000001; write it as a string
    400 Bad Request
    a.0: holds a NUL character
    400 Bad Request
    a: holds a NUL character
    400 Bad Request
    a: has the key "b" twice
    400 Bad Request
    : is not valid JSON: EOF while parsing a value at line 1 column 5
    400 Bad Request
    : must be a JSON object
    400 Bad Request
    : is not valid JSON: EOF while parsing a value at line 1 column 0
    "#);
    assert_eq!(total(&teacher).await, 0);
    let too_deep = teacher.post_text("/api/investigation", "application/json", &nested(65)).await;
    assert_eq!(too_deep.json()["errors"][0]["message"], "is nested deeper than 64 levels");
    let deep = teacher.post_text("/api/investigation", "application/json", &nested(64)).await;
    assert_eq!(deep.status, StatusCode::CREATED);
}

#[tokio::test]
async fn more_than_a_mebibyte_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let of_size = |bytes: usize| format!(r#"{{"a":"{}"}}"#, "x".repeat(bytes - 8));
    let refused = teacher.post_text("/api/investigation", "application/json", &of_size(1024 * 1024 + 1)).await;
    assert_eq!(refused.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(refused.json()["code"], "too_large");
    assert_eq!(total(&teacher).await, 0);
    let largest = teacher.post_text("/api/investigation", "application/json", &of_size(1024 * 1024)).await;
    assert_eq!(largest.status, StatusCode::CREATED);
}

#[tokio::test]
async fn a_body_that_is_not_announced_as_json_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(teacher.post_text("/api/investigation", "text/plain", r#"{"title":"Cress"}"#).await, @r#"
    POST /api/investigation
    {"title":"Cress"}

    415 Unsupported Media Type
    {
      "success": false,
      "message": "Unsupported media type",
      "error": "Send the header Content-Type: application/json",
      "code": "unsupported_media_type"
    }
    "#);
    for content_type in ["application/merge-patch+json", "application/json; charset=latin1"] {
        let refused = teacher.post_text("/api/investigation", content_type, "{}").await;
        assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE, "{content_type}");
    }
}
