//! Refused and failed requests to resolve, and the data that they leave unchanged.

use fieldbook::app::{ErrorStatuses, HttpSettings};
use fieldbook::domain::schema::BUILT_IN;
use insta::assert_snapshot;
use serde_json::json;

use super::chat::{entries, lose_chat};
use super::resolve_contradiction::{resolve, too_long};
use super::versions::listed;
use crate::support::TestApp;

const UNKNOWN: &str = "ffffffffffffffffffffffff";

#[tokio::test]
async fn a_missing_field_name_is_asked_for() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let path = format!("/api/investigation/{id}/resolve-contradiction");
    let refused = teacher.post_empty(&path).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation/000000000000000000000001/resolve-contradiction

    400 Bad Request
    {
      "success": false,
      "message": "Field name is required",
      "code": "field_name_required"
    }
    "#);
    for body in [
        json!({}),
        json!({"fieldName": null}),
        json!({"fieldName": ""}),
        json!({"fieldName": " \t"}),
        json!({"fieldname": "steps"}),
    ] {
        let other = teacher.post(&path, body).await;
        assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
    }
    let unknown = teacher.post(&format!("/api/investigation/{UNKNOWN}/resolve-contradiction"), json!({})).await;
    assert_eq!(unknown.text, refused.text, "asked for before the investigation is looked for");
    assert_eq!((listed(&teacher, &id).await.as_str(), entries(&teacher, &id).await.len()), ("", 0));
}

#[tokio::test]
async fn a_field_name_that_is_no_string_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let path = format!("/api/investigation/{id}/resolve-contradiction");
    let refused = teacher.post(&path, json!({"fieldName": 7})).await;
    assert_eq!(refused.json()["errors"], json!([{"path": "fieldName", "message": "must be a string"}]), "{refused}");
    for body in [
        "{\"fieldName\":[\"steps\"]}",
        "{\"fieldName\":false}",
        "[]",
        "\"steps\"",
        "{",
        "{\"fieldName\":\"steps\",\"fieldName\":\"x\"}",
    ] {
        let refused = teacher.post_text(&path, "application/json", body).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (400, &json!("validation_failed")), "{refused}");
    }
    let typeless = teacher.post_text(&path, "text/plain", "{\"fieldName\":\"steps\"}").await;
    assert_eq!(typeless.status.as_u16(), 415, "{typeless}");
}

#[tokio::test]
async fn a_missing_id_is_asked_for() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.post_empty("/api/investigation//resolve-contradiction").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["message"]), (400, &json!("Investigation ID is required")));
    let other = resolve(&teacher, "%20", "steps").await;
    assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
}

#[tokio::test]
async fn an_unknown_investigation_fails_without_an_error_field() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(resolve(&teacher, UNKNOWN, "steps").await, @r#"
    POST /api/investigation/ffffffffffffffffffffffff/resolve-contradiction
    {"fieldName":"steps"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Investigation not found",
      "code": "investigation_not_found"
    }
    "#);
}

#[tokio::test]
async fn a_lost_chat_fails_and_leaves_the_investigation_as_it_was() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let before = teacher.get(&format!("/api/investigation/{id}")).await;
    lose_chat(&app, &id);
    assert_snapshot!(resolve(&teacher, &id, "steps").await, @r#"
    POST /api/investigation/000000000000000000000001/resolve-contradiction
    {"fieldName":"steps"}

    500 Internal Server Error
    {
      "success": false,
      "message": "Chat not found for the investigation with id: 000000000000000000000001",
      "code": "chat_not_found"
    }
    "#);
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.text, before.text);
    assert_eq!(listed(&teacher, &id).await, "");
}

#[tokio::test]
async fn failures_have_the_statuses_of_http_where_that_is_set() {
    let http = HttpSettings { error_statuses: ErrorStatuses::Http, ..HttpSettings::default() };
    let (app, _, teacher) = TestApp::start_with(http, BUILT_IN).await;
    let id = teacher.create(json!({})).await;
    let statuses = [resolve(&teacher, UNKNOWN, "steps").await.status, resolve(&teacher, &id, "steps").await.status];
    lose_chat(&app, &id);
    assert_eq!(statuses.map(|status| status.as_u16()), [404, 409]);
    assert_eq!(resolve(&teacher, &id, "steps").await.status.as_u16(), 404);
}

#[tokio::test]
async fn a_resolution_of_another_revision_than_the_one_meant_changes_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let before = teacher.get(&format!("/api/investigation/{id}")).await;
    let refused = resolve(&teacher.clone().with_header("if-match", "\"2\""), &id, "steps").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (412, &json!("revision_mismatch")), "{refused}");
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.text, before.text);
    assert_eq!((listed(&teacher, &id).await.as_str(), entries(&teacher, &id).await.len()), ("", 0));
    let done = resolve(&teacher.clone().with_header("if-match", "\"1\""), &id, "steps").await;
    assert_eq!((done.status.as_u16(), done.header("etag")), (200, Some("\"2\"")), "{done}");
}
