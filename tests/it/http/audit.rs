//! `GET /api/audit`: the log of actions, for admins.

use fieldbook::app::{Access, HttpSettings};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::permissions::{ADMIN, EDITOR, STRANGER, add_key, with_role};
use crate::support::{TEACHER, TestApp};

/// Returns the entries of the log, oldest first, one per line.
fn lines(log: &Value) -> String {
    let entries = log["data"].as_array().expect("entries").iter().rev();
    entries.map(Value::to_string).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn audit_log_has_actor_action_and_record_but_no_content() {
    let (app, _, author) = TestApp::start().await;
    let stranger = app.signed_in(STRANGER);
    let admin = with_role(&app, ADMIN, "admin");
    let program = app.anon().bearing(add_key(&app, 1, "author").await.expose());
    let id = author.create(json!({"title": "Sesame"})).await;
    let path = format!("/api/investigation/{id}");
    author.patch(&path, json!({"title": "Sesame, open"})).await;
    author.patch(&path, json!({"editors": [EDITOR], "status": "published"})).await;
    program.post_empty(&format!("{path}/versions/0/restore")).await;
    stranger.post_empty(&format!("{path}/clone")).await;
    let link = author.create_link(&id, "k", "s").await;
    author.patch(&link, json!({"shows": "handout", "description": "Sesame"})).await;
    stranger.patch(&link, json!({"archived": true})).await;
    author.delete(&link).await;
    admin.delete(&path).await;
    let log = admin.get("/api/audit").await.json();
    assert_snapshot!(lines(&log), @r#"
    {"at":"2026-11-21T08:00:00.000Z","actor":{},"action":"api_key.added","keyId":"010101010101010101010101"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.created"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.editors_changed","editors":["eeeeeeeeeeeeeeeeeeeeeeee"]}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.status_changed","from":"draft_incomplete","to":"published"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"ffffffffffffffffffffffff","key":"010101010101010101010101"},"investigationId":"000000000000000000000001","action":"investigation.version_restored","version":3}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"ffffffffffffffffffffffff"},"investigationId":"000000000000000000000003","action":"investigation.created","clonedFrom":"000000000000000000000001"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"link.created","key":"k","subLink":"s"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"link.changed","key":"k","subLink":"s","fields":["description","shows"]}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"ffffffffffffffffffffffff"},"investigationId":"000000000000000000000001","action":"link.changed","key":"k","subLink":"s","fields":["archived"]}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"ffffffffffffffffffffffff"},"investigationId":"000000000000000000000001","action":"link.closed","key":"k","subLink":"s"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"link.closed","key":"k","subLink":"s"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"adadadadadadadadadadadad"},"investigationId":"000000000000000000000001","action":"investigation.deleted","permanently":true}
    "#);
    assert!(!log.to_string().contains("Sesame"), "{log}");
}

#[tokio::test]
async fn audit_log_has_every_new_author_and_permanent_deletion_of_an_investigation() {
    let http = HttpSettings { trash_days: 30, investigations: Access::Optional, ..HttpSettings::default() };
    let (app, anon, teacher) = TestApp::start_with(http).await;
    let path = anon.create_path(json!({"title": "Cress"})).await;
    teacher.patch(&path, json!({})).await;
    teacher.delete(&path).await;
    teacher.post_empty(&format!("{path}/undelete")).await;
    teacher.delete(&format!("{path}?permanently=true")).await;
    let log = with_role(&app, ADMIN, "admin").get("/api/audit").await.json();
    assert_snapshot!(lines(&log), @r#"
    {"at":"2026-11-21T08:00:00.000Z","actor":{},"investigationId":"000000000000000000000001","action":"investigation.created"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.author_set","author":"aaaaaaaaaaaaaaaaaaaaaaaa"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.deleted"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.undeleted"}
    {"at":"2026-11-21T08:00:00.000Z","actor":{"user":"aaaaaaaaaaaaaaaaaaaaaaaa"},"investigationId":"000000000000000000000001","action":"investigation.deleted","permanently":true}
    "#);
}

#[tokio::test]
async fn refusals_and_changes_without_effect_are_not_in_the_audit_log() {
    let (app, anon, author) = TestApp::start().await;
    let admin = with_role(&app, ADMIN, "admin");
    let reader = with_role(&app, TEACHER, "reader");
    let path = author.create_path(json!({"title": "Cress"})).await;
    reader.delete(&path).await;
    anon.delete(&path).await;
    author.patch(&path, json!({"title": "Cress"})).await;
    author.patch(&path, json!({"title": 7})).await;
    author.post_empty(&format!("{path}/redo")).await;
    assert_eq!(admin.get("/api/audit").await.data().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn audit_log_is_paged_newest_first_and_can_be_filtered_by_investigation() {
    let (app, _, author) = TestApp::start().await;
    let admin = with_role(&app, ADMIN, "admin");
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(author.create(json!({})).await);
    }
    author.delete(&format!("/api/investigation/{}", ids[1])).await;
    let first = admin.get("/api/audit?limit=1").await;
    assert_snapshot!(first, @r#"
    GET /api/audit?limit=1
    200 OK
    {
      "success": true,
      "data": [
        {
          "at": "2026-11-21T08:00:00.000Z", "actor": {"user": "aaaaaaaaaaaaaaaaaaaaaaaa"},
          "investigationId": "000000000000000000000003", "action": "investigation.deleted", "permanently": true
        }
      ],
      "pagination": {"hasMore": true, "nextCursor": "eyJhIjo0fQ"}
    }
    "#);
    let cursor = first.json()["pagination"]["nextCursor"].as_str().expect("a cursor").to_owned();
    let second = admin.get(&format!("/api/audit?limit=9&cursor={cursor}")).await.json();
    let entries = second["data"].as_array().expect("entries").iter();
    assert_eq!(entries.map(|entry| &entry["investigationId"]).collect::<Vec<_>>(), [&ids[2], &ids[1], &ids[0]]);
    assert_eq!(second.get("pagination"), None);
    let of_one = admin.get(&format!("/api/audit?investigation={}", ids[1])).await;
    let actions: Vec<Value> = of_one.data().as_array().expect("entries").iter().map(|e| e["action"].clone()).collect();
    assert_eq!(actions, ["investigation.deleted", "investigation.created"]);
}

#[tokio::test]
async fn error_for_an_invalid_parameter_of_the_audit_log_names_the_parameter() {
    let (app, _, _) = TestApp::start().await;
    let admin = with_role(&app, ADMIN, "admin");
    for (query, path) in [("limit=0", "limit"), ("cursor=x", "cursor"), ("investigation=me", "investigation")] {
        let refused = admin.get(&format!("/api/audit?{query}")).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["errors"][0]["path"]), (400, &json!(path)), "{refused}");
    }
}
