//! Refused links. The answer names every violation.

use insta::assert_snapshot;
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::support::{TestApp, token};

#[tokio::test]
async fn each_form_that_is_broken_is_refused_at_its_field() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let path = format!("/api/link/investigation/{id}");
    let mut found = String::new();
    for body in [
        json!({"description": "d"}),
        json!({"key": "k"}),
        json!({"key": null, "description": "d"}),
        json!({"key": 5, "description": "d"}),
        json!({"key": "", "description": "d"}),
        json!({"key": "a b", "description": "d"}),
        json!({"key": "é", "description": "d"}),
        json!({"key": "a/b", "description": "d"}),
        json!({"key": "a\n", "description": "d"}),
        json!({"key": "investigation", "description": "d"}),
        json!({"key": "k", "subLink": ["s"], "description": "d"}),
        json!({"key": "k", "subLink": "s.t", "description": "d"}),
        json!({"key": "k", "subLink": "s", "description": null}),
        json!({"key": "k", "subLink": "s", "description": {}}),
        json!({"key": "k", "subLink": "s", "description": "d", "creator": "me"}),
        json!({"key": "k", "subLink": "s", "description": "a\u{0}b"}),
        json!({"subLink": "a b", "description": 7, "visitCount": 9, "creator": "me"}),
    ] {
        let refused = teacher.post(&path, body.clone()).await;
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{refused}");
        assert_eq!(refused.json()["message"], json!("Validation failed"), "{refused}");
        assert_eq!(refused.json()["code"], json!("validation_failed"), "{refused}");
        found.push_str(&format!("{body} -> {}\n", refused.json()["errors"]));
    }
    assert_snapshot!(found, @r#"
    {"description":"d"} -> [{"path":"key","message":"is required"}]
    {"key":"k"} -> [{"path":"description","message":"is required"}]
    {"key":null,"description":"d"} -> [{"path":"key","message":"must be a string"}]
    {"key":5,"description":"d"} -> [{"path":"key","message":"must be a string"}]
    {"key":"","description":"d"} -> [{"path":"key","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"}]
    {"key":"a b","description":"d"} -> [{"path":"key","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"}]
    {"key":"é","description":"d"} -> [{"path":"key","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"}]
    {"key":"a/b","description":"d"} -> [{"path":"key","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"}]
    {"key":"a\n","description":"d"} -> [{"path":"key","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"}]
    {"key":"investigation","description":"d"} -> [{"path":"key","message":"must not be \"investigation\", which the service uses itself"}]
    {"key":"k","subLink":["s"],"description":"d"} -> [{"path":"subLink","message":"must be a string"}]
    {"key":"k","subLink":"s.t","description":"d"} -> [{"path":"subLink","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"}]
    {"key":"k","subLink":"s","description":null} -> [{"path":"description","message":"must be a string"}]
    {"key":"k","subLink":"s","description":{}} -> [{"path":"description","message":"must be a string"}]
    {"key":"k","subLink":"s","description":"d","creator":"me"} -> [{"path":"creator","message":"is not a field of a link"}]
    {"key":"k","subLink":"s","description":"a\u0000b"} -> [{"path":"description","message":"holds a NUL character"}]
    {"subLink":"a b","description":7,"visitCount":9,"creator":"me"} -> [{"path":"subLink","message":"must be 1 to 64 characters of A-Z a-z 0-9 _ -"},{"path":"description","message":"must be a string"},{"path":"key","message":"is required"},{"path":"visitCount","message":"is not a field of a link"},{"path":"creator","message":"is not a field of a link"}]
    "#);
    assert_eq!(teacher.get(&path).await.data(), json!([]));
}

#[tokio::test]
async fn one_character_too_many_is_refused() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let path = format!("/api/link/investigation/{id}");
    let (name, description) = ("k".repeat(65), "é".repeat(501));
    let refused = teacher.post(&path, json!({"key": name, "subLink": name, "description": description})).await.json();
    let paths: Vec<&Value> = refused["errors"].as_array().expect("errors").iter().map(|e| &e["path"]).collect();
    assert_eq!(paths, ["key", "subLink", "description"], "{refused}");
    assert_eq!(teacher.get(&path).await.data(), json!([]));
}

#[tokio::test]
async fn a_pair_is_given_once_whoever_asks() {
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
async fn of_many_who_ask_for_a_pair_at_once_one_gets_it() {
    let (_app, teacher, id) = TestApp::with_id(json!({})).await;
    let mut asking = tokio::task::JoinSet::new();
    for number in 0..20 {
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
async fn a_user_that_is_no_object_identifier_is_no_creator() {
    let (app, _, id) = TestApp::with_id(json!({})).await;
    let nobody = app.anon().bearing(&token::signed(&json!({"userId": "teacher-7", "exp": token::IN_AN_HOUR})));
    let body = json!({"key": "k", "subLink": "s", "description": "d"});
    let created = nobody.post(&format!("/api/link/investigation/{id}"), body).await;
    assert_eq!(created.status, StatusCode::CREATED, "{created}");
    assert_eq!(created.data()["creator"], Value::Null, "{created}");
}
