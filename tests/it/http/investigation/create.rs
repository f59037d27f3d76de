//! `POST /api/investigation`

use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn a_new_investigation_belongs_to_its_caller_and_is_processed() {
    let (_app, _, teacher) = TestApp::start().await;
    let created = teacher.post("/api/investigation", json!({"title": "Cress", "grade": 5})).await;
    assert_snapshot!(created, @r#"
    POST /api/investigation
    {"title":"Cress","grade":5}

    201 Created
    etag: "1"
    {
      "success": true,
      "message": "Investigation created successfully",
      "data": {
        "_id": "000000000000000000000001",
        "title": "Cress",
        "grade": 5,
        "status": "draft_incomplete",
        "author": {
          "id": "aaaaaaaaaaaaaaaaaaaaaaaa",
          "name": null,
          "email": null,
          "avatar": null
        },
        "metadata": {
          "author": null
        },
        "lastChangeWithAI": false,
        "contradictions": [],
        "hints": [],
        "version": 0,
        "revision": 1,
        "clonedFrom": null,
        "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
}
