//! `GET /api/link/investigation/{id}`, also `GET /api/investigation/{id}/links`

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn the_links_of_an_investigation_are_listed_under_both_names() {
    let (_app, anon, teacher) = TestApp::start().await;
    let (id, other) = (teacher.create(json!({})).await, teacher.create(json!({})).await);
    teacher.create_link(&id, "k", "first").await;
    teacher.create_link(&other, "k", "other").await;
    let second = teacher.create_link(&id, "a", "second").await;
    anon.get(&second).await;
    let listed = teacher.get(&format!("/api/link/investigation/{id}")).await;
    assert_snapshot!(listed, @r#"
    GET /api/link/investigation/000000000000000000000001
    200 OK
    {
      "success": true,
      "data": [
        {
          "_id": "000000000000000000000005", "key": "k", "subLink": "first", "description": "",
          "investigationId": "000000000000000000000001", "creator": "aaaaaaaaaaaaaaaaaaaaaaaa", "visitCount": 0,
          "createdAt": "2026-11-21T08:00:00.000Z", "shows": "nothing", "version": null, "expiresAt": null,
          "maxVisits": null, "archived": false
        },
        {
          "_id": "000000000000000000000007", "key": "a", "subLink": "second", "description": "",
          "investigationId": "000000000000000000000001", "creator": "aaaaaaaaaaaaaaaaaaaaaaaa", "visitCount": 1,
          "createdAt": "2026-11-21T08:00:00.000Z", "shows": "nothing", "version": null, "expiresAt": null,
          "maxVisits": null, "archived": false
        }
      ]
    }
    "#);
    let again = teacher.get(&format!("/api/investigation/{}/links", id.to_uppercase())).await;
    assert_eq!((again.status, again.text), (listed.status, listed.text));
}

#[tokio::test]
async fn an_investigation_without_links_has_an_empty_list() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let listed = teacher.get(&format!("/api/link/investigation/{id}")).await;
    assert_snapshot!(listed, @r#"
    GET /api/link/investigation/000000000000000000000001
    200 OK
    {"success": true, "data": []}
    "#);
}

#[tokio::test]
async fn the_links_go_with_their_investigation() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({})).await;
    let link = teacher.create_link(&id, "k", "s").await;
    anon.get(&link).await;
    assert_eq!(teacher.delete(&format!("/api/investigation/{id}")).await.status, StatusCode::OK);
    assert_eq!(teacher.get(&format!("/api/link/investigation/{id}")).await.status, StatusCode::NOT_FOUND);
    for gone in [anon.get(&link).await, anon.get(&format!("{link}/qr.svg")).await] {
        assert_eq!(gone.status, StatusCode::NOT_FOUND, "{gone}");
    }
    assert_eq!(teacher.get(&format!("{link}/visits")).await.status, StatusCode::NOT_FOUND);
    // The names are free again, and the new link starts its counts at zero.
    let next = teacher.create(json!({})).await;
    teacher.create_link(&next, "k", "s").await;
    assert_eq!(anon.get(&link).await.data()["visitCount"], json!(1));
    assert_eq!(teacher.get(&format!("{link}/visits")).await.data()["days"].as_array().map(Vec::len), Some(1));
}
