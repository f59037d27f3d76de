//! `DELETE /api/link/{key}/{subLink}`

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn deletion_of_a_link_removes_its_visit_counts() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let (link, kept) = (teacher.create_link(&id, "k", "s").await, teacher.create_link(&id, "k", "t").await);
    anon.get(&link).await;
    let deleted = teacher.delete(&link).await;
    assert_snapshot!(deleted, @r#"
    DELETE /api/link/k/s
    200 OK
    {"success": true, "message": "Link deleted successfully", "data": {"key": "k", "subLink": "s"}}
    "#);
    assert_eq!(anon.get(&link).await.status, StatusCode::NOT_FOUND);
    assert_eq!(anon.get(&kept).await.data()["visitCount"], json!(1));
    teacher.create_link(&id, "k", "s").await;
    assert_eq!(anon.get(&link).await.data()["visitCount"], json!(1));
    let visits = teacher.get(&format!("{link}/visits")).await;
    assert_eq!(visits.data()["days"], json!([{"day": "2026-11-21", "count": 1}]), "{visits}");
}
