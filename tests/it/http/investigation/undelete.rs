//! `POST /api/investigation/{id}/undelete`

use std::time::Duration;

use fieldbook::app::{ErrorStatuses, HttpSettings};
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::http::permissions::{ADMIN, EDITOR, STRANGER, with_role};
use crate::support::{TEACHER, TestApp};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Returns the status and the code of a refusal.
fn refusal(answer: &crate::support::Exchange) -> (u16, Value) {
    (answer.status.as_u16(), answer.json()["code"].clone())
}

#[tokio::test]
async fn deleted_investigation_is_restored_at_the_next_revision() {
    let (_app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    let deleted = teacher.delete(&path).await;
    assert_eq!(
        deleted.json()["data"],
        json!({"investigationId": "000000000000000000000001", "deletedChats": 1}),
        "the answer is the same with a trash"
    );
    let restored = teacher.post_empty(&format!("{path}/undelete")).await;
    assert_snapshot!(restored, @r#"
    POST /api/investigation/000000000000000000000001/undelete
    200 OK
    etag: "2"
    {
      "success": true, "message": "Investigation restored successfully",
      "data": {
        "_id": "000000000000000000000001", "title": "Cress", "status": "draft_incomplete",
        "author": {"id": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": null, "email": null, "avatar": null},
        "metadata": {"author": null}, "lastChangeWithAI": false, "contradictions": [], "hints": [],
        "dismissed": [], "version": 0, "revision": 2, "clonedFrom": null, "createdAt": "2026-11-21T08:00:00.000Z",
        "updatedAt": "2026-11-21T08:00:00.000Z"
      }
    }
    "#);
    let read = teacher.get(&path).await;
    assert_eq!(read.data(), restored.data());
    assert_eq!(refusal(&teacher.post_empty(&format!("{path}/undelete")).await), (404, json!("not_in_trash")));
}

#[tokio::test]
async fn versions_links_visits_and_dismissals_are_restored_with_an_empty_chat() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let lesson = json!({"title": "Cress", "durationMinutes": 5, "steps": [{"text": "Sow", "minutes": 9}]});
    let id = teacher.create(lesson).await;
    let path = format!("/api/investigation/{id}");
    for title in ["Watercress", "Garden cress"] {
        teacher.patch(&path, json!({ "title": title, "editors": [EDITOR] })).await;
    }
    teacher.post(&format!("{path}/regenerate"), json!({"fieldName": "title"})).await;
    teacher.post_empty(&format!("{path}/undo")).await;
    let finding = json!({"fieldName": "durationMinutes", "conflictsWith": ["steps"], "reason": "At home"});
    assert_eq!(teacher.post(&format!("{path}/dismissals"), finding).await.status, 201);
    let link = teacher.create_link(&id, "class", "cress").await;
    teacher.patch(&link, json!({"shows": "handout", "maxVisits": 9})).await;
    for _ in 0..2 {
        teacher.get(&link).await;
    }
    app.clock.advance(DAY);
    let teacher = app.signed_in(TEACHER);
    teacher.get(&link).await;
    let reads = ["", "/versions", "/versions/0", "/history/title", "/chat", "/links"];
    let all = async || {
        let mut read = Vec::new();
        for part in reads {
            read.push(teacher.get(&format!("{path}{part}")).await.data());
        }
        read.push(teacher.get(&format!("{link}/visits")).await.data());
        read.push(teacher.get("/api/investigation?search=water").await.data()["items"][0]["_id"].clone());
        read
    };
    let mut before = all().await;
    assert_eq!(teacher.delete(&path).await.status, 200);
    assert_eq!(teacher.get(&link).await.status, 404);
    assert_eq!(teacher.post_empty(&format!("{path}/undelete")).await.status, 200);
    before[0]["revision"] = json!(before[0]["revision"].as_u64().expect("a number") + 1);
    let chat = &before[4];
    assert_ne!(chat["history"], json!([]));
    let after = all().await;
    assert_eq!(after[4]["history"], json!([]));
    assert_ne!(after[4]["_id"], chat["_id"], "another chat");
    before[4] = after[4].clone();
    assert_eq!(after, before);
    assert_eq!(teacher.get(&link).await.data()["visitCount"], 4);
    let redone = teacher.post_empty(&format!("{path}/redo")).await;
    assert_eq!(redone.data()["title"], "Garden cress", "{redone}");
}

#[tokio::test]
async fn only_the_author_and_admins_may_restore_from_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    teacher.patch(&path, json!({"editors": [EDITOR]})).await;
    for restorer in [teacher.clone(), with_role(&app, ADMIN, "admin")] {
        assert_eq!(app.signed_in(STRANGER).delete(&path).await.status, 200, "anybody deletes, by default");
        for (other, code) in [
            (app.signed_in(STRANGER), (404, json!("not_in_trash"))),
            (app.signed_in(EDITOR), (404, json!("not_in_trash"))),
            (with_role(&app, TEACHER, "reader"), (403, json!("read_only"))),
            (app.anon(), (401, json!("unauthenticated"))),
        ] {
            assert_eq!(refusal(&other.post_empty(&format!("{path}/undelete")).await), code);
        }
        assert_eq!(restorer.post_empty(&format!("{path}/undelete")).await.status, 200);
    }
    teacher.delete(&path).await;
    let stranger = app.signed_in(STRANGER);
    let deleted = stranger.post_empty(&format!("{path}/undelete")).await;
    let unknown = stranger.post_empty("/api/investigation/00000000000000000000ffff/undelete").await;
    assert_snapshot!(deleted, @r#"
    POST /api/investigation/000000000000000000000001/undelete
    404 Not Found
    {
      "success": false, "message": "Not in the trash",
      "error": "It was not deleted, was restored already, or was deleted too long ago", "code": "not_in_trash"
    }
    "#);
    assert_eq!(unknown.text, deleted.text, "strangers cannot find out what is in the trash");
}

#[tokio::test]
async fn restore_skips_and_reports_a_link_whose_address_is_used_by_another_link() {
    let (_app, teacher) = TestApp::start_with_trash().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    teacher.create_link(&id, "class", "cress").await;
    teacher.create_link(&id, "class", "kept").await;
    teacher.delete(&path).await;
    let other = teacher.create(json!({"title": "Peas"})).await;
    let taken = teacher.create_link(&other, "class", "cress").await;
    let restored = teacher.post_empty(&format!("{path}/undelete")).await;
    assert_eq!(restored.data()["linksLeftOut"], json!(["class/cress"]), "{restored}");
    assert_eq!(teacher.get(&taken).await.data()["investigationId"], other.as_str());
    assert_eq!(teacher.get("/api/link/class/kept").await.data()["investigationId"], id.as_str());
}

#[tokio::test]
async fn undelete_does_not_overwrite_an_investigation_imported_under_the_same_id() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let entry = app.app.store.exported(id.parse().expect("an id")).await.expect("read").expect("an investigation");
    teacher.delete(&path).await;
    assert!(app.app.store.import_whole(entry.whole().expect("sound")).await.expect("imported"));
    let refused = teacher.post_empty(&format!("{path}/undelete")).await;
    assert_snapshot!(refused, @r#"
    POST /api/investigation/000000000000000000000001/undelete
    409 Conflict
    {
      "success": false, "message": "The investigation exists",
      "error": "An import has created an investigation with the same id; delete it first to restore the one in the trash",
      "code": "investigation_exists"
    }
    "#);
    assert_eq!(teacher.get(&path).await.data()["revision"], 1);
    teacher.delete(&format!("{path}?permanently=true")).await;
    assert_eq!(teacher.post_empty(&format!("{path}/undelete")).await.status, 200, "it is still in the trash");
}

#[tokio::test]
async fn expired_trash_entry_cannot_be_restored_and_is_deleted() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    teacher.delete(&path).await;
    app.sweep().await;
    app.clock.advance(30 * DAY - Duration::from_millis(1));
    let teacher = app.signed_in(TEACHER);
    assert_eq!(teacher.post_empty(&format!("{path}/undelete")).await.status, 200);
    teacher.delete(&path).await;
    app.clock.advance(30 * DAY);
    let teacher = app.signed_in(TEACHER);
    assert_eq!(refusal(&teacher.post_empty(&format!("{path}/undelete")).await), (404, json!("not_in_trash")));
    assert_eq!(app.rows("trash"), 1);
    app.clock.advance(Duration::from_millis(1));
    app.sweep().await;
    assert_eq!((app.rows("trash"), app.rows("removed")), (0, 0));
}

#[tokio::test]
async fn clock_that_jumps_ahead_and_back_removes_nothing_from_the_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    teacher.delete(&path).await;
    let month = i64::try_from((31 * DAY).as_millis()).expect("a number");
    app.sweep().await;
    app.clock.jump(month);
    app.sweep().await;
    app.clock.jump(-month);
    assert_eq!(teacher.post_empty(&format!("{path}/undelete")).await.status, 200);
}

