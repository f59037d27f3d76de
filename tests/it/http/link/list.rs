//! `GET /api/link/investigation/{id}`, also `GET /api/investigation/{id}/links`

use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn both_routes_list_the_links_of_an_investigation() {
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
