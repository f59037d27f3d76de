//! Path and query parameters. The service refuses a wrong parameter by name before the operation runs.

use reqwest::StatusCode;
use serde_json::json;

use crate::support::TestApp;

#[tokio::test]
async fn an_id_that_is_missing_is_said_in_the_words_of_the_interface() {
    let (_app, _, teacher) = TestApp::start().await;
    let missing =
        json!({"success": false, "message": "Investigation ID is required", "code": "investigation_id_required"});
    for id in ["", "%20", "%20%09", "%C2%A0"] {
        let mut refused = vec![teacher.get(&format!("/api/investigation/{id}")).await];
        refused.push(teacher.patch(&format!("/api/investigation/{id}"), json!({})).await);
        refused.push(teacher.delete(&format!("/api/investigation/{id}")).await);
        for operation in ["history/title", "versions", "versions/1", "chat"] {
            refused.push(teacher.get(&format!("/api/investigation/{id}/{operation}")).await);
        }
        for operation in ["clone", "undo", "redo", "versions/1/restore"] {
            refused.push(teacher.post_empty(&format!("/api/investigation/{id}/{operation}")).await);
        }
        for operation in ["resolve-contradiction", "regenerate"] {
            let body = json!({"fieldName": "title"});
            refused.push(teacher.post(&format!("/api/investigation/{id}/{operation}"), body).await);
        }
        for refused in refused {
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
            assert_eq!(refused.json(), missing, "{refused}");
        }
    }
}

#[tokio::test]
async fn an_id_of_another_form_is_refused_at_its_name() {
    let (_app, _, teacher) = TestApp::start().await;
    for id in [
        "42",
        "aaaaaaaaaaaaaaaaaaaaaaaaa",
        "aaaaaaaaaaaaaaaaaaaaaaag",
        "%20aaaaaaaaaaaaaaaaaaaaaaaa",
        "%00",
        "%zz",
        "a%2Fb",
    ] {
        for path in [format!("/api/investigation/{id}"), format!("/api/investigation/{id}/versions")] {
            let refused = teacher.get(&path).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
            let errors = json!([{"path": "id", "message": "must be 24 hexadecimal digits"}]);
            assert_eq!(refused.json()["errors"], errors, "{refused}");
        }
    }
    let refused = teacher.get("/api/investigation/%FF").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
}

#[tokio::test]
async fn an_id_in_capitals_is_the_same_id() {
    let (_app, _, teacher) = TestApp::start().await;
    let mut id = String::new();
    for _ in 0..5 {
        id = teacher.create(json!({})).await; // the fifth id contains a letter
    }
    let capitals = id.to_uppercase();
    let read = teacher.get(&format!("/api/investigation/{capitals}")).await;
    assert_eq!(read.data()["_id"], json!(id), "{read}");
}

#[tokio::test]
async fn a_limit_that_is_none_is_refused_at_its_name() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    for operation in ["versions", "history/title"] {
        let path = format!("/api/investigation/{id}/{operation}");
        for query in
            ["limit=0", "limit=-1", "limit=1001", "limit=x", "limit=", "limit=1.5", "limit=1&limit=2", "limit=1%00"]
        {
            let refused = teacher.get(&format!("{path}?{query}")).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
            assert_eq!(refused.json()["errors"][0]["path"], json!("limit"), "{refused}");
        }
        for query in ["limit=1", "limit=1000", "limit=007", "other=1", ""] {
            let taken = teacher.get(&format!("{path}?{query}")).await;
            assert_eq!(taken.status, StatusCode::OK, "{taken}");
        }
    }
}

#[tokio::test]
async fn a_version_that_is_no_number_is_refused_at_its_name() {
    let (_app, _, teacher) = TestApp::start().await;
    let id = teacher.create(json!({"title": "Cress"})).await;
    for version in ["x", "-1", "1.5", "99999999999999999999", "%20"] {
        for refused in [
            teacher.get(&format!("/api/investigation/{id}/versions/{version}")).await,
            teacher.post_empty(&format!("/api/investigation/{id}/versions/{version}/restore")).await,
        ] {
            assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
            assert_eq!(refused.json()["errors"][0]["path"], json!("version"), "{refused}");
        }
    }
}

#[tokio::test]
async fn a_query_that_cannot_be_decoded_harms_nothing() {
    let (_app, _, teacher) = TestApp::start().await;
    for query in ["%FF", "search=%FF", "search=%zz", "=", "&&&", "search=%00", "search=%"] {
        let answer = teacher.get(&format!("/api/investigation?{query}")).await;
        assert!([StatusCode::OK, StatusCode::BAD_REQUEST].contains(&answer.status), "{answer}");
        assert!(answer.json().is_object(), "{answer}");
    }
}
