//! `GET /api/investigation/{id}`

use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn investigation_is_returned_as_stored() {
    let (_app, teacher, id) = TestApp::with_id(json!({"note": {"b": 1, "a": null}, "title": "Cress"})).await;
    assert_snapshot!(teacher.get(&format!("/api/investigation/{id}")).await, @r#"
    GET /api/investigation/000000000000000000000001
    200 OK
    etag: "1"
    {
      "success": true, "message": "Investigation retrieved successfully",
      "data": {
        "_id": "000000000000000000000001", "note": {"b": 1, "a": null}, "title": "Cress",
        "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
        "dismissed": [], "version": 0, "revision": 1, "clonedFrom": null, "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
}

#[tokio::test]
async fn investigation_is_found_by_its_id_in_uppercase() {
    let (_app, _, teacher) = TestApp::start().await;
    for _ in 0..5 {
        teacher.create(json!({})).await;
    }
    let id = teacher.create(json!({"title": "Cress"})).await;
    assert_ne!(id, id.to_uppercase(), "an id with letters");
    let found = teacher.get(&format!("/api/investigation/{}", id.to_uppercase())).await;
    assert_eq!(found.data()["_id"], id);
}
