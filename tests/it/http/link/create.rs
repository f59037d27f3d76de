//! `POST /api/link/investigation/{id}`, also `POST /api/investigation/{id}/links`

use fieldbook::domain::link::ALPHABET;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn both_routes_that_create_a_link_return_the_same_answer_with_the_requested_key_and_sub_link() {
    let mut created = Vec::new();
    for route in ["/api/link/investigation/{id}", "/api/investigation/{id}/links"] {
        let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
        let body = json!({"key": "class-5b", "subLink": "cress_1", "description": "For Monday"});
        created.push(teacher.post(&route.replace("{id}", &id), body).await.answer());
    }
    assert_eq!(created[0], created[1]);
    assert_snapshot!(created[0], @r#"
    201 Created
    location: /api/link/class-5b/cress_1
    {
      "success": true, "message": "Link created successfully",
      "data": {
        "_id": "000000000000000000000003", "key": "class-5b", "subLink": "cress_1", "description": "For Monday",
        "investigationId": "000000000000000000000001", "creator": "aaaaaaaaaaaaaaaaaaaaaaaa", "visitCount": 0,
        "createdAt": "2026-11-21T08:00:00.000Z", "shows": "nothing", "version": null, "expiresAt": null,
        "maxVisits": null, "archived": false
      }
    }
    "#);
}

#[tokio::test]
async fn link_created_without_a_sub_link_gets_a_generated_sub_link() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let path = format!("/api/link/investigation/{id}");
    let mut made = Vec::new();
    for body in [
        json!({"key": "k", "description": "d"}),
        json!({"key": "k", "subLink": null, "description": "d"}),
        json!({"key": "k", "subLink": "", "description": "d"}),
    ] {
        let created = teacher.post(&path, body).await;
        assert_eq!(created.status, StatusCode::CREATED, "{created}");
        let sub_link = created.data()["subLink"].as_str().expect("a sub-link").to_owned();
        assert_eq!(sub_link.len(), 8, "{created}");
        assert!(sub_link.bytes().all(|byte| ALPHABET.contains(&byte)), "{created}");
        assert!(!made.contains(&sub_link), "{created}");
        let resolved = teacher.get(&format!("/api/link/k/{sub_link}")).await;
        assert_eq!(resolved.data()["investigationId"], json!(id), "{resolved}");
        made.push(sub_link);
    }
}

#[tokio::test]
async fn generated_sub_link_that_is_already_taken_is_replaced_by_a_free_sub_link() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    // Identifiers in tests come from a counter, so the test knows that the service would generate the sub-link
    // `22222227` next. The test takes this sub-link first.
    teacher.create_link(&id, "k", "22222227").await;
    let created = teacher.post(&format!("/api/link/investigation/{id}"), json!({"key": "k", "description": ""})).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    assert_eq!(created.data()["subLink"], json!("22222229"), "{created}");
}

#[tokio::test]
async fn link_with_the_longest_names_and_description_is_accepted() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let (key, description) = ("Az09_-zZ".repeat(8), "é".repeat(500));
    let body = json!({"key": key, "subLink": key, "description": description});
    let created = teacher.post(&format!("/api/link/investigation/{id}"), body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    assert_eq!(created.data()["description"], json!(description));
    let resolved = teacher.get(&format!("/api/link/{key}/{key}")).await;
    assert_eq!(resolved.status, StatusCode::OK, "{resolved}");
}

#[tokio::test]
async fn investigation_has_at_most_10_000_links() {
    let (app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    teacher.create_link(&id, "k", "first").await;
    app.behind(
        "INSERT INTO link (id, body, key, sub_link, description, creator, created_at, visit_count, shows, archived, displaced)
         WITH RECURSIVE c (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM c WHERE n < 10000)
         SELECT '00000' || CAST(1000000000000000000 + c.n AS TEXT), l.body, l.key, 'l' || CAST(c.n AS TEXT), l.description,
             l.creator, l.created_at, 0, l.shows, l.archived, l.displaced
         FROM c, link l",
    );
    let path = format!("/api/link/investigation/{id}");
    let refused = teacher.post(&path, json!({"key": "k", "subLink": "last", "description": "d"})).await.refusal();
    assert_eq!(
        refused,
        r#"400 "validation_failed" "Validation failed" "" "An investigation has at most 10000 links; delete one first""#
    );
    teacher.delete("/api/link/k/l2").await;
    teacher.create_link(&id, "k", "last").await;
}
