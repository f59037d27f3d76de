//! `GET /api/trash`: the investigations that the caller can restore. `DELETE /api/trash/{id}`: deletes one permanently.

use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::permissions::{ADMIN, STRANGER, with_role};
use crate::support::{Caller, TEACHER, TestApp};

/// Creates and deletes an investigation with this title, one second after the previous one. Returns its id.
async fn deleted(app: &TestApp, caller: &Caller, title: &str) -> String {
    app.clock.advance(Duration::from_secs(1));
    let id = caller.create(json!({ "title": title })).await;
    caller.delete(&format!("/api/investigation/{id}")).await;
    id
}

fn titles(list: &Value) -> Vec<&str> {
    list["data"].as_array().expect("entries").iter().filter_map(|entry| entry["title"].as_str()).collect()
}

#[tokio::test]
async fn trash_lists_title_time_user_and_expiry() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "é".repeat(201)})).await;
    with_role(&app, ADMIN, "admin").delete(&path).await;
    deleted(&app, &teacher, "Peas").await;
    let list = teacher.get("/api/trash").await;
    assert_eq!(list.json()["data"][1]["title"], "é".repeat(200));
    assert_snapshot!(list.text.replace(&"é".repeat(200), "é…"), @r#"{"success":true,"data":[{"investigationId":"000000000000000000000003","title":"Peas","author":"aaaaaaaaaaaaaaaaaaaaaaaa","deletedAt":"2026-11-21T08:00:01.000Z","deletedBy":"aaaaaaaaaaaaaaaaaaaaaaaa","until":"2026-12-21T08:00:01.000Z"},{"investigationId":"000000000000000000000001","title":"é…","author":"aaaaaaaaaaaaaaaaaaaaaaaa","deletedAt":"2026-11-21T08:00:00.000Z","deletedBy":"adadadadadadadadadadadad","until":"2026-12-21T08:00:00.000Z"}]}"#);
}

#[tokio::test]
async fn users_see_their_own_trash_and_admins_see_all() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let stranger = app.signed_in(STRANGER);
    deleted(&app, &teacher, "Cress").await;
    deleted(&app, &stranger, "Peas").await;
    assert_eq!(titles(&teacher.get("/api/trash").await.json()), ["Cress"]);
    assert_eq!(titles(&stranger.get("/api/trash").await.json()), ["Peas"]);
    assert_eq!(titles(&with_role(&app, TEACHER, "reader").get("/api/trash").await.json()), ["Cress"]);
    assert_eq!(titles(&with_role(&app, ADMIN, "admin").get("/api/trash").await.json()), ["Peas", "Cress"]);
    assert_eq!(app.anon().get("/api/trash").await.status, 401);
}

#[tokio::test]
async fn trash_is_paged_from_the_most_recently_deleted_investigation() {
    let (app, teacher) = TestApp::start_with_trash().await;
    for title in ["A", "B", "C"] {
        deleted(&app, &teacher, title).await;
    }
    let first = teacher.get("/api/trash?limit=2").await.json();
    assert_eq!(titles(&first), ["C", "B"]);
    let cursor = first["pagination"]["nextCursor"].as_str().expect("a cursor").to_owned();
    let second = teacher.get(&format!("/api/trash?limit=2&cursor={cursor}")).await.json();
    assert_eq!((titles(&second), second.get("pagination")), (vec!["A"], None));
    for (query, path) in [("limit=0", "limit"), ("cursor=eyJhIjoyfQ", "cursor")] {
        let refused = teacher.get(&format!("/api/trash?{query}")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!(path)), "{refused}");
    }
}

#[tokio::test]
async fn trash_does_not_list_restored_or_expired_investigations() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = deleted(&app, &teacher, "Restored").await;
    deleted(&app, &teacher, "Over").await;
    teacher.post_empty(&format!("/api/investigation/{id}/undelete")).await;
    assert_eq!(titles(&teacher.get("/api/trash").await.json()), ["Over"]);
    app.clock.advance(Duration::from_secs(30 * 24 * 3600));
    assert_eq!(app.signed_in(TEACHER).get("/api/trash").await.data(), json!([]));
}

#[tokio::test]
async fn purged_investigation_is_no_longer_in_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = deleted(&app, &teacher, "Cress").await;
    deleted(&app, &teacher, "Peas").await;
    let purge = format!("/api/trash/{id}");
    let purged = teacher.delete(&purge).await;
    assert_snapshot!(purged, @r#"
    DELETE /api/trash/000000000000000000000001
    200 OK
    {
      "success": true, "message": "Investigation deleted for good",
      "data": {"investigationId": "000000000000000000000001"}
    }
    "#);
    assert_eq!(titles(&teacher.get("/api/trash").await.json()), ["Peas"]);
    for again in [teacher.delete(&purge).await, teacher.post_empty(&format!("/api/investigation/{id}/undelete")).await]
    {
        assert_eq!((again.status.as_u16(), &again.json()["code"]), (404, &json!("not_in_trash")), "{again}");
    }
    let log = with_role(&app, ADMIN, "admin").get(&format!("/api/audit?investigation={id}")).await.data();
    assert_eq!(
        (&log[0]["action"], &log[0]["actor"]["user"]),
        (&json!("investigation.purged"), &json!(TEACHER)),
        "{log}"
    );
}

#[tokio::test]
async fn only_the_author_and_admins_may_purge() {
    let (app, teacher) = TestApp::start_with_trash().await;
    for purger in [teacher.clone(), with_role(&app, ADMIN, "admin")] {
        let purge = format!("/api/trash/{}", deleted(&app, &teacher, "Cress").await);
        for (other, code) in [
            (app.signed_in(STRANGER), (404, json!("not_in_trash"))),
            (with_role(&app, TEACHER, "reader"), (403, json!("read_only"))),
            (app.anon(), (401, json!("unauthenticated"))),
        ] {
            let refused = other.delete(&purge).await;
            assert_eq!((refused.status.as_u16(), refused.json()["code"].clone()), code);
        }
        assert_eq!(purger.delete(&purge).await.status, 200);
    }
}

#[tokio::test]
async fn investigation_that_is_not_in_the_trash_cannot_be_purged() {
    let (_app, teacher) = TestApp::start_with_trash().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    assert_eq!(teacher.delete(&format!("/api/trash/{id}")).await.status, 404);
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.status, 200);
}
