//! `DELETE /api/investigation/{id}`

use fieldbook::app::HttpSettings;
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::json;

use crate::http::permissions::{ADMIN, STRANGER, with_role};
use crate::support::{TestApp, http_statuses};

const UNKNOWN: &str = "/api/investigation/ffffffffffffffffffffffff";

#[tokio::test]
async fn deletion_removes_the_chat_and_returns_the_number_of_deleted_chats() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    assert_snapshot!(teacher.delete(&path).await, @r#"
    DELETE /api/investigation/000000000000000000000001
    200 OK
    {
      "success": true, "message": "Investigation deleted successfully",
      "data": {"investigationId": "000000000000000000000001", "deletedChats": 1}
    }
    "#);
    assert_eq!(teacher.delete(&path).await.json()["code"], "investigation_not_found");
}

#[tokio::test]
async fn deletion_removes_the_history_and_links_of_the_investigation() {
    let (_app, anon, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    let kept = teacher.create(json!({"title": "Bread"})).await;
    let path = format!("/api/investigation/{id}");
    teacher.patch(&path, json!({"title": "Watercress"})).await;
    let link = teacher.create_link(&id, "cress", "one").await;
    let other_link = teacher.create_link(&kept, "bread", "one").await;
    assert_eq!(anon.get(&link).await.status, StatusCode::OK);

    assert_eq!(teacher.delete(&path).await.status, StatusCode::OK);

    assert_eq!(anon.get(&link).await.status, StatusCode::NOT_FOUND);
    assert_eq!(anon.get(&format!("{link}/qr.svg")).await.status, StatusCode::NOT_FOUND);
    for gone in [format!("{link}/visits"), format!("{path}/links")] {
        assert_eq!(teacher.get(&gone).await.status, StatusCode::NOT_FOUND, "{gone}");
    }
    for part in ["", "/versions", "/versions/0", "/history/title", "/chat"] {
        let gone = teacher.get(&format!("{path}{part}")).await;
        assert_eq!(gone.status, StatusCode::INTERNAL_SERVER_ERROR, "{gone}");
    }
    for part in ["/undo", "/redo", "/clone", "/versions/0/restore"] {
        let gone = teacher.post_empty(&format!("{path}{part}")).await;
        assert_eq!(gone.status, StatusCode::INTERNAL_SERVER_ERROR, "{gone}");
    }
    assert_eq!(teacher.get("/api/investigation?search=watercress").await.data()["pagination"]["total"], 0);
    assert_eq!(teacher.get("/api/investigation").await.data()["items"][0]["_id"], kept);
    assert_eq!(anon.get(&other_link).await.status, StatusCode::OK);
    assert_eq!(teacher.create_link(&kept, "cress", "one").await, link, "the name of its link is free again");
    assert_eq!(anon.get(&link).await.data()["visitCount"], 1, "and its counts start at zero");
    assert_eq!(teacher.get(&format!("{link}/visits")).await.data()["days"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn deleting_an_investigation_does_not_delete_its_clone() {
    let (_app, teacher, id) = TestApp::with_id(json!({"title": "Cress"})).await;
    let clone = teacher.post_empty(&format!("/api/investigation/{id}/clone")).await.data();
    teacher.delete(&format!("/api/investigation/{id}")).await;
    let path = format!("/api/investigation/{}", clone["_id"].as_str().expect("an id"));
    assert_eq!(teacher.get(&path).await.data(), clone);
}

#[tokio::test]
async fn deletion_of_an_unknown_investigation_with_if_match_answers_not_found() {
    for http in [HttpSettings::default(), http_statuses()] {
        let (_app, _, teacher) = TestApp::start_with(http).await;
        let gone = teacher.with_header("if-match", "\"1\"").delete(UNKNOWN).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn deletion_with_if_match_star_accepts_any_revision() {
    let (_app, teacher, path) = TestApp::with(json!({"title": "Cress"})).await;
    assert_eq!(teacher.with_header("if-match", "*").delete(&path).await.status, StatusCode::OK);
}

#[tokio::test]
async fn only_the_author_and_admins_may_delete_permanently_if_there_is_a_trash() {
    let (app, teacher) = TestApp::start_with_trash().await;
    for deleter in [teacher.clone(), with_role(&app, ADMIN, "admin")] {
        let path = teacher.create_path(json!({"title": "Cress"})).await;
        let refused = app.signed_in(STRANGER).delete(&format!("{path}?permanently=true")).await;
        assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (403, Some("not_your_investigation")));
        assert_eq!(deleter.delete(&format!("{path}?permanently=yes")).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(deleter.delete(&format!("{path}?permanently=true")).await.status, StatusCode::OK);
        assert_eq!(teacher.post_empty(&format!("{path}/undelete")).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(teacher.get("/api/trash").await.data(), json!([]));
}

#[tokio::test]
async fn deletion_into_the_trash_is_refused_if_the_revision_does_not_match() {
    let (_app, teacher) = TestApp::start_with_trash().await;
    let path = teacher.create_path(json!({"title": "Cress"})).await;
    teacher.patch(&path, json!({"title": "Watercress"})).await;
    let refused = teacher.clone().with_header("if-match", "\"1\"").delete(&path).await;
    assert_eq!(refused.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(teacher.with_header("if-match", "\"2\"").delete(&path).await.status, StatusCode::OK);
}
