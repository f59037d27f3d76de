//! Refused and failed requests to regenerate, and the data that they leave unchanged.

use fieldbook::app::{ErrorStatuses, HttpSettings};
use fieldbook::domain::schema::BUILT_IN;
use insta::assert_snapshot;
use serde_json::json;

use super::chat::{entries, lose_chat};
use super::regenerate::{regenerate, too_long};
use super::versions::listed;
use crate::support::TestApp;

const UNKNOWN: &str = "ffffffffffffffffffffffff";

#[tokio::test]
async fn a_missing_field_name_is_asked_for() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let path = format!("/api/investigation/{id}/regenerate");
    let refused = teacher.post_empty(&path).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation/000000000000000000000001/regenerate

    400 Bad Request
    {
      "success": false,
      "message": "Field name is required",
      "code": "field_name_required"
    }
    "#);
    for body in [json!({}), json!({"fieldName": null}), json!({"fieldName": ""}), json!({"fieldName": " \t"})] {
        let other = teacher.post(&path, body).await;
        assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
    }
    let unknown = teacher.post(&format!("/api/investigation/{UNKNOWN}/regenerate"), json!({})).await;
    assert_eq!(unknown.text, refused.text, "asked for before the investigation is looked for");
    assert_eq!((listed(&teacher, &id).await.as_str(), entries(&teacher, &id).await.len()), ("", 0));
}

#[tokio::test]
async fn a_field_name_that_is_no_string_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let path = format!("/api/investigation/{id}/regenerate");
    assert_snapshot!(teacher.post(&path, json!({"fieldName": {}})).await, @r#"
    POST /api/investigation/000000000000000000000001/regenerate
    {"fieldName":{}}

    400 Bad Request
    {
      "success": false,
      "message": "Validation failed",
      "errors": [
        {
          "path": "fieldName",
          "message": "must be a string"
        }
      ],
      "code": "validation_failed"
    }
    "#);
}

#[tokio::test]
async fn a_missing_id_is_asked_for() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.post_empty("/api/investigation//regenerate").await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation//regenerate

    400 Bad Request
    {
      "success": false,
      "message": "Investigation ID is required",
      "code": "investigation_id_required"
    }
    "#);
    let other = regenerate(&teacher, "%20", "steps").await;
    assert_eq!((other.status, &other.text), (refused.status, &refused.text), "{other}");
}

#[tokio::test]
async fn an_unknown_investigation_fails_without_an_error_field() {
    let (_app, _, teacher) = TestApp::start().await;
    assert_snapshot!(regenerate(&teacher, UNKNOWN, "steps").await, @r#"
    POST /api/investigation/ffffffffffffffffffffffff/regenerate
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
    assert_snapshot!(regenerate(&teacher, &id, "steps").await, @r#"
    POST /api/investigation/000000000000000000000001/regenerate
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
async fn what_is_unknown_is_not_found_where_statuses_are_those_of_http() {
    let http = HttpSettings { error_statuses: ErrorStatuses::Http, ..HttpSettings::default() };
    let (app, _, teacher) = TestApp::start_with(http, BUILT_IN).await;
    let id = teacher.create(too_long()).await;
    lose_chat(&app, &id);
    for id in [id.as_str(), UNKNOWN] {
        assert_eq!(regenerate(&teacher, id, "steps").await.status.as_u16(), 404);
    }
}

#[tokio::test]
async fn a_regeneration_of_another_revision_than_the_one_meant_changes_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(too_long()).await;
    let before = teacher.get(&format!("/api/investigation/{id}")).await;
    for field in ["steps", "title"] {
        let refused = regenerate(&teacher.clone().with_header("if-match", "\"2\""), &id, field).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (412, &json!("revision_mismatch")), "{refused}");
    }
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.text, before.text);
    assert_eq!((listed(&teacher, &id).await.as_str(), entries(&teacher, &id).await.len()), ("", 0));
    let done = regenerate(&teacher.clone().with_header("if-match", "\"1\""), &id, "steps").await;
    assert_eq!((done.status.as_u16(), done.header("etag")), (200, Some("\"2\"")), "{done}");
}
