//! `GET /api/link/investigation/{id}`, also `GET /api/investigation/{id}/links`

use fieldbook::app::{Access, HttpSettings};
use fieldbook::domain::schema;
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
          "_id": "000000000000000000000005",
          "key": "k",
          "subLink": "first",
          "description": "",
          "investigationId": "000000000000000000000001",
          "creator": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "visitCount": 0,
          "createdAt": "2026-11-21T08:00:00.000Z",
          "shows": "nothing",
          "version": null,
          "expiresAt": null,
          "maxVisits": null,
          "archived": false
        },
        {
          "_id": "000000000000000000000007",
          "key": "a",
          "subLink": "second",
          "description": "",
          "investigationId": "000000000000000000000001",
          "creator": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "visitCount": 1,
          "createdAt": "2026-11-21T08:00:00.000Z",
          "shows": "nothing",
          "version": null,
          "expiresAt": null,
          "maxVisits": null,
          "archived": false
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
    {
      "success": true,
      "data": []
    }
    "#);
}

#[tokio::test]
async fn an_unknown_investigation_has_no_list() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.get("/api/link/investigation/cccccccccccccccccccccccc").await;
    assert_snapshot!(refused, @r#"
    GET /api/link/investigation/cccccccccccccccccccccccc

    404 Not Found
    {
      "success": false,
      "message": "Investigation not found",
      "code": "investigation_not_found"
    }
    "#);
}

#[tokio::test]
async fn a_malformed_investigation_id_is_refused() {
    let (_app, _, teacher) = TestApp::start().await;
    let refused = teacher.get("/api/link/investigation/42").await;
    assert_snapshot!(refused, @r#"
    GET /api/link/investigation/42

    400 Bad Request
    {
      "success": false,
      "message": "Validation failed",
      "errors": [
        {
          "path": "id",
          "message": "must be 24 hexadecimal digits"
        }
      ],
      "code": "validation_failed"
    }
    "#);
    for id in ["%20", "", "ccccccccccccccccccccccccc", "cccccccccccccccccccccccg", "%00", "%FF"] {
        let refused = teacher.get(&format!("/api/link/investigation/{id}")).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
        assert_eq!(refused.json()["success"], json!(false), "{refused}");
    }
}

#[tokio::test]
async fn listing_takes_a_token_even_where_investigations_do_not() {
    let http = HttpSettings { investigations: Access::Optional, ..HttpSettings::default() };
    let (_app, anon, _) = TestApp::start_with(http, schema::BUILT_IN).await;
    let id = anon.create(json!({})).await;
    for path in [format!("/api/link/investigation/{id}"), format!("/api/investigation/{id}/links")] {
        let refused = anon.get(&path).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{refused}");
    }
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
