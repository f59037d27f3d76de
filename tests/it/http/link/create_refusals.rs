//! Refused links. The answer names every violation.

use fieldbook::admission::{LIGHT, share_of};
use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::http::investigation::create::violations;
use crate::support::{TestApp, token};

#[tokio::test]
async fn error_for_a_malformed_member_of_a_new_link_names_the_member() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let path = format!("/api/link/investigation/{id}");
    let name_form = "must be 1 to 64 characters of A-Z a-z 0-9 _ -";
    let of_service = "must not be \"investigation\", which the service uses itself";
    for (body, field, message) in [
        (json!({"description": "d"}), "key", "is required"),
        (json!({"key": "k"}), "description", "is required"),
        (json!({"key": null, "description": "d"}), "key", "must be a string"),
        (json!({"key": 5, "description": "d"}), "key", "must be a string"),
        (json!({"key": "", "description": "d"}), "key", name_form),
        (json!({"key": "a b", "description": "d"}), "key", name_form),
        (json!({"key": "é", "description": "d"}), "key", name_form),
        (json!({"key": "a/b", "description": "d"}), "key", name_form),
        (json!({"key": "a\n", "description": "d"}), "key", name_form),
        (json!({"key": "investigation", "description": "d"}), "key", of_service),
        (json!({"key": "k", "subLink": ["s"], "description": "d"}), "subLink", "must be a string"),
        (json!({"key": "k", "subLink": "s.t", "description": "d"}), "subLink", name_form),
        (json!({"key": "k", "description": null}), "description", "must be a string"),
        (json!({"key": "k", "description": {}}), "description", "must be a string"),
        (json!({"key": "k", "description": "d", "creator": "me"}), "creator", "is not a field of a link"),
        (json!({"key": "k", "description": "a\u{0}b"}), "description", "holds a NUL character"),
    ] {
        let refused = teacher.post(&path, body).await;
        let expected = format!(r#"400 "validation_failed" "Validation failed" "{field}" {}"#, json!(message));
        assert_eq!(refused.refusal(), expected, "{refused}");
    }
    let many = json!({"subLink": "a b", "description": 7, "visitCount": 9, "creator": "me"});
    assert_snapshot!(violations(&teacher.post(&path, many).await), @"
    400 Bad Request
    subLink: must be 1 to 64 characters of A-Z a-z 0-9 _ -
    description: must be a string
    key: is required
    visitCount: is not a field of a link
    creator: is not a field of a link
    ");
    assert_eq!(teacher.get(&path).await.data(), json!([]));
}

#[tokio::test]
async fn link_names_and_description_with_one_character_too_many_are_refused() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let path = format!("/api/link/investigation/{id}");
    let (name, description) = ("k".repeat(65), "é".repeat(501));
    let refused = teacher.post(&path, json!({"key": name, "subLink": name, "description": description})).await.json();
    let paths: Vec<&Value> = refused["errors"].as_array().expect("errors").iter().map(|e| &e["path"]).collect();
    assert_eq!(paths, ["key", "subLink", "description"], "{refused}");
    assert_eq!(teacher.get(&path).await.data(), json!([]));
}

#[tokio::test]
async fn key_and_sub_link_of_a_link_are_unique_across_all_callers() {
    let (app, _, teacher) = TestApp::start().await;
    let (first, second) = (teacher.create(json!({})).await, teacher.create(json!({})).await);
    teacher.create_link(&first, "k", "s").await;
    let body = json!({"key": "k", "subLink": "s", "description": "d"});
    let colleague = app.signed_in(crate::support::COLLEAGUE);
    let refused = colleague.post(&format!("/api/link/investigation/{second}"), body).await;
    assert_eq!(refused.refusal(), r#"409 "link_exists" "Link already exists""#);
    assert_eq!(teacher.get("/api/link/k/s").await.data()["investigationId"], json!(first));
    // A pair with another sub-link, or with the same names in another case, is another link.
    teacher.create_link(&second, "k", "t").await;
    teacher.create_link(&second, "K", "s").await;
}

#[tokio::test]
async fn concurrent_requests_with_the_same_key_and_sub_link_create_one_link() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..share_of(LIGHT) {
        let (teacher, path) = (teacher.clone(), format!("/api/link/investigation/{id}"));
        let body = json!({"key": "k", "subLink": "s", "description": number.to_string()});
        asking.spawn(async move { teacher.post(&path, body).await.status });
    }
    let mut statuses = asking.join_all().await;
    statuses.sort();
    assert_eq!(statuses[0], StatusCode::CREATED);
    assert!(statuses[1..].iter().all(|status| *status == StatusCode::CONFLICT), "{statuses:?}");
    let links = teacher.get(&format!("/api/link/investigation/{id}")).await.data();
    assert_eq!(links.as_array().map(Vec::len), Some(1), "{links}");
}

#[tokio::test]
async fn link_created_by_a_user_without_an_object_id_has_no_creator() {
    let (app, _, id) = TestApp::with_id(json!({})).await;
    let nobody = app.anon().bearing(&token::signed(&json!({"userId": "teacher-7", "exp": token::IN_AN_HOUR})));
    let body = json!({"key": "k", "subLink": "s", "description": "d"});
    let created = nobody.post(&format!("/api/link/investigation/{id}"), body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    assert_eq!(created.data()["creator"], Value::Null, "{created}");
}
