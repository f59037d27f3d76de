//! `If-Match`: the service writes only if the investigation still has the revision that the caller has seen.

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::support::{TEACHER, TestApp, raw::Raw};

#[tokio::test]
async fn a_write_on_another_revision_changes_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let path = format!("/api/investigation/{id}");
    let stale = teacher.clone().with_header("if-match", "\"7\"");
    let refused = stale.patch(&path, json!({"title": "Beans"})).await;
    assert_snapshot!(refused, @r#"
    PATCH /api/investigation/000000000000000000000001
    {"title":"Beans"}

    412 Precondition Failed
    {
      "success": false,
      "message": "The investigation has changed",
      "error": "It is at revision 1 now; read it again and repeat the change on that",
      "code": "revision_mismatch"
    }
    "#);
    let name = json!({"fieldName": "title"});
    for refused in [
        stale.delete(&path).await,
        stale.post_empty(&format!("{path}/undo")).await,
        stale.post_empty(&format!("{path}/redo")).await,
        stale.post_empty(&format!("{path}/versions/0/restore")).await,
        stale.post(&format!("{path}/resolve-contradiction"), name.clone()).await,
        stale.post(&format!("{path}/regenerate"), name).await,
    ] {
        assert_eq!(refused.status, StatusCode::PRECONDITION_FAILED, "{refused}");
        assert_eq!(refused.json()["code"], json!("revision_mismatch"), "{refused}");
    }
    let kept = teacher.get(&path).await;
    assert_eq!((kept.header("etag"), &kept.data()["title"]), (Some("\"1\""), &json!("Cress")));
}

#[tokio::test]
async fn the_header_may_hold_several_tags_or_a_star() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress", "metadata": {"author": TEACHER}})).await;
    let path = format!("/api/investigation/{id}");
    for (header, status) in [
        ("\"1\"", StatusCode::OK),
        ("*", StatusCode::OK),
        ("\"8\", \"1\"", StatusCode::OK),
        ("\"8\",W/\"1\" , \"1\"", StatusCode::OK),
        ("\"2\"", StatusCode::PRECONDITION_FAILED),
        ("W/\"1\"", StatusCode::PRECONDITION_FAILED),
        ("1", StatusCode::PRECONDITION_FAILED),
        ("\"one\"", StatusCode::PRECONDITION_FAILED),
        ("\"\"", StatusCode::PRECONDITION_FAILED),
        ("", StatusCode::PRECONDITION_FAILED),
        ("\"99999999999999999999999\"", StatusCode::PRECONDITION_FAILED),
    ] {
        // The title does not change, so the revision stays the same.
        let caller = teacher.clone().with_header("if-match", header);
        let answer = caller.patch(&path, json!({"title": "Cress"})).await;
        assert_eq!(answer.status, status, "{header}: {answer}");
    }
}

#[tokio::test]
async fn several_headers_count_as_one_list() {
    let (app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let hour = std::time::Duration::from_secs(3600);
    let user = TEACHER.parse().expect("an id");
    let token = app.app.tokens.sign(user, app.clock.now(), hour).expect("a token");
    let tags = "if-match: \"8\"\r\nif-match: \"1\"";
    let head = format!("DELETE /api/investigation/{id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n{tags}");
    let deleted = Raw::connect(&app).await.ask(format!("{head}\r\n\r\n")).await;
    assert_eq!(deleted.status, StatusCode::OK, "{deleted}");
}

#[tokio::test]
async fn of_many_who_saw_the_same_revision_one_writes() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let mut writing = tokio::task::JoinSet::new();
    for number in 0..20 {
        let caller = teacher.clone().with_header("if-match", "\"1\"");
        let path = format!("/api/investigation/{id}");
        writing.spawn(async move { caller.patch(&path, json!({"title": number.to_string()})).await.status });
    }
    let mut statuses = writing.join_all().await;
    statuses.sort();
    assert_eq!(statuses[0], StatusCode::OK);
    assert!(statuses[1..].iter().all(|status| *status == StatusCode::PRECONDITION_FAILED), "{statuses:?}");
    assert_eq!(teacher.get(&format!("/api/investigation/{id}")).await.data()["revision"], json!(2));
}