#[tokio::test]
async fn deletion_without_a_trash_is_final() {
    for error_statuses in [ErrorStatuses::Contract, ErrorStatuses::Http] {
        let (_app, _, teacher) = TestApp::start_with(HttpSettings { error_statuses, ..HttpSettings::default() }).await;
        let path = teacher.create_path(json!({"title": "Cress"})).await;
        teacher.delete(&path).await;
        assert_eq!(
            teacher.post_empty(&format!("{path}/undelete")).await.json(),
            json!({
                "success": false, "message": "Not in the trash",
                "error": "It was not deleted, was restored already, or was deleted too long ago",
                "code": "not_in_trash"
            })
        );
        assert_eq!(teacher.get("/api/trash").await.data(), json!([]));
    }
}

#[tokio::test]
async fn restore_from_the_trash_emits_an_event_and_an_audit_entry() {
    let (app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    teacher.delete(&path).await;
    teacher.post_empty(&format!("{path}/undelete")).await;
    let admin = with_role(&app, ADMIN, "admin");
    let log = admin.get("/api/audit").await.data();
    let actions: Vec<&Value> = log.as_array().expect("entries").iter().map(|entry| &entry["action"]).collect();
    assert_eq!(actions, ["investigation.undeleted", "investigation.deleted", "investigation.created"]);
    assert_eq!(log[0]["actor"]["user"], TEACHER);
    let events = app.events(3).await;
    let told: Vec<_> = events.iter().map(|event| (event.what.name(), event.revision)).collect();
    assert_eq!(told, [("investigation.created", 1), ("investigation.deleted", 1), ("investigation.undeleted", 2)]);
}
