//! Refused creations. The answer names every violation.

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use super::create::{create, total, violations};
use crate::support::TestApp;

#[tokio::test]
async fn content_that_breaks_the_schema_is_refused_with_every_violation() {
    let (_app, _, teacher) = TestApp::start().await;
    let broken = json!({
        "title": 7, "grade": 1.5, "groupSize": 0, "durationMinutes": 2.5,
        "steps": [{"minutes": 1}, {"text": "a", "minutes": "b"}], "objectives": "x", "materials": [{}],
        "variables": {"independent": [], "controlled": "x"}, "safety": [null], "other": {"kept": true},
    });
    assert_snapshot!(violations(&create(&teacher, broken).await), @"
    400 Bad Request
    title: must be a string
    grade: must be a whole number or a string
    groupSize: must be at least 1
    durationMinutes: must be a whole number
    steps.0.text: is required
    steps.1.minutes: must be a number
    objectives: must be an array
    materials.0.name: is required
    variables.independent: must be a string
    variables.controlled: must be an array
    safety.0: must be a string
    ");
    assert_eq!(total(&teacher).await, 0);
}

#[tokio::test]
async fn schema_that_forbids_additional_properties_refuses_unknown_fields() {
    let closed = r#"{"properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":false}"#;
    let (_app, _, teacher) = TestApp::start_with_schema(closed).await;
    assert_snapshot!(violations(&create(&teacher, json!({"colour": "red", "grade": 5})).await), @"
    400 Bad Request
    colour: is not a field of the schema
    grade: is not a field of the schema
    title: is required
    ");
    let with_system_fields = json!({"title": "Cress", "status": "published", "version": 3});
    assert_eq!(create(&teacher, with_system_fields).await.status, StatusCode::CREATED);
}
