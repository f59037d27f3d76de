//! `GET /health/live` and `GET /health/ready`

use insta::assert_snapshot;
use reqwest::StatusCode;

use crate::support::TestApp;

#[tokio::test]
async fn a_service_that_runs_is_alive_and_ready() {
    let (_app, anon, _) = TestApp::start().await;
    assert_snapshot!(anon.get("/health/live").await, @r#"
    GET /health/live
    200 OK
    {"status": "ok"}
    "#);
    assert_snapshot!(anon.get("/health/ready").await, @r#"
    GET /health/ready
    200 OK
    {"status": "ok"}
    "#);
}

#[tokio::test]
async fn a_service_without_its_store_is_alive_but_not_ready() {
    let (app, anon, _) = TestApp::start().await;
    app.app.store.close().await;
    assert_eq!(anon.get("/health/live").await.status, StatusCode::OK);
    assert_snapshot!(anon.get("/health/ready").await, @r#"
    GET /health/ready
    503 Service Unavailable
    retry-after: 1
    {"success": false, "message": "The store is not available", "code": "store_unavailable"}
    "#);
}
